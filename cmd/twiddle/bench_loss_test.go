package main

import (
	"context"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/loss"
	"github.com/twiddle-go/twiddle/nd"
)

// The sequential form is only worth a comparison if it computes the same.
func TestSequentialFrameAgrees(t *testing.T) {
	l := lossCase{name: "frame", loss: loss.Frame{Size: 64}, shape: []int{500}, sequential: newSequentialFrame(64).run}
	r, err := l.measure(context.Background(), nd.CPU(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if r.Programs > 2 || !(r.NS > 0) || !(r.Sequential > 0) {
		t.Errorf("measured %+v", r)
	}
	l.sequential = newSequentialFrame(32).run
	if _, err := l.measure(context.Background(), nd.CPU(), 1); err == nil {
		t.Error("a sequential form with another window passes")
	}
}

// Silence is measured with the programs of any other signal.
func TestSilentLoss(t *testing.T) {
	l := lossCase{name: "frame", loss: loss.Frame{Size: 64}, shape: []int{500}, silent: true}
	r, err := l.measure(context.Background(), nd.CPU(), 1)
	if err != nil || r.Programs > 2 || !(r.NS > 0) {
		t.Errorf("measured %+v, %v", r, err)
	}
}

func TestBenchLossRefuses(t *testing.T) {
	for _, c := range []struct{ want, flag, value string }{
		{"want at least a window", "--samples", "63"},
		{"want 1 or more", "--rounds", "0"},
		{"computes nothing", "--device", "null"},
		{"--device", "--device", "gpu"},
		{"did you mean --samples", "--sample", "5"},
	} {
		code, _, stderr := twiddle(t, "bench", "loss", c.flag, c.value)
		if code != 2 || !strings.Contains(stderr, c.want) {
			t.Errorf("%s %s: exit %d, %q; want 2, %q", c.flag, c.value, code, stderr, c.want)
		}
	}
}
