package transform

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/roots"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/butterfly"
)

// Real transforms real lines of one length to and from their first n/2+1 bins.
// R is the component type of C.
//
// An even length runs as a complex line of half the length, whose spectrum is
// then untangled into those of the even and the odd samples, or begins with real columns, see
// folded. An odd length runs through the
// passes of a complex line of the same length, the later of them on half of it. A prime length
// is a convolution of real lines; a convolution of another kind or a short line is complex.
type Real[R Float, C Complex] struct {
	n    int
	half *Plan[C]    // of n/2 elements, or of n when n is odd
	odd  *oddLine[R] // of an odd length, or nil

	prime *realRader[R, C] // of a prime length, or nil

	join        butterfly.Kernel
	joinLanes   int
	apart, back *butterfly.Pass // from the half line's bins to the line's, and back

	folded *folded[R, C] // a line that begins with real columns, or nil
	single *Real[R, C]   // another form of a line alone, or nil

	planes *planes[R] // from two planes of the half line's bins to the line's, or nil

	lanes *realInLanes[R] // how many lines run, or nil

	whole [2]butterfly.Kernel // for the line as it is, there and back, or nil
	pass  [2]*butterfly.Pass  // of whole: one line
	many  [2][]butterfly.ManyKernel
}

// NewReal builds the plan of a recipe for real lines: a packed one for an even
// length, see [recipe.ForReal].
func NewReal[R Float, C Complex](r *recipe.Recipe, level simd.Level) (*Real[R, C], error) {
	if int(unsafe.Sizeof(R(0))) != componentSize[C]() {
		return nil, fmt.Errorf("transform: new real: component and element type differ in precision")
	}
	if err := r.Validate(); err != nil {
		return nil, fmt.Errorf("transform: new real: %w", err)
	}
	n, inside := r.N, r
	if r.Kind == recipe.Packed {
		inside = r.Inner
	} else if n%2 == 0 {
		return nil, fmt.Errorf("transform: new real: %v is not packed", r)
	}
	half, err := New[C](inside, level)
	if err != nil {
		return nil, err
	}
	p := &Real[R, C]{n: n, half: half, odd: newOddLine[R](half.shape, inside)}
	if n%2 == 1 && inside.Kind == recipe.Rader {
		if p.prime, err = newRealRader[R, C](n, level); err != nil {
			return nil, err
		}
	}
	composed := inside.Kind == recipe.Direct && butterfly.ComposedReal[R](level, n, false) != nil
	for i, inverse := range []bool{false, true} {
		p.whole[i], p.pass[i] = wholeReal[R](n, level, inverse, half.whole != nil)
		if composed {
			p.whole[i] = butterfly.ComposedReal[R](level, n, inverse)
		}
		p.many[i] = butterfly.ManyReal[R](level, n, inverse)
	}
	if n%2 == 0 && n > 2 {
		m := n / 2
		kernel, order := butterfly.Untangle[R](level, m)
		lanes := len(order)
		tiles := butterfly.Tiles(m/2, lanes)
		table := roots.Of(n)
		w, v := make([]R, 2*lanes*len(tiles)), make([]R, 2*lanes*len(tiles))
		for i, start := range tiles {
			at := 2 * lanes * i
			walk := table.Walk(start+1, 1)
			for k := range lanes {
				re, im := walk.Next()
				l := slices.Index(order, k)
				w[at+l], w[at+lanes+l] = R(re/2), R(im/2)
				v[at+l], v[at+lanes+l] = R(-re), R(im)
			}
		}
		p.join, p.joinLanes = kernel, lanes
		if c, ok := half.line.(*chain); ok {
			if c.folds(c.n) {
				if p.folded, err = newFolded[R, C](c); err != nil {
					return nil, err
				}
			}
			if p.folded == nil {
				p.planes = newPlanes[R](c)
			}
		}
		// Otherwise portable code untangles, with other bits.
		if composed && !half.shape.oneByOne() || !p.Whole() && p.folded == nil && lanes > 1 && half.shape.alike(inside) {
			p.lanes = newRealInLanes[R](half.shape, n, inside)
		}
		p.apart = &butterfly.Pass{Rows: len(tiles) - 1, Cols: m/2 - lanes + 1, InLeg: m, Twiddle: unsafe.Pointer(unsafe.SliceData(w))}
		p.back = &butterfly.Pass{Rows: len(tiles) - 1, Cols: m/2 - lanes + 1, InLeg: m, Twiddle: unsafe.Pointer(unsafe.SliceData(v))}
	}
	return p, nil
}

