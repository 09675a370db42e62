package share

import (
	"math"
	"testing"
)

// Of 131072 overlapping lines the warps of a group take three turns each, two of which are
// before their own: 121 groups on 132 multiprocessors take 3 turns of 4 each, and 4096 turns
// would fill them for 10.3. Of many short items each warp has its own.
func TestRun(t *testing.T) {
	for _, c := range []struct {
		lines, items, halo, run int
		joined                  bool
		slower                  float64
	}{
		{16384, 1, 0, 1, false, 4 / 1.2929},
		{131072, 1, Halo(64), 3, true, 12 / 10.343},
		{1 << 22, 1, Halo(64), 83, true, 332 / 330.99},
		{64, 1000, Halo(64), 2, false, 16 / 5.0505},
	} {
		run, joined, slower := Run(Turns(c.lines), c.items, c.halo, 132)
		if run != c.run || joined != c.joined || math.Abs(slower/c.slower-1) > 1e-3 {
			t.Errorf("%d items of %d lines: run %d, joined %v, %.4f times as long; want %d, %v, %.4f", c.items, c.lines, run, joined, slower, c.run, c.joined, c.slower)
		}
	}
}
