package signal_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// direct is the full linear convolution by its definition.
func direct(x, k []float64) []float64 {
	y := make([]float64, len(x)+len(k)-1)
	for i, a := range x {
		for j, b := range k {
			y[i+j] += a * b
		}
	}
	return y
}

// wanted is what a mode keeps of it.
func wanted(m signal.Mode, x, k []float64) []float64 {
	full := direct(x, k)
	l, taps := len(x), len(k)
	switch m {
	case signal.Circular:
		y := make([]float64, l)
		for i, v := range full {
			y[i%l] += v
		}
		return y
	case signal.Causal:
		return full[:l]
	case signal.Same:
		from := (len(full) - l) / 2
		return full[from : from+l]
	case signal.Valid:
		return full[min(l, taps)-1 : max(l, taps)]
	}
	return full
}

var modes = []signal.Mode{signal.Circular, signal.Causal, signal.Full, signal.Same, signal.Valid}

func noise(r *rand.Rand, n int, scale float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = r.NormFloat64() * scale
	}
	return x
}

// relative is the L2 error of got against want.
func relative[T float32 | float64](got []T, want []float64) float64 {
	var d, n float64
	for i, w := range want {
		e := float64(got[i]) - w
		d, n = d+e*e, n+w*w
	}
	return math.Sqrt(d / n)
}

func as[T float32 | float64](x []float64) []T {
	y := make([]T, len(x))
	for i, v := range x {
		y[i] = T(v)
	}
	return y
}

// rounded is x as T holds it.
func rounded[T float32 | float64](x []float64) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = float64(T(v))
	}
	return y
}

func testModes[T float32 | float64](t *testing.T, bar float64) {
	const batch, channels = 2, 3
	r := rand.New(rand.NewPCG(3, 4))
	for _, size := range [][2]int{{1, 1}, {1, 5}, {2, 1}, {7, 3}, {8, 8}, {9, 20}, {31, 31}, {64, 5}, {97, 64}, {100, 101}, {1000, 37}, {1021, 1021}} {
		for _, mode := range modes {
			for _, scale := range []float64{1, 1e6, 1e-6} {
				l, taps := size[0], size[1]
				x := rounded[T](noise(r, batch*channels*l, scale))
				k := rounded[T](noise(r, channels*taps, 1))
				y := signal.Conv{Mode: mode}.Apply(nd.From(as[T](x), batch, channels, l), nd.From(as[T](k), channels, taps))
				got, err := nd.Slice[T](context.Background(), y)
				if err != nil {
					t.Fatalf("%s %v: %v", mode, size, err)
				}
				var want []float64
				for line := range batch * channels {
					c := line % channels
					want = append(want, wanted(mode, x[line*l:(line+1)*l], k[c*taps:(c+1)*taps])...)
				}
				if len(got) != len(want) {
					t.Fatalf("%s %v: %d samples, want %d", mode, size, len(got), len(want))
				}
				if e := relative(got, want); !(e <= bar) {
					t.Errorf("%s %v scale %g: relative error %.2g, want at most %.2g", mode, size, scale, e, bar)
				}
			}
		}
	}
}

func TestModesFloat32(t *testing.T) { testModes[float32](t, 5e-7) }
func TestModesFloat64(t *testing.T) {
	testdevice.NeedsFloat64(t)
	testModes[float64](t, 1e-14)
}

func TestWorkedValues(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, c := range []struct {
		mode    signal.Mode
		x, k, y []float64
	}{
		{signal.Full, []float64{1, 2, 3}, []float64{1, 2, 3}, []float64{1, 4, 10, 12, 9}},
		{signal.Same, []float64{1, 2, 3}, []float64{3, 3, 5, 6, 8, 7, 9, 0, 1}, []float64{35, 41, 47}},
		{signal.Valid, []float64{1, 2, 3, 4}, []float64{1, 1}, []float64{3, 5, 7}},
		{signal.Causal, []float64{1, 2, 3, 4}, []float64{1, 1}, []float64{1, 3, 5, 7}},
		{signal.Circular, []float64{1, 2, 3, 4}, []float64{1, 1}, []float64{5, 3, 5, 7}},
		{signal.DefaultMode, []float64{1, 2, 3, 4}, []float64{1, 1}, []float64{1, 3, 5, 7}},
	} {
		got, err := nd.Slice[float64](context.Background(), signal.Conv{Mode: c.mode}.Apply(nd.From(c.x), nd.From(c.k)))
		if err != nil {
			t.Fatal(err)
		}
		for i := range c.y {
			if math.Abs(got[i]-c.y[i]) > 1e-12 {
				t.Errorf("%s of %v and %v = %v, want %v", c.mode, c.x, c.k, got, c.y)
				break
			}
		}
	}
}

