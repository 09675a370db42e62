package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
)

// firstRadices are those of a first pass over real columns.
var firstRadices = []int{3, 5, 7, 9, 11, 13, 15}

func firstName(t target, radix int) string { return fmt.Sprintf("first%d%s", radix, t.name) }

// first writes the pass of an odd radix over real numbers, for real lines of odd length: it
// computes results 0 to radix/2, of which the others are conjugates.
func first(c *build.Context, t target, radix int, done map[string]bool) {
	kept := radix/2 + 1
	var loops []*kernel
	slots := 0
	for _, twiddled := range []bool{true, false} {
		k := newKernel(c, t, split, split)
		k.labels = 1000 * len(loops)
		k.b.realOdd(radix, func(j int) value { return k.b.load(legAddress{from, 0, j, 0}) }, func(j int, p pair) {
			if twiddled && j > 0 {
				p = k.entryTimes(j, p)
			}
			k.put(j, p)
		})
		slots = max(slots, allocate(&k.b, k.emitter, k.pinned()))
		k.defineConsts(done)
		loops = append(loops, k)
	}
	k := loops[0]
	k.begin(firstName(t, radix), slots, radix, kept)
	overRowsOfBoth(loops, 2*(kept-1)*t.size())
}

// realOdd is odd of real inputs, with the first half of the outputs.
func (b *block) realOdd(n int, get func(j int) value, put func(k int, p pair)) {
	half := n / 2
	sum, dif := make([]value, half+1), make([]value, half+1)
	for j := 1; j <= half; j++ {
		x, y := get(j), get(n-j)
		sum[j], dif[j] = b.add(x, y), b.sub(x, y)
	}
	first := get(0)
	total := first
	for j := 1; j <= half; j++ {
		total = b.add(total, sum[j])
	}
	put(0, pair{total, b.load(zeroAddress{})})
	for k := 1; k <= half; k++ {
		p := pair{first, b.mulC(dif[1], -sine(k, n))}
		for j := 1; j <= half; j++ {
			p.re = b.fmaC(sum[j], cosine(j*k%n, n), p.re)
			if j > 1 {
				p.im = b.fnmaC(dif[j], sine(j*k%n, n), p.im)
			}
		}
		put(k, p)
	}
}
