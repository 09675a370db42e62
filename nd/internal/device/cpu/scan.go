package cpu

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// scanChunk is where a long line is cut, so that workers can share it.
const scanChunk = 64 << 10

// scanLine writes the running combination of n elements and leaves the last
// accumulator in acc; with a nil dst it only does the latter. Strides are in
// elements.
type scanLine func(dst, src unsafe.Pointer, dstStride, srcStride, n int, acc unsafe.Pointer)

// scanColumns is scanLine for wide lines whose elements are next to each other,
// with an accumulator for each.
type scanColumns func(dst, src unsafe.Pointer, dstStride, srcStride, n, wide int, acc unsafe.Pointer)

// mostColumns bounds the lines that are scanned side by side: their
// accumulators stay in the first-level cache.
const mostColumns = 512

// shortScan is the length up to which many lines are scanned in one call.
const shortScan = 256

type scanWork struct {
	lines
	length   int
	line     scanLine
	columns  scanColumns                                // nil if there is none for the type
	rows     func(dst, src unsafe.Pointer, rows, n int) // of lines one behind the other; nil likewise
	join     func(acc, first unsafe.Pointer)            // acc = first . acc
	identity func(acc unsafe.Pointer)
	size     int // bytes of an element
	accSize  int // of an accumulator
}

func (d *Device) compileScan(p *ir.Scan) (work, error) {
	last := len(p.Dims) - 1
	w := &scanWork{lines: linesOf(p.Dims[:last], p.In, p.Out), length: p.Dims[last], size: p.In.Type.Size()}
	set := scans[p.In.Type]
	if set == nil {
		set = integers[p.In.Type].scan
	}
	if set == nil {
		return nil, unsupported(p, p.In.Type.String())
	}
	set(w, p.Op == ir.Prod)
	return w, nil
}

// scans fill in the functions for types that are not integers.
var scans = map[elem.Type]func(w *scanWork, prod bool){
	elem.Float16:  func(w *scanWork, prod bool) { setScanHalf(w, prod, elem.F16.Float32, elem.F16From) },
	elem.BFloat16: func(w *scanWork, prod bool) { setScanHalf(w, prod, elem.BF16.Float32, elem.BF16From) },
	elem.Float32:  setScan[float32, float64], elem.Float64: setScan[float64, float64],
	elem.Complex64: setScanComplex[complex64], elem.Complex128: setScanComplex[complex128],
}

// run scans line by line. A line longer than scanChunk is cut: the chunks are
// combined, then each is scanned from where those before it end.
func (w *scanWork) run(l *launch) error {
	in, out := l.mem[0], l.mem[1]
	if w.columns != nil && w.step[0] != 1 && w.apart(0) == 1 && w.apart(1) == 1 {
		return w.bundles(l, w.length, min(mostColumns, w.row()), func(index []int, n int, s *scratch) error {
			acc := s.pointer(16 * n)
			for i := range n {
				w.identity(unsafe.Add(acc, i*w.accSize))
			}
			w.columns(w.start(1, out, index), w.start(0, in, index), w.step[1], w.step[0], w.length, n, acc)
			return nil
		})
	}
	if w.rows != nil && w.length > 0 && w.length <= shortScan && w.behind(0) && w.behind(1) {
		return w.bundles(l, w.length, mostColumns, func(index []int, n int, s *scratch) error {
			w.rows(w.start(1, out, index), w.start(0, in, index), n, w.length)
			return nil
		})
	}
	if w.length <= scanChunk {
		return w.each(l, w.length, func(index []int, s *scratch) error {
			var acc [2]uint64
			w.identity(unsafe.Pointer(&acc))
			w.line(w.start(1, out, index), w.start(0, in, index), w.step[1], w.step[0], w.length, unsafe.Pointer(&acc))
			return nil
		})
	}
	chunks := (w.length + scanChunk - 1) / scanChunk
	accs := make([][2]uint64, w.count*chunks)
	pass := func(write bool) error {
		return l.team.do(len(accs), l.s, func(part int, s *scratch) error {
			index := scratchOf[int](s, len(w.dims))
			locate(index, w.dims, part/chunks)
			from := part % chunks * scanChunk
			n := min(scanChunk, w.length-from)
			src := unsafe.Add(w.start(0, in, index), from*w.step[0]*w.size)
			var dst unsafe.Pointer
			if write {
				dst = unsafe.Add(w.start(1, out, index), from*w.step[1]*w.size)
			}
			w.line(dst, src, w.step[1], w.step[0], n, unsafe.Pointer(&accs[part]))
			return nil
		})
	}
	for i := range accs {
		w.identity(unsafe.Pointer(&accs[i]))
	}
	if err := pass(false); err != nil {
		return err
	}
	// Each chunk starts from the combination of all before it in its line.
	for line := range w.count {
		var before [2]uint64
		w.identity(unsafe.Pointer(&before))
		for c := range chunks {
			acc := &accs[line*chunks+c]
			next := *acc
			w.join(unsafe.Pointer(&next), unsafe.Pointer(&before))
			*acc, before = before, next
		}
	}
	return pass(true)
}

// behind says that neighbouring lines of an operand lie one behind the other.
func (w *scanWork) behind(operand int) bool {
	return w.step[operand] == 1 && w.apart(operand) == w.length
}

