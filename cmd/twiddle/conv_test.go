package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/audio/npy"
)

// file is save for a file that is only read.
func file[T npy.Element](t *testing.T, values []T, shape ...int) string {
	in, _ := save(t, values, shape...)
	return in
}

func TestConvCommand(t *testing.T) {
	x := file(t, []float32{1, 2, 3, 4, 5, 6}, 1, 2, 3)
	k := file(t, []float32{1, 1, 2, 0}, 2, 2)
	b := file(t, []float32{10, 20}, 2)
	out := filepath.Join(t.TempDir(), "y.npy")
	for _, c := range []struct {
		mode string
		want []float32
	}{
		{"full", []float32{11, 13, 15, 13, 28, 30, 32, 20}},
		{"causal", []float32{11, 13, 15, 28, 30, 32}},
		{"same", []float32{11, 13, 15, 28, 30, 32}},
		{"valid", []float32{13, 15, 30, 32}},
		{"circular", []float32{14, 13, 15, 28, 30, 32}},
	} {
		code, stdout, stderr := twiddle(t, "conv", "--in", x, "--filter", k, "--bias", b, "--mode", c.mode, "--out", out, "--json")
		var r convReport
		if err := json.Unmarshal([]byte(stdout), &r); code != 0 || err != nil || r.Mode != c.mode {
			t.Fatalf("%s: exit %d, %q, %v", c.mode, code, stderr, err)
		}
		y, err := npy.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		got, err := npy.Values[float32](y)
		if err != nil || len(got) != len(c.want) {
			t.Fatalf("%s: %v, %v", c.mode, got, err)
		}
		for i, w := range c.want {
			if d := got[i] - w; d > 1e-4 || d < -1e-4 {
				t.Errorf("%s: %v, want %v", c.mode, got, c.want)
				break
			}
		}
	}
}

// One channel goes through every filter.
func TestConvOneChannel(t *testing.T) {
	k := file(t, []float32{1, 0, 0, 2}, 2, 2)
	out := filepath.Join(t.TempDir(), "y.npy")
	for _, shape := range [][]int{{3}, {1, 3}, {1, 1, 3}} {
		if code, _, stderr := twiddle(t, "conv", file(t, []float32{1, 2, 3}, shape...), k, "--out", out); code != 0 {
			t.Fatal(stderr)
		}
		y, err := npy.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		got, err := npy.Values[float32](y)
		if want := []float32{1, 2, 3, 0, 2, 4}; err != nil || !slices.EqualFunc(got, want, func(x, y float32) bool { return math.Abs(float64(x-y)) < 1e-5 }) {
			t.Errorf("shape %v: %v, %v, want %v", shape, got, err, want)
		}
	}
}

func TestConvCommandErrors(t *testing.T) {
	x := file(t, []float32{1, 2, 3, 4}, 2, 2)
	k := file(t, []float32{1, 1, 1}, 3, 1)
	z := file(t, []complex64{1, 2}, 2)
	out := filepath.Join(t.TempDir(), "y.npy")
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--in", x}, 2, "a signal and a filter are required"},
		{[]string{x, k}, 2, "--out is required: a file that ends in .npy or .wav"},
		{[]string{"--in", x, "--filter", k, "--out", out, "--mode", "fast"}, 2, "circular"},
		{[]string{"--in", x, "--filter", k, "--out", out, "--streams", "-1"}, 2, "--streams -1"},
		{[]string{"--in", x, "--filter", k, "--out", out}, 1, "k of shape [3 1] has 3 filters, x of shape [2 2] has 2 channels"},
		{[]string{"--in", z, "--filter", k, "--out", out}, 1, "want real samples"},
		{[]string{x, k, x, "--out", out}, 2, "3 files: want 2 files"},
		{[]string{"-", "-", "--out", out}, 2, "both -"},
		{[]string{x, k, "--out", "y.txt"}, 2, "ends in .npy or .wav"},
		{[]string{x, k, "--out", "y.wav"}, 2, "needs --fs"},
		{[]string{"--in", "nowhere.npy", "--filter", k, "--out", out}, 1, "nowhere.npy"},
	} {
		code, _, stderr := twiddle(t, append([]string{"conv"}, c.args...)...)
		if code != c.code || !strings.Contains(stderr, c.want) || strings.Count(stderr, "\n") != 1 || strings.Contains(stderr, ".go:") {
			t.Errorf("%v: exit %d, %q, want %d with %q", c.args, code, stderr, c.code, c.want)
		}
	}
}

// An error about the filter's file does not name the signal's.
func TestConvCommandBlamesOneFile(t *testing.T) {
	x, bad := file(t, []float32{1, 2}, 1, 2), filepath.Join(t.TempDir(), "bad.npy")
	if err := os.WriteFile(bad, []byte("\x93NUMPY\x01\x00"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{x, bad}, {x, x, "--bias", bad}, {x, filepath.Dir(bad)}} {
		code, _, stderr := twiddle(t, append(append([]string{"conv"}, args...), "--out", filepath.Join(t.TempDir(), "y.npy"))...)
		if code != 1 || !strings.Contains(stderr, filepath.Dir(bad)) || strings.Contains(stderr, x) {
			t.Errorf("%v: exit %d, %q", args, code, stderr)
		}
	}
}

func TestExplainConv(t *testing.T) {
	code, stdout, stderr := twiddle(t, "explain", "conv", "--shape", "2,4,256", "--mode", "circular", "--json")
	var r struct {
		Launches           int     `json:"launches"`
		SyncPoints         *int    `json:"sync_points"`
		HostOutputBytes    int     `json:"host_output_bytes"`
		DeviceTrafficBytes int     `json:"device_traffic_bytes"`
		PredictedNs        float64 `json:"predicted_ns"`
		Fused              bool    `json:"fused"`
		Reason             string  `json:"reason"`
		Unfused            struct {
			Launches           int `json:"launches"`
			DeviceTrafficBytes int `json:"device_traffic_bytes"`
		} `json:"unfused"`
	}
	if err := json.Unmarshal([]byte(stdout), &r); err != nil || code != 0 {
		t.Fatalf("exit %d, %q, %v", code, stderr, err)
	}
	operands := 4 * (2*2*4*256 + 2*4*129)
	if r.Launches != 1 || !r.Fused || r.Reason == "" || r.SyncPoints == nil || r.HostOutputBytes != 4*2*4*256 ||
		r.Unfused.Launches != 3 || float64(r.DeviceTrafficBytes) > 1.1*float64(operands) || r.Unfused.DeviceTrafficBytes <= r.DeviceTrafficBytes {
		t.Errorf("%+v, operands %d bytes", r, operands)
	}
	for _, args := range [][]string{{"--shape", "1,2"}, {"--shape", "1,2,x"}, {"--mode", "no"}, {"--device", "tpu"}, {"--taps", "-1"}} {
		if code, _, stderr := twiddle(t, append([]string{"explain", "conv"}, args...)...); code != 2 || stderr == "" {
			t.Errorf("%v: exit %d, %q", args, code, stderr)
		}
	}
}
