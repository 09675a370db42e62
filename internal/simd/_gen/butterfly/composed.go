package main

import (
	"fmt"
	"math"

	"github.com/mmcloughlin/avo/build"
)

// Short lines whose length is the product of two radices have kernels of the two passes in one
// piece. A vector is two neighbours, whose components stay interleaved: first of the columns of the
// first pass, then of those of the second. The operations are those of the passes, so that a line has
// the same bits by itself and where a batch runs as passes over lines side by side.
var composedLines = [][2]int{{6, 3}, {7, 3}, {11, 2}, {5, 5}, {13, 2}, {9, 3}, {6, 5}, {7, 5}, {7, 6}, {9, 5}, {10, 5}, {9, 6}, {8, 7}}

// composedLines are the two radices of each line that has such a kernel.
func (t target) composedLines() [][2]int {
	if t.bytes != ymmBytes {
		return nil
	}
	return composedLines
}

func composedName(t target, radices [2]int) string {
	return fmt.Sprintf("composed%dx%d%s", radices[0], radices[1], t.name)
}

// composed writes the kernel of lines of two radices.
func composed(c *build.Context, t target, radices [2]int, done map[string]bool) {
	k := newKernel(c, t.vectors(4), interleaved, interleaved)
	k.joint = true
	b := &k.b
	rows, columns := radices[0], radices[1]
	n := rows * columns
	place := func(side, element int) address { return legAddress{side, 0, 0, 2 * k.size() * element} }
	// Of an odd number, the last two include one that was there before.
	pairs := func(n int) (starts []int) {
		for i := 0; i < n; i += 2 {
			starts = append(starts, min(i, n-2))
		}
		return starts
	}
	between := make([][]value, rows) // by row and by pair of columns
	for _, q := range pairs(columns) {
		b.dft(rows, func(j int) pair {
			return pair{k.loadJoined(place(from, j*columns+q)), joined}
		}, func(j int, p pair) {
			x := p.re
			if j > 0 {
				re, im := k.columnRoots(j, q, n, done)
				x = b.alternateM(x, re, b.mulM(b.crossed(x), im))
			}
			between[j] = append(between[j], x)
		})
	}
	for _, j := range pairs(rows) {
		b.dft(columns, func(q int) pair {
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
