package cpu

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/simd/gemm"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// multiplier computes one matrix product; the pointers are to the first element
// of each matrix.
type multiplier func(w *gemmWork, out, a, b unsafe.Pointer, s *scratch, p gemm.Parallel)

type gemmWork struct {
	gemmSpace
	dev     *Device
	count   int
	oneEach bool // workers take whole products
	product multiplier
}

// gemmSpace is where the matrices of a batch of products lie.
type gemmSpace struct {
	m, n, k   int
	dims      []int             // of the batch
	a, b, out layout            // over the batch
	strides   [3][2]int         // of rows and columns
	axes      [2][2][]gemm.Axis // of rows and columns of a and b that are several axes
	seen      *ir.Band
}

func gemmSpaceOf(p *ir.Gemm) gemmSpace {
	s := gemmSpace{m: p.M, n: p.N, k: p.K, seen: p.Seen}
	all, rank := layoutsOf([]ir.Operand{p.A, p.B, p.Out}), len(p.Batch)
	for i := range all {
		if p.K == 0 && i < 2 {
			// Factors of no elements have no places either: a pointer to a product of
			// an empty batch would leave their buffer.
			all[i].offset = 0
			clear(all[i].strides)
		}
		if i < 2 && p.K > 0 {
			s.axes[i] = matrixAxes(p, i, all[i].strides[rank:])
		}
		if i == 2 || s.axes[i][0] == nil {
			s.strides[i] = [2]int(all[i].strides[rank:])
		}
		all[i].strides = all[i].strides[:rank]
	}
	s.dims = collapsed(p.Batch, all)
	s.a, s.b, s.out = all[0], all[1], all[2]
	return s
}

// matrixAxes is the axes of factor i of p, if it is not plain: those of rows and those of columns.
func matrixAxes(p *ir.Gemm, i int, strides []int) (axes [2][]gemm.Axis) {
	a, rows, columns := p.AxesA, p.M, p.K
	if i == 1 {
		a, rows, columns = p.AxesB, p.K, p.N
	}
	if a.Plain() {
		return axes
	}
	r, c := a.Split(rows, columns)
	for k, dims := range [2][]int{r, c} {
		for d, n := range dims {
			axes[k] = append(axes[k], gemm.Axis{Len: n, Stride: strides[d]})
		}
		strides = strides[len(dims):]
	}
	return axes
}

// products are those of types that are not integers.
var products = map[elem.Type]multiplier{
	elem.Float16: multiplyHalf(elem.Float16), elem.BFloat16: multiplyHalf(elem.BFloat16), elem.Float32: multiply[float32], elem.Float64: multiply[float64],
	elem.Complex64: multiply[complex64], elem.Complex128: multiply[complex128],
}

func (d *Device) compileGemm(p *ir.Gemm) (work, error) {
	if t := p.Out.Type; (!p.AxesA.Plain() || !p.AxesB.Plain()) && (!p.Plain() || t != elem.Float32 && t != elem.Float64) {
		return nil, unsupported(p, "factors of several axes")
	}
	if !p.Plain() && !p.Out.Type.IsInteger() {
		return d.compileExactGemm(p)
	}
	if isVector(p) {
		return d.compileReduce(p.AsReduce())
	}
	w := &gemmWork{gemmSpace: gemmSpaceOf(p), dev: d, count: ir.Count(p.Batch), oneEach: p.OneEach(d.workers)}
	if w.product = products[p.Out.Type]; w.product == nil {
		w.product = integers[p.Out.Type].multiply
	}
	if w.product == nil {
		return nil, unsupported(p, p.Out.Type.String())
	}
	return w, nil
}

// run gives workers whole products where that takes less time, and lets them share each
// otherwise. A small one is computed here, with nothing to
// hand over.
func (w *gemmWork) run(l *launch) error {
	work := w.m * w.n * max(w.k, 1)
	if w.oneEach || work <= inlineUpTo {
		return l.share(w, w.count, max(1, inlineUpTo/work))
	}
	return w.shared(l)
}

// part computes the products from one to another.
func (w *gemmWork) part(l *launch, s *scratch, from, end int) error {
	for i := from; i < end; i++ {
		s.reset()
		w.one(l, i, s, nil)
	}
	return nil
}

// one computes product i.
func (w *gemmWork) one(l *launch, i int, s *scratch, p gemm.Parallel) {
	index := scratchOf[int](s, len(w.dims))
	locate(index, w.dims, i)
	w.product(w, w.out.address(l.mem[2], index), w.a.address(l.mem[0], index), w.b.address(l.mem[1], index), s, p)
}

// shared computes one product after the other, each with all workers.
func (w *gemmWork) shared(l *launch) error {
	var failed error
	parallel := l.parallel(&failed)
	for i := range w.count {
		l.s.reset()
		w.one(l, i, l.s, parallel)
	}
	return failed
}

