package main

import (
	"fmt"
	"slices"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
)

// Batches of short lines have kernels with a line in each lane. 128 bits of each line are a quarter
// or a half of a vector, which takes no shuffle, and as many vectors as components in 128 bits
// are transposed within them.

// manyLengths are the complex lines that have such a kernel.
func (t target) manyLengths() []int {
	if t.neon {
		return singleLengths
	}
	lengths := []int{2, 3, 4, 5, 6, 8, 10, 12, 15, 16, 20, 24}
	if t.wide() && t.bits == 32 { // of vectors with fewer lanes these take as long as one by one
		lengths = append(lengths, 36, 48, 60)
	}
	return lengths
}

func manyName(t target, n int) string { return fmt.Sprintf("many%d%s", n, t.name) }

// manyKernel is a kernel of lines in lanes.
type manyKernel struct {
	*kernel
	opened map[int]*tile   // of the source, by the first component
	closed map[int]value   // results, by component
	ready  map[int][]value // tiles of results
}

func newMany(c *build.Context, t target, load, store form) *manyKernel {
	k := newKernel(c, t, load, store)
	k.apartName, k.together = "linesApart", "linesTogether"
	k.flagged = !t.wide()
	k.b.waits = true // as in lines by themselves, whose bits these have
	return &manyKernel{k, map[int]*tile{}, map[int]value{}, map[int][]value{}}
}

// many writes the kernel of complex lines of n elements.
func many(c *build.Context, t target, n int, done map[string]bool) {
	k := newMany(c, t, interleaved, interleaved)
	get := func(j int) pair { return k.swapIfNarrow(pair{k.component(2*j, 2*n), k.component(2*j+1, 2*n)}) }
	put := func(j int, p pair) {
		if t.wide() {
			v := k.scaledBy(p.re, p.im)
			p = pair{v[0], v[1]}
		} else {
			p = k.unscaled(p)
		}
		k.element(j, n, p)
	}
	if n < 16 {
		k.b.dft(n, get, put)
	} else {
		k.b.columnsOfFour(n, get, put)
	}
	k.lines(manyName(t, n), done)
}

// manyRealLengths are the real lines with kernels of this kind. Others of up to 32 samples are
// faster than FFTW's one by one.
func (t target) manyRealLengths() []int {
	if t.neon {
		return slices.DeleteFunc(slices.Clone(shortRealLengths), func(n int) bool { return n < t.perLane() })
	}
	return []int{12, 15, 20}
}

func manyRealName(t target, n int, inverse bool) string {
	return fmt.Sprintf("many%s%d%s", [...]string{"Real", "Inverse"}[bit(inverse)], n, t.name)
}

// manyReal writes the kernel of real lines of n samples to bins.
func manyReal(c *build.Context, t target, n int, done map[string]bool) {
	k := newMany(c, t, split, interleaved)
	k.b.shortReal(n, func(j int) value { return k.component(j, n) }, func(i int, p pair) {
		if p.im == none {
			p = pair{k.scaledBy(p.re)[0], k.b.load(zeroAddress{})}
		} else {
			v := k.scaledBy(p.re, p.im)
			p = pair{v[0], v[1]}
		}
		k.element(i, n/2+1, p)
	})
	k.lines(manyRealName(t, n, false), done)
}

// manyInverse writes the reverse of manyReal.
func manyInverse(c *build.Context, t target, n int, done map[string]bool) {
	k := newMany(c, t, interleaved, split)
	count := 2 * (n/2 + 1)
	k.b.shortInverse(n, func(i int) pair {
		p := pair{k.component(2*i, count), none}
		if i > 0 && 2*i != n {
			p.im = k.component(2*i+1, count)
		}
		return p
	}, func(j int, v value) {
		k.closed[j] = k.scaledBy(v)[0]
		k.arrived(j, n)
	})
	k.lines(manyRealName(t, n, true), done)
}

// columnsOfFour is the transform of rows of four, down the rows and then along them: the operations
// of quad.
func (b *block) columnsOfFour(n int, get func(j int) pair, put func(k int, p pair)) {
	rows := n / 4
	var columns [4][]pair
	for l := range columns {
		columns[l] = b.collect(rows, func(j int) pair { return get(4*j + l) })
		for k := 1; k < rows && l > 0; k++ {
			p, cos, sin := columns[l][k], cosine(k*l, n), sine(k*l, n)
			columns[l][k] = pair{
				b.fmaC(p.re, cos, b.mulC(p.im, sin)),
				b.fmsC(p.im, cos, b.mulC(p.re, sin)),
			}
		}
	}
	for k := range rows {
		b.dft(4, func(l int) pair { return columns[l][k] }, func(j int, p pair) { put(k+rows*j, p) })
	}
}