func TestOverlapSave(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	r := rand.New(rand.NewPCG(5, 6))
	for _, mode := range modes[1:] {
		for _, size := range []struct{ l, taps, block int }{{1000, 8, 32}, {4096, 33, 128}, {5000, 64, 256}, {777, 1, 16}, {300, 50, 128}, {40000, 100, 0}} {
			x, k := noise(r, 2*size.l, 1), noise(r, 2*size.taps, 1)
			X, K := nd.From(x, 2, size.l), nd.From(k, 2, size.taps)
			got, err := nd.Slice[float64](ctx, signal.Conv{Mode: mode, Block: size.block}.Apply(X, K))
			if err != nil {
				t.Fatal(err)
			}
			var want []float64
			for c := range 2 {
				want = append(want, wanted(mode, x[c*size.l:(c+1)*size.l], k[c*size.taps:(c+1)*size.taps])...)
			}
			if len(got) != len(want) {
				t.Fatalf("%s %+v: %d samples, want %d", mode, size, len(got), len(want))
			}
			if e := relative(got, want); !(e <= 1e-14) {
				t.Errorf("%s %+v: relative error %.2g", mode, size, e)
			}
		}
	}
}

func TestBiasSkipGates(t *testing.T) {
	testdevice.NeedsFloat64(t)
	r := rand.New(rand.NewPCG(7, 8))
	const b, c, l, taps = 2, 3, 20, 7
	x, k, in, out := noise(r, b*c*l, 1), noise(r, c*taps, 1), noise(r, b*c*l, 1), noise(r, b*c*l, 1)
	bias, skip := noise(r, c, 1), noise(r, c, 1)
	y := signal.Conv{
		Mode: signal.Causal, Bias: nd.From(bias), Skip: nd.From(skip),
		InGate: nd.From(in, b, c, l), OutGate: nd.From(out, b, c, l),
	}.Apply(nd.From(x, b, c, l), nd.From(k, c, taps))
	got, err := nd.Slice[float64](context.Background(), y)
	if err != nil {
		t.Fatal(err)
	}
	want := make([]float64, b*c*l)
	for line := range b * c {
		ch := line % c
		gated := make([]float64, l)
		for i := range gated {
			gated[i] = x[line*l+i] * in[line*l+i]
		}
		for i, v := range wanted(signal.Causal, gated, k[ch*taps:(ch+1)*taps]) {
			want[line*l+i] = out[line*l+i] * (v + bias[ch] + skip[ch]*gated[i])
		}
	}
	if e := relative(got, want); !(e <= 1e-14) {
		t.Errorf("relative error %.2g", e)
	}
}

func TestSpectrumAsFilter(t *testing.T) {
	testdevice.NeedsFloat64(t)
	r := rand.New(rand.NewPCG(9, 10))
	x, k := nd.From(noise(r, 4*15, 1), 2, 2, 15), nd.From(noise(r, 2*15, 1), 2, 15)
	ctx := context.Background()
	want, err := nd.Slice[float64](ctx, signal.Conv{Mode: signal.Circular}.Apply(x, k))
	if err != nil {
		t.Fatal(err)
	}
	got, err := nd.Slice[float64](ctx, signal.Conv{Mode: signal.Circular}.Apply(x, k.RFFT()))
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("by spectrum %v, by taps %v, %v", got, want, err)
	}
}

