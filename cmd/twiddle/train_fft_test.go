package main

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// resultOf is the result of a log of JSON lines, every one of which must be an
// object.
func resultOf(t *testing.T, log string) trainFFTReport {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(log), "\n")
	for _, l := range lines[:len(lines)-1] {
		var s step
		if err := json.Unmarshal([]byte(l), &s); err != nil || s.Phase == "" || s.Step == 0 {
			t.Fatalf("%q: %v", l, err)
		}
	}
	var r trainFFTReport
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &r); err != nil {
		t.Fatalf("%q: %v", lines[len(lines)-1], err)
	}
	return r
}

func TestTrainFFT(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		args   string
		method string
		rmse   float64
	}{
		{"--n 16", "grow", 1e-9},
		{"--n 8 --transform dct2 --seed 3", "grow", 1e-9},
		{"--n 16 --transform conv --method factorize", "factorize", 1e-13},
		{"--n 8 --init perturbed --perturb 0.02", "joint", 1e-9},
		{"--n 8 --init exact --transform hadamard", "joint", 1e-9},
		{"--n 8 --init perturbed --samples 32", "joint", 1e-8},
		{"--n 8 --init orthogonal --steps 3", "joint", math.Inf(1)},
		{"--n 8 --init identity --steps 3", "joint", math.Inf(1)},
		{"--n 8 --order learned", "grow", 1e-9},
		{"--n 16 --schedule joint", "joint", 1e-9},
		{"--n 8 --schedule joint --samples 32", "joint", 1e-8},
		{"--n 16 --single", "joint", 1e-5},
		{"--n 8 --single --transform hadamard --samples 32", "joint", 1e-5},
	} {
		status, stdout, stderr := twiddle(t, append([]string{"train", "fft", "--json"}, strings.Fields(c.args)...)...)
		if status != 0 || stderr != "" {
			t.Fatalf("%s: status %d, %q", c.args, status, stderr)
		}
		if r := resultOf(t, stdout); r.Method != c.method || !(r.RMSE < c.rmse) || r.Seconds <= 0 || r.Max < r.RMSE {
			t.Errorf("%s: %+v", c.args, r)
		}
	}
	// The same command gives the same file, and a picture.
	var files [2][]byte
	for i := range files {
		out, plot := filepath.Join(dir, "w.safetensors"), filepath.Join(dir, []string{"t.png", "t.svg"}[i])
		status, stdout, stderr := twiddle(t, "train", "fft", "--n", "16", "--out", out, "--plot", plot)
		if status != 0 || !strings.Contains(stdout, "grown from random numbers") {
			t.Fatalf("%d, %q, %q", status, stdout, stderr)
		}
		var err error
		if files[i], err = os.ReadFile(out); err != nil {
			t.Fatal(err)
		}
		if p, err := os.Stat(plot); err != nil || p.Size() < 1000 {
			t.Errorf("%v", err)
		}
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("two trainings from one seed differ")
	}
	status, stdout, _ := twiddle(t, "eval", "fft", "--weights", filepath.Join(dir, "w.safetensors"), "--no-speed", "--json")
	var r evalFFTReport
	if err := json.Unmarshal([]byte(stdout), &r); status != 0 || err != nil {
		t.Fatal(status, err)
	}
	if !(r.RMSE < 1e-9) || !(r.RMSE32 < 1e-6) || !(r.RoundTrip < 1e-12) || !(r.RoundTrip32 < 1e-5) || len(r.Variants) != 3 {
		t.Errorf("%+v", r)
	}
	if v := r.Variants[2]; !(v.RMSE > 1e-5 && v.RMSE < 0.1) || v.Bytes*4 != r.Variants[0].Bytes {
		t.Errorf("8 bits: %+v", v)
	}
	status, stdout, _ = twiddle(t, "eval", "fft", "--weights", filepath.Join(dir, "w.safetensors"), "--no-speed")
	if status != 0 || !strings.Contains(stdout, "dft of 16: RMSE") || !strings.Contains(stdout, "8 bits") {
		t.Errorf("%d %q", status, stdout)
	}
}

func TestTrainFFTResumes(t *testing.T) {
	dir := t.TempDir()
	state, a, b := filepath.Join(dir, "state"), filepath.Join(dir, "a"), filepath.Join(dir, "b")
	for _, args := range []string{
		"train fft --n 16 --checkpoint " + state + " --out " + a,
		"train fft --n 16 --checkpoint " + state + " --resume --out " + b, // from the last level on
	} {
		if status, _, stderr := twiddle(t, strings.Fields(args)...); status != 0 {
			t.Fatal(stderr)
		}
	}
	x, err1 := os.ReadFile(a)
	y, err2 := os.ReadFile(b)
	if err1 != nil || err2 != nil || !bytes.Equal(x, y) {
		t.Errorf("%v, %v, the same: %t", err1, err2, bytes.Equal(x, y))
	}
}

func TestTrainFFTErrors(t *testing.T) {
	dir := t.TempDir()
	noise := filepath.Join(dir, "noise")
	if err := os.WriteFile(noise, []byte("this is no file of tensors, it is text"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"train fft --transform dtc2", 2, "(did you mean dct2?)"},
		{"train fft --transform nonsense", 2, "want one of dft, dct2"},
		{"train fft --n 12", 2, "--n 12: want a power of two from 2 to 4096"},
		{"train fft --n 1048576", 2, "want a power of two from 2 to 4096"},
		{"train fft --init exakt", 2, "(did you mean exact?)"},
		{"train fft --method factorise", 2, "(did you mean factorize?)"},
		{"train fft --order wild", 2, "want one of fixed, learned"},
		{"train fft --method factorize --init exact", 2, "a factorisation has no start"},
		{"train fft --samples 4", 2, "needs the matrix"},
		{"train fft --init exact --schedule grow", 2, "begins with random numbers"},
		{"train fft --schedule glow", 2, "(did you mean grow?)"},
		{"train fft --init exact --samples -4", 2, "no negative"},
		{"train fft --init exact --order learned", 2, "known order already"},
		{"train fft --resume", 2, "wants a --checkpoint"},
		{"train fft --plot x.gif", 2, ".png or .svg"},
		{"train fft --n 8 --checkpoint " + noise + " --resume", 1, "another kind of file"},
		{"train fft --n 8 --checkpoint " + noise + "/x", 1, "not a directory"},
		{"train fft --n 8 --out " + noise + "/x", 1, "not a directory"},
		{"eval fft", 2, "--weights is required"},
		{"eval fft --weights x --lines 0", 2, "want 1 to 65536"},
		{"eval fft --weights x --device null", 2, "computes nothing"},
		{"eval fft --weights x --device abacus", 2, "no device"},
		{"eval fft --weights x --prune 2", 2, "from 0 to below 1"},
		{"eval fft --weights " + filepath.Join(dir, "none"), 1, "no such file"},
		{"eval fft --weights " + noise, 1, "another kind of file"},
		{"trian", 2, "(did you mean train?)"},
		{"train ftf", 2, "(did you mean fft?)"},
	} {
		status, stdout, stderr := twiddle(t, strings.Fields(c.args)...)
		if status != c.status || stdout != "" || !strings.Contains(stderr, c.want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s: status %d, stdout %q, stderr %q, want %q", c.args, status, stdout, stderr, c.want)
		}
	}
}