// tile is 128 bits of each line. A component of it is made when it is asked for.
type tile struct {
	loaded []value
	pairs  [2][2]value // of 32 bits: the lower and the upper two components, of half of the lines each
	whole  map[int]value
}

// tiles are where tiles of a line of so many components begin. Those that wide vectors take in pairs
// come first: stores of 256 bits instead of 128 are worth a shuffle there.
func (k *manyKernel) tiles(count int) (starts []int, paired int) {
	per := k.perLane()
	for at := 0; at < count; at += per {
		starts = append(starts, min(at, count-per))
	}
	if k.wide() {
		paired = count / per / 2
	}
	return starts, paired
}

// component is component i of each line, of count.
func (k *manyKernel) component(i, count int) value {
	starts, paired := k.tiles(count)
	at := i / k.perLane()
	if k.opened[at] == nil {
		if at/2 < paired {
			k.openTwo(at / 2 * 2)
		} else {
			t := k.newTile(at)
			for v := range t.loaded {
				t.loaded[v] = k.gather(v, starts[at]*k.size())
			}
		}
	}
	t, b := k.opened[at], &k.b
	i -= starts[at]
	if v, ok := t.whole[i]; ok {
		return v
	}
	v := t.loaded
	x, y := v[0], v[1]
	if k.bits == 32 {
		if t.pairs[i/2] == [2]value{} {
			op := [2]string{"VUNPCKLPS", "VUNPCKHPS"}[i/2]
			t.pairs[i/2] = [2]value{b.shuffle(op, -1, v[0], v[1]), b.shuffle(op, -1, v[2], v[3])}
		}
		x, y = t.pairs[i/2][0], t.pairs[i/2][1]
	}
	if k.wide() && k.forms[from] == interleaved {
		t.whole[i] = b.select2(indexEven-i%2, x, y)
	} else {
		t.whole[i] = b.shuffle([2]string{"VUNPCKLPD", "VUNPCKHPD"}[i%2], -1, x, y)
	}
	return t.whole[i]
}

func (k *manyKernel) newTile(at int) *tile {
	k.opened[at] = &tile{loaded: make([]value, k.perLane()), whole: map[int]value{}}
	return k.opened[at]
}

// gather loads 128 bits of a line in every quarter or half of vector v of a tile.
func (k *manyKernel) gather(v, disp int) value {
	at := func(l int) address { return k.place(from, v, l, disp) }
	switch {
	case k.neon:
		return k.b.load(at(0))
	case !k.wide():
		return k.b.push(instruction{kind: gathered, mem: at(0), more: at(1)})
	}
	return k.b.push(instruction{kind: collected, parts: []address{at(0), at(1), at(2), at(3)}})
}

// openTwo loads a pair of tiles by halves of wide vectors.
func (k *manyKernel) openTwo(at int) {
	b, low, high := &k.b, k.newTile(at), k.newTile(at+1)
	for v := range low.loaded {
		var x [2]value
		for half := range x {
			place := func(l int) address { return k.place(from, v, 2*half+l, 16*at) }
			x[half] = b.push(instruction{kind: gathered, mem: place(0), more: place(1)})
		}
		low.loaded[v] = b.shuffle("VSHUFF64X2", 0x88, x[0], x[1])
		high.loaded[v] = b.shuffle("VSHUFF64X2", 0xdd, x[0], x[1])
	}
}

// place is where the part of a line lies that is 128-bit lane l of vector v of a tile.
func (k *manyKernel) place(side, v, l, disp int) address {
	line := l*k.perLane() + v // so that line i is lane i
	return legAddress{side, line / 8, line % 8, disp}
}

// element takes result j of n, and stores what is complete.
func (k *manyKernel) element(j, n int, p pair) {
	k.closed[2*j], k.closed[2*j+1] = p.re, p.im
	k.arrived(2*j, 2*n)
}

// arrived stores the tiles of component i, of count, that are complete.
func (k *manyKernel) arrived(i, count int) {
	starts, paired := k.tiles(count)
	per := k.perLane()
	for at, first := range starts {
		if i < first || i >= first+per || k.ready[at] != nil {
			continue
		}
		var c []value
		for j := range per {
			if v, ok := k.closed[first+j]; ok {
				c = append(c, v)
			}
		}
		if len(c) < per {
			continue
		}
		k.ready[at] = k.transposed(c)
		switch {
		case at/2 >= paired:
			for v, x := range k.ready[at] {
				for l := range k.bytes / 16 {
					k.b.storePiece(k.place(to, v, l, first*k.size()), x, l)
				}
			}
		case k.ready[at^1] != nil:
			k.storeTwo(at / 2 * 2)
		}
	}
}

