package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTrace compares the names of spans with those of the steps that explain
// shows for the same pipeline.
func TestTrace(t *testing.T) {
	name := filepath.Join(t.TempDir(), "t.json")
	var out, bad bytes.Buffer
	if status := run(t.Context(), []string{"trace", "welch", "--shape", "1,2,8192", "--repeat", "3", "--out", name}, &out, &bad); status != 0 {
		t.Fatalf("%d: %s", status, bad.String())
	}
	said := out.String()
	out.Reset()
	if status := run(t.Context(), []string{"explain", "welch", "--shape", "1,2,8192", "--json"}, &out, &bad); status != 0 {
		t.Fatalf("%d: %s", status, bad.String())
	}
	var plan struct {
		Steps []struct{ Label, Program string }
	}
	if err := json.Unmarshal(out.Bytes(), &plan); err != nil || len(plan.Steps) == 0 {
		t.Fatal(err, len(plan.Steps))
	}
	if want := fmt.Sprintf("%d launches", 3*len(plan.Steps)); !strings.Contains(said, want) {
		t.Errorf("%q, want %s", said, want)
	}
	for _, s := range plan.Steps {
		if n := spansNamed(t, name, s.Label, s.Program); n != 3 {
			t.Errorf("%d spans named %q, want 3", n, s.Label)
		}
	}
	// Any verb, and its failures.
	if status := run(t.Context(), []string{"trace", "run", "--out", name, "--", "explain", "nothing"}, &out, &bad); status != 2 {
		t.Errorf("status %d: %s", status, bad.String())
	}
	bad.Reset()
	if status := run(t.Context(), []string{"trace", "stft"}, &out, &bad); status != 2 || !strings.Contains(bad.String(), "--out is required: a file that ends in .json") {
		t.Errorf("status %d: %s", status, bad.String())
	}
	if status := run(t.Context(), []string{"trace", "stft", "--out", "t.txt"}, &out, &bad); status != 2 || !strings.Contains(bad.String(), ".json") {
		t.Errorf("status %d: %s", status, bad.String())
	}
}

func spansNamed(t *testing.T, file, name, category string) int {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var trace struct {
		TraceEvents []struct{ Name, Cat, Ph string }
	}
	if err := json.Unmarshal(text, &trace); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, e := range trace.TraceEvents {
		if e.Ph == "X" && e.Name == name && e.Cat == category {
			n++
		}
	}
	return n
}
