package main

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/nd"
)

// Both ways of every experiment give the same numbers.
func TestSpotsAgree(t *testing.T) {
	const n = 64
	for _, s := range spots {
		in := s.prepare(n)
		var out [2][]float32
		for i, v := range []variant{s.first, s.second} {
			got, err := nd.Slice[float32](context.Background(), v.call(in, n, 0).Cast(nd.Float32))
			if err != nil {
				t.Fatalf("%s: %s: %v", s.name, v.label, err)
			}
			out[i] = got
		}
		for i := range out[0] {
			if math.Abs(float64(out[0][i]-out[1][i])) > 2e-3*math.Max(1, math.Abs(float64(out[0][i]))) {
				t.Fatalf("%s: element %d is %g and %g", s.name, i, out[0][i], out[1][i])
			}
		}
	}
}

func TestBenchSpot(t *testing.T) {
	status, stdout, stderr := twiddle(t, "bench", "spot", "--side", "64", "--rounds", "1", "--json")
	var r spotReport
	if err := json.Unmarshal([]byte(stdout), &r); err != nil || status != 0 {
		t.Fatalf("status %d, %v, %s", status, err, stderr)
	}
	if len(r.Rows) != len(spots) {
		t.Errorf("%d rows", len(r.Rows))
	}
	for _, row := range r.Rows {
		if row.FirstNS <= 0 || row.SecondNS <= 0 || row.Ratio <= 0 || row.Shows == "" {
			t.Errorf("%+v", row)
		}
	}
	status, stdout, _ = twiddle(t, "bench", "spot", "--side", "64", "--rounds", "2", "--only", "division")
	if status != 0 || !strings.Contains(stdout, "2-D grid") || !strings.Contains(stdout, "ratio ") {
		t.Errorf("status %d\n%s", status, stdout)
	}
	for _, args := range [][]string{{"--side", "63"}, {"--rounds", "0"}, {"--only", "nothing"}, {"--device", "abacus"}} {
		if status, _, _ := twiddle(t, append([]string{"bench", "spot"}, args...)...); status != 2 {
			t.Errorf("%v: status %d", args, status)
		}
	}
}
