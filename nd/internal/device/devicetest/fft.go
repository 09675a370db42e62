package devicetest

import (
	"fmt"
	"math"
	"math/cmplx"
	"sync"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/accum"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/reference"
)

// fftLengths has every small length, powers, products, and primes with and
// without smooth neighbours.
var fftLengths = []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 15, 16, 17, 22, 23, 26, 31, 32, 45, 64, 97, 100, 128, 179, 243, 256, 360, 509, 1000, 1024, 2048}

var fftKinds = []struct {
	name    string
	kind    ir.FFTKind
	inverse bool
}{
	{"forward", ir.FFTComplex, false},
	{"inverse", ir.FFTComplex, true},
	{"real forward", ir.FFTRealForward, false},
	{"real inverse", ir.FFTRealInverse, false},
	{"real whole", ir.FFTRealWhole, false},
}

func testFFT(s *suite) {
	for _, c := range s.having(elem.Complex64, elem.Complex128) {
		for _, k := range fftKinds {
			s.sub(k.name+"/"+c.String(), func(s *suite) {
				for _, n := range fftLengths {
					f := &ir.FFT{Outer: []int{3}, Kind: k.kind, Inverse: k.inverse, N: n, Scale: 1}
					f.InLen = f.InNeeded()
					s.sub(fmt.Sprint(n), func(s *suite) { s.checkFFT(f, c, nil, nil) })
				}
				// Truncated and zero-padded lines, and a scale.
				for _, n := range []int{8, 9, 30} {
					for _, have := range []int{1, n / 2, n - 1, n, n + 1, 2*n + 3} {
						f := &ir.FFT{Outer: []int{2}, Kind: k.kind, Inverse: k.inverse, N: n, Scale: 1 / float64(n), InLen: have}
						s.sub(fmt.Sprintf("%d of %d", n, have), func(s *suite) { s.checkFFT(f, c, nil, nil) })
					}
				}
				// Lines too long for fast memory, among others: a product of small
				// primes, an odd one, a prime, and two whose parts may take turns in it.
				for i, n := range []int{20000, 16875, 10007, 8192, 16384} {
					f := &ir.FFT{Outer: []int{2}, Kind: k.kind, Inverse: k.inverse, N: n, Scale: 1}
					f.InLen = f.InNeeded() - 5*i
					in, out := layouts([]int{2, f.InLen}), layouts([]int{2, f.OutLen()})
					l, to := in[(6+2*i)%len(in)], out[(2*i+1)%len(out)]
					s.sub(fmt.Sprintf("%d/%s to %s", n, l.name, to.name), func(s *suite) { s.checkFFT(f, c, &l, &to) })
				}
				// More digits than the elements have.
				for _, mode := range []accum.Mode{accum.Fast, accum.Compensated, accum.Exact} {
					for _, n := range []int{1, 12, 37} {
						f := &ir.FFT{Outer: []int{3}, Kind: k.kind, Inverse: k.inverse, N: n, Scale: 1 / float64(n), InLen: n/2 + 1, Mode: mode}
						s.sub(fmt.Sprintf("%d %s", n, mode), func(s *suite) { s.checkFFT(f, c, nil, nil) })
					}
				}
				// Lines anywhere in memory, and enough of them for vectors of
				// lines.
				for _, n := range []int{12, 15, 64} {
					for _, outer := range [][]int{{}, {0}, {1}, {19}, {3, 7}} {
						f := &ir.FFT{Outer: outer, Kind: k.kind, Inverse: k.inverse, N: n, Scale: -0.5}
						f.InLen = f.InNeeded()
						in, out := append(outer, f.InLen), append(append([]int(nil), outer...), f.OutLen())
						for i, l := range layouts(in) {
							to := layouts(out)[(3*i+2)%len(layouts(out))]
							s.sub(fmt.Sprintf("%d x %v/%s to %s", n, outer, l.name, to.name), func(s *suite) {
								s.checkFFT(f, c, &l, &to)
							})
						}
					}
				}
			})
		}
	}
}

