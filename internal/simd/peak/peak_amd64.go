package peak

import "github.com/twiddle-go/twiddle/internal/simd"

//go:generate go -C ../_gen run ./peak

func kernelsOf(l simd.Level) kernels {
	if l != simd.AVX512 {
		return portable
	}
	return kernels{
		widen: func(dst []float64, src []float32) {
			_ = dst[len(src)-1]
			widenAVX512(&dst[0], &src[0], len(src))
		},
		tops: func(at []int, heights, x []float64, low, high float64) (n int, plain bool) {
			_, _ = at[len(x)/2+Slack-1], heights[len(x)/2+Slack-1]
			n, odd := topsAVX512(&at[0], &heights[0], &x[1], len(x)-2, low, high)
			return n, odd == 0
		},
		turns: turnsVector,
		round: func(dst, src *Ground, n int, prominences []float64, bases []Bases) int {
			return roundAVX512(&dst.values[front], &src.values[front], &dst.places[front], &src.places[front], n, 8*src.stride,
				&prominences[0], &bases[0].Left)
		},
		cross: func(f *Finder, x []float64, rel float64) {
			c := f.Crossings
			crossAVX512(&c.Levels[0], &c.Left[0], &c.Right[0], &c.Widths[0], &x[0], &f.At[0], &f.Heights()[0],
				&f.Prominences[0], &f.Bases[0].Left, &f.Selected[0], len(f.At), rel)
		},
		between: func(set []uint64, values []float64, low, high float64) {
			betweenAVX512(&set[0], &values[0], len(values), low, high)
		},
		near: func(near, higher []uint64, at []int32, heights []float64, by, distance int) {
			nearAVX512(&near[0], &higher[0], &at[0], &heights[0], len(at)-by, by, int32(distance))
		},
		pack: func(dst, values []float64, set []uint64) {
			_ = dst[count(set)+Slack-1]
			packAVX512(&dst[0], &values[0], &set[0], len(values))
		},
		places: func(dst []int, values []int32, set []uint64) {
			_ = dst[count(set)+Slack-1]
			placesAVX512(&dst[0], &values[0], &set[0], len(values))
		},
		bases: func(left, right []int, values []Bases, set []uint64) {
			n := count(set) + Slack - 1
			_, _ = left[n], right[n]
			basesAVX512(&left[0], &right[0], &values[0].Left, &set[0], len(values))
		},
	}
}

// turnsVector is turns.
func turnsVector(f *Finder, x []float64) (plain bool) {
	last := len(x) - 1
	rises, falls := x[0] < x[1], x[last-1] > x[last]
	if !rises && !(x[0] > x[1]) {
		return false
	}
	g := f.ground
	heights, lows, lowest := g.heights(), g.lows(), g.lowest()
	m := 0
	if rises {
		lows[0], lowest[0] = x[0], 0
		m = 1
	}
	n, odd := turnsAVX512(&f.at[0], &heights[0], &lows[m], &lowest[m], &x[1], len(x)-2)
	if odd != 0 {
		return false
	}
	if falls {
		lows[n], lowest[n] = x[last], span(int32(last), int32(last))
	}
	heights[n] = highest
	f.At = f.at[:n]
	return true
}
