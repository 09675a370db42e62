package cpu

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/nd/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/kern"
)

// scatterWork adds updates. Points that may meet in one element differ only
// along the axis, so other dimensions can be shared among workers; within a
// part the order is row-major.
type scatterWork struct {
	dims                []int
	updates, index, out layout
	axis                axis
	split               int // the dimension cut into parts, -1 if none can be
	add                 func(dst, x unsafe.Pointer)
}

func (d *Device) compileScatter(p *kern.Scatter) (work, error) {
	if kern.Count(p.Dims) == 0 {
		return nothing{}, nil
	}
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
	switch p.Out.Type {
	case elem.Uint8:
		w.add = addTo[uint8]
	case elem.Int32:
		w.add = addTo[int32]
	case elem.Int64:
		w.add = addTo[int64]
	case elem.Uint32:
		w.add = addTo[uint32]
	case elem.Float16:
		w.add = func(dst, x unsafe.Pointer) {
			d := (*elem.F16)(dst)
			*d = elem.F16From(d.Float32() + (*elem.F16)(x).Float32())
		}
	case elem.BFloat16:
		w.add = func(dst, x unsafe.Pointer) {
			d := (*elem.BF16)(dst)
			*d = elem.BF16From(d.Float32() + (*elem.BF16)(x).Float32())
		}
	case elem.Float32:
		w.add = addTo[float32]
	case elem.Float64:
		w.add = addTo[float64]
	case elem.Complex64:
		w.add = addTo[complex64]
	case elem.Complex128:
		w.add = addTo[complex128]
	default:
		return nil, unsupported(p, p.Out.Type.String())
	}
	return w, nil
}

func addTo[T number | complex64 | complex128](dst, x unsafe.Pointer) { *(*T)(dst) += *(*T)(x) }

func (w *scatterWork) run(l *launch) error {
	points := kern.Count(w.dims)
	if points <= inlineUpTo || w.split < 0 {
		return w.part(l, l.s, 0, w.dims[max(w.split, 0)])
	}
	n := w.dims[w.split]
	per := max(1, inlineUpTo/(points/n))
	return l.team.do((n+per-1)/per, l.s, func(part int, s *scratch) error {
		return w.part(l, s, part*per, min((part+1)*per, n))
	})
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
	for range kern.Count(dims[:last]) {
		src, dst, idx := u.address(updates, at), o.address(out, at), x.address(index, at)
		for i := range dims[last] {
			shift, err := w.axis.resolve("scatter", readIndex(unsafe.Add(idx, i*x.strides[last]*x.size), x.size))
			if err != nil {
				return err
			}
			w.add(unsafe.Add(dst, (i*o.strides[last]+shift)*o.size), unsafe.Add(src, i*u.strides[last]*u.size))
		}
		advance(at, dims)
	}
	return nil
}
