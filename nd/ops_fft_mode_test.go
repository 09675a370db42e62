package nd_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/oracle"
	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
)

func ExampleFFT_mode() {
	// Every second sample is 1e30: what the transform of the others adds to it is
	// far below its rounding, and still there where it cancels.
	x := nd.From([]float64{1e30, 1, 1e30, 2, 1e30, 4})
	exact, err := nd.Slice[complex128](context.Background(), x.RFFT(nd.FFT{Mode: nd.Exact}))
	fmt.Println(exact[1], err)
	// Output: (0.5+2.598076211353316i) <nil>
}

// mixed is lines that are hard to transform: sizes from 1e-20 to 1e20.
func mixed(r *rand.Rand, n int) []complex128 {
	x := make([]complex128, n)
	for i := range x {
		e := r.IntN(130) - 65
		x[i] = complex(float64(float32(math.Ldexp(r.NormFloat64(), e))), float64(float32(math.Ldexp(r.NormFloat64(), e))))
	}
	return x
}

// bigDFT is every bin in 400 bits, rounded once to float64 and to float32.
func bigDFT(x []complex128) (double []complex128, single []complex64) {
	const bits = 400
	n := len(x)
	number := func(v float64) *big.Float { return new(big.Float).SetPrec(bits).SetFloat64(v) }
	pi, _, err := big.ParseFloat("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798214808651328230664709384460955058223172535940812848111745", 10, bits, big.ToNearestEven)
	if err != nil {
		panic(err)
	}
	cos, sin := make([]*big.Float, n), make([]*big.Float, n)
	for k := range n {
		angle := number(0).Quo(number(0).Mul(pi, number(float64(2*k))), number(float64(n)))
		cos[k], sin[k] = number(1), number(0)
		term := number(1)
		for i := 1; i < 160; i++ {
			term.Quo(term.Mul(term, angle), number(float64(i)))
			to, v := cos[k], term
			if i%2 == 1 {
				to = sin[k]
			}
			if i&2 != 0 {
				v = number(0).Neg(term)
			}
			to.Add(to, v)
		}
	}
	for k := range n {
		re, im := number(0), number(0)
		for j, z := range x {
			c, s := cos[j*k%n], sin[j*k%n]
			add := func(to *big.Float, v float64, w *big.Float) { to.Add(to, number(0).Mul(number(v), w)) }
			add(re, real(z), c)
			add(re, imag(z), s)
			add(im, imag(z), c)
			add(im, -real(z), s)
		}
		for _, v := range []*big.Float{re, im} { // what cancels leaves 1e-120 of the numbers
			if f, _ := v.Float64(); math.Abs(f) < 1e-60 {
				v.SetInt64(0)
			}
		}
		r64, _ := re.Float64()
		i64, _ := im.Float64()
		r32, _ := re.Float32()
		i32, _ := im.Float32()
		double, single = append(double, complex(r64, i64)), append(single, complex(r32, i32))
	}
	return double, single
}

func TestExactFFT(t *testing.T) {
	testdevice.NotOnGPU(t, "computed by the CPU")
	ctx := context.Background()
	r := rand.New(rand.NewPCG(11, 12))
	stream, err := nd.CPU().NewStream()
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	exact := nd.FFT{Mode: nd.Exact}
	for _, n := range []int{1, 2, 7, 16, 45, 67} {
		x := mixed(r, n)
		double, single := bigDFT(x)
		a := nd.From(x)
		for name, y := range map[string]*nd.Array{
			"line": a.FFT(exact), "stream": a.On(stream).FFT(exact), "axes": a.FFTN(nd.FFTN{Mode: nd.Exact}),
			"column": a.Reshape(n, 1).FFT(nd.FFT{Axis: nd.Axis(0), Mode: nd.Exact}).Reshape(n),
			"batch":  nd.Stack(0, a, a.Flip(0)).FFT(exact).Slice(nd.Range{Stop: 1}).Reshape(n),
			"padded": nd.Concat(0, a, a).FFT(nd.FFT{N: n, Mode: nd.Exact}),
			// X[-k] is the spectrum of x[-j].
			"backwards": nd.Concat(0, a.Slice(nd.Range{Stop: 1}), a.Slice(nd.Range{Start: 1, Stop: nd.End}).Flip(0)).IFFT(nd.FFT{Mode: nd.Exact, Norm: nd.Forward}),
		} {
			if got, err := nd.Slice[complex128](ctx, y); err != nil || !slices.Equal(got, double) {
				t.Errorf("%d, %s: %v, want %v, %v", n, name, got, double, err)
			}
		}
		if got, err := nd.Slice[complex64](ctx, a.Cast(nd.Complex64).FFT(exact)); err != nil || !slices.Equal(got, single) {
			t.Errorf("%d, complex64: %v, want %v, %v", n, got, single, err)
		}
		re := make([]complex128, n)
		for i := range x {
			re[i] = complex(real(x[i]), 0)
		}
		half, _ := bigDFT(re)
		if got, err := nd.Slice[complex128](ctx, a.Real().RFFT(exact)); err != nil || !slices.Equal(got, half[:n/2+1]) {
			t.Errorf("%d, rfft: %v, want %v, %v", n, got, half, err)
		}
	}
}

