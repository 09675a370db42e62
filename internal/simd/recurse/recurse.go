package recurse

import "github.com/twiddle-go/twiddle/internal/simd"

// Lanes is how many lines a block has.
const Lanes = 8

// Row is a sample of every line.
type Row = [Lanes]float64

// Section filters a block in place, in the transposed direct form II. c is what
// multiplies inputs and then what multiplies outputs, as many of both and two or
// more; the first of the latter counts as 1. state has a row less than c has
// coefficients of inputs.
type Section func(block []Row, c []float64, state []Row)

// For is the kernel of a level. Levels round differently: products and sums may be
// rounded together.
func For(l simd.Level) Section {
	if s := assembled(l); s != nil {
		return s
	}
	return section
}

// section goes through one line after another, its state in registers if it is of
// order 2.
func section(block []Row, c []float64, state []Row) {
	for k := range Lanes {
		if len(state) == 2 {
			biquad(block, c, state, k)
		} else {
			line(block, c, state, k)
		}
	}
}

func biquad(block []Row, c []float64, state []Row, k int) {
	b0, b1, b2, a1, a2 := c[0], c[1], c[2], c[4], c[5]
	u, v := state[0][k], state[1][k]
	for t := range block {
		p := &block[t][k]
		in := *p
		out := b0*in + u
		u, v = b1*in-a1*out+v, b2*in-a2*out
		*p = out
	}
	state[0][k], state[1][k] = u, v
}

func line(block []Row, c []float64, state []Row, k int) {
	taps := len(c) / 2
	b, a := c[:taps], c[taps:]
	z := make([]float64, taps) // one more, which stays 0
	for j := range state {
		z[j] = state[j][k]
	}
	for t := range block {
		p := &block[t][k]
		in := *p
		out := b[0]*in + z[0]
		for j := 1; j < taps; j++ {
			z[j-1] = b[j]*in - a[j]*out + z[j]
		}
		*p = out
	}
	for j := range state {
		state[j][k] = z[j]
	}
}
