package signal_test

import (
	"fmt"
	"math"
	"math/cmplx"
	"slices"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

func TestFIRGoldens(t *testing.T) {
	for _, c := range []struct {
		name string
		fir  signal.FIR
		n    int
	}{
		{"firwin low", signal.FIR{Cutoff: [2]float64{0.3}}, 21},
		{"firwin low even", signal.FIR{Cutoff: [2]float64{1000}, FS: 8000, Window: signal.Window{Name: "kaiser", Param: 6}}, 20},
		{"firwin high", signal.FIR{Band: signal.Highpass, Cutoff: [2]float64{0.4}, Window: signal.Window{Name: "hann"}}, 21},
		{"firwin band", signal.FIR{Band: signal.Bandpass, Cutoff: [2]float64{0.2, 0.5}}, 31},
		{"firwin stop", signal.FIR{Band: signal.Bandstop, Cutoff: [2]float64{0.2, 0.5}}, 31},
		{"firwin raw", signal.FIR{Cutoff: [2]float64{0.3}, Unscaled: true}, 15},
	} {
		taps, err := c.fir.Taps(c.n)
		if err != nil {
			t.Fatal(err)
		}
		checkFloats(t, c.name, taps, 1e-13)
	}
	taps, err := signal.LeastSquares{Bands: [][2]float64{{0, 0.3}, {0.4, 1}}, Desired: [][2]float64{{1, 1}, {0, 0}}}.Taps(21)
	if err != nil {
		t.Fatal(err)
	}
	checkFloats(t, "firls", taps, 1e-11)
	taps, err = signal.LeastSquares{Bands: [][2]float64{{0, 1000}, {1500, 2500}, {3000, 4000}}, Desired: [][2]float64{{0, 0}, {1, 0.5}, {0, 0}},
		Weights: []float64{1, 5, 2}, FS: 8000}.Taps(33)
	if err != nil {
		t.Fatal(err)
	}
	checkFloats(t, "firls weighted", taps, 1e-11)
	n, beta, err := signal.KaiserOrder(65, 0.05)
	if err != nil {
		t.Fatal(err)
	}
	checkFloats(t, "kaiserord", []float64{float64(n), beta}, 1e-14)
}

func TestIIRGoldens(t *testing.T) {
	grid := make([]float64, 40)
	for i := range grid {
		grid[i] = math.Pi * float64(i) / 39
	}
	for family, name := range []string{"butter", "cheby1", "cheby2", "ellip"} {
		for _, n := range []int{1, 2, 5, 6} {
			for band := signal.Lowpass; band <= signal.Bandstop; band++ {
				cut := [...][2]float64{{0.3}, {0.6}, {0.25, 0.5}, {0.25, 0.5}}[band]
				sos, err := signal.IIR{Family: signal.Family(family), Order: n, Band: band, Cutoff: cut, Ripple: 1, Attenuation: 40}.SOS()
				if err != nil {
					t.Fatal(err)
				}
				if !sos.Stable() {
					t.Errorf("%s %d %s is not stable", name, n, band)
				}
				var flat []float64
				for _, s := range sos {
					flat = append(flat, s[:]...)
				}
				label := fmt.Sprintf("%s %d %s", name, n, band)
				checkFloats(t, label, flat, 1e-12)
				_, h := want(t, label+" response")
				compare(t, label+" response", sos.Response(grid), h, 1e-12)
			}
		}
	}
}

func testSOS(t *testing.T) signal.SOS {
	t.Helper()
	sos, err := signal.IIR{Family: signal.Elliptic, Order: 5, Cutoff: [2]float64{0.3}, Ripple: 1, Attenuation: 40}.SOS()
	if err != nil {
		t.Fatal(err)
	}
	return sos
}

func TestSOSFiltGoldens(t *testing.T) {
	testdevice.NeedsKernels(t)
	testdevice.NeedsFloat64(t)
	sos := testSOS(t)
	x := waves(2, 500)
	check(t, "sosfilt", sos.Filter(x), 1e-12)
	single := sos.Filter(x.Cast(nd.Float32))
	check(t, "sosfilt", single, 2e-6)
	if single.DType() != nd.Float32 {
		t.Errorf("%s of float32", single.DType())
	}
	check(t, "sosfilt axis 0", sos.Filter(waves(500, 2), nd.Axis(0)), 1e-12)
	steady, err := sos.Steady()
	if err != nil {
		t.Fatal(err)
	}
	var flat []float64
	for _, s := range steady {
		flat = append(flat, s[:]...)
	}
	checkFloats(t, "sosfilt zi", flat, 1e-12)

	state := x.SliceAxis(1, nd.Range{Stop: 1}).ExpandDims(-1).Mul(nd.From(flat, len(sos), 2))
	y, end := sos.FilterFrom(x, state)
	check(t, "sosfilt from state", y, 1e-12)
	check(t, "sosfilt end state", end.Transpose(1, 0, 2), 1e-12)

	// In parts it is the same.
	a, mid := sos.FilterFrom(x.SliceAxis(1, nd.Range{Stop: 77}), state)
	b, last := sos.FilterFrom(x.SliceAxis(1, nd.Range{Start: 77, Stop: nd.End}), mid)
	check(t, "sosfilt from state", nd.Concat(-1, a, b), 1e-12)
	check(t, "sosfilt end state", last.Transpose(1, 0, 2), 1e-12)
}

func TestFiltFiltGoldens(t *testing.T) {
	testdevice.NeedsKernels(t)
	testdevice.NeedsFloat64(t)
	sos := testSOS(t)
	x := waves(2, 90)
	check(t, "sosfiltfilt", sos.FiltFilt(x), 1e-11)
	check(t, "sosfiltfilt", sos.FiltFilt(x.Transpose(), signal.FiltFilt{Axis: nd.Axis(0)}).Transpose(), 1e-11)
	check(t, "sosfiltfilt padlen", sos.FiltFilt(x, signal.FiltFilt{PadLen: 10}), 1e-11)
	check(t, "sosfiltfilt none", sos.FiltFilt(x, signal.FiltFilt{PadLen: signal.None}), 1e-11)
	band, err := signal.IIR{Order: 3, Band: signal.Bandpass, Cutoff: [2]float64{0.2, 0.5}}.SOS()
	if err != nil {
		t.Fatal(err)
	}
	check(t, "sosfiltfilt band", band.FiltFilt(x), 1e-11)
}

// TestEllipticRipple holds the design to its own bounds, whatever the order.
func TestEllipticRipple(t *testing.T) {
	for n := 1; n <= 12; n++ {
		sos, err := signal.IIR{Family: signal.Elliptic, Order: n, Cutoff: [2]float64{0.5}, Ripple: 0.5, Attenuation: 60}.SOS()
		if err != nil {
			t.Fatal(err)
		}
		least, most := math.Inf(1), 0.0
		w := make([]float64, 501)
		for i := range w {
			w[i] = math.Pi / 2 * float64(i) / 500
		}
		for _, h := range sos.Response(w) {
			least, most = min(least, cmplx.Abs(h)), max(most, cmplx.Abs(h))
		}
		if most > 1+1e-9 || math.Abs(20*math.Log10(least)+0.5) > 1e-3 {
			t.Errorf("order %d: pass band from %g to %g", n, least, most)
		}
	}
}

func TestFilterErrors(t *testing.T) {
	lists := map[string]func() error{
		"fir: 20 taps: a filter that passes": func() error {
			_, err := signal.FIR{Band: signal.Highpass, Cutoff: [2]float64{0.4}}.Taps(20)
			return err
		},
		"cutoff frequencies [0.4 0.3]": func() error {
			_, err := signal.FIR{Band: signal.Bandpass, Cutoff: [2]float64{0.4, 0.3}}.Taps(21)
			return err
		},
		"cutoff frequencies [1.5]: want them to rise between 0 and 1": func() error {
			_, err := signal.IIR{Order: 2, Cutoff: [2]float64{1.5}}.SOS()
			return err
		},
		"iir: Order 0": func() error { _, err := signal.IIR{Cutoff: [2]float64{0.5}}.SOS(); return err },
		"Ripple 0: elliptic wants": func() error {
			_, err := signal.IIR{Family: signal.Elliptic, Order: 2, Cutoff: [2]float64{0.5}, Attenuation: 30}.SOS()
			return err
		},
		"unknown filter family 9": func() error { _, err := signal.IIR{Family: 9, Order: 2, Cutoff: [2]float64{0.5}}.SOS(); return err },
		"leastsquares: 20 taps": func() error {
			_, err := signal.LeastSquares{}.Taps(20)
			return err
		},
		"kaiserorder: attenuation 3": func() error { _, _, err := signal.KaiserOrder(3, 0.1); return err },
		"sosfilt: no sections":       func() error { return signal.SOS{}.Filter(waves(5)).Err() },
		"has a0 = 2":                 func() error { return signal.SOS{{1, 0, 0, 2, 0, 0}}.Filter(waves(5)).Err() },
		"sosfilt: x is int32":        func() error { return testSOS(t).Filter(nd.Zeros(nd.Int32, 4)).Err() },
		"filtfilt: PadLen 18: want less than the 5 samples": func() error { return testSOS(t).FiltFilt(waves(5)).Err() },
		"state is float64 of shape [3 3 2]": func() error {
			y, _ := testSOS(t).FilterFrom(waves(2, 5), waves(3, 3, 2))
			return y.Err()
		},
	}
	for fact, f := range lists {
		if err := f(); err == nil || !strings.Contains(err.Error(), fact) {
			t.Errorf("%v, want %q", err, fact)
		}
	}
}

// TestSOSFiltLengths compares blocks with the recursion they stand for, at
// lengths around those of blocks.
func TestSOSFiltLengths(t *testing.T) {
	testdevice.NeedsKernels(t)
	testdevice.NeedsFloat64(t)
	sos := testSOS(t)
	for _, n := range []int{1, 2, 63, 64, 65, 127, 128, 129, 700} {
		want := wave(n)
		for _, c := range sos {
			u, v := 0.0, 0.0
			for i, in := range want {
				out := c[0]*in + u
				u, v = c[1]*in-c[4]*out+v, c[2]*in-c[5]*out
				want[i] = out
			}
		}
		if got := floats(t, sos.Filter(waves(n))); !near(got, want, 1e-12) {
			t.Errorf("%d samples: %v, want %v", n, got[:min(n, 5)], want[:min(n, 5)])
		}
	}
	// An integrator never forgets, but it does not grow either.
	sum := floats(t, signal.SOS{{1, 0, 0, 1, -1, 0}}.Filter(nd.Ones(nd.Float64, 1000)))
	if sum[999] != 1000 {
		t.Errorf("the sum of 1000 ones is %v", sum[999])
	}
}

// TestGainKeepsInfinities: what follows an infinity is a number, as in SciPy, for a filter that
// remembers nothing.
func TestGainKeepsInfinities(t *testing.T) {
	testdevice.NeedsFloat64(t)
	inf := math.Inf(1)
	x := nd.From([]float64{1, inf, 3, -inf, 5}).Cast(nd.Float32)
	for _, y := range []*nd.Array{signal.TF{B: []float64{2}}.Apply(x), signal.TF{B: []float64{1}, A: []float64{0.5}}.Apply(x),
		signal.TF{B: []float64{2}}.FiltFilt(x, signal.FiltFilt{PadLen: signal.None}).MulScalar(0.5)} {
		got, err := nd.Slice[float32](t.Context(), y)
		if err != nil || !slices.Equal(got, []float32{2, float32(inf), 6, float32(-inf), 10}) {
			t.Errorf("%v, %v", got, err)
		}
	}
}
