package main

import (
	"strings"
	"testing"
)

func TestBenchLayouts(t *testing.T) {
	status, stdout, stderr := twiddle(t, "bench", "layouts", "--lines", "16", "--most", "4")
	if status != 0 || !strings.Contains(stdout, "of 180 cases of 16 lines") {
		t.Errorf("status %d\n%s%s", status, stdout, stderr)
	}
	if status, _, _ := twiddle(t, "bench", "layouts", "--over", "0"); status == 0 {
		t.Error("a ratio of 0 was accepted")
	}
}

func TestLayoutOutliers(t *testing.T) {
	r := layoutReport{Over: 3}
	for n := 2; n < 8; n++ {
		r.Rows = append(r.Rows, layoutRow{Op: "rfft", Layout: "in order", N: n, NS: float64(10 * n)})
	}
	r.Rows[3].NS *= 5
	r.compare()
	if len(r.Outlier) != 1 || r.Outlier[0].N != 5 || r.Outlier[0].Ratio != 5 {
		t.Errorf("%+v", r.Outlier)
	}
}
