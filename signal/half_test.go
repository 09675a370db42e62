package signal_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// Signals of halves are computed with as float32: what is made of them has the
// bits that it has of the same samples as float32.
func TestHalvesAreFloat32(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	r := rand.New(rand.NewPCG(17, 18))
	for _, half := range []nd.DType{nd.Float16, nd.BFloat16} {
		x := nd.From(as[float32](noise(r, 2*4096, 1)), 2, 4096).Cast(half)
		for name, f := range map[string]func(x *nd.Array) *nd.Array{
			"welch":        func(x *nd.Array) *nd.Array { return signal.Welch(x).Array },
			"periodogram":  func(x *nd.Array) *nd.Array { return signal.Periodogram(x).Array },
			"spectrogram":  func(x *nd.Array) *nd.Array { return signal.Spectrogram(x, signal.PSD).Array },
			"stft":         func(x *nd.Array) *nd.Array { return signal.STFT{NFFT: 256}.Apply(x).Abs() },
			"mel":          func(x *nd.Array) *nd.Array { return signal.Mel{}.Spectrogram(x) },
			"mfcc":         func(x *nd.Array) *nd.Array { return signal.Mel{}.MFCC(x, 13) },
			"hilbert":      func(x *nd.Array) *nd.Array { return signal.Envelope(x) },
			"detrend":      func(x *nd.Array) *nd.Array { return signal.Detrend(x, signal.TrendLinear) },
			"czt":          func(x *nd.Array) *nd.Array { return signal.CZT{M: 100}.Apply(x).Abs() },
			"dct":          func(x *nd.Array) *nd.Array { return signal.DCT{}.Apply(x) },
			"hartley":      func(x *nd.Array) *nd.Array { return signal.Hartley{}.Apply(x) },
			"resample":     func(x *nd.Array) *nd.Array { return signal.Resample{N: 3000}.Apply(x) },
			"resamplepoly": func(x *nd.Array) *nd.Array { return signal.ResamplePoly{Up: 2, Down: 3}.Apply(x) },
			"savgol":       func(x *nd.Array) *nd.Array { return signal.SavGol{Window: 11, Order: 3}.Apply(x) },
			"medfilt":      func(x *nd.Array) *nd.Array { return signal.MedFilt(x, 1, 5) },
			"rms":          func(x *nd.Array) *nd.Array { return signal.RMS(x, 256, 64) },
			"unwrap":       func(x *nd.Array) *nd.Array { return signal.Unwrap(x) },
			"goertzel":     func(x *nd.Array) *nd.Array { return signal.Goertzel(x, 2, []float64{0.25, 0.5}).Abs() },
			"decimate":     func(x *nd.Array) *nd.Array { return signal.Decimate{Q: 4}.Apply(x) },
			"csd":          func(x *nd.Array) *nd.Array { return signal.Coherence(x, x.Flip(0)).Array },
			"topbins":      func(x *nd.Array) *nd.Array { return signal.TopBins{N: 1024, Segments: 7, K: 4}.Apply(x) },
			"stretch":      func(x *nd.Array) *nd.Array { return signal.TimeStretch(x, 1.5) },
			"todb":         func(x *nd.Array) *nd.Array { return signal.AmplitudeToDB(x) },
		} {
			t.Run(fmt.Sprint(name, " ", half), func(t *testing.T) {
				got, err := nd.Slice[float32](ctx, f(x))
				want, err2 := nd.Slice[float32](ctx, f(x.Cast(nd.Float32)))
				if err != nil || err2 != nil || !slices.Equal(got, want) {
					t.Errorf("other bits than of float32: %v, %v", err, err2)
				}
			})
		}
	}
}

// A convolution of halves is that of float32, rounded once.
func TestConvOfHalves(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	r := rand.New(rand.NewPCG(19, 20))
	const b, c, l = 2, 3, 100
	for _, half := range []nd.DType{nd.Float16, nd.BFloat16} {
		make := func(t nd.DType, shape ...int) *nd.Array {
			n := 1
			for _, d := range shape {
				n *= d
			}
			return nd.From(as[float32](noise(r, n, 1)), shape...).Cast(half).Cast(t)
		}
		x, k, in, out := make(half, b, c, l), make(half, c, l), make(half, b, c, l), make(half, b, c, l)
		bias, skip := make(nd.Float32, c), make(half, c)
		wide := func(a *nd.Array) *nd.Array { return a.Cast(nd.Float32) }
		for _, mode := range []signal.Mode{signal.Causal, signal.Circular, signal.Same} {
			halves := signal.Conv{Mode: mode, Bias: bias, Skip: skip, InGate: in, OutGate: out}
			floats := signal.Conv{Mode: mode, Bias: bias, Skip: wide(skip), InGate: wide(in), OutGate: wide(out)}
			y := halves.Apply(x, k)
			if y.DType() != half {
				t.Fatalf("%s of %s is %s: %v", mode, half, y.DType(), y.Err())
			}
			want, err := nd.Slice[float32](ctx, floats.Apply(wide(x), wide(k)).Cast(half).Cast(nd.Float32))
			if err != nil {
				t.Fatal(err)
			}
			for name, y := range map[string]*nd.Array{"apply": y, "pipeline": signal.Pipeline{Conv: halves, Streams: 2}.Apply(x, k), "float32 filter": halves.Apply(x, wide(k))} {
				if got, err := nd.Slice[float32](ctx, wide(y)); err != nil || !slices.Equal(got, want) {
					t.Errorf("%s %s %s: other bits than float32 rounded: %v", name, mode, half, err)
				}
			}
		}
		// Gradients have the type of what they are by, and are those of float32 rounded.
		of := func(x, k *nd.Array) []*nd.Array {
			return nd.Grad(wide(signal.Conv{}.Apply(x, k)).AbsSquared().Sum(), x, k)
		}
		for i, g := range of(x, k) {
			got, err := nd.Slice[float32](ctx, wide(g))
			if err != nil || g.DType() != half {
				t.Fatalf("gradient by operand %d is %s: %v", i, g.DType(), err)
			}
			want, err := nd.Slice[float64](ctx, of(wide(x), wide(k))[i].Cast(nd.Float64))
			if e := relative(got, want); err != nil || !(e < 2e-2) {
				t.Errorf("gradient by operand %d of %s: relative error %.2g, %v", i, half, e, err)
			}
		}
		for name, bad := range map[string]*nd.Array{
			"gate":   signal.Conv{InGate: wide(in)}.Apply(x, k),
			"filter": signal.Conv{}.Apply(wide(x), k),
		} {
			if bad.Err() == nil {
				t.Errorf("a %s of another type is accepted", name)
			}
		}
	}
}

