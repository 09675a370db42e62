package main

import (
	"fmt"
	"math"

	"github.com/mmcloughlin/avo/build"
)

// Short lines whose length is the product of two radices have kernels of the two passes in one
// piece. A vector is two neighbours, whose components stay interleaved: first of the columns of the
// first pass, then of those of the second. On NEON it is 16 bytes, of complex128 one number. The
// operations are those of the passes, so that a line has the same bits by itself and where a batch
// runs as passes over lines side by side.
var composedLines = [][2]int{{6, 3}, {7, 3}, {11, 2}, {5, 5}, {13, 2}, {9, 3}, {6, 5}, {7, 5}, {7, 6}, {9, 5}, {10, 5}, {9, 6}, {8, 7}}

// composedLines are the two radices of each line that has such a kernel.
func (t target) composedLines() [][2]int {
	if t.wide() {
		return nil
	}
	return composedLines
}

func composedName(t target, radices [2]int) string {
	return fmt.Sprintf("composed%dx%d%s", radices[0], radices[1], t.name)
}

// composed writes the kernel of lines of two radices.
func composed(c *build.Context, t target, radices [2]int, done map[string]bool) {
	per := 2 // numbers in a vector
	if t.neon {
		per = t.lanes() / 2
	}
	k := newKernel(c, t.vectors(2*per), interleaved, interleaved)
	k.joint = true
	b := &k.b
	rows, columns := radices[0], radices[1]
	n := rows * columns
	place := func(side, element int) address { return legAddress{side, 0, 0, 2 * k.size() * element} }
	// Of an odd number, the last two include one that was there before.
	pairs := func(n int) (starts []int) {
		for i := 0; i < n; i += per {
			starts = append(starts, min(i, n-per))
		}
		return starts
	}
	between := make([][]value, rows) // by row and by pair of columns
	for _, q := range pairs(columns) {
		b.dft(rows, func(j int) pair {
			return pair{k.loadJoined(place(from, j*columns+q)), joined}
		}, func(j int, p pair) {
			x := p.re
			switch {
			case j == 0:
			case t.neon:
				x = k.timesColumns(x, j, q, per, n, done)
			default:
				re, im := k.columnRoots(j, q, n, done)
				x = b.alternateM(x, re, b.mulM(b.crossed(x), im))
			}
			between[j] = append(between[j], x)
		})
	}
	for _, j := range pairs(rows) {
		b.dft(columns, func(q int) pair {
			if per == 1 {
				return pair{between[j][q], joined}
			}
			at, high := q/2, q%2
			if q == columns-1 {
				high = 1 // also of an odd number
			}
			return pair{k.neighbours(between[j][at], between[j+1][at], high), joined}
		}, func(i int, p pair) {
			k.storeJoined(place(to, j+rows*i), p.re)
		})
	}
	k.short(composedName(k.target, radices), done)
}

// neighbours is the numbers of two vectors in their lower or upper halves.
func (k *kernel) neighbours(x, y value, high int) value {
	if k.bits == 64 {
		return k.b.shuffle("VPERM2F128", 0x20+0x11*high, x, y)
	}
	return k.b.shuffle([2]string{"VUNPCKLPD", "VUNPCKHPD"}[high], -1, x, y)
}

// nearZero is x, or zero where a root with more digits is not exactly that.
func nearZero(x float64) float64 {
	if math.Abs(x) < 1e-30 {
		return 0
	}
	return x
}

// columnRoots are the twiddles of row j in columns q and q+1: real parts twice, and imaginary ones.
func (k *kernel) columnRoots(j, q, n int, done map[string]bool) (re, im address) {
	name := fmt.Sprintf("column%d_%dof%d", j, q, n)
	if !done[name] {
		done[name] = true
		var all [2][]float64
		for column := q; column < q+2; column++ {
			for i, part := range []float64{nearZero(cosine(j*column, n)), nearZero(-sine(j*column, n))} {
				all[i] = append(all[i], part, part)
			}
		}
		k.pattern(name+"re", all[0])
		k.pattern(name+"im", all[1])
	}
	return patternAddress{name + "re"}, patternAddress{name + "im"}
}

// timesColumns is x times the twiddles of row j in columns q and so many more.
func (k *kernel) timesColumns(x value, j, q, per, n int, done map[string]bool) value {
	var roots [][2]float64
	for column := q; column < q+per; column++ {
		roots = append(roots, [2]float64{nearZero(cosine(j*column, n)), nearZero(-sine(j*column, n))})
	}
	return k.timesRoots(k.b.doubled(x, 0), k.b.doubled(x, 1), roots, done)
}

// timesRoots is the products of times, of numbers that stay interleaved; the parts of a factor fill both
// lanes of a number.
func (k *kernel) timesRoots(re, im value, roots [][2]float64, done map[string]bool) value {
	var all [2][]float64
	name := "roots"
	for _, w := range roots {
		all[0], all[1] = append(all[0], w[0], w[1]), append(all[1], -w[1], w[0])
		name += k.constName(w[0]) + k.constName(w[1])
	}
	for i, suffix := range []string{"re", "im"} {
		if !done[name+suffix] {
			done[name+suffix] = true
			k.pattern(name+suffix, all[i])
		}
	}
	return k.b.fmaM(im, patternAddress{name + "im"}, k.b.mulM(re, patternAddress{name + "re"}))
}

// doubled is the real parts of numbers in both lanes of each, or the imaginary ones.
func (b *block) doubled(x value, part int) value {
	if b.bits == 64 {
		return b.shuffle([2]string{"VUNPCKLPD", "VUNPCKHPD"}[part], -1, x, x)
	}
	return b.unary([2]string{"VMOVSLDUP", "VMOVSHDUP"}[part], -1, x)
}
