package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/mmcloughlin/avo/build"
)

// fours writes the transform of rows of four numbers, which stay interleaved: down the rows, then along
// them. The operations are those of quad.
func fours(c *build.Context, t target, rows int, done map[string]bool) {
	k := newFours(c, t, rows, false, done)
	k.back = newFours(c, t, rows, true, done)
	k.short(shortName(k.target, 4*rows), done)
}

// newFours is a body of fours.
func newFours(c *build.Context, t target, rows int, exchanged bool, done map[string]bool) *kernel {
	k := newKernel(c, t, interleaved, interleaved)
	k.b.waits, k.joint = true, true
	b, per := &k.b, k.lanes()/2
	place := func(side, element int) address { return legAddress{side, 0, 0, 2 * k.size() * element} }
	conjugate := func(x value) pair {
		if exchanged {
			x = b.push(instruction{kind: binaryM, op: "VXOR", in: []value{x}, mem: k.oddSigns(done)})
		}
		return pair{x, joined}
	}
	between := make([][]value, rows)
	for q := 0; q < 4; q += per {
		b.dft(rows, func(j int) pair { return conjugate(b.load(place(from, 4*j+q))) }, func(j int, p pair) {
			if j > 0 {
				re, im := k.fourRoots(j, q, per, 4*rows, done)
				p.re = b.alternateM(p.re, re, b.mulM(b.crossed(p.re), im))
			}
			between[j] = append(between[j], p.re)
		})
	}
	for g := 0; g < rows; g += per {
		first := min(g, rows-per)
		v := k.fourColumns(between[first : first+per])
		b.dft(4, func(q int) pair { return pair{v[q], joined} }, func(j int, p pair) {
			b.store(place(to, first+rows*j), conjugate(b.mulM(p.re, localAddress{factor})).re)
		})
	}
	return k
}

// oddSigns are the signs of imaginary parts.
func (k *kernel) oddSigns(done map[string]bool) address {
	const name = "oddSigns"
	if !done[name] {
		done[name] = true
		k.pattern(name, slices.Repeat([]float64{0, math.Copysign(0, -1)}, k.lanes()/2))
	}
	return patternAddress{name}
}

// fourColumns are the columns of rows of four numbers: two rows of two vectors, or four of one.
func (k *kernel) fourColumns(rows [][]value) []value {
	if k.bits == 64 {
		x, y := rows[0], rows[1]
		return []value{k.neighbours(x[0], y[0], 0), k.neighbours(x[0], y[0], 1), k.neighbours(x[1], y[1], 0), k.neighbours(x[1], y[1], 1)}
	}
	return k.b.exchangeFour([]value{rows[0][0], rows[1][0], rows[2][0], rows[3][0]})
}

// exchangeFour transposes four rows of four elements of 64 bits.
func (b *block) exchangeFour(v []value) []value {
	lo0, hi0 := b.shuffle("VUNPCKLPD", -1, v[0], v[1]), b.shuffle("VUNPCKHPD", -1, v[0], v[1])
	lo1, hi1 := b.shuffle("VUNPCKLPD", -1, v[2], v[3]), b.shuffle("VUNPCKHPD", -1, v[2], v[3])
	return []value{
		b.shuffle("VPERM2F128", 0x20, lo0, lo1), b.shuffle("VPERM2F128", 0x20, hi0, hi1),
		b.shuffle("VPERM2F128", 0x31, lo0, lo1), b.shuffle("VPERM2F128", 0x31, hi0, hi1),
	}
}

// fourRoots are the twiddles of a row in columns q and so many more: real parts twice, and imaginary ones.
func (k *kernel) fourRoots(row, q, per, n int, done map[string]bool) (re, im address) {
	name := fmt.Sprintf("fours%d_%dof%d", row, q, n)
	if !done[name] {
		done[name] = true
		var all [2][]float64
		for l := q; l < q+per; l++ {
			c, s := cosine(row*l, n), -sine(row*l, n)
			all[0], all[1] = append(all[0], c, c), append(all[1], s, s)
		}
		k.pattern(name+"re", all[0])
		k.pattern(name+"im", all[1])
	}
	return patternAddress{name + "re"}, patternAddress{name + "im"}
}