// Convolutions that may be computed in halves are as good as docs/PRECISION.md says; where
// a device does not, they are those of float32.
func TestFastConvOfHalves(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	r := rand.New(rand.NewPCG(21, 22))
	const b, c, l = 4, 3, 512
	make := func(t nd.DType, shape ...int) *nd.Array {
		n := 1
		for _, d := range shape {
			n *= d
		}
		return nd.From(as[float32](noise(r, n, 1)), shape...).Cast(t)
	}
	for half, bar := range map[nd.DType]float64{nd.Float16: 2e-3, nd.BFloat16: 3.5e-3} {
		x, k, in, out := make(half, b, c, l), make(nd.Float32, c, l), make(half, b, c, l), make(half, b, c, l)
		for _, mode := range []signal.Mode{signal.Causal, signal.Circular} {
			usual := signal.Conv{Mode: mode, Bias: make(nd.Float32, c), InGate: in, OutGate: out}
			fast := usual
			fast.Accumulation = nd.Fast
			want, err := nd.Slice[float64](ctx, usual.Apply(x, k).Cast(nd.Float64))
			if err != nil {
				t.Fatal(err)
			}
			for name, y := range map[string]*nd.Array{"apply": fast.Apply(x, k), "pipeline": signal.Pipeline{Conv: fast, Streams: 2}.Apply(x, k)} {
				got, err := nd.Slice[float32](ctx, y.Cast(nd.Float32))
				if e := relative(got, want); err != nil || y.DType() != half || !(e <= bar) {
					t.Errorf("%s %s %s: relative error %.2g, %v", name, mode, half, e, err)
				}
			}
		}
	}
	if bad := (signal.Conv{Accumulation: 99}).Apply(make(nd.Float32, 2, 8), make(nd.Float32, 2, 8)); bad.Err() == nil {
		t.Error("accumulation 99 is accepted")
	}
}

// Fast convolutions of many lines, for which the blocks of a GPU stay, have the same bits however
// many they are. A few lines may have others where filters are taps: those may be transformed side
// by side with them, in float32, and have no bins of their own.
func TestFastConvOfManyLines(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	const b, c, l = 36, 32, 16384
	x, taps := nd.Uniform(1, nd.Float32, b, c, l).Cast(nd.BFloat16), nd.Uniform(2, nd.Float32, c, l)
	if err := nd.Eval(ctx, x, taps); err != nil {
		t.Fatal(err)
	}
	for mode, n := range map[signal.Mode]int{signal.Causal: 2 * l, signal.Circular: l} {
		bins := taps.RFFT(nd.FFT{N: n})
		if err := nd.Eval(ctx, bins); err != nil {
			t.Fatal(err)
		}
		conv := signal.Conv{Mode: mode, Accumulation: nd.Fast}
		for name, k := range map[string]*nd.Array{"taps": taps, "bins": bins} {
			all := conv.Apply(x, k)
			if err := nd.Eval(ctx, all); err != nil {
				t.Fatal(err)
			}
			for _, some := range []nd.Range{{Start: 0, Stop: 2}, {Start: b - 2, Stop: b}, {Start: 4, Stop: b}} {
				part := conv.Apply(x.SliceAxis(0, some), k)
				if err := nd.Eval(ctx, part); err != nil { // in halves: what has a cast behind it is computed in float32
					t.Fatal(err)
				}
				got, err := nd.Slice[float32](ctx, all.SliceAxis(0, some).Cast(nd.Float32))
				want, err2 := nd.Slice[float64](ctx, part.Cast(nd.Float64))
				same := slices.EqualFunc(got, want, func(a float32, b float64) bool { return float64(a) == b })
				if err != nil || err2 != nil || (name == "bins" || some.Start == 4) && !same {
					t.Errorf("%s, %s: lines from %d on have other bits: %v, %v", mode, name, some.Start, err, err2)
				}
				if e := relative(got, want); !(e <= 3.5e-3) {
					t.Errorf("%s, %s: lines from %d on differ by %.2g", mode, name, some.Start, e)
				}
			}
		}
	}
}
