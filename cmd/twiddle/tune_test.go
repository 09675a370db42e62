package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/timing"
	"github.com/twiddle-go/twiddle/nd"
)

func tuningFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tuning.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TWIDDLE_TUNING", path)
	if err := nd.CPU().Close(); err != nil { // devices read it when they open
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = nd.CPU().Close() })
	return path
}

func TestTuneSources(t *testing.T) {
	path := tuningFile(t, "{\"version\": 1, \"devices\": {\"cpu\": {\"qr_block\": 96,\n\"warp\": 9}}}")
	t.Setenv("TWIDDLE_SVD_STREAMS", "3")
	var out, errs strings.Builder
	if code := run(t.Context(), []string{"tune", "--explain", "--json"}, &out, &errs); code != 0 {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	var r tuneReport
	if err := json.Unmarshal([]byte(out.String()), &r); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"qr_block": "file " + path + ", cpu", "svd_streams": "environment TWIDDLE_SVD_STREAMS", "gemm_task_panels": "built in"}
	for _, f := range r.Figures {
		if s, ok := want[f.Key]; ok && f.Source != s {
			t.Errorf("%s comes from %q, want %q", f.Key, f.Source, s)
		}
		delete(want, f.Key)
	}
	if len(want) > 0 || len(r.Tried) > 0 {
		t.Errorf("not shown: %v; tried %v", want, r.Tried)
	}
	if !strings.Contains(errs.String(), ":2: cpu has no figure \"warp\"") {
		t.Errorf("warning: %q", errs.String())
	}
}

func TestTuneWithoutFile(t *testing.T) {
	if err := os.Remove(tuningFile(t, "")); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := twiddle(t, "tune", "--explain", "--json")
	var r tuneReport
	if err := json.Unmarshal([]byte(stdout), &r); err != nil || code != 0 || len(r.Figures) == 0 || r.Figures[0].Source != "built in" {
		t.Errorf("exit %d, %q, %+v, %v", code, stderr, r, err)
	}
}

func TestTuneFaults(t *testing.T) {
	tuningFile(t, "{\"version\": 1,\n\"devices\": {\"cpu\": {\"qr_block\": 1}}}")
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"tune", "--explain"}, 1, "tuning.json:2: qr_block of cpu is 1"},
		{[]string{"tune", "--explain", "--write", "x"}, 2, "--explain"},
		{[]string{"tune", "--device", "gpu"}, 2, "gpu"},
		{[]string{"tune", "--write", t.TempDir()}, 2, "is a folder"},
		{[]string{"tune", "--write", "tune.go/tuning.json"}, 2, "tune.go is not a folder"},
		{[]string{"tune", "--write", "/dev/null/no/tuning.json"}, 2, "--write"},
		{[]string{"tune", "--rounds", "0"}, 2, "--rounds"},
		{[]string{"tune", "--explian"}, 2, "--explain"},
	} {
		var out, errs strings.Builder
		if code := run(t.Context(), c.args, &out, &errs); code != c.code || !strings.Contains(errs.String(), c.want) {
			t.Errorf("%v: exit %d, %q, want %d and %q", c.args, code, errs.String(), c.code, c.want)
		}
	}
}

// A try sees every candidate and leaves the choice as it was.
func TestTryChoice(t *testing.T) {
	tuningFile(t, `{"version": 1, "devices": {}}`)
	dev := nd.CPU()
	calls := map[float64]int{}
	tried, err := tryChoice(t.Context(), dev, timing.Options{Rounds: 2, Slice: 1}, "qr_block", []float64{32, 128}, func(int) error {
		calls[dev.Tuned("qr_block")]++
		return nil
	})
	if err != nil || len(tried.Candidates) != 3 || dev.Tuned("qr_block") != 64 {
		t.Errorf("%+v, %v; in force %g", tried, err, dev.Tuned("qr_block"))
	}
	for _, v := range []float64{32, 64, 128} {
		if calls[v] == 0 {
			t.Errorf("%g was not tried", v)
		}
	}
	if _, err := tryChoice(t.Context(), dev, timing.Options{}, "warp", nil, nil); err == nil {
		t.Error("unknown choice: no error")
	}
}
