package main

import (
	"bytes"
	"runtime"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// Results of this machine's SIMD level have the bits that were recorded.
func TestBitsAreTheRecordedOnes(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("hashes are recorded on amd64, this is " + runtime.GOARCH)
	}
	if testing.Short() {
		t.Skip("-short: computes all recorded results")
	}
	var out bytes.Buffer
	if err := run(t.Context(), []string{"--check", "hashes/cpu-" + simd.Active().String() + ".txt"}, &out); err != nil {
		t.Errorf("%v\n%s", err, out.String())
	}
}

func TestCompareFindsWhatChanged(t *testing.T) {
	before := []row{{"a", "1", 1}, {"b", "2", 1}, {"c", "3", 1}}
	var out bytes.Buffer
	if err := compare(&out, before, before, selection{}); err != nil {
		t.Error(err)
	}
	for _, after := range [][]row{
		{{"a", "1", 1}, {"b", "9", 1}, {"c", "3", 1}},
		{{"a", "1", 1}, {"c", "3", 1}},
	} {
		out.Reset()
		if err := compare(&out, before, after, selection{}); err == nil || !strings.Contains(out.String(), "b: ") {
			t.Errorf("%v: %v, %q", after, err, out.String())
		}
	}
}

// Every case is in one part.
func TestPartsAreTheWhole(t *testing.T) {
	rows, err := readRows("hashes/cuda-h200.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		times := 0
		for _, part := range []string{"0/3", "1/3", "2/3"} {
			var s selection
			if err := s.setPart(part); err != nil {
				t.Fatal(err)
			}
			if s.has(r.name) {
				times++
			}
		}
		if times != 1 {
			t.Errorf("%s is in %d parts", r.name, times)
		}
	}
	for _, bad := range []string{"", "1", "3/3", "0/0", "-1/2"} {
		if (&selection{}).setPart(bad) == nil {
			t.Errorf("part %q is accepted", bad)
		}
	}
}
