package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
)

// Short real lines of even length, which are complex lines of half the length whose bins are
// untangled, have kernels that do the operations of passes and of the join of lines side by side, so
// that batches may go in lanes. A vector is one complex number.

// composedReal is such a line: the samples, and the radices of half of them.
type composedReal struct {
	n       int
	radices []int
}

var composedReals = []composedReal{{14, []int{7}}, {18, []int{9}}, {22, []int{11}}, {26, []int{13}}, {28, []int{7, 2}}, {30, []int{15}}}

func (t target) composedReals() []composedReal {
	if t.wide() {
		return nil
	}
	return composedReals
}

func composedRealName(t target, n int, inverse bool) string {
	return fmt.Sprintf("composed%s%d%s", [...]string{"Real", "Inverse"}[bit(inverse)], n, t.name)
}

func newComposedReal(c *build.Context, t target, load, store form) *kernel {
	k := newKernel(c, t.vectors(2), load, store)
	k.joint, k.real = true, true
	return k
}

// forward writes the kernel from samples to bins.
func (l composedReal) forward(c *build.Context, t target, done map[string]bool) {
	k := newComposedReal(c, t, split, interleaved)
	b, m := &k.b, l.n/2
	place := func(plane, i int) address { return legAddress{to, 0, 0, (2*i + plane) * k.size()} }
	z := make([]value, m)
	k.inPasses(l.radices, done, func(j int) value { return b.load(legAddress{from, 0, 0, 2 * k.size() * j}) },
		func(i int, x value) { z[i] = b.mulM(x, localAddress{factor}) })
	nothing, crossed := b.load(zeroAddress{}), b.crossed(z[0])
	b.lowest(place(0, 0), b.add(z[0], crossed))
	b.lowest(place(1, 0), nothing)
	b.lowest(place(0, m), b.sub(z[0], crossed))
	b.lowest(place(1, m), nothing)
	for i := 1; 2*i <= m; i++ {
		s, w := k.untangledJoined(z[i], z[m-i], nearZero(cosine(i, l.n))/2, -sine(i, l.n)/2, done)
		if 2*i < m {
			b.store(place(0, i), b.fmaC(s, 0.5, w))
		}
		b.store(place(0, m-i), b.alternateM(s, signedAddress{0.5}, w))
	}
	k.short(composedRealName(t, l.n, false), done)
}

// inverse writes the kernel from bins to samples.
func (l composedReal) inverse(c *build.Context, t target, done map[string]bool) {
	k := newComposedReal(c, t, interleaved, split)
	b, m := &k.b, l.n/2
	place := func(i int) address { return legAddress{from, 0, 0, 2 * k.size() * i} }
	twice := func(i int) value { // the real part, in both lanes
		x := b.push(instruction{kind: loadLowest, mem: place(i)})
		return b.shuffle("VUNPCKL"+k.suffix(), -1, x, x)
	}
	z := make([]value, m) // the planes of an inverse transform are those of a forward one, exchanged
	z[0] = b.crossed(b.alternate("VFMSUBADD", twice(0), 1, twice(m)))
	for i := 1; 2*i <= m; i++ {
		s, w := k.untangledJoined(b.load(place(i)), b.load(place(m-i)), -nearZero(cosine(i, l.n)), -sine(i, l.n), done)
		if 2*i < m {
			z[i] = b.crossed(b.add(s, w))
		}
		z[m-i] = b.crossed(b.alternateM(s, signedAddress{1}, w))
	}
	k.inPasses(l.radices, done, func(j int) value { return z[j] }, func(i int, x value) {
		b.store(legAddress{to, 0, 0, 2 * k.size() * i}, b.crossed(b.mulM(x, localAddress{factor})))
	})
	k.short(composedRealName(t, l.n, true), done)
}

// untangledJoined is the sums of bins a and z from both ends, and their differences times a root: see
// Untangle.
func (k *kernel) untangledJoined(a, z value, re, im float64, done map[string]bool) (s, w value) {
	b := &k.b
	dif := b.subAdd(z, a)
	if k.neon {
		return b.alternate("VFMSUBADD", a, 1, z), k.timesRoots(b.doubled(dif, 1), b.doubled(dif, 0), [][2]float64{{re, im}}, done)
	}
	return b.alternate("VFMSUBADD", a, 1, z), b.alternate("VFMADDSUB", b.crossed(dif), re, b.mulC(dif, im))
}

// inPasses is the transform by one pass or two, with an element in each vector.
func (k *kernel) inPasses(radices []int, done map[string]bool, get func(j int) value, put func(i int, x value)) {
	b := &k.b
	rows, columns := radices[0], 1
	if len(radices) > 1 {
		columns = radices[1]
	}
	n := rows * columns
	between := make([][]value, rows)
	for q := range columns {
		b.dft(rows, func(j int) pair { return pair{get(j*columns + q), joined} }, func(j int, p pair) {
			x := p.re
			switch {
			case j == 0 || q == 0:
			case k.neon:
				x = k.timesColumns(x, j, q, 1, n, done)
			default:
				x = b.alternate("VFMADDSUB", x, nearZero(cosine(j*q, n)), b.mulC(b.crossed(x), nearZero(-sine(j*q, n))))
			}
			between[j] = append(between[j], x)
		})
	}
	for j := range rows {
		b.dft(columns, func(q int) pair { return pair{between[j][q], joined} }, func(i int, p pair) { put(j+rows*i, p.re) })
	}
}

// lowest stores the first component of a vector.
func (b *block) lowest(a address, v value) {
	b.code = append(b.code, instruction{kind: lowest, mem: a, in: []value{v}})
}