// Errors fall from mode to mode, against 30 digits.
func TestFFTModes(t *testing.T) {
	testdevice.NotOnGPU(t, "computed by the CPU")
	ctx := context.Background()
	for _, n := range []int{128, 360, 509} {
		for _, dt := range []nd.DType{nd.Complex64, nd.Complex128} {
			x, err := nd.Slice[complex128](ctx, nd.Normal(3, nd.Float64, n).Cast(dt).Cast(nd.Complex128))
			if err != nil {
				t.Fatal(err)
			}
			want := oracle.FFT(x, false)
			unit, size := 0x1p-53, math.Sqrt(float64(n))
			if dt == nd.Complex64 {
				unit = 0x1p-24
			}
			worst := map[nd.Accumulation]float64{}
			for _, mode := range []nd.Accumulation{nd.Pairwise, nd.Fast, nd.Compensated, nd.Exact} {
				got, err := nd.Slice[complex128](ctx, nd.From(x).Cast(dt).FFT(nd.FFT{Mode: mode}).Cast(nd.Complex128))
				if err != nil {
					t.Fatal(err)
				}
				for k := range got {
					worst[mode] = max(worst[mode], cmplx.Abs(got[k]-want.At(k))/size)
				}
				// Roundings of float64 are in the reference too.
				if bound := 4 * unit; mode >= nd.Compensated && worst[mode] > bound {
					t.Errorf("%v of %d, %v: off by %g, allowed %g", dt, n, mode, worst[mode], bound)
				}
			}
			if worst[nd.Exact] > worst[nd.Pairwise] {
				t.Errorf("%v of %d: exact is off by %g, pairwise by %g", dt, n, worst[nd.Exact], worst[nd.Pairwise])
			}
		}
	}
}

func TestFFTModeOfAll(t *testing.T) {
	testdevice.NotOnGPU(t, "computed by the CPU")
	ctx := context.Background()
	for _, mode := range []nd.Accumulation{nd.Fast, nd.Compensated, nd.Exact} {
		for _, dt := range []nd.DType{nd.Float32, nd.Float64} {
			for _, n := range []int{9, 10} {
				o := nd.FFT{N: n, Mode: mode, Norm: nd.Ortho}
				p := nd.FFT{N: n, Norm: nd.Ortho}
				x := nd.Normal(5, dt, 3, n)
				z := x.RFFT(p)
				for name, pair := range map[string][2]*nd.Array{
					"fft": {x.FFT(o), x.FFT(p)}, "ifft": {z.IFFT(o), z.IFFT(p)}, "rfft": {x.RFFT(o), z}, "irfft": {z.IRFFT(o), z.IRFFT(p)}, "hfft": {z.HFFT(o), z.HFFT(p)}, "ihfft": {x.IHFFT(o), x.IHFFT(p)},
					"rfftn": {x.RFFTN(nd.FFTN{Mode: mode}), x.RFFTN()}, "irfftn": {z.IRFFTN(nd.FFTN{Mode: mode}), z.IRFFTN()},
				} {
					if pair[0].DType() != pair[1].DType() || !slices.Equal(pair[0].Shape(), pair[1].Shape()) {
						t.Errorf("%v %v %s: %v, want %v", mode, dt, name, pair[0], pair[1])
						continue
					}
					off, err := nd.Item[float64](ctx, pair[0].Sub(pair[1]).Abs().Max().Cast(nd.Float64))
					if bound := map[nd.DType]float64{nd.Float32: 1e-5, nd.Float64: 1e-14}[dt]; err != nil || off > bound {
						t.Errorf("%v %v %s: off by %g, %v", mode, dt, name, off, err)
					}
				}
				// The gradient is a transform too.
				g := nd.Grad(x.RFFT(o).AbsSquared().Sum(), x)[0].Sub(nd.Grad(x.RFFT(p).AbsSquared().Sum(), x)[0])
				if off, err := nd.Item[float64](ctx, g.Abs().Max().Cast(nd.Float64)); err != nil || off > 1e-5 {
					t.Errorf("%v %v gradient: off by %g, %v", mode, dt, off, err)
				}
			}
		}
		// A line that is not finite is as in other modes, and its neighbour is none the worse.
		odd := nd.From([]float64{1, math.NaN(), 2, 1, 0, 2}, 2, 3)
		got, err := nd.Slice[complex128](ctx, odd.FFT(nd.FFT{Mode: mode}))
		if err != nil || !cmplx.IsNaN(got[1]) || got[3] != 3 {
			t.Errorf("%v with NaN: %v, %v", mode, got, err)
		}
	}
	var op *nd.OpError
	for _, a := range []*nd.Array{nd.Ones(nd.Float32, 4).FFT(nd.FFT{Mode: 7}), nd.Ones(nd.Float32, 4).RFFTN(nd.FFTN{Mode: 7}), nd.Ones(nd.Float32, 4).RFFT(nd.FFT{N: -1, Mode: nd.Exact}), nd.Ones(nd.Int32, 4).FFT(nd.FFT{Mode: nd.Compensated})} {
		if !errors.As(a.Err(), &op) {
			t.Errorf("%v", a.Err())
		}
	}
}

// What the device of an array cannot do is done by the CPU, and the plan says so.
func TestExactFFTElsewhere(t *testing.T) {
	testdevice.NotOnGPU(t, "computed by the CPU")
	null, err := nd.Open("null")
	if err != nil {
		t.Fatal(err)
	}
	for _, dt := range []nd.DType{nd.Float32, nd.Float64} {
		y := nd.Ones(dt, 8).On(null.Stream()).AddScalar(1).RFFT(nd.FFT{Mode: nd.Exact})
		if d, err := y.Device(); err != nil || d.Name() != "null" {
			t.Fatalf("the result is on %v, %v", d, err)
		}
		plan, err := nd.Explain(y)
		if err != nil {
			t.Fatal(err)
		}
		if text := fmt.Sprint(plan); !strings.Contains(text, "copied from cpu first") {
			t.Errorf("%v:\n%s", dt, text)
		}
	}
}
