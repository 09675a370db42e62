package recurse

import (
	"math"

	"github.com/twiddle-go/twiddle/internal/simd"
)

func cascaded(l simd.Level) Cascade {
	switch l {
	case simd.AVX2:
		return cascadeKernel{4, cascadeAVX2}.run
	case simd.AVX512:
		return cascadeKernel{8, cascadeAVX512}.run
	}
	return nil
}

// cascadeKernel has a section in each lane. Section s is s samples behind the first, so the
// first samples and the last are filtered by some of the sections only, and one by one.
type cascadeKernel struct {
	lanes int
	call  func(x *float64, delay, n int, c, v *float64, first *uint64)
}

func (k cascadeKernel) run(x, c, state []float64) {
	for len(state) > 0 {
		sections := min(len(state)/2, k.lanes)
		if sections == 1 || len(x) < 2*sections {
			sections = 1
			fusedBiquad(x, c, state)
		} else {
			k.some(x, c[:6*sections], state[:2*sections])
		}
		c, state = c[6*sections:], state[2*sections:]
	}
}

// some is run for two sections up to one for each lane.
func (k cascadeKernel) some(x, c, state []float64) {
	sections, n := len(state)/2, len(x)
	section := func(s int, x []float64) { fusedBiquad(x, c[6*s:], state[2*s:]) }
	behind := sections - 1
	for s := range behind {
		section(s, x[:behind-s])
	}
	var coefficients [5 * 8]float64 // rows of lanes: b0, b1, b2, a1, a2
	var v [3 * 8]float64            // two rows of states, and the last outputs
	var first [8]uint64             // AVX2: where the sample goes; AVX-512: as bits of the first
	low := k.lanes - sections       // the first section's lane
	for s := range sections {
		lane := low + s
		for i, j := range [5]int{0, 1, 2, 4, 5} {
			coefficients[i*k.lanes+lane] = c[6*s+j]
		}
		v[lane], v[k.lanes+lane] = state[2*s], state[2*s+1]
		if s < behind {
			v[2*k.lanes+lane] = x[behind-1-s]
		}
	}
	if k.lanes == 8 {
		first[0] = 1 << low
	} else {
		first[low] = math.MaxUint64
	}
	k.call(&x[behind], behind, n-behind, &coefficients[0], &v[0], &first[0])
	for s := range sections {
		lane := low + s
		state[2*s], state[2*s+1] = v[lane], v[k.lanes+lane]
		if s < behind {
			x[n-1-s] = v[2*k.lanes+lane]
		}
	}
	for s := 1; s < sections; s++ {
		section(s, x[n-s:])
	}
}

// fusedBiquad rounds as the kernels do.
func fusedBiquad(x, c, state []float64) {
	b0, b1, b2, a1, a2 := c[0], c[1], c[2], c[4], c[5]
	u, w := state[0], state[1]
	for i, in := range x {
		out := math.FMA(b0, in, u)
		u, w = math.FMA(-a1, out, math.FMA(b1, in, w)), math.FMA(-a2, out, b2*in)
		x[i] = out
	}
	state[0], state[1] = u, w
}
