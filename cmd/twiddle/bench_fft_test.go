package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

func TestBenchFFT(t *testing.T) {
	status, stdout, stderr := twiddle(t, "bench", "fft", "--sizes", "8,2^4", "--dtype", "all", "--batch", "3", "--peers", "fftw", "--json")
	if status != 0 {
		t.Fatalf("status %d: %s", status, stderr)
	}
	var rows []map[string]any
	if err := json.Unmarshal([]byte(stdout), &rows); err != nil {
		t.Fatal(err)
	}
	if len(rows) != 8 {
		t.Fatalf("%d rows, want 8", len(rows))
	}
	for _, row := range rows {
		for _, key := range []string{"n", "dtype", "batch", "threads", "ns", "peers", "ratio"} {
			if _, ok := row[key]; !ok {
				t.Errorf("row %v has no %s", row, key)
			}
		}
		if len(row) != 7 || !(row["ns"].(float64) > 0) {
			t.Errorf("row %v", row)
		}
		peers, ratio := row["peers"].(map[string]any), row["ratio"].(map[string]any)
		if len(peers) != len(ratio) {
			t.Errorf("row %v: peers without ratios", row)
		}
		for name, ns := range peers {
			if got, want := ratio[name].(float64), ns.(float64)/row["ns"].(float64); got < 0.999*want || got > 1.001*want {
				t.Errorf("row %v: ratio to %s is not its time over ours", row, name)
			}
		}
	}
	status, stdout, _ = twiddle(t, "bench", "fft", "--sizes", "2^10", "--threads", "2", "--peers", "")
	if status != 0 || !strings.Contains(stdout, "single") || strings.Contains(stdout, "fftw") {
		t.Errorf("status %d:\n%s", status, stdout)
	}
}

func TestBenchAccuracy(t *testing.T) {
	status, stdout, stderr := twiddle(t, "bench", "accuracy", "--sizes", "60,101", "--json")
	if status != 0 {
		t.Fatalf("status %d: %s", status, stderr)
	}
	var rows []accuracyRow
	if err := json.Unmarshal([]byte(stdout), &rows); err != nil {
		t.Fatal(err)
	}
	if len(rows) != 8 {
		t.Fatalf("%d rows, want 8", len(rows))
	}
	for _, r := range rows {
		if !(r.Error > 0) || !(r.Units < 4) {
			t.Errorf("%+v: out of bounds", r)
		}
		if e, ok := r.Peers["fftw"]; ok && !(e > 0 && e < 10*r.Error) {
			t.Errorf("%+v: FFTW's error is not that of a transform", r)
		}
	}
	if status, stdout, _ := twiddle(t, "bench", "accuracy", "--sizes", "16", "--dtype", "c64"); status != 0 || !strings.Contains(stdout, "units") {
		t.Errorf("status %d:\n%s", status, stdout)
	}
}

func TestBenchUsage(t *testing.T) {
	for _, args := range []string{
		"fft --sizes 0", "fft --sizes 8,,16", "fft --sizes 2^40", "fft --sizes 2^-1", "fft --dtype c32", "fft --batch 0",
		"fft --threads 0", "fft --peers abacus", "accuracy --dtype x", "accuracy --sizes -1", "fft 8",
	} {
		status, _, stderr := twiddle(t, append([]string{"bench"}, strings.Fields(args)...)...)
		if status != 2 || strings.Count(stderr, "\n") != 1 {
			t.Errorf("bench %s: status %d, stderr %q; want 2 and one line", args, status, stderr)
		}
	}
}

func TestParseSizes(t *testing.T) {
	got, err := parseSizes("1,2^0,2^20,44100")
	if want := []int{1, 1, 1 << 20, 44100}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
}

func TestBenchFFTRefusesWhatDoesNotFit(t *testing.T) {
	for _, args := range [][]string{
		{"bench", "fft", "--sizes", "64", "--batch", "9223372036854775807"},
		{"bench", "fft", "--sizes", "9223372036854775807"},
		{"bench", "accuracy", "--sizes", "4611686018427387904"},
	} {
		if status, _, stderr := twiddle(t, args...); status != 2 {
			t.Errorf("%q: status %d, %q", args, status, stderr)
		}
	}
}
