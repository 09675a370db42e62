package cpu

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// axis is the dimension that an index array walks.
type axis struct{ stride, length int }

// resolve counts a negative index from the end.
func (a axis) resolve(op string, index int64) (int, error) {
	i := index
	if i < 0 {
		i += int64(a.length)
	}
	if i < 0 || i >= int64(a.length) {
		return 0, &ir.IndexError{Op: op, Index: index, Len: a.length}
	}
	return int(i) * a.stride, nil
}

// readIndex reads an index of either width.
func readIndex(p unsafe.Pointer, size int) int64 {
	if size == 4 {
		return int64(*(*int32)(p))
	}
	return *(*int64)(p)
}

// gatherRow copies n elements: dst[i*ds] = src[i*ss + index[i*is]*axis].
type gatherRow func(dst, src, index unsafe.Pointer, ds, ss, is, n int, a axis) error

type gatherWork struct {
	dev              *Device
	dims             []int
	data, index, out layout
	axis             axis
	row              gatherRow
}

func (d *Device) compileGather(p *ir.Gather) (work, error) {
	all := layoutsOf([]ir.Operand{p.Out, p.Data, p.Index})
	w := &gatherWork{dev: d, dims: collapsed(p.Dims, all), axis: axis{p.AxisStride, p.AxisLen}}
	w.out, w.data, w.index = all[0], all[1], all[2]
	w.row = gatherRows[w.data.size](p.Index.Type == elem.Int64)
	return w, nil
}

// gatherRows are by the size of elements.
var gatherRows = map[int]func(wide bool) gatherRow{
	1: gatherRowOf[uint8], 2: gatherRowOf[uint16], 4: gatherRowOf[uint32], 8: gatherRowOf[uint64], 16: gatherRowOf[complex128],
}

func gatherRowOf[T any](wide bool) gatherRow {
	if wide {
		return gatherEach[T, int64]
	}
	return gatherEach[T, int32]
}

func gatherEach[T any, I int32 | int64](dst, src, index unsafe.Pointer, ds, ss, is, n int, a axis) error {
	var t T
	var x I
	size, indexSize := int(unsafe.Sizeof(t)), int(unsafe.Sizeof(x))
	if ds == 1 && ss == 0 && is == 1 && n > 0 {
		return gatherPlaces(slice[T](dst, n), src, slice[I](index, n), a)
	}
	for i := range n {
		at := int(*(*I)(unsafe.Add(index, i*is*indexSize)))
		if at < 0 {
			at += a.length
		}
		if uint(at) >= uint(a.length) {
			_, err := a.resolve("gather", int64(*(*I)(unsafe.Add(index, i*is*indexSize))))
			return err
		}
		*(*T)(unsafe.Add(dst, i*ds*size)) = *(*T)(unsafe.Add(src, (i*ss+at*a.stride)*size))
	}
	return nil
}

// gatherPlaces does dst[i] = src[index[i]*axis]. So few instructions keep more loads in flight.
func gatherPlaces[T any, I int32 | int64](dst []T, src unsafe.Pointer, index []I, a axis) error {
	step := a.stride * int(unsafe.Sizeof(dst[0]))
	dst = dst[:len(index)]
	for i, place := range index {
		at := int(place)
		if uint(at) >= uint(a.length) {
			if at += a.length; uint(at) >= uint(a.length) {
				_, err := a.resolve("gather", int64(place))
				return err
			}
		}
		dst[i] = *(*T)(unsafe.Add(src, at*step))
	}
	return nil
}

func (w *gatherWork) run(l *launch) error {
	return l.share(w, ir.Count(w.dims), inlineUpTo)
}

// part gathers the points from p to end, row by row.
func (w *gatherWork) part(l *launch, s *scratch, p, end int) error {
	data, index, out := l.mem[0], l.mem[1], l.mem[2]
	if len(w.dims) == 0 {
		return w.row(w.out.address(out, nil), w.data.address(data, nil), w.index.address(index, nil), 0, 0, 0, 1, w.axis)
	}
	at := scratchOf[int](s, len(w.dims))
	locate(at, w.dims, p)
	last := len(w.dims) - 1
	ds, ss, is := w.out.strides[last], w.data.strides[last], w.index.strides[last]
	for p < end {
		n := min(end-p, w.dims[last]-at[last])
		dst, src, from := w.out.address(out, at), w.data.address(data, at), w.index.address(index, at)
		if is == 0 && ds == 1 { // one index for the row: a strided copy
			shift, err := w.axis.resolve("gather", readIndex(from, w.index.size))
			if err != nil {
				return err
			}
			gatherLine(&w.dev.vec.Move, w.data.size, dst, unsafe.Add(src, shift*w.data.size), ss, n)
		} else if err := w.row(dst, src, from, ds, ss, is, n, w.axis); err != nil {
			return err
		}
		if p += n; p < end {
			advance(at, w.dims)
		}
	}
	return nil
}
