package nd_test

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"math/cmplx"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
)

// source draws a computation and its operands, the same ones for the same seed on
// every device.
type source struct {
	*rand.Rand
	device *nd.Device
	narrow bool // without float64 and complex128
}

// array is numbers of a type, on the device.
func (s source) array(t nd.DType, shape ...int) *nd.Array {
	n := 1
	for _, d := range shape {
		n *= d
	}
	x := make([]complex128, n)
	for i := range x {
		x[i] = complex(2*s.Float64()-1, 2*s.Float64()-1)
	}
	a := nd.From(x, shape...)
	if !t.IsComplex() {
		a = a.Real()
	}
	return a.Cast(t).On(s.device.Stream())
}

// part is an array of a shape that is a part of a larger one, backwards, in steps,
// or turned.
func (s source) part(t nd.DType, shape ...int) *nd.Array {
	whole := append([]int(nil), shape...)
	steps := make([]int, len(shape))
	total := 1
	for _, n := range shape {
		total *= n
	}
	for i, n := range shape {
		steps[i] = 1
		if s.IntN(3) == 0 && total < 1<<18 {
			steps[i] = 2
		}
		whole[i] = n*steps[i] + s.IntN(9)
		total = total / max(n, 1) * whole[i]
	}
	turned := len(shape) > 1 && s.IntN(3) == 0
	if turned {
		whole[0], whole[len(whole)-1] = whole[len(whole)-1], whole[0]
	}
	a := s.array(t, whole...)
	if turned {
		a = a.SwapAxes(0, -1)
	}
	for i, n := range shape {
		room := a.Dim(i) - n*steps[i]
		from := s.IntN(room + 1)
		a = a.SliceAxis(i, nd.Range{Start: from, Stop: from + n*steps[i], Step: steps[i]})
		if s.IntN(4) == 0 {
			a = a.Flip(i)
		}
	}
	return a
}

func (s source) pick(list ...nd.DType) nd.DType {
	t := list[s.IntN(len(list))]
	switch {
	case s.narrow && t == nd.Float64:
		return nd.Float32
	case s.narrow && t == nd.Complex128:
		return nd.Complex64
	}
	return t
}

func (s source) real() nd.DType   { return s.pick(nd.Float32, nd.Float32, nd.Float64) }
func (s source) either() nd.DType { return s.pick(nd.Float32, nd.Complex64, nd.Float64, nd.Complex128) }

// length is a number up to most, as often long as short: a power of two, a
// product of small primes, or anything.
func (s source) length(most int) int {
	limit := int(math.Exp(s.Float64() * math.Log(float64(most))))
	n := max(limit, 1)
	switch s.IntN(3) {
	case 0:
		for n = 1; 2*n <= limit; n *= 2 {
		}
	case 1:
		for n = 1; ; {
			p := []int{2, 3, 5, 7, 11, 13}[s.IntN(6)]
			if n*p > limit {
				break
			}
			n *= p
		}
	}
	return n
}

// lines is lines of n elements and the axis they are along.
func (s source) lines(t nd.DType, n int) (x *nd.Array, axis int) {
	count := 1 + s.IntN(1+min(100000/n, 200))
	if s.IntN(3) == 0 {
		return s.part(t, n, count), 0
	}
	return s.part(t, count, n), 1
}

// fastHalves is a causal convolution of signals that are stored as halves, by transforms
// that may be computed in halves.
func fastHalves(s source) *nd.Array {
	l := 1 + s.length(16384)
	half := s.pick(nd.Float16, nd.BFloat16)
	batch, channels := 1+s.IntN(6), 1+s.IntN(4)
	x, k := s.part(half, batch, channels, l), s.array(nd.Float32, channels, l)
	n := nd.FFT{N: 2 << bits.Len(uint(l-1)), Mode: nd.Fast}
	h := k.RFFT(n)
	if s.IntN(2) == 0 {
		h = h.Conj()
	}
	y := x.RFFT(n).Mul(h).IRFFT(n).SliceAxis(-1, nd.Range{Stop: l})
	if s.IntN(2) == 0 {
		y = y.Mul(s.part(half, batch, channels, l).Cast(nd.Float32))
	}
	return y.Cast(half)
}