func TestSpectrumAsCausalFilter(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 11))
	ctx := context.Background()
	const b, c, l, taps = 2, 3, 100, 41
	x, k := nd.From(as[float32](noise(r, b*c*l, 1)), b, c, l), nd.From(as[float32](noise(r, c*taps, 1)), c, taps)
	bias := nd.From(as[float32](noise(r, c, 1)), c)
	conv := signal.Conv{Bias: bias}
	want, err := nd.Slice[float32](ctx, conv.Apply(x, k))
	if err != nil {
		t.Fatal(err)
	}
	n, _ := conv.TransformLen(l, taps)
	kept := k.RFFT(nd.FFT{N: n})
	got, err := nd.Slice[float32](ctx, conv.Apply(x, kept))
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("by spectrum of %d samples: other numbers than by taps, %v", n, err)
	}
	piped, err := nd.Slice[float32](ctx, signal.Pipeline{Conv: conv, Streams: 2}.Apply(x, kept))
	if err != nil || !slices.Equal(piped, want) {
		t.Errorf("by spectrum in two bands: other numbers than by taps, %v", err)
	}
	if err := (signal.Pipeline{Conv: signal.Conv{Skip: bias}}).Apply(x, k).Err(); err != nil {
		t.Errorf("a skip in the mode that is causal unless another is named: %v", err)
	}
	// A longer transform than is needed gives the same up to rounding, and one of a
	// filter that all channels share is as good.
	first := k.SliceAxis(0, nd.Range{Stop: 1}).Flatten()
	shared := signal.Conv{}.Apply(x, first.RFFT(nd.FFT{N: 256}))
	if err := (nd.Close{Abs: 1e-5}).Check(ctx, shared, signal.Conv{}.Apply(x, first)); err != nil {
		t.Error(err)
	}
	if _, err := (signal.Conv{}).Stream(kept); err == nil || !strings.Contains(err.Error(), "spectrum") {
		t.Errorf("a stream of a spectrum: %v", err)
	}
}

func TestPipelineBitIdentical(t *testing.T) {
	ctx := context.Background()
	r := rand.New(rand.NewPCG(11, 12))
	const b, c, l, taps = 2, 7, 300, 40
	x, k := nd.From(as[float32](noise(r, b*c*l, 1)), b, c, l), nd.From(as[float32](noise(r, c*taps, 1)), c, taps)
	bias := nd.From(as[float32](noise(r, c, 1)))
	for _, mode := range modes {
		conv := signal.Conv{Mode: mode, Bias: bias}
		want, err := nd.Slice[float32](ctx, conv.Apply(x, k))
		if err != nil {
			t.Fatal(err)
		}
		for streams := range 8 {
			p := signal.Pipeline{Conv: conv, Streams: streams}
			if bands := p.Bands(x); bands != max(streams, 1) {
				t.Errorf("%d bands for %d streams", bands, streams)
			}
			got, err := nd.Slice[float32](ctx, p.Apply(x, k))
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s with %d streams differs from none (%v)", mode, streams, err)
			}
		}
	}
}

func TestStreamEqualsOneCall(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	r := rand.New(rand.NewPCG(13, 14))
	const c, l, taps = 2, 500, 37
	x, k := noise(r, c*l, 1), nd.From(noise(r, c*taps, 1), c, taps)
	X := nd.From(x, c, l)
	conv := signal.Conv{Mode: signal.Causal, Bias: nd.From(noise(r, c, 1)), Skip: nd.From(noise(r, c, 1))}
	want, err := nd.Slice[float64](ctx, conv.Apply(X, k))
	if err != nil {
		t.Fatal(err)
	}
	s, err := conv.Stream(k)
	if err != nil {
		t.Fatal(err)
	}
	got := make([]float64, c*l)
	at := 0
	for _, n := range []int{1, 2, 3, 100, 36, 37, 38, 200, 83} {
		y, err := s.Push(ctx, X.SliceAxis(1, nd.Range{Start: at, Stop: at + n}))
		if err != nil {
			t.Fatal(err)
		}
		out, err := nd.Slice[float64](ctx, y)
		if err != nil {
			t.Fatal(err)
		}
		for ch := range c {
			copy(got[ch*l+at:], out[ch*n:(ch+1)*n])
		}
		at += n
	}
	if e := relative(got, want); at != l || !(e <= 1e-14) {
		t.Errorf("%d samples, relative error %.2g", at, e)
	}
}