// setScan fills in the functions for elements T accumulated as A: float32 in
// float64, so that long lines keep their precision.
func setScan[T, A number](w *scanWork, prod bool) {
	w.identity = func(acc unsafe.Pointer) { *(*A)(acc) = unit[A](prod) }
	w.join = func(acc, first unsafe.Pointer) { *(*A)(acc) = joined(*(*A)(first), *(*A)(acc), prod) }
	var a A
	w.accSize = int(unsafe.Sizeof(a))
	w.columns = func(dst, src unsafe.Pointer, ds, ss, n, wide int, acc unsafe.Pointer) {
		var t T
		size := int(unsafe.Sizeof(t))
		accs := slice[A](acc, wide)
		for i := range n {
			to, x := slice[T](unsafe.Add(dst, i*ds*size), wide), slice[T](unsafe.Add(src, i*ss*size), wide)
			for k := range accs {
				a := joined(accs[k], A(x[k]), prod)
				accs[k], to[k] = a, T(a)
			}
		}
	}
	w.rows = func(dst, src unsafe.Pointer, rows, n int) { runningRows[T, A](dst, src, rows, n, prod) }
	w.line = func(dst, src unsafe.Pointer, ds, ss, n int, acc unsafe.Pointer) {
		a := *(*A)(acc)
		switch {
		case ss != 1:
		case dst == nil && !prod:
			for _, v := range slice[T](src, n) {
				a += A(v)
			}
			*(*A)(acc) = a
			return
		case ds == 1 && dst != nil && prod:
			*(*A)(acc) = runningProducts(slice[T](dst, n), slice[T](src, n), a)
			return
		case ds == 1 && dst != nil:
			*(*A)(acc) = runningSums(slice[T](dst, n), slice[T](src, n), a)
			return
		}
		var t T
		size := int(unsafe.Sizeof(t))
		for i := range n {
			x := A(*(*T)(unsafe.Add(src, i*ss*size)))
			if prod {
				a *= x
			} else {
				a += x
			}
			if dst != nil {
				*(*T)(unsafe.Add(dst, i*ds*size)) = T(a)
			}
		}
		*(*A)(acc) = a
	}
}

// runningSums is the loop for neighbours, with nothing to ask in it.
func runningSums[T, A number](dst, x []T, a A) A {
	dst = dst[:len(x)]
	for i, v := range x {
		a += A(v)
		dst[i] = T(a)
	}
	return a
}

func runningProducts[T, A number](dst, x []T, a A) A {
	dst = dst[:len(x)]
	for i, v := range x {
		a *= A(v)
		dst[i] = T(a)
	}
	return a
}

// runningRows is many short lines one behind the other: to begin a line by itself takes as long
// as tens of its elements.
func runningRows[T, A number](dst, src unsafe.Pointer, rows, n int, prod bool) {
	to, x := slice[T](dst, rows*n), slice[T](src, rows*n)
	for ; len(x) >= n; to, x = to[n:], x[n:] {
		line := to[:n]
		if prod {
			a := A(1)
			for i, v := range x[:n] {
				a *= A(v)
				line[i] = T(a)
			}
			continue
		}
		a := A(0)
		for i, v := range x[:n] {
			a += A(v)
			line[i] = T(a)
		}
	}
}

func setScanHalf[T elem.F16 | elem.BF16](w *scanWork, prod bool, widen func(T) float32, narrow func(float32) T) {
	setScan[float32, float64](w, prod)
	w.columns, w.rows = nil, nil
	w.line = func(dst, src unsafe.Pointer, ds, ss, n int, acc unsafe.Pointer) {
		a := *(*float64)(acc)
		for i := range n {
			a = joined(a, float64(widen(*(*T)(unsafe.Add(src, i*ss*2)))), prod)
			if dst != nil {
				*(*T)(unsafe.Add(dst, i*ds*2)) = narrow(float32(a))
			}
		}
		*(*float64)(acc) = a
	}
}

func setScanComplex[T complex64 | complex128](w *scanWork, prod bool) {
	w.identity = func(acc unsafe.Pointer) { *(*complex128)(acc) = unit[complex128](prod) }
	w.join = func(acc, first unsafe.Pointer) {
		*(*complex128)(acc) = joined(*(*complex128)(first), *(*complex128)(acc), prod)
	}
	w.line = func(dst, src unsafe.Pointer, ds, ss, n int, acc unsafe.Pointer) {
		var t T
		size := int(unsafe.Sizeof(t))
		a := *(*complex128)(acc)
		if !prod && ss == 1 && (ds == 1 || dst == nil) {
			*(*complex128)(acc) = complexSums[T](dst, slice[T](src, n), a)
			return
		}
		for i := range n {
			a = joined(a, complex128(*(*T)(unsafe.Add(src, i*ss*size))), prod)
			if dst != nil {
				*(*T)(unsafe.Add(dst, i*ds*size)) = T(a)
			}
		}
		*(*complex128)(acc) = a
	}
}

// complexSums writes running sums, unless dst is nil. Parts in variables of their own stay in
// registers; a complex accumulator goes through memory.
func complexSums[T complex64 | complex128](dst unsafe.Pointer, x []T, a complex128) complex128 {
	re, im := real(a), imag(a)
	if dst == nil {
		for _, v := range x {
			re += real(complex128(v))
			im += imag(complex128(v))
		}
		return complex(re, im)
	}
	to := slice[T](dst, len(x))
	for i, v := range x {
		re += real(complex128(v))
		im += imag(complex128(v))
		to[i] = T(complex(re, im))
	}
	return complex(re, im)
}

func unit[A number | complex128](prod bool) A {
	if prod {
		return 1
	}
	return 0
}

func joined[A number | complex128](x, y A, prod bool) A {
	if prod {
		return x * y
	}
	return x + y
}