// wholeReal is the kernel for real lines of n samples and its pass, if there is one:
// for short lines, or a packed one if the recipe inside is a kernel too.
func wholeReal[R Float](n int, level simd.Level, inverse, direct bool) (butterfly.Kernel, *butterfly.Pass) {
	pass := &butterfly.Pass{Rows: 1}
	if kernel := butterfly.ShortReal[R](level, n, inverse); kernel != nil || !direct {
		return kernel, pass
	}
	kernel, layout, bins := butterfly.Packed[R](level, n, inverse)
	if kernel == nil {
		return nil, pass
	}
	if layout.Rows == 0 {
		lanes := butterfly.Lanes(level, int(8*unsafe.Sizeof(R(0))))
		pass.Twiddle = leadPass[R](n/lanes, lanes, n/lanes/2, inOrder(lanes), false).Twiddle
		return kernel, pass
	}
	if bins == nil {
		pass.Twiddle = butterfly.TiltedTable[R](n/2, layout)
		return kernel, pass
	}
	re, im := R(0.5), R(0.5)
	if inverse {
		re, im = -1, 1
	}
	pass.Twiddle, pass.Factors = wholeTwiddles[R](n/2, layout), binFactors(n, bins, re, im)
	return kernel, pass
}

// binFactors is the roots of order n up to n/4 in vectors of the given bins, their
// parts multiplied by re and im.
func binFactors[R Float](n int, bins []int, re, im R) unsafe.Pointer {
	table := roots.Of(n)
	var w []R
	for first := 0; first < n/4; first += len(bins) {
		w = appendMixed(w, table, first, 1, bins)
	}
	for i := range w {
		if i/len(bins)%2 == 0 {
			w[i] *= re
		} else {
			w[i] *= im
		}
	}
	return unsafe.Pointer(unsafe.SliceData(w))
}

// pairs is real numbers two by two.
func pairs[R Float, C Complex](x []R) []C {
	return unsafe.Slice((*C)(unsafe.Pointer(unsafe.SliceData(x))), len(x)/2)
}

func pack[R Float, C Complex](re, im R) C {
	var c C
	*(*R)(unsafe.Pointer(&c)) = re
	*(*R)(unsafe.Add(unsafe.Pointer(&c), unsafe.Sizeof(re))) = im
	return c
}

func unpack[R Float, C Complex](c C) (re, im R) {
	return *(*R)(unsafe.Pointer(&c)), *(*R)(unsafe.Add(unsafe.Pointer(&c), unsafe.Sizeof(re)))
}

// Len is the number of real samples of a line.
func (p *Real[R, C]) Len() int { return p.n }

// Bins is the number of complex bins of a line, n/2+1.
func (p *Real[R, C]) Bins() int { return p.n/2 + 1 }

// Recipe is the recipe of the complex line inside.
func (p *Real[R, C]) Recipe() *recipe.Recipe { return p.half.recipe }

// Scaled is the same plan with every output multiplied by factor, at no cost.
func (p *Real[R, C]) Scaled(factor float64) *Real[R, C] {
	q := *p
	q.half = p.half.Scaled(factor)
	if p.folded != nil {
		q.folded = p.folded.scaled(factor)
	}
	if p.single != nil {
		q.single = p.single.Scaled(factor)
	}
	return &q
}

// Whole says that lines are transformed by one kernel.
func (p *Real[R, C]) Whole() bool { return p.whole[0] != nil }

// WholeBatches says that batches take no scratch.
func (p *Real[R, C]) WholeBatches() bool { return p.Whole() && p.lanes == nil }

// Kernel transforms such a line, there or back. It takes the two parts of the first bin, and the first
// sample twice.
func (p *Real[R, C]) Kernel(inverse bool) Whole {
	i := bit(inverse)
	return Whole{p.whole[i], p.pass[i], p.half.scale}
}

// alone says that a line is not transformed in parts that others could take over.
func (p *Real[R, C]) alone() bool { return p.n%2 == 1 || p.Whole() }

// ScratchLen is the number of scratch elements Forward and Inverse need.
func (p *Real[R, C]) ScratchLen() int {
	if p.Whole() {
		return 0
	}
	return p.lineLen()
}

// lineLen is the number of scratch elements for one line in passes.
func (p *Real[R, C]) lineLen() int {
	if p.prime != nil {
		return p.prime.scratchLen()
	}
	if p.n%2 == 1 {
		return p.n + p.Bins() + p.half.elements(p.oddBytes())
	}
	least := max(p.halfLen()+p.half.ScratchLen(), p.foldedLen())
	if p.single != nil {
		least = max(least, p.single.lineLen())
	}
	return least
}