func TestNaNInFilterSpreads(t *testing.T) {
	testdevice.NeedsFloat64(t)
	got, err := nd.Slice[float64](context.Background(), signal.Conv{Mode: signal.Circular}.Apply(nd.From([]float64{1, 2, 3, 4}), nd.From([]float64{1, math.NaN()})))
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range got {
		if !math.IsNaN(v) {
			t.Errorf("sample %d is %v", i, v)
		}
	}
}

func TestConvErrors(t *testing.T) {
	f32 := func(shape ...int) *nd.Array { return nd.Ones(nd.Float32, shape...) }
	x, k := f32(2, 3, 16), f32(3, 5)
	for _, c := range []struct {
		name string
		conv signal.Conv
		x, k *nd.Array
		want []string
	}{
		{"channels", signal.Conv{}, x, f32(4, 5), []string{"k of shape [4 5]", "[2 3 16]"}},
		{"spectrum", signal.Conv{Mode: signal.Circular}, x, nd.Ones(nd.Complex64, 3, 8), []string{"k of shape [3 8]", "8 bins", "[2 3 16]", "needs 9"}},
		{"short spectrum", signal.Conv{}, x, nd.Ones(nd.Complex64, 3, 8), []string{"k of shape [3 8]", "14 samples", "[2 3 16]"}},
		{"spectrum and block", signal.Conv{Block: 64}, x, nd.Ones(nd.Complex64, 3, 17), []string{"Block 64", "spectrum"}},
		{"spectrum mode", signal.Conv{Mode: signal.Full}, x, nd.Ones(nd.Complex64, 3, 9), []string{"spectrum", "full"}},
		{"dtype", signal.Conv{}, x, nd.Ones(nd.Float64, 3, 5), []string{"k is float64", "x is float32"}},
		{"x dtype", signal.Conv{}, nd.Ones(nd.Int32, 4), k, []string{"x is int32"}},
		{"gate", signal.Conv{InGate: f32(2, 3, 15)}, x, k, []string{"InGate of shape [2 3 15]", "[2 3 16]"}},
		{"out gate", signal.Conv{Mode: signal.Full, OutGate: f32(2, 3, 16)}, x, k, []string{"OutGate of shape [2 3 16]", "[2 3 20]"}},
		{"bias", signal.Conv{Bias: f32(2)}, x, k, []string{"Bias of shape [2]", "3 channels"}},
		{"skip", signal.Conv{Mode: signal.Full, Skip: f32(3)}, x, k, []string{"Skip", "16", "20"}},
		{"empty", signal.Conv{}, f32(3, 0), k, []string{"no samples"}},
		{"no taps", signal.Conv{}, x, f32(3, 0), []string{"k of shape [3 0]"}},
		{"mode", signal.Conv{Mode: 9}, x, k, []string{"mode"}},
		{"block", signal.Conv{Mode: signal.Causal, Block: 8}, x, k, []string{"Block 8"}},
		{"nil", signal.Conv{}, nil, k, []string{"x is a nil Array"}},
	} {
		err := c.conv.Apply(c.x, c.k).Err()
		var op *nd.OpError
		if !errors.As(err, &op) || op.Package != "signal" || !strings.Contains(op.Site, "conv_test.go") {
			t.Errorf("%s: %v (%T)", c.name, err, err)
			continue
		}
		for _, w := range c.want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %q does not say %q", c.name, err, w)
			}
		}
	}
	for _, streams := range []int{-1, 4} {
		err := signal.Pipeline{Streams: streams}.Apply(x, k).Err()
		if want := fmt.Sprintf("Streams %d: want 1 to 3", streams); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d streams for 3 channels: %v", streams, err)
		}
	}
}

func ExampleConv() {
	echo := nd.From([]float32{1, 0, 0.5})
	x := nd.From([]float32{1, 2, 3, 4})
	y, err := nd.Slice[float32](context.Background(), signal.Conv{Mode: signal.Causal}.Apply(x, echo).Round())
	fmt.Println(y, err)
	// Output: [1 2 4 5] <nil>
}
