package main

import (
	"encoding/json"
	"testing"
)

func TestBenchLinalg(t *testing.T) {
	code, stdout, stderr := twiddle(t, "bench", "linalg", "--shape", "64,16", "--top", "4", "--svd", "8", "--matmul", "32", "--rounds", "1", "--json")
	var rows linalgRows
	if err := json.Unmarshal([]byte(stdout), &rows); code != 0 || err != nil || len(rows) != 4 {
		t.Fatalf("exit %d, %q, %v", code, stderr, err)
	}
	for _, r := range rows {
		if !(r.NS > 0) || len(r.Shape) == 0 {
			t.Errorf("%+v", r)
		}
	}
	for _, args := range [][]string{{"--shape", "4,8"}, {"--shape", "x"}, {"--shape", "8,4,2"}, {"--top", "0"}, {"--svd", "0"}, {"--peers", "fftw"}, {"--device", "tpu"}, {"--rounds", "0"}} {
		if code, _, stderr := twiddle(t, append([]string{"bench", "linalg"}, args...)...); code != 2 || stderr == "" {
			t.Errorf("%v: exit %d, %q", args, code, stderr)
		}
	}
}

func TestBenchExact(t *testing.T) {
	code, stdout, stderr := twiddle(t, "bench", "exact", "--n", "1000", "--matmul", "8", "--fft", "60", "--rounds", "1", "--json")
	var rows exactRows
	if err := json.Unmarshal([]byte(stdout), &rows); code != 0 || err != nil || len(rows) != 2*5*4 {
		t.Fatalf("exit %d, %q, %v", code, stderr, err)
	}
	for _, r := range rows {
		if !(r.NS > 0) || r.Mode == "exact" && r.Error != 0 {
			t.Errorf("%+v", r)
		}
	}
	if code, _, stderr := twiddle(t, "bench", "exact", "--n", "0"); code != 2 || stderr == "" {
		t.Errorf("no numbers: exit %d, %q", code, stderr)
	}
}