// Forward writes the n/2+1 bins of src to dst.
func (p *Real[R, C]) Forward(dst []C, src []R, scratch []C) {
	src, dst = src[:p.Given()], dst[:p.Bins()]
	if p.Whole() {
		w, to, from := p.Kernel(false), interleaved(dst, p.half.shape.size), unsafe.Pointer(&src[0])
		w.Run(to.re, to.im, from, from)
		return
	}
	if p.prime != nil {
		p.prime.forward(dst, src, scratch, p.half.scale)
		return
	}
	if p.n%2 == 1 {
		line, plane, work := p.oddScratch(scratch)
		if p.odd != nil {
			p.odd.forward(interleaved(dst, p.half.shape.size), p.half.view(line), unsafe.Pointer(&src[0]), work, p.half.scale)
			return
		}
		clear(plane)
		p.half.line.run(p.half.view(line), planesOf(src, plane), work, p.half.scale)
		copy(dst, line)
		// The sum of real samples is real; a convolution leaves it to rounding.
		re, _ := unpack[R](dst[0])
		dst[0] = pack[R, C](re, 0)
		return
	}
	if p.single != nil {
		p.single.Forward(dst, src, scratch)
		return
	}
	if p.folded != nil {
		p.forwardFolded(dst, src, scratch, false)
		return
	}
	if p.planes != nil && !p.planes.batches && !p.untanglesInPlace(dst) {
		p.forwardAlone(dst, src, scratch)
		return
	}
	p.half.Forward(dst, pairs[R, C](src), scratch[p.half.n:])
	p.untangle(dst, dst)
}

// oddScratch divides the scratch into a complex line, the imaginary plane of a
// real one, and what the line inside needs.
func (p *Real[R, C]) oddScratch(scratch []C) (line []C, plane []R, work unsafe.Pointer) {
	line, rest := scratch[:p.n], scratch[p.n:]
	plane = unsafe.Slice((*R)(unsafe.Pointer(unsafe.SliceData(rest[:p.Bins()]))), p.n)
	return line, plane, p.half.work(rest[p.Bins():], p.oddBytes())
}

// oddBytes is the scratch of the passes over a line of odd length.
func (p *Real[R, C]) oddBytes() int {
	if p.odd != nil {
		return p.odd.workBytes()
	}
	return p.half.line.workBytes()
}

func planesOf[R Float](re, im []R) view {
	return view{unsafe.Pointer(unsafe.SliceData(re)), unsafe.Pointer(unsafe.SliceData(im)), butterfly.Split}
}

// untangle turns the spectrum z of x[2j] + i*x[2j+1] into that of x, which dst has room for. Both
// may begin at the same place.
func (p *Real[R, C]) untangle(dst, z []C) {
	to, from := p.realBins(dst, z)
	if p.n > 2 {
		p.join(p.apart, to.re, to.im, from.re, from.im, 0.5)
	}
}

// realBins untangles the two bins that are real.
func (p *Real[R, C]) realBins(dst, z []C) (to, from view) {
	m := p.n / 2
	to, from = p.half.view(dst), p.half.view(z)
	r0, i0 := *at[R](from.re, 0), *at[R](from.im, 0)
	*at[R](to.re, 0), *at[R](to.im, 0) = r0+i0, 0
	*at[R](to.re, 2*m), *at[R](to.im, 2*m) = r0-i0, 0
	return to, from
}

// Inverse writes the n samples whose bins are src to dst, times n. The
// imaginary parts of bin 0 and, for even n, of bin n/2 are ignored.
func (p *Real[R, C]) Inverse(dst []R, src []C, scratch []C) {
	dst, src = dst[:p.n], src[:p.Bins()]
	if p.Whole() {
		w, to, from := p.Kernel(true), unsafe.Pointer(&dst[0]), interleaved(src, p.half.shape.size)
		w.Run(to, to, from.re, from.im)
		return
	}
	if p.prime != nil {
		p.prime.inverse(dst, src, scratch, p.half.scale)
		return
	}
	if p.n%2 == 1 {
		line, plane, work := p.oddScratch(scratch)
		if p.odd != nil {
			p.odd.inverse(planesOf(dst, plane), p.half.view(line), interleaved(src, p.half.shape.size), work, p.half.scale)
			return
		}
		p.mirror(line, src)
		p.half.line.run(planesOf(dst, plane).swapped(), p.half.view(line).swapped(), work, p.half.scale)
		return
	}
	line := scratch[:p.half.n]
	p.tangle(line, src)
	p.half.Inverse(pairs[R, C](dst), line, scratch[p.half.n:])
}

// mirror completes the bins of a real line of odd length.
func (p *Real[R, C]) mirror(line, bins []C) {
	re, _ := unpack[R](bins[0])
	line[0] = pack[R, C](re, 0)
	copy(line[1:], bins[1:])
	v := p.half.view(line)
	for k := 1; k < len(bins); k++ {
		*at[R](v.re, 2*(p.n-k)), *at[R](v.im, 2*(p.n-k)) = *at[R](v.re, 2*k), -*at[R](v.im, 2*k)
	}
}

// tangle is the reverse of untangle, times two, from the bins x to z.
func (p *Real[R, C]) tangle(z, x []C) {
	to, from := p.firstBin(z, x)
	if p.n > 2 {
		p.join(p.back, to.re, to.im, from.re, from.im, 1)
	}
}

// firstBin tangles the two bins that are real.
func (p *Real[R, C]) firstBin(z, x []C) (to, from view) {
	to, from = p.half.view(z), p.half.view(x)
	r0, rm := *at[R](from.re, 0), *at[R](from.re, p.n)
	*at[R](to.re, 0), *at[R](to.im, 0) = r0+rm, r0-rm
	return to, from
}