// testQuarterFFT tests transforms with bins a quarter lower, which devices may refuse.
func testQuarterFFT(s *suite) {
	for _, c := range s.having(elem.Complex64, elem.Complex128) {
		for _, kind := range []ir.FFTKind{ir.FFTQuarterForward, ir.FFTQuarterInverse} {
			for _, n := range []int{1, 2, 3, 8, 16, 30, 64, 100, 128, 256, 360, 512, 1024, 2048, 4096} {
				for _, have := range []int{n, n/2 + 1, n + 3} {
					f := &ir.FFT{Outer: []int{3}, Kind: kind, N: n, Scale: 1 / float64(n), InLen: have}
					s.sub(fmt.Sprintf("%s/%s/%d of %d", f, c, n, have), func(s *suite) { s.checkFFT(f, c, nil, nil) })
				}
			}
			rows := &ir.FFT{Outer: []int{3}, Kind: kind, N: 1 << 15, Scale: 1, InLen: 1 << 15, Rows: 8}
			s.sub(fmt.Sprintf("%s/%s/in rows", rows, c), func(s *suite) { s.checkFFT(rows, c, nil, nil) })
			f := &ir.FFT{Outer: []int{3, 7}, Kind: kind, N: 64, Scale: 1, InLen: 64}
			for i, l := range layouts([]int{3, 7, 64}) {
				to := layouts([]int{3, 7, 64})[(3*i+2)%len(layouts([]int{3, 7, 64}))]
				s.sub(fmt.Sprintf("%s/%s/%s to %s", f, c, l.name, to.name), func(s *suite) { s.checkFFT(f, c, &l, &to) })
			}
		}
	}
}

// checkFFT transforms lines of type c, or its real type; nil layouts are
// contiguous.
func (s *suite) checkFFT(f *ir.FFT, c elem.Type, in, out *layout) {
	s.Helper()
	it, ot := c, c
	switch f.Kind {
	case ir.FFTRealForward, ir.FFTRealWhole, ir.FFTQuarterForward:
		it = c.Real()
	case ir.FFTRealInverse, ir.FFTQuarterInverse:
		ot = c.Real()
	}
	inDims := append(append([]int(nil), f.Outer...), f.InLen)
	outDims := append(append([]int(nil), f.Outer...), f.OutLen())
	f.In, f.Out = ir.Contiguous(it, inDims), ir.Contiguous(ot, outDims)
	if in != nil {
		f.In = in.operand(it)
	}
	if out != nil {
		f.Out = out.operand(ot)
	}
	reads := s.inputs(inDims, []ir.Operand{f.In})
	s.check(f, reads, nil, nil, s.fftTolerance(f, reads))
}

// realBins asks that elements 0 and n/2 of the spectra of real lines are exactly real.
func (s *suite) realBins(f *ir.FFT, out []byte) {
	s.Helper()
	for _, k := range []int{0, f.N / 2} {
		if 2*k%f.N != 0 || ir.Count(f.Outer) == 0 {
			continue
		}
		last := append(make([]int, len(f.Outer)), k)
		for at := range ir.Count(f.Outer) {
			for rest, i := at, len(f.Outer)-1; i >= 0; i-- {
				last[i], rest = rest%f.Outer[i], rest/f.Outer[i]
			}
			if z := reference.Load(f.Out.Type, out, f.Out.Offset+lists.Dot(last, f.Out.Strides)); imag(z.Num) != 0 {
				s.Errorf("element %d of line %d of %d real numbers is %v", k, at, f.N, z.Num)
				return
			}
		}
	}
}

// fftTolerance is measured against the root mean square of the results, which
// is what roundings spread over: a good transform errs by sqrt(log2 n) units
// of it, one by way of a convolution by up to four times that, and single
// elements lie within four standard deviations.
func (s *suite) fftTolerance(f *ir.FFT, reads [][]byte) tolerance {
	allowed := sync.OnceValue(func() float64 {
		out, before := blank(f), blank(f)
		s.reference(f, reads, out)
		squares, count := 0.0, 0
		t := f.Out.Type
		for i := range len(out[0]) / t.Size() {
			v := reference.Load(t, out[0], i)
			if v != reference.Load(t, before[0], i) {
				a := cmplx.Abs(v.Num)
				squares += a * a
				count++
			}
		}
		rms := math.Sqrt(squares / float64(max(count, 1)))
		return 16 * unit(t) * math.Sqrt(1+math.Log2(float64(f.N))) * rms
	})
	return tolerance{anyZero: true, slack: func(int, int) float64 { return allowed() }}
}
