package cpu

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/accum"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// exactChunk is how many products are added up before partial sums are joined.
// The places do not depend on how many workers there are, so that compensated
// sums, whose order counts, have the same bits always.
const exactChunk = 1 << 16

// exactGemm computes every element of a product by itself, in a mode that does
// more than add.
type exactGemm struct {
	gemmSpace // strides are in bytes
	outputs   int
	parts     int // 2 for complex numbers
	mode      accum.Mode
	root      bool
	format    accum.Format
	add       func(s *exactSums, a, b unsafe.Pointer, strideA, strideB, n int)
	store     func(to unsafe.Pointer, re, im float64)
}

// exactSums is the real and the imaginary part of a sum in either mode.
type exactSums struct {
	mode  accum.Mode
	parts int
	exact [2]accum.Sum
	twice [2]accum.Twice
}

func (s *exactSums) reset() {
	for part := range s.parts {
		if s.mode == accum.Exact {
			s.exact[part].Reset()
		} else {
			s.twice[part] = accum.Twice{}
		}
	}
}

func (s *exactSums) product(part int, x, y float64) {
	if s.mode == accum.Exact {
		s.exact[part].AddProduct(x, y)
	} else {
		s.twice[part].AddProduct(x, y)
	}
}

func (s *exactSums) join(o *exactSums) {
	for part := range s.parts {
		if s.mode == accum.Exact {
			s.exact[part].Join(&o.exact[part])
		} else {
			s.twice[part].Join(o.twice[part])
		}
	}
}

func (d *Device) compileExactGemm(p *ir.Gemm) (work, error) {
	w := &exactGemm{gemmSpace: gemmSpaceOf(p), mode: p.Mode, root: p.Root, outputs: ir.Count(p.Batch) * p.M * p.N, parts: 1}
	if p.Out.Type.IsComplex() {
		w.parts = 2
	}
	for i, s := range w.strides {
		w.strides[i] = [2]int{s[0] * w.out.size, s[1] * w.out.size}
	}
	switch p.Out.Type {
	case elem.Float32:
		w.format, w.add, w.store = accum.Float32, addFloats[float32], storeReal(func(v float64) float32 { return float32(v) })
	case elem.Float64:
		w.format, w.add, w.store = accum.Float64, addFloats[float64], storeReal(func(v float64) float64 { return v })
	case elem.Float16:
		w.format, w.add, w.store = accum.Float16, addHalves(elem.F16.Float32), storeReal(func(v float64) elem.F16 { return elem.F16From(float32(v)) })
	case elem.BFloat16:
		w.format, w.add, w.store = accum.BFloat16, addHalves(elem.BF16.Float32), storeReal(func(v float64) elem.BF16 { return elem.BF16From(float32(v)) })
	case elem.Complex64:
		w.format, w.add = accum.Float32, addComplex(func(v complex64) complex128 { return complex128(v) })
		w.store = func(to unsafe.Pointer, re, im float64) { *(*complex64)(to) = complex(float32(re), float32(im)) }
	case elem.Complex128:
		w.format, w.add = accum.Float64, addComplex(func(v complex128) complex128 { return v })
		w.store = func(to unsafe.Pointer, re, im float64) { *(*complex128)(to) = complex(re, im) }
	default:
		return nil, unsupported(p, p.Mode.String()+" sum of "+p.Out.Type.String())
	}
	return w, nil
}

func storeReal[T any](of func(float64) T) func(unsafe.Pointer, float64, float64) {
	return func(to unsafe.Pointer, re, _ float64) { *(*T)(to) = of(re) }
}

// addFloats adds n products.
func addFloats[T float32 | float64](s *exactSums, a, b unsafe.Pointer, strideA, strideB, n int) {
	x := func(i int) float64 { return float64(*(*T)(unsafe.Add(a, i*strideA))) }
	y := func(i int) float64 { return float64(*(*T)(unsafe.Add(b, i*strideB))) }
	_, single := any(*new(T)).(float32) // products of two float32 are exact in float64
	switch {
	case s.mode == accum.Compensated:
		// Four sums, so that additions need not wait for each other.
		var lanes [4]accum.Twice
		for i := range n {
			if t := &lanes[i&3]; single {
				t.Add(x(i) * y(i))
			} else {
				t.AddProduct(x(i), y(i))
			}
		}
		for _, l := range lanes {
			s.twice[0].Join(l)
		}
	case strideB == 0 && n > 0 && y(0) == 1:
		for i := range n {
			s.exact[0].Add(x(i))
		}
	case single:
		for i := range n {
			s.exact[0].Add(x(i) * y(i))
		}
	default:
		for i := range n {
			s.exact[0].AddProduct(x(i), y(i))
		}
	}
}