// matrix is operand i of w as gemm wants it: a slice that starts at the
// lowest element it touches.
func matrix[T any](p unsafe.Pointer, strides [2]int, rows, cols int) gemm.Matrix[T] {
	o := ir.Operand{Strides: strides[:]}
	lo, hi := o.Span([]int{rows, cols})
	var t T
	base := unsafe.Add(p, lo*int(unsafe.Sizeof(t)))
	return gemm.Matrix[T]{Data: slice[T](base, hi-lo), Offset: -lo, Row: strides[0], Col: strides[1]}
}

// factor is a or b.
func factor[T any](w *gemmWork, i int, p unsafe.Pointer, rows, cols int) gemm.Matrix[T] {
	axes := w.axes[i]
	if axes[0] == nil {
		return matrix[T](p, w.strides[i], rows, cols)
	}
	var t T
	lo, hi := 0, 1
	for _, list := range axes {
		for _, a := range list {
			far := (a.Len - 1) * a.Stride
			lo, hi = lo+min(far, 0), hi+max(far, 0)
		}
	}
	return gemm.Matrix[T]{Data: slice[T](unsafe.Add(p, lo*int(unsafe.Sizeof(t))), hi-lo), Offset: -lo, Rows: axes[0], Cols: axes[1]}
}

// seenRows is how many rows of a product that is seen in part are computed as one: a quarter of a small mask.
const seenRows = 64

func multiply[T gemm.Element](w *gemmWork, out, a, b unsafe.Pointer, _ *scratch, p gemm.Parallel) {
	if w.seen != nil && w.axes[0][0] == nil && w.axes[1][0] == nil {
		var t T
		at := func(base unsafe.Pointer, i, row, column int) unsafe.Pointer {
			return unsafe.Add(base, (row*w.strides[i][0]+column*w.strides[i][1])*int(unsafe.Sizeof(t)))
		}
		for row := 0; row < w.m; row += seenRows {
			rows := min(seenRows, w.m-row)
			from, end := max(row+w.seen.From, 0), min(row+rows+w.seen.To, w.n)
			if from < end {
				gemm.MulAt(w.dev.level, rows, end-from, w.k, matrix[T](at(out, 2, row, from), w.strides[2], rows, end-from),
					matrix[T](at(a, 0, row, 0), w.strides[0], rows, w.k), matrix[T](at(b, 1, 0, from), w.strides[1], w.k, end-from), p)
			}
		}
		return
	}
	gemm.MulAt(w.dev.level, w.m, w.n, w.k,
		matrix[T](out, w.strides[2], w.m, w.n),
		factor[T](w, 0, a, w.m, w.k),
		factor[T](w, 1, b, w.k, w.n), p)
}

// multiplyHalf multiplies in float32 and rounds the result once.
func multiplyHalf(t elem.Type) multiplier {
	return func(w *gemmWork, out, a, b unsafe.Pointer, s *scratch, p gemm.Parallel) {
		k := w.dev.vec
		widen := func(from unsafe.Pointer, strides [2]int, rows, cols int) gemm.Matrix[float32] {
			m := gemm.Matrix[float32]{Data: scratchOf[float32](s, rows*cols), Row: cols, Col: 1}
			raw := s.pointer(2 * cols)
			for r := range rows {
				gatherLine(&k.Move, 2, raw, unsafe.Add(from, r*strides[0]*2), strides[1], cols)
				widenStep(k, t)(unsafe.Pointer(&m.Data[r*cols]), raw, nil, nil, cols)
			}
			return m
		}
		c := gemm.Matrix[float32]{Data: scratchOf[float32](s, w.m*w.n), Row: w.n, Col: 1}
		if w.k == 0 {
			clear(c.Data)
		} else {
			gemm.MulAt(w.dev.level, w.m, w.n, w.k, c, widen(a, w.strides[0], w.m, w.k), widen(b, w.strides[1], w.k, w.n), p)
		}
		raw := s.pointer(2 * w.n)
		for r := range w.m {
			narrowStep(k, t, false)(raw, unsafe.Pointer(&c.Data[r*w.n]), nil, nil, w.n)
			scatterLine(&k.Move, 2, unsafe.Add(out, r*w.strides[2][0]*2), raw, w.strides[2][1], w.n)
		}
	}
}

// multiplyIntegers adds multiples of b's rows, wrapping.
func multiplyIntegers[T integer](w *gemmWork, out, a, b unsafe.Pointer, _ *scratch, p gemm.Parallel) {
	at := func(base unsafe.Pointer, strides [2]int, i, j int) *T {
		var t T
		return (*T)(unsafe.Add(base, (i*strides[0]+j*strides[1])*int(unsafe.Sizeof(t))))
	}
	if p == nil {
		p = func(tasks int, run func(int)) {
			for i := range tasks {
				run(i)
			}
		}
	}
	p(w.m, func(i int) {
		row := make([]T, w.n)
		for k := range w.k {
			x := *at(a, w.strides[0], i, k)
			for j := range row {
				row[j] += x * *at(b, w.strides[1], k, j)
			}
		}
		for j, v := range row {
			*at(out, w.strides[2], i, j) = v
		}
	})
}
