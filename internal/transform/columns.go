package transform

import (
	"runtime"
	"sync"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/simd/butterfly"
)

// across transforms neighbouring lines side by side, a bundle of columns at a
// time. It is built when first needed: most plans never see a column.
type across struct {
	once    sync.Once
	bundles []*bundle // widest first
}

// radicesOf are the passes that run a recipe across lines, or nil if it needs
// a convolution.
func radicesOf(r *recipe.Recipe) []int {
	switch r.Kind {
	case recipe.Direct, recipe.MixedRadix:
		return passes(r)
	case recipe.FourStep:
		return append(append([]int(nil), passes(r.Columns)...), passes(r.Rows)...)
	}
	return nil
}

// columnBundles are the bundles that columns run in: two vectors wide, one,
// and half a one.
func (p *Plan[C]) columnBundles() []*bundle {
	p.across.once.Do(func() {
		radices := radicesOf(p.recipe)
		lanes := butterfly.Lanes(p.shape.level, 8*p.shape.size)
		if len(radices) == 0 || lanes == 1 {
			return
		}
		for _, width := range []int{2 * lanes, lanes, lanes / 2} {
			if width < 2 || p.n*width*p.shape.size > bundleBytes {
				continue
			}
			if p.shape.size == 4 {
				p.across.bundles = append(p.across.bundles, newBundle[float32](p.shape, radices, width, 1, 1))
			} else {
				p.across.bundles = append(p.across.bundles, newBundle[float64](p.shape, radices, width, 1, 1))
			}
		}
	})
	return p.across.bundles
}

// bundleBytes bounds a plane of a bundle: a larger one would run from the outer
// caches, where going column by column is no worse.
const bundleBytes = 2 << 20

// columnBytes is the scratch of the columns that go one by one.
func (p *Plan[C]) columnBytes() int { return 2*p.shape.pairBytes(p.n) + p.line.workBytes() }

// ColumnsScratchLen is the number of scratch elements Columns needs for any
// count.
func (p *Plan[C]) ColumnsScratchLen(int) int {
	bytes := p.columnBytes()
	for _, b := range p.columnBundles() {
		bytes = max(bytes, 2*passBytes+b.workBytes())
	}
	return p.elements(bytes)
}

// Columns transforms count adjacent lines whose elements lie stride apart:
// element j of line i is at i + j*stride of dst and of src, each with its own
// stride.
func (p *Plan[C]) Columns(dst, src, scratch []C, count, dstStride, srcStride int, inverse bool) {
	if count <= 0 {
		return
	}
	_, _ = dst[(p.n-1)*dstStride+count-1], src[(p.n-1)*srcStride+count-1]
	d, s := interleaved(dst, p.shape.size), interleaved(src, p.shape.size)
	if inverse {
		d, s = d.swapped(), s.swapped()
	}
	i := 0
	for _, b := range p.columnBundles() {
		if count-i < b.width {
			continue
		}
		work := p.work(scratch, 2*passBytes+b.workBytes())
		strided := b.strided(work, dstStride, srcStride)
		for ; count-i >= b.width; i += b.width {
			strided.run(d.add(i, p.shape.size), s.add(i, p.shape.size), unsafe.Add(work, 2*passBytes), p.scale)
		}
	}
	if i < count {
		work := p.work(scratch, p.columnBytes())
		for ; i < count; i++ {
			p.column(dst[i:], src[i:], work, dstStride, srcStride, inverse)
		}
	}
}

// strided is the bundle for lines whose elements lie further apart. Its two
// outer passes lie in the scratch: on the stack they would escape through the
// kernels.
func (b *bundle) strided(work unsafe.Pointer, dstStride, srcStride int) stridedBundle {
	last := len(b.steps) - 1
	s := stridedBundle{b, b.steps[0].pass.CopyTo(work), b.steps[last].pass.CopyTo(unsafe.Add(work, passBytes))}
	if last == 0 {
		s.first = s.last
	}
	s.first.InRow *= srcStride
	s.first.InLeg *= srcStride
	s.last.OutRow *= dstStride
	s.last.OutLeg *= dstStride
	return s
}

type stridedBundle struct {
	*bundle
	first, last *butterfly.Pass
}

func (b stridedBundle) run(dst, src view, work unsafe.Pointer, scale float64) {
	size := b.n * b.width
	last := len(b.steps) - 1
	for i := range b.steps {
		st := b.steps[i]
		to, factor := dst, scale
		if i == 0 {
			st.pass = b.first
		}
		if i == last {
			st.pass = b.last
		} else {
			to, factor = b.splitAt(unsafe.Add(work, i&1*b.pairBytes(size)), size), 1
		}
		st.run(to, src, factor)
		src = to
	}
	runtime.KeepAlive(b.bundle)
}

// column transforms a single strided line by way of planes.
func (p *Plan[C]) column(dst, src []C, work unsafe.Pointer, dstStride, srcStride int, inverse bool) {
	in := p.shape.splitAt(work, p.n)
	out := p.shape.splitAt(unsafe.Add(work, p.shape.pairBytes(p.n)), p.n)
	gather(p, in, src, srcStride)
	if inverse {
		in, out = in.swapped(), out.swapped()
	}
	p.line.run(out, in, p.after(work), p.scale)
	if inverse {
		out = out.swapped()
	}
	scatter(p, dst, out, dstStride)
}

// after is the scratch of the line itself, behind the planes of a column.
func (p *Plan[C]) after(work unsafe.Pointer) unsafe.Pointer {
	if p.line.workBytes() == 0 {
		return nil // there is nothing behind the planes to point at
	}
	return unsafe.Add(work, 2*p.shape.pairBytes(p.n))
}

// gather splits a strided line into planes.
func gather[C Complex](p *Plan[C], to view, from []C, stride int) {
	switch x := any(from).(type) {
	case []complex64:
		for j := range p.n {
			*at[float32](to.re, j), *at[float32](to.im, j) = real(x[j*stride]), imag(x[j*stride])
		}
	case []complex128:
		for j := range p.n {
			*at[float64](to.re, j), *at[float64](to.im, j) = real(x[j*stride]), imag(x[j*stride])
		}
	}
}

// scatter is the reverse of gather.
func scatter[C Complex](p *Plan[C], to []C, from view, stride int) {
	switch x := any(to).(type) {
	case []complex64:
		for j := range p.n {
			x[j*stride] = complex(*at[float32](from.re, j), *at[float32](from.im, j))
		}
	case []complex128:
		for j := range p.n {
			x[j*stride] = complex(*at[float64](from.re, j), *at[float64](from.im, j))
		}
	}
}