// addHalves adds n products of numbers of a half type, which are exact in
// float32.
func addHalves[T any](of func(T) float32) func(*exactSums, unsafe.Pointer, unsafe.Pointer, int, int, int) {
	return func(s *exactSums, a, b unsafe.Pointer, strideA, strideB, n int) {
		for i := range n {
			s.product(0, float64(of(*(*T)(unsafe.Add(a, i*strideA)))), float64(of(*(*T)(unsafe.Add(b, i*strideB)))))
		}
	}
}

func addComplex[T any](of func(T) complex128) func(*exactSums, unsafe.Pointer, unsafe.Pointer, int, int, int) {
	return func(s *exactSums, a, b unsafe.Pointer, strideA, strideB, n int) {
		for i := range n {
			x, y := of(*(*T)(unsafe.Add(a, i*strideA))), of(*(*T)(unsafe.Add(b, i*strideB)))
			s.product(0, real(x), real(y))
			s.product(0, -imag(x), imag(y))
			s.product(1, real(x), imag(y))
			s.product(1, imag(x), real(y))
		}
	}
}

// place is an output's own address, and where its row of a and its column of b
// begin.
func (w *exactGemm) place(l *launch, s *scratch, output int) (out, a, b unsafe.Pointer) {
	index := scratchOf[int](s, len(w.dims))
	locate(index, w.dims, output/(w.m*w.n))
	i, j := output/w.n%w.m, output%w.n
	out = unsafe.Add(w.out.address(l.mem[2], index), i*w.strides[2][0]+j*w.strides[2][1])
	a = unsafe.Add(w.a.address(l.mem[0], index), i*w.strides[0][0])
	b = unsafe.Add(w.b.address(l.mem[1], index), j*w.strides[1][1])
	return out, a, b
}

// chunk adds part of the products of an output to sums.
func (w *exactGemm) chunk(sums *exactSums, a, b unsafe.Pointer, chunk int) {
	from := chunk * exactChunk
	n := min(exactChunk, w.k-from)
	w.add(sums, unsafe.Add(a, from*w.strides[0][1]), unsafe.Add(b, from*w.strides[1][0]), w.strides[0][1], w.strides[1][0], n)
}

// finish rounds sums and stores them.
func (w *exactGemm) finish(sums *exactSums, out unsafe.Pointer) {
	var v [2]float64
	for part := range w.parts {
		switch {
		case w.mode == accum.Compensated:
			v[part] = sums.twice[part].Value()
		case w.root:
			v[part] = sums.exact[part].Root(w.format)
		default:
			v[part] = sums.exact[part].Round(w.format)
		}
	}
	w.store(out, v[0], v[1])
}

func (w *exactGemm) newSums() *exactSums {
	return &exactSums{mode: w.mode, parts: w.parts}
}

// run gives workers outputs, or parts of an output where there are few.
func (w *exactGemm) run(l *launch) error {
	chunks := max(1, (w.k+exactChunk-1)/exactChunk)
	if chunks == 1 || w.outputs >= 2*l.team.size {
		per := max(1, inlineUpTo/max(w.k, 1))
		return l.team.do((w.outputs+per-1)/per, l.s, func(part int, s *scratch) error {
			sums, later := w.newSums(), w.newSums()
			for o := part * per; o < min((part+1)*per, w.outputs); o++ {
				s.reset()
				out, a, b := w.place(l, s, o)
				sums.reset()
				for c := range chunks {
					if c == 0 {
						w.chunk(sums, a, b, 0)
						continue
					}
					later.reset()
					w.chunk(later, a, b, c)
					sums.join(later)
				}
				w.finish(sums, out)
			}
			return nil
		})
	}
	parts := make([]*exactSums, chunks)
	for o := range w.outputs {
		l.s.reset()
		out, a, b := w.place(l, l.s, o)
		err := l.team.do(chunks, l.s, func(c int, _ *scratch) error {
			if parts[c] == nil {
				parts[c] = w.newSums()
			}
			parts[c].reset()
			w.chunk(parts[c], a, b, c)
			return nil
		})
		if err != nil {
			return err
		}
		for _, p := range parts[1:] {
			parts[0].join(p)
		}
		w.finish(parts[0], out)
	}
	return nil
}
