package butterfly

import (
	"fmt"
	"math/cmplx"
	"slices"
)

// Inverse is the network that undoes this one: its factors are the inverses,
// in reverse.
func (n *Network) Inverse() (*Network, error) {
	f := Form{N: n.N, Spans: slices.Clone(n.Spans), From: n.To, To: n.From, Real: n.Real}
	slices.Reverse(f.Spans)
	out, err := NewNetwork(f)
	if err != nil {
		return nil, err
	}
	for k := range n.Spans {
		for p := range n.N / 2 {
			m := n.block(k, p)
			d := m.det()
			if d == 0 || cmplx.IsNaN(d) {
				return nil, fmt.Errorf("butterfly: inverse: block %d of factor %d has none", p, k)
			}
			inv := m.adjugate()
			for r := range 2 {
				for c := range 2 {
					out.W[out.at(len(n.Spans)-1-k, r, c, p)] = inv[r][c] / d
				}
			}
		}
	}
	return out, nil
}

// block is one of a factor.
func (n *Network) block(factor, pair int) block {
	var m block
	for r := range 2 {
		for c := range 2 {
			m[r][c] = n.W[n.at(factor, r, c, pair)]
		}
	}
	return m
}

// Canonical is the same network with the scales of rows moved to the end, so
// that in all factors but the last the first column of every block is 1 where
// it is not 0. What is left of the blocks are the twiddles: networks that are
// the same but for scales between their factors then have the same numbers.
func (n *Network) Canonical() *Network {
	out := n.clone()
	carry := make([]complex128, n.N) // of each place, for the next factor
	for i := range carry {
		carry[i] = 1
	}
	for k, h := range n.Spans {
		for p := range n.N / 2 {
			i := p/h*2*h + p%h
			places := [2]int{i, i + h}
			in := [2]complex128{carry[i], carry[i+h]}
			for r := range 2 {
				a, b := &out.W[out.at(k, r, 0, p)], &out.W[out.at(k, r, 1, p)]
				*a, *b = *a*in[0], *b*in[1]
				scale := *a
				// A row that begins with nothing keeps its scale.
				if k == len(n.Spans)-1 || cmplx.Abs(scale) <= 1e-6*cmplx.Abs(*b) {
					scale = 1
				}
				*a, *b = *a/scale, *b/scale
				carry[places[r]] = scale
			}
		}
	}
	return out
}
