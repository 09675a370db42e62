package main

import (
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/audio/wav"
)

func TestTrainPiano(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new", "piano")
	code, stdout, stderr := twiddle(t, "train", "piano", "--json", "--out", folder)
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	if len(lines) != 101 {
		t.Fatalf("%d lines for 100 epochs and a result", len(lines))
	}
	var r pianoResult
	if err := json.Unmarshal([]byte(lines[100]), &r); err != nil {
		t.Fatal(err)
	}
	if !(r.InitialLoss > 0 && r.FinalLoss < 0.1*r.InitialLoss) {
		t.Errorf("loss %g -> %g, want less than a tenth", r.InitialLoss, r.FinalLoss)
	}
	for _, name := range []string{"target.wav", "before.wav", "after.wav"} {
		f, err := wav.Open(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		samples := make([]float32, 2*pianoSamples)
		n, _ := f.Read(samples)
		f.Close()
		if n != pianoSamples || f.Header().Rate != pianoRate {
			t.Errorf("%s: %d frames at %g", name, n, f.Header().Rate)
		}
		for _, s := range samples[:n] {
			if !(s >= -1 && s <= 1) {
				t.Errorf("%s: a sample of %g", name, s)
				break
			}
		}
	}
	f, err := os.Open(filepath.Join(folder, "loss.png"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := png.Decode(f); err != nil {
		t.Error(err)
	}
	code, again, _ := twiddle(t, "train", "piano", "--json")
	last := strings.Split(strings.TrimSpace(again), "\n")
	var s pianoResult
	if err := json.Unmarshal([]byte(last[len(last)-1]), &s); code != 0 || err != nil || s.FinalLoss != r.FinalLoss {
		t.Errorf("again: exit %d, %v, a final loss of %g and not %g", code, err, s.FinalLoss, r.FinalLoss)
	}
}

func TestTrainPianoRefuses(t *testing.T) {
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		code int
		want string
		args []string
	}{
		{2, "--epochs 0: want 1 or more", []string{"--epochs", "0"}},
		{2, "--rate -1: want a positive number", []string{"--rate", "-1"}},
		{2, "did you mean --epochs", []string{"--epoch", "3"}},
		{1, "not a directory", []string{"--out", filepath.Join(blocked, "x")}},
	} {
		code, _, stderr := twiddle(t, append([]string{"train", "piano"}, c.args...)...)
		if code != c.code || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: exit %d, %q; want %d, %q", c.args, code, stderr, c.code, c.want)
		}
	}
}