// transposed is vectors of 128 bits of each line for those of components.
func (k *manyKernel) transposed(c []value) []value {
	b := &k.b
	join := func(half int, x, y value) value {
		if k.wide() && k.forms[to] == interleaved {
			return b.select2(indexLow-half, x, y)
		}
		return b.shuffle([2]string{"VUNPCKL", "VUNPCKH"}[half]+k.suffix(), -1, x, y)
	}
	var out []value
	for half := range 2 {
		x := join(half, c[0], c[1])
		if k.bits == 64 {
			out = append(out, x)
			continue
		}
		y := join(half, c[2], c[3])
		out = append(out, b.shuffle("VUNPCKLPD", -1, x, y), b.shuffle("VUNPCKHPD", -1, x, y))
	}
	return out
}

// storeTwo stores a pair of tiles, 256 bits of a line at a time.
func (k *manyKernel) storeTwo(at int) {
	b := &k.b
	for v, x := range k.ready[at] {
		y := k.ready[at+1][v]
		for half := range 2 {
			z := b.push(instruction{kind: chosen, in: []value{x, y}, mem: patternAddress{fmt.Sprint("linePairs", half)}})
			for l := range 2 {
				b.storeHalf(k.place(to, v, 2*half+l, 16*at), z, l)
			}
		}
	}
}

// swapIfNarrow exchanges planes where that is not done by indices.
func (k *manyKernel) swapIfNarrow(p pair) pair {
	if k.wide() {
		return p
	}
	return k.swapIf(swapFrom, p)
}

// lines ends the kernel: a loop over as many lines at a time as there are lanes.
func (k *manyKernel) lines(name string, done map[string]bool) {
	slots := allocate(&k.b, k.emitter, k.pinned())
	k.defineConsts(done)
	c, lanes := k.ctx, k.lanes()
	k.begin(name, slots, 1, 1)
	if !k.wide() {
		k.loadFlags()
	}
	for side, row := range [2]int{rowFrom, rowTo} {
		s := strides[side]
		c.MOVQ(k.local(row), planes[side][0])
		c.MOVQ(k.local([2]int{rowStepFrom, rowStepTo}[side]), s[0])
		for i := 1; i < 4 && 2*i+1 < lanes; i++ {
			c.LEAQ(operand.Mem{Base: s[i-1], Index: s[0], Scale: 2}, s[i])
		}
	}
	c.Label("lines")
	if lanes == 16 {
		for side, p := range planes {
			c.LEAQ(operand.Mem{Base: p[0], Index: strides[side][0], Scale: 8}, p[1])
		}
	}
	k.play()
	for side, p := range planes {
		c.LEAQ(operand.Mem{Base: p[lanes/16], Index: strides[side][0], Scale: uint8(min(lanes, 8))}, p[0])
	}
	c.SUBQ(operand.U8(lanes), k.local(rowsLeft))
	c.JGT(operand.LabelRef("lines"))
	k.end()
}

// defineLines writes the index vectors that end the transpose of a tile, and begin that of
// results, with or without an exchange of planes.
func defineLines(e *emitter) {
	n, per := e.lanes(), e.perLane()
	var apart, together [2][]int
	for b := 0; b < n; b += per {
		for half := range 2 {
			at := b + half*per/2
			for i := range per / 2 {
				together[half] = append(together[half], at+i, n+at+i)
			}
			for _, from := range []int{at, n + at} {
				for i := range per / 2 {
					apart[half] = append(apart[half], from+i)
				}
			}
		}
	}
	e.indices("linesApart", apart[0], apart[1], apart[0])
	var other [2][]int
	for half, v := range together {
		for i := range v {
			other[half] = append(other[half], v[i^1])
		}
	}
	e.indices("linesTogether", together[0], together[1], other[0], other[1])
	for half := range 2 {
		e.ctx.StaticGlobal(fmt.Sprint("linePairs", half))
		e.ctx.DataAttributes(attr.RODATA | attr.NOPTR)
		for _, i := range []int{0, 1, 8, 9, 2, 3, 10, 11} {
			e.ctx.AppendDatum(operand.U64(4*half + i))
		}
	}
}