// computations are graphs of every family, of sizes up to some hundred thousand.
var computations = map[string]func(source) *nd.Array{
	"halves": fastHalves,
	"fft": func(s source) *nd.Array {
		n := s.length(200000)
		x, axis := s.lines(s.either(), n)
		opt := nd.FFT{Axis: nd.Axis(axis), N: n}
		if s.IntN(3) == 0 {
			opt.N = max(n+s.IntN(n+1)-n/2, 1)
		}
		switch {
		case x.DType().IsComplex() && s.IntN(2) == 0:
			return x.FFT(opt)
		case x.DType().IsComplex() && s.IntN(2) == 0:
			return x.IFFT(opt)
		case x.DType().IsComplex():
			opt.N = max(2*(n-1)+s.IntN(2), 1)
			return x.IRFFT(opt)
		}
		return x.RFFT(opt)
	},
	"spectra": func(s source) *nd.Array {
		n, t := s.length(40000), s.real()
		x, axis := s.lines(t, n)
		shape := []int{1, 1}
		shape[axis] = n
		x = x.Mul(s.part(t, shape...))
		z := x.RFFT(nd.FFT{Axis: nd.Axis(axis)})
		switch s.IntN(3) {
		case 0:
			return z.AbsSquared().AddScalar(0.5).Log()
		case 1:
			return z.Abs().Sum(axis)
		}
		return z.Mul(z.Conj()).IRFFT(nd.FFT{Axis: nd.Axis(axis), N: n})
	},
	"convolution": func(s source) *nd.Array {
		n, t := s.length(60000)+3, s.real()
		x, k := s.part(t, 1+s.IntN(6), n), s.part(t, 1, 1+s.IntN(n))
		full := 2 * n
		y := x.RFFT(nd.FFT{N: full}).Mul(k.RFFT(nd.FFT{N: full})).IRFFT(nd.FFT{N: full})
		from := s.IntN(n)
		return y.SliceAxis(-1, nd.Range{Start: from, Stop: from + n}).Add(x)
	},
	"frames": func(s source) *nd.Array {
		size, t := s.length(3000)+1, s.real()
		hop := 1 + s.IntN(size)
		count := 1 + s.IntN(1+60000/size)
		x := s.part(t, 1+s.IntN(3), (count-1)*hop+size+s.IntN(hop))
		z := x.Frames(size, hop).Mul(s.part(t, size)).RFFT()
		switch s.IntN(3) {
		case 0:
			return z.AbsSquared().Mean(-2)
		case 1:
			return z.Abs()
		}
		return z.IRFFT(nd.FFT{N: size}).OverlapAdd(nd.Overlap{Hop: hop})
	},
	"reductions": func(s source) *nd.Array {
		x := s.part(s.real(), 1+s.IntN(40), 1+s.IntN(100), s.length(200))
		axes := [][]int{{0}, {1}, {2}, {0, 1}, {1, 2}, {0, 2}, {}}[s.IntN(7)]
		switch s.IntN(7) {
		case 0:
			return x.Sum(axes...)
		case 1:
			return x.Max(axes...)
		case 2:
			return x.Var(axes...)
		case 3:
			return x.ArgMin(axes...)
		case 4:
			return x.LogSumExp(axes...)
		case 5:
			return x.Abs().AddScalar(0.9).Prod(s.IntN(3))
		}
		return x.CumSum(s.IntN(3))
	},
	"orders": func(s source) *nd.Array {
		x, axis := s.lines(s.real(), s.length(60000))
		switch s.IntN(4) {
		case 0:
			return x.ArgSort(axis)
		case 1:
			return x.SortDescending(axis)
		case 2:
			v, _ := x.TopK(1+s.IntN(min(x.Dim(axis), 40)), axis)
			return v
		}
		_, at := x.Abs().TopK(1+s.IntN(min(x.Dim(axis), 40)), axis)
		return at
	},
	"products": func(s source) *nd.Array {
		t := s.either()
		m, k, n := s.length(500), s.length(700), s.length(500)
		if s.IntN(2) == 0 {
			return s.part(t, m, k).MatMul(s.part(t, k, n))
		}
		b := 1 + s.IntN(5)
		return s.part(t, b, m, k).MatMul(s.part(t, b, k, n)).AddScalar(1).Sum(-1)
	},
	"places": func(s source) *nd.Array {
		n := s.length(50000) + 1
		x, axis := s.lines(s.real(), n)
		at := s.array(s.pick(nd.Float64), 1+s.IntN(n)).Abs().MulScalar(float64(n)).Floor().MinimumScalar(float64(n - 1)).Cast(nd.Int64)
		switch s.IntN(3) {
		case 0:
			return x.Take(at, axis)
		case 1:
			return x.Roll(s.IntN(n), axis).MulScalar(2).Flip(axis)
		}
		return x.PadAxis(axis, nd.Margin{Before: s.IntN(n), After: s.IntN(n)}, nd.Pad{Mode: nd.PadReflect})
	},
}

