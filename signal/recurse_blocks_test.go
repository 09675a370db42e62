package signal

import (
	"context"
	"math"
	"math/big"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
)

// Lines by blocks are no less exact than sample by sample, forwards and backwards, from a state, with
// poles very near to 1 and with one at 1.
func TestRecurseBlocks(t *testing.T) {
	testdevice.NeedsKernels(t)
	testdevice.NeedsFloat64(t)
	design := func(f IIR) cascade {
		s, err := f.SOS()
		if err != nil {
			t.Fatal(err)
		}
		return s.cascade()
	}
	// The samples of one line and its last state, and how far off they are beside the greatest.
	numbers := func(name string, out []*nd.Array) (lists [2][]float64) {
		for i, a := range out {
			var err error
			if lists[i], err = nd.Slice[float64](context.Background(), a); err != nil {
				t.Fatal(name, err)
			}
		}
		return lists
	}
	off := func(got, want []float64) float64 {
		most, worst := 0.0, 0.0
		for i, v := range want {
			most, worst = max(most, math.Abs(v)), max(worst, math.Abs(got[i]-v))
		}
		return worst / most
	}
	for _, c := range []struct {
		name string
		cascade
		lines, n int
	}{
		{"one block", design(IIR{Order: 4, Cutoff: [2]float64{0.2}}), 3, 1000},
		{"blocks", design(IIR{Order: 12, Cutoff: [2]float64{0.2}}), 3, 1300},
		{"groups of blocks", design(IIR{Order: 3, Band: Highpass, Cutoff: [2]float64{0.01}}), 2, 256*32 + 1},
		{"biquad", cascade{c: []float64{0.2, 0.4, 0.2, 1, -0.5, 0.3}, sections: 1, order: 2}, 1, 256 * 33},
		{"two poles at 1 - 1e-4", cascade{c: []float64{1e-8, 0, 0, 1, -2 * (1 - 1e-4), (1 - 1e-4) * (1 - 1e-4)}, sections: 1, order: 2}, 1, 40000},
		{"integral", cascade{c: []float64{1, 0, 1, -1}, sections: 1, order: 1}, 1, 9000},
		{"order 5", cascade{c: []float64{1, 0.5, 0.25, 0.125, 0, 1, 1, -0.7, 0.2, 0.1, -0.05, 0.01}, sections: 1, order: 5}, 2, 2000},
	} {
		x, zi := nd.Normal(1, nd.Float64, c.lines, c.n), nd.Normal(2, nd.Float64, c.lines, c.states())
		for i, k := range []*nd.Kernel{recurse, recurseBack} {
			b := blockedCascade{c.cascade, i == 1}
			if got := b.block(c.n); (got < c.n) != (c.n > wholeSamples) {
				t.Fatalf("%s: blocks of %d samples", c.name, got)
			}
			per := linesPerGroup(c.lines)
			whole := numbers(c.name, k.Call(nd.Launch{Inputs: []*nd.Array{x, constant(c.c, zi, c.sections, 2, c.order+1), zi},
				Shapes: [][]int{{c.lines, c.n}, {c.lines, c.states()}}, Grid: [3]int{c.lines}, Threadgroup: [3]int{per}, Whole: true,
				Template: map[string]any{"T": nd.Float64, "LINES": per}}))
			blocks := numbers(c.name, b.lines(x, zi))
			exact := exactCascade(b, numbers(c.name, []*nd.Array{x, zi}), c.lines)
			for j, name := range []string{"samples", "states"} {
				w, got := off(whole[j], exact[j]), off(blocks[j], exact[j])
				t.Logf("%s, back %t: %s off by %.1e, %.1e whole", c.name, b.back, name, got, w)
				if !(got <= 3*w+4e-16) {
					t.Errorf("%s, back %t: %s are off by %.1e, by %.1e whole", c.name, b.back, name, got, w)
				}
			}
		}
	}
}

// exactCascade filters lines from states with all digits that matter.
func exactCascade(b blockedCascade, in [2][]float64, lines int) (out [2][]float64) {
	n, states := len(in[0])/lines, b.states()
	for l := range lines {
		z := make([]*big.Float, states)
		for i := range z {
			z[i] = precise(in[1][l*states+i])
		}
		y := make([]float64, n)
		for t := range y {
			if b.back {
				t = n - 1 - t
			}
			y[t], _ = b.powerKey(1).step(b.c, z, precise(in[0][l*n+t])).Float64()
		}
		out[0] = append(out[0], y...)
		for _, v := range z {
			end, _ := v.Float64()
			out[1] = append(out[1], end)
		}
	}
	return out
}

// What grows beyond all numbers stays whole: a power that is infinite would make NaN of a state of 0.
// So do coefficients that became infinite when they were divided by a first one, and lines that may be parts of others.
func TestRecurseBlock(t *testing.T) {
	for _, c := range []struct {
		gain, pole float64
		whole      bool
		want       bool
	}{{1, 0.5, false, true}, {1, -1, false, true}, {1, 8, false, false}, {1, 0.5, true, false}, {math.Inf(1), 0.5, false, false}, {1, math.Inf(-1), false, false}} {
		b := blockedCascade{cascade: cascade{c: []float64{c.gain, 0, 1, -c.pole}, sections: 1, order: 1, whole: c.whole}}
		if got := b.block(5000) == blockedSamples; got != c.want {
			t.Errorf("gain %g, pole %g, whole %t: blocks %t, want %t", c.gain, c.pole, c.whole, got, c.want)
		}
	}
}
