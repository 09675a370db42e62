package share

import (
	"math"
	"testing"
)

// Of 131072 overlapping lines a warp takes three turns and two before them: 114 groups on
// 132 multiprocessors take 5 turns of 4 each, and 4096 turns would fill them for 10.3.
func TestRun(t *testing.T) {
	for _, c := range []struct {
		lines, halo, run int
		slower           float64
	}{
		{16384, 0, 1, 4 / 1.2929},
		{131072, Halo(64), 3, 20 / 10.343},
		{1 << 22, Halo(64), 83, 340 / 330.99},
	} {
		run, slower := Run(Turns(c.lines), 1, c.halo, 132)
		if run != c.run || math.Abs(slower/c.slower-1) > 1e-3 {
			t.Errorf("%d lines: run %d, %.4f times as long; want %d, %.4f", c.lines, run, slower, c.run, c.slower)
		}
	}
}
