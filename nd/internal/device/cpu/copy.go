package cpu

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd/vec"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// copyWork moves elements without looking at them. The dimensions are ordered
// for the output, whose last stride is the smallest.
type copyWork struct {
	move    *vec.Move
	dims    []int
	in, out layout
	points  int
	stream  bool
	across  int  // the dimension that the input walks with stride 1, if it is another than the last; else -1
	repeats bool // the last dimension repeats elements, and its rows lie one behind the other
}

// compileCopy is nil if the map is not a copy.
func (d *Device) compileCopy(m *ir.Map) work {
	if len(m.Out) != 1 || len(m.In) != 1 || m.Instrs[m.Value[0]].Kind != ir.Load {
		return nil
	}
	all := layoutsOf(m.Out, m.In)
	dims := ordered(m.Dims, all)
	w := &copyWork{
		move:   &d.vec.Move,
		dims:   dims,
		out:    all[0],
		in:     all[1],
		points: ir.Count(dims),
		across: -1,
	}
	w.stream = w.points*w.out.size >= streamFrom
	last := len(dims) - 1
	w.repeats = last >= 1 && w.in.strides[last] == 0 && w.out.strides[last] == 1 && w.out.strides[last-1] == dims[last]
	if last >= 1 && w.out.strides[last] == 1 && w.in.strides[last] > 1 {
		for i := range last {
			if w.in.strides[i] == 1 && w.out.strides[i] >= 0 {
				w.across = i
			}
		}
	}
	return w
}

// shortCopy is the bytes of a row up to which rows are copied one after the other: finding each takes longer
// than the copy. Rows of 40 bytes take 0.4 of the time, of 80 0.85, of 400 as long.
const shortCopy = 256

func (w *copyWork) run(l *launch) error {
	switch {
	case len(w.dims) == 0:
		gatherLine(w.move, w.out.size, w.out.address(l.mem[1], nil), w.in.address(l.mem[0], nil), 1, 1)
		return nil
	case w.across >= 0:
		return w.runTiles(l)
	}
	return l.share(w, w.points, partPoints(w.points, l.team.size))
}

// part copies the points from p to end, row by row.
func (w *copyWork) part(l *launch, s *scratch, p, end int) error {
	last := len(w.dims) - 1
	index := scratchOf[int](s, len(w.dims))
	locate(index, w.dims, p)
	to, from, size := w.out.strides[last], w.in.strides[last], w.out.size
	for p < end {
		n := min(end-p, w.dims[last]-index[last])
		dst, src := w.out.address(l.mem[1], index), w.in.address(l.mem[0], index)
		switch {
		case w.repeats && n == w.dims[last] && end-p >= 2*n:
			rows := min((end-p)/n, w.dims[last-1]-index[last-1])
			repeatLines[size](dst, src, w.in.strides[last-1], rows, n)
			index[last-1] += rows - 1 // advance does the last
			n *= rows
		case to == 1 && from == 1 && last > 0 && n == w.dims[last] && end-p >= 2*n && n*size <= shortCopy:
			rows := min((end-p)/n, w.dims[last-1]-index[last-1])
			down, across := w.out.strides[last-1]*size, w.in.strides[last-1]*size
			for r := range rows {
				copy(slice[byte](unsafe.Add(dst, r*down), n*size), slice[byte](unsafe.Add(src, r*across), n*size))
			}
			index[last-1] += rows - 1
			n *= rows
		case to == 1 && from == 1:
			w.move.Copy(slice[byte](dst, n*size), slice[byte](src, n*size), w.stream && n*size >= streamRow)
		case to == 1:
			gatherLine(w.move, size, dst, src, from, n)
		case from == 1:
			scatterLine(w.move, size, dst, src, to, n)
		default:
			for i := range n {
				gatherLine(w.move, size, unsafe.Add(dst, i*to*size), unsafe.Add(src, i*from*size), 1, 1)
			}
		}
		if p += n; p < end {
			advance(index, w.dims)
		}
	}
	return nil
}

// repeatLines do dst[i*count+k] = src[i*stride] for rows i and all k below count; they are by the
// size of elements.
var repeatLines = map[int]func(dst, src unsafe.Pointer, stride, rows, count int){
	1: repeatOf[uint8], 2: repeatOf[uint16], 4: repeatOf[uint32], 8: repeatOf[uint64], 16: repeatOf[complex128],
}

func repeatOf[T any](d, s unsafe.Pointer, stride, rows, count int) {
	dst, step := slice[T](d, rows*count), stride*int(unsafe.Sizeof(*new(T)))
	switch count { // loops of a known number of turns take half of the time
	case 2:
		for i := range rows {
			v := *(*T)(unsafe.Add(s, i*step))
			run := dst[2*i:][:2]
			run[0], run[1] = v, v
		}
	case 4:
		for i := range rows {
			v := *(*T)(unsafe.Add(s, i*step))
			run := dst[4*i:][:4]
			run[0], run[1], run[2], run[3] = v, v, v, v
		}
	default:
		for i := range rows {
			v := *(*T)(unsafe.Add(s, i*step))
			run := dst[i*count:][:count]
			for k := range run {
				run[k] = v
			}
		}
	}
}

// A tile of a transposed copy is copyRows rows of the output, each copyBytes
// long. Tall tiles read long runs of the input; measured over 8192 x 8192
// float32.
const (
	copyRows  = 512
	copyBytes = 1024
)

// runTiles transposes the last dimension and the one across, for every index
// of the others.
func (w *copyWork) runTiles(l *launch) error {
	last := len(w.dims) - 1
	rows, cols := w.dims[w.across], w.dims[last]
	wide := max(1, copyBytes/w.out.size)
	down, side := (rows+copyRows-1)/copyRows, (cols+wide-1)/wide
	tile := func(task int, s *scratch) {
		index := scratchOf[int](s, len(w.dims))
		others := task / (down * side)
		for i := last - 1; i >= 0; i-- {
			if index[i] = 0; i != w.across {
				index[i] = others % w.dims[i]
				others /= w.dims[i]
			}
		}
		r, c := task/side%down*copyRows, task%side*wide
		index[w.across], index[last] = r, c
		// Output row i is input column i, so the kernel's columns are our rows.
		w.move.Transpose(w.out.size, w.out.address(l.mem[1], index), w.in.address(l.mem[0], index),
			w.out.strides[w.across], w.in.strides[last], min(wide, cols-c), min(copyRows, rows-r), w.stream)
	}
	tasks := w.points / (rows * cols) * down * side
	per := tasks // tiles of a part
	if w.points > inlineUpTo {
		per = max(1, inlineUpTo/(min(rows, copyRows)*min(cols, wide)))
	}
	return l.team.do((tasks+per-1)/per, l.s, func(part int, s *scratch) error {
		for task := part * per; task < min((part+1)*per, tasks); task++ {
			s.reset()
			tile(task, s)
		}
		return nil
	})
}
