package measure

import (
	"context"
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// Cycle is a closed loop of a load, or half of one.
type Cycle struct {
	Range, Mean float64
	Count       float64 // 1, or 0.5 of a half cycle
	From, To    int     // the samples at its ends
}

// Rainflow counts the load cycles of the line x for fatigue, by the rainflow method of ASTM E1049. The first
// and the last sample count as reversals, so that a line of two has half a cycle.
func Rainflow(ctx context.Context, x *nd.Array) ([]Cycle, error) {
	const op = "rainflow"
	if err := check(op, x); err != nil {
		return nil, err
	}
	if x.NDim() != 1 {
		return nil, fmt.Errorf("measure: %s: x of shape %v: want one line, such as x.At(0)", op, x.Shape())
	}
	samples, err := nd.Slice[float64](ctx, x.Cast(nd.Float64))
	if err != nil {
		return nil, err
	}
	var cycles []Cycle
	count := func(a, b int, n float64) {
		cycles = append(cycles, Cycle{Range: math.Abs(samples[a] - samples[b]), Mean: (samples[a] + samples[b]) / 2, Count: n, From: a, To: b})
	}
	var open []int // reversals that are not yet part of a cycle
	turn := func(at int) {
		open = append(open, at)
		for len(open) >= 3 {
			k := len(open) - 3
			a, b, c := samples[open[k]], samples[open[k+1]], samples[open[k+2]]
			if math.Abs(c-b) < math.Abs(b-a) {
				return
			}
			if k == 0 { // the range begins where the load does
				count(open[0], open[1], 0.5)
				open = append(open[:0], open[1:]...)
				continue
			}
			count(open[k], open[k+1], 1)
			open = append(open[:k], open[k+2])
		}
	}
	rising := 0.0 // the last difference that is not 0
	for i, v := range samples {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("measure: %s: sample %d is %g", op, i, v)
		}
		if i == 0 {
			turn(0)
			continue
		}
		d := v - samples[i-1]
		if d == 0 {
			continue
		}
		if d > 0 && rising < 0 || d < 0 && rising > 0 {
			turn(i - 1)
		}
		rising = d
	}
	if len(samples) > 1 {
		turn(len(samples) - 1)
	}
	for k := range max(len(open)-1, 0) {
		count(open[k], open[k+1], 0.5)
	}
	return cycles, nil
}