// What other devices compute is what the CPU does, up to rounding.
// TWIDDLE_TEST_AGREE is how many computations of each family there are.
func TestDevicesAgree(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, name := range []string{"cuda:0", "webgpu:0"} {
		t.Run(name, func(t *testing.T) {
			gpu, err := nd.Open(name)
			if err != nil {
				t.Skip(err)
			}
			testAgree(t, gpu)
		})
	}
}

func testAgree(t *testing.T, gpu *nd.Device) {
	narrow := !slices.Contains(gpu.Info().DTypes, nd.Float64)
	count, err := strconv.Atoi(os.Getenv("TWIDDLE_TEST_AGREE"))
	if err != nil {
		count = 8
	}
	for name, f := range computations {
		t.Run(name, func(t *testing.T) {
			for seed := range count {
				run := func(d *nd.Device) (*nd.Array, []complex128, error) {
					a := f(source{rand.New(rand.NewPCG(uint64(seed), 17)), d, narrow})
					v, err := nd.Slice[complex128](context.Background(), a.On(nd.CPU().Stream()).Cast(nd.Complex128))
					return a, v, err
				}
				a, want, err := run(nd.CPU())
				if err != nil {
					t.Fatalf("%d: %v", seed, err)
				}
				_, got, err := run(gpu)
				if err != nil {
					t.Errorf("%d: %v", seed, err)
					continue
				}
				if at, ok := differ(got, want, agreement(a.DType())); !ok {
					t.Errorf("%d: element %d of %v is %v on the CPU, %v on the GPU: %v", seed, at, a.Shape(), want[at], got[at], planOf(a))
				}
			}
		})
	}
}

func planOf(a *nd.Array) string {
	plan, err := nd.Explain(a)
	return fmt.Sprint(plan, err)
}

// agreement is how far results of a type may be apart, relative to the largest.
func agreement(t nd.DType) float64 {
	switch t {
	case nd.Float32, nd.Complex64:
		return 2e-5
	case nd.Float64, nd.Complex128:
		return 1e-13
	case nd.Float16, nd.BFloat16: // of fastHalves: a rounding of bfloat16, and transforms in halves
		return 1.2e-2
	}
	return 0
}

// differ finds where results are further apart than a share of the largest.
func differ(got, want []complex128, share float64) (at int, same bool) {
	most := 0.0
	for _, w := range want {
		if a := cmplx.Abs(w); !math.IsInf(a, 0) {
			most = max(most, a)
		}
	}
	for i, w := range want {
		if got[i] != w && !(cmplx.Abs(got[i]-w) <= share*most) && !(cmplx.IsNaN(w) && cmplx.IsNaN(got[i])) {
			return i, false
		}
	}
	return 0, true
}
