package cpu

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// scatterWork adds updates. Points that may meet in one element differ only
// along the axis, so other dimensions can be shared among workers; within a
// part the order is row-major.
type scatterWork struct {
	dims                []int
	updates, index, out layout
	axis                axis
	split               int // the dimension cut into parts, -1 if none can be
	row                 scatterRow
	whole               stepFunc // adds rows that go to one place; nil where there is no such kernel
}

// scatterRow adds n updates: dst[i*ds + index[i*is]*axis] += src[i*ss].
type scatterRow func(dst, src, index unsafe.Pointer, ds, ss, is, n int, a axis) error

func (d *Device) compileScatter(p *ir.Scatter) (work, error) {
	w := &scatterWork{
		dims:    p.Dims,
		updates: layoutOf(p.Updates),
		index:   layoutOf(p.Index),
		out:     layoutOf(p.Out),
		axis:    axis{p.AxisStride, p.AxisLen},
		split:   -1,
	}
	for i, n := range p.Dims {
		if i != p.Axis && w.out.strides[i] != 0 && n > 1 && (w.split < 0 || n > p.Dims[w.split]) {
			w.split = i
		}
	}
	wide := p.Index.Type == elem.Int64
	of := scatters[p.Out.Type]
	if of == nil {
		of = integers[p.Out.Type].scatter
	}
	if of == nil {
		return nil, unsupported(p, p.Out.Type.String())
	}
	w.row = of(wide)
	last := len(p.Dims) - 1
	if last >= 0 && w.index.strides[last] == 0 && w.out.strides[last] == 1 && w.updates.strides[last] == 1 {
		if f, err := d.lookup(scalar.Add, p.Out.Type, p.Out.Type, false); err == nil && !p.Out.Type.IsHalf() {
			w.whole = f.vv
		}
	}
	return w, nil
}

// scatters are the rows of types that are not integers.
var scatters = map[elem.Type]func(wide bool) scatterRow{
	elem.Float16:    rowsOf(func(x, y elem.F16) elem.F16 { return elem.F16From(x.Float32() + y.Float32()) }),
	elem.BFloat16:   rowsOf(func(x, y elem.BF16) elem.BF16 { return elem.BF16From(x.Float32() + y.Float32()) }),
	elem.Float32:    rowsOfSums[float32],
	elem.Float64:    rowsOfSums[float64],
	elem.Complex64:  rowsOfSums[complex64],
	elem.Complex128: rowsOfSums[complex128],
}

func rowsOfSums[T number | complex64 | complex128](wide bool) scatterRow {
	if wide {
		return scatterSums[T, int64]
	}
	return scatterSums[T, int32]
}

// scatterSums is scatterEach for types that Go adds, without a call for each of them.
func scatterSums[T number | complex64 | complex128, I int32 | int64](dst, src, index unsafe.Pointer, ds, ss, is, n int, a axis) error {
	var t T
	var x I
	to, from, next, step := ds*int(unsafe.Sizeof(t)), ss*int(unsafe.Sizeof(t)), is*int(unsafe.Sizeof(x)), a.stride*int(unsafe.Sizeof(t))
	for range n {
		at := int(*(*I)(index))
		if at < 0 {
			at += a.length
		}
		if uint(at) >= uint(a.length) {
			_, err := a.resolve("scatter", int64(*(*I)(index)))
			return err
		}
		*(*T)(unsafe.Add(dst, at*step)) += *(*T)(src)
		dst, src, index = unsafe.Add(dst, to), unsafe.Add(src, from), unsafe.Add(index, next)
	}
	return nil
}

func rowsOf[T any](add func(x, y T) T) func(wide bool) scatterRow {
	return func(wide bool) scatterRow {
		if wide {
			return scatterEach[T, int64](add)
		}
		return scatterEach[T, int32](add)
	}
}

func scatterEach[T any, I int32 | int64](add func(x, y T) T) scatterRow {
	return func(dst, src, index unsafe.Pointer, ds, ss, is, n int, a axis) error {
		var t T
		var x I
		size, indexSize := int(unsafe.Sizeof(t)), int(unsafe.Sizeof(x))
		for i := range n {
			at := int(*(*I)(unsafe.Add(index, i*is*indexSize)))
			if at < 0 {
				at += a.length
			}
			if uint(at) >= uint(a.length) {
				_, err := a.resolve("scatter", int64(*(*I)(unsafe.Add(index, i*is*indexSize))))
				return err
			}
			to := (*T)(unsafe.Add(dst, (i*ds+at*a.stride)*size))
			*to = add(*to, *(*T)(unsafe.Add(src, i*ss*size)))
		}
		return nil
	}
}

// leastCut is how short rows are cut: to begin one takes as long as to add 64 elements.
const leastCut = 64

func (w *scatterWork) run(l *launch) error {
	n := w.dims[max(w.split, 0)]
	per := n
	if w.split >= 0 && l.team.size > 1 {
		per = max(1, inlineUpTo/(ir.Count(w.dims)/n), n/(4*l.team.size))
		if w.split == len(w.dims)-1 {
			per = max(per, leastCut)
		}
	}
	return l.share(w, n, per)
}

// part adds the points whose index along the split dimension is in from..end.
func (w *scatterWork) part(l *launch, s *scratch, from, end int) error {
	updates, index, out := l.mem[0], l.mem[1], l.mem[2]
	rank := len(w.dims)
	dims, at := scratchOf[int](s, rank), scratchOf[int](s, rank)
	copy(dims, w.dims)
	u, x, o := w.updates, w.index, w.out
	split := max(w.split, 0)
	dims[split] = end - from
	u.offset += from * u.strides[split]
	x.offset += from * x.strides[split]
	o.offset += from * o.strides[split]
	clear(at)
	last := rank - 1
	for range ir.Count(dims[:last]) {
		src, dst, idx := u.address(updates, at), o.address(out, at), x.address(index, at)
		if w.whole != nil {
			shift, err := w.axis.resolve("scatter", readIndex(idx, w.index.size))
			if err != nil {
				return err
			}
			dst = unsafe.Add(dst, shift*w.out.size)
			w.whole(dst, dst, src, nil, dims[last])
		} else if err := w.row(dst, src, idx, o.strides[last], u.strides[last], x.strides[last], dims[last], w.axis); err != nil {
			return err
		}
		advance(at, dims)
	}
	return nil
}
