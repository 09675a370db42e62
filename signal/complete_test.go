package signal_test

import (
	"cmp"
	"fmt"
	"math"
	"math/cmplx"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

func TestTrigTransforms(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for kind := 1; kind <= 4; kind++ {
		for _, n := range []int{2, 5, 8} {
			for norm, name := range []string{"backward", "ortho", "forward"} {
				d := signal.DCT{Type: kind, Norm: nd.Norm(norm)}
				for what, y := range map[string]*nd.Array{"dct": d.Apply(waves(2, n)), "idct": d.Inverse(waves(2, n)),
					"dst": signal.DST(d).Apply(waves(2, n)), "idst": signal.DST(d).Inverse(waves(2, n))} {
					check(t, fmt.Sprintf("%s %d %d %s", what, kind, n, name), y, 1e-13)
				}
			}
		}
	}
	check(t, "dct n axis", signal.DCT{N: 9, Axis: nd.Axis(0)}.Apply(waves(6, 3)), 1e-13)
	check(t, "dct orthogonalize", signal.DCT{Orthogonalize: true}.Apply(waves(2, 6)), 1e-13)
	check(t, "dct not orthogonal", signal.DCT{Norm: nd.Ortho, NotOrthogonal: true}.Apply(waves(2, 6)), 1e-13)
	check(t, "dctn", signal.DCT{Norm: nd.Ortho}.ApplyN(waves(3, 4, 5)), 1e-13)
	check(t, "idstn", signal.DST{}.InverseN(waves(3, 4, 5), 0, 2), 1e-13)
	for kind := 1; kind <= 4; kind++ {
		want := floats(t, waves(3, 4, 5))
		c, s := signal.DCT{Type: kind}, signal.DST{Type: kind}
		if got := floats(t, c.InverseN(c.ApplyN(waves(3, 4, 5), 0, 2), 2, 0)); !near(got, want, 1e-13) {
			t.Errorf("dctn %d there and back: %v, want %v", kind, got, want)
		}
		if got := floats(t, s.InverseN(s.ApplyN(waves(3, 4, 5)))); !near(got, want, 1e-13) {
			t.Errorf("dstn %d there and back: %v, want %v", kind, got, want)
		}
	}
	// The transform is orthogonal: its gradient is the inverse.
	x := waves(3, 7)
	g := nd.Grad(signal.DCT{Norm: nd.Ortho}.Apply(x).Mul(waves(3, 7)).Sum(), x)[0]
	if !near(floats(t, g), floats(t, signal.DCT{Norm: nd.Ortho}.Inverse(waves(3, 7))), 1e-13) {
		t.Error("the gradient of an orthogonal transform is not its inverse")
	}
	if err := (signal.DCT{Type: 5}).Apply(x).Err(); err == nil {
		t.Error("type 5 was accepted")
	}
}

func TestConvolve(t *testing.T) {
	testdevice.NeedsFloat64(t)
	x, k, cx, ck := waves(7, 9), waves(4, 3), swirls(7, 9), swirls(4, 3)
	k = k.Mul(k)
	for _, mode := range []signal.Mode{signal.Full, signal.Same, signal.Valid} {
		for _, method := range []signal.Method{signal.AutoMethod, signal.DirectMethod, signal.FFTMethod, signal.BlockMethod} {
			c := signal.Convolve{Mode: mode, Method: method}
			check(t, fmt.Sprintf("convolve %s", mode), c.Apply(x, k), 1e-13)
			check(t, fmt.Sprintf("correlate %s", mode), c.Correlate(x, k), 1e-13)
			check(t, fmt.Sprintf("convolve %s complex", mode), c.Apply(cx, ck), 1e-13)
			check(t, fmt.Sprintf("correlate %s complex", mode), c.Correlate(cx, ck), 1e-13)
			c.Axes = []int{1}
			check(t, fmt.Sprintf("fftconvolve %s axis 1", mode), c.Apply(waves(3, 20), waves(1, 6)), 1e-13)
			if mode == signal.Valid {
				check(t, "convolve valid swapped", signal.Convolve{Mode: mode, Method: method}.Apply(k, x), 1e-13)
			}
		}
	}
	if err := (signal.Convolve{Mode: signal.Valid}).Apply(waves(3, 9), waves(4, 3)).Err(); err == nil {
		t.Error("valid of shapes that do not contain each other was accepted")
	}
}

func TestResamplingFamily(t *testing.T) {
	testdevice.NeedsKernels(t)
	testdevice.NeedsFloat64(t)
	x, z := waves(2, 50), swirls(2, 50)
	check(t, "resample_poly constant", signal.ResamplePoly{Up: 3, Down: 2}.Apply(x), 1e-12)
	for _, name := range []string{"mean", "median", "maximum", "minimum", "line", "edge", "wrap", "reflect"} {
		check(t, "resample_poly "+name, signal.ResamplePoly{Up: 3, Down: 2, Extension: extension(t, name)}.Apply(x), 1e-12)
	}
	check(t, "resample_poly complex", signal.ResamplePoly{Up: 2, Down: 5}.Apply(z), 1e-12)
	check(t, "resample_poly even", signal.ResamplePoly{Up: 2, Down: 3, Taps: []float64{1, 2, 3, 2}}.Apply(x), 1e-12)
	check(t, "upfirdn", signal.UpFirDn{Taps: []float64{1, 0.5, 0.25, 2}, Up: 3, Down: 2}.Apply(x), 1e-13)
	check(t, "decimate", signal.Decimate{Q: 4}.Apply(waves(2, 200)), 1e-11)
	check(t, "decimate fir", signal.Decimate{Q: 4, FIR: true}.Apply(waves(2, 200)), 1e-12)
	check(t, "decimate delay", signal.Decimate{Q: 4, Delay: true}.Apply(waves(2, 200)), 1e-11)
	sos, err := signal.IIR{Order: 3, Cutoff: [2]float64{0.2}}.SOS()
	if err != nil {
		t.Fatal(err)
	}
	iir, err := sos.TF()
	if err != nil {
		t.Fatal(err)
	}
	iir.B, iir.A = iir.B[:4], iir.A[:4] // of two sections, one of which is of order 1
	check(t, "decimate system", signal.Decimate{Q: 4, Filter: &iir}.Apply(waves(2, 200)), 1e-11)
	check(t, "decimate system delay", signal.Decimate{Q: 4, Filter: &iir, Delay: true}.Apply(waves(2, 200)), 1e-11)
	taps, err := signal.FIR{Cutoff: [2]float64{0.25}}.Taps(31)
	if err != nil {
		t.Fatal(err)
	}
	check(t, "decimate system fir", signal.Decimate{Q: 4, Filter: &signal.TF{B: taps, A: []float64{1}}}.Apply(waves(2, 200)), 1e-12)
	if err := (signal.Decimate{Q: 4, Filter: &signal.TF{}}).Apply(x).Err(); err == nil {
		t.Error("decimate takes a filter without coefficients")
	}
}

// A cascade with complex coefficients is SciPy's; in parts, and back, it is that of
// real coefficients.
func TestComplexSections(t *testing.T) {
	testdevice.NeedsKernels(t)
	testdevice.NeedsFloat64(t)
	sos, err := signal.IIR{Order: 4, Cutoff: [2]float64{0.2}}.SOS()
	if err != nil {
		t.Fatal(err)
	}
	turned := sos.Complex()
	for i := range turned {
		for k := range turned[i] {
			turned[i][k] *= cmplx.Exp(complex(0, math.Pi/4*float64(k%3)))
		}
	}
	x := waves(2, 50)
	check(t, "sosfilt complex sections", turned.Filter(x), 1e-13)
	check(t, "sosfilt complex sections, complex", turned.Filter(swirls(2, 50)), 1e-13)
	whole := turned.Filter(x)
	first, state := turned.FilterFrom(x.SliceAxis(-1, nd.Range{Stop: 20}), nil)
	second, _ := turned.FilterFrom(x.SliceAxis(-1, nd.Range{Start: 20, Stop: 50}), state)
	if err := (nd.Close{Abs: 1e-12}).Check(t.Context(), nd.Concat(-1, first, second), whole); err != nil {
		t.Error(err)
	}
	if err := (nd.Close{Abs: 1e-12}).Check(t.Context(), sos.Complex().FiltFilt(x), sos.FiltFilt(x).Cast(nd.Complex128)); err != nil {
		t.Error(err)
	}
	w := []float64{0, 0.3, 2}
	for i, h := range sos.Complex().Response(w) {
		if cmplx.Abs(h-sos.Response(w)[i]) > 1e-13 {
			t.Errorf("response at %g is %v", w[i], h)
		}
	}
	for _, bad := range []signal.ComplexSOS{nil, {{1}}, {{cmplx.NaN(), 0, 0, 1}}} {
		if bad.Filter(x).Err() == nil {
			t.Errorf("%v is taken for a filter", bad)
		}
	}
}

func extension(t *testing.T, name string) signal.Extension {
	e, err := signal.ParseExtension(name)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// Extensions reach further than the signal is long, and go on as in SciPy.
func TestUpFirDnExtensions(t *testing.T) {
	testdevice.NeedsFloat64(t)
	h := floats(t, waves(11))
	for _, name := range []string{"zeros", "edge", "reflect", "symmetric", "wrap", "antireflect", "antisymmetric", "smooth", "line"} {
		e := extension(t, name)
		for _, n := range []int{2, 3, 20} {
			for _, ratio := range [][2]int{{1, 1}, {3, 2}, {2, 5}} {
				u := signal.UpFirDn{Taps: h, Up: ratio[0], Down: ratio[1], Extension: e}
				check(t, fmt.Sprintf("upfirdn %s %d %d/%d", name, n, ratio[0], ratio[1]), u.Apply(waves(2, n)), 1e-12)
			}
		}
	}
	taps := []complex128{1 + 2i, -0.5i, 3, 0.25 - 1i}
	check(t, "upfirdn complex taps", signal.UpFirDn{ComplexTaps: taps, Up: 2, Down: 3}.Apply(waves(2, 20)), 1e-13)
	check(t, "upfirdn complex both", signal.UpFirDn{ComplexTaps: taps, Up: 3}.Apply(swirls(2, 20)), 1e-13)
	if err := (signal.UpFirDn{Taps: h, Extension: signal.ExtendPolynomial}).Apply(waves(9)).Err(); err == nil {
		t.Error("the polynomial of no window was accepted")
	}
}

func TestMedFilt(t *testing.T) {
	testdevice.NeedsFloat64(t)
	testdevice.NeedsKernels(t)
	x := waves(2, 50)
	check(t, "medfilt", signal.MedFilt(x, 5), 1e-14)
	check(t, "medfilt", signal.MedFilt(x.Transpose(), 5, 1).Transpose(), 1e-14)
	image := waves(4, 9, 11)
	check(t, "medfilt 3x5", signal.MedFilt(image, 3, 5), 1e-14)
	check(t, "medfilt 3x3x7", signal.MedFilt(image, 3, 3, 7), 1e-14)
	check(t, "medfilt 3x1x3", signal.MedFilt(image, 3, 1, 3), 1e-14)
	check(t, "medfilt 81", signal.MedFilt(waves(200), 81), 1e-14)
	for _, sizes := range [][]int{{}, {2}, {3, -1}, {3, 3, 3, 3}} {
		if err := signal.MedFilt(image, sizes...).Err(); err == nil {
			t.Errorf("sizes %v were accepted", sizes)
		}
	}
}

func TestSmoothing(t *testing.T) {
	testdevice.NeedsFloat64(t)
	x := waves(2, 50)
	for name, e := range map[string]signal.Extension{"interp": 0, "mirror": signal.ExtendReflect, "constant": signal.ExtendZeros,
		"nearest": signal.ExtendEdge, "wrap": signal.ExtendWrap} {
		check(t, "savgol "+name, signal.SavGol{Window: 7, Order: 3, Extension: e}.Apply(x), 1e-12)
	}
	check(t, "savgol deriv", signal.SavGol{Window: 9, Order: 4, Deriv: 2, Delta: 0.5}.Apply(x), 1e-12)
	check(t, "savgol even", signal.SavGol{Window: 6, Order: 2, Extension: signal.ExtendReflect}.Apply(x), 1e-12)
	c, err := signal.SavGol{Window: 11, Order: 3}.Coefficients()
	if err != nil {
		t.Fatal(err)
	}
	checkFloats(t, "savgol_coeffs", c, 1e-13)
	check(t, "wiener", signal.Wiener(waves(6, 9), 0, 3, 5), 1e-12)
	check(t, "wiener noise", signal.Wiener(waves(20), 0.1, 5), 1e-12)
	offset := waves(3, 40).AddScalar(1000).Cast(nd.Float32)
	check(t, "wiener offset", signal.Wiener(offset, 0, 1, 5), 1e-7)
	check(t, "wiener offset image", signal.Wiener(offset, 0.1, 3, 3), 1e-7)
	silence, err := nd.Slice[float64](t.Context(), signal.Wiener(nd.Zeros(nd.Float64, 4), 0))
	if err != nil || !slices.Equal(silence, make([]float64, 4)) {
		t.Errorf("silence gives %v, %v", silence, err)
	}
}

func TestDesign(t *testing.T) {
	grid := make([]float64, 25)
	for i := range grid {
		grid[i] = 0.05 + 2.95*float64(i)/24
	}
	design := signal.IIR{Family: signal.Elliptic, Order: 4, Ripple: 1, Attenuation: 40, Cutoff: [2]float64{0.3}}
	tf, err := design.TF()
	if err != nil {
		t.Fatal(err)
	}
	delay, err := tf.GroupDelay(grid)
	if err != nil {
		t.Fatal(err)
	}
	checkFloats(t, "group_delay", delay, 1e-11)
	zpk, _ := design.ZPK()
	_, h := want(t, "freqz_zpk")
	compare(t, "freqz_zpk", zpk.Response(grid), h, 1e-12)
	analog, _ := signal.IIR{Order: 4, Cutoff: [2]float64{2}, Analog: true}.TF()
	_, h = want(t, "freqs")
	compare(t, "freqs", analog.AnalogResponse(grid), h, 1e-12)
	for name, make := range map[string]func(f, q, fs float64) (signal.TF, error){"iirnotch": signal.Notch, "iirpeak": signal.Peak} {
		f, err := make(60, 30, 500)
		if err != nil {
			t.Fatal(err)
		}
		checkFloats(t, name+" b", f.B, 1e-13)
		checkFloats(t, name+" a", f.A, 1e-13)
	}
	for name, s := range map[string]signal.Specification{
		"low": {Pass: []float64{0.2}, Stop: []float64{0.3}}, "high": {Pass: []float64{0.3}, Stop: []float64{0.2}},
		"band": {Pass: []float64{0.2, 0.5}, Stop: []float64{0.1, 0.6}}, "stop": {Pass: []float64{0.1, 0.6}, Stop: []float64{0.2, 0.5}},
	} {
		s.Ripple, s.Attenuation = 1, 40
		for f, ord := range []string{"buttord", "cheb1ord", "cheb2ord", "ellipord"} {
			d, err := s.IIR(signal.Family(f))
			if err != nil {
				t.Fatal(err)
			}
			got := append([]float64{float64(d.Order)}, d.Cutoff[:len(s.Pass)]...)
			_, w := want(t, ord+" "+name)
			for i, v := range got {
				if math.Abs(v-real(w[i])) > 1e-4 {
					t.Errorf("%s %s: %v, want %v", ord, name, got, w)
					break
				}
			}
		}
	}
	taps := func(name string, h []float64, err error) {
		if err != nil {
			t.Fatal(err)
		}
		checkFloats(t, name, h, 1e-12)
	}
	h1, err := signal.FIRBands{Cutoff: []float64{0.1, 0.2, 0.5, 0.7}}.Taps(31)
	taps("firwin bands", h1, err)
	h1, err = signal.FIRBands{Cutoff: []float64{0.1, 0.4, 0.7}, PassZero: true, Window: signal.Window{Name: "hann"}}.Taps(31)
	taps("firwin bands zero", h1, err)
	h1, err = signal.FIRGrid{Frequencies: []float64{0, 0.3, 0.3, 0.6, 1}, Gains: []float64{1, 1, 0, 0.5, 0}}.Taps(31)
	taps("firwin2", h1, err)
	low, err := signal.FIR{Cutoff: [2]float64{0.3}}.Taps(31)
	if err != nil {
		t.Fatal(err)
	}
	h1, err = signal.MinimumPhase(low, false)
	taps("minimum_phase", h1, err)
	h1, err = signal.MinimumPhase(low, true)
	taps("minimum_phase whole", h1, err)
}

func TestFramesAndTimes(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, s := range []signal.STFT{signal.Librosa(64, 16), signal.SciPy(32, 0, 0), signal.SciPy(32, 20, 64), {NFFT: 50, Hop: 7, Border: signal.BorderNone}} {
		for _, n := range []int{64, 100, 257} {
			count, err := s.Frames(n)
			if err != nil {
				t.Fatal(err)
			}
			if got := s.Apply(waves(n)).Dim(-1); got != count {
				t.Errorf("%+v of %d samples: %d frames, said %d", s, n, got, count)
			}
		}
	}
	s := signal.SciPy(32, 0, 0)
	s.FS = 100
	times, err := s.Times(100)
	if err != nil {
		t.Fatal(err)
	}
	checkFloats(t, "stft times", times, 1e-14)
	check(t, "detrend breakpoints", signal.DetrendAt(waves(2, 40), []int{10, 25}), 1e-13)
}

// Windows over images are sorted in ways that depend on their size, and on NaN being there.
func TestMedFiltImages(t *testing.T) {
	testdevice.NotOnGPU(t, "these are ways of the CPU")
	const rows, cols = 9, 1100
	x := make([]float64, rows*cols)
	for i := range x {
		x[i] = float64(float32(math.Sin(float64(i*i%977)) * float64(i%7-3)))
	}
	for _, size := range [][2]int{{1, 3}, {3, 1}, {1, 15}, {3, 3}, {3, 5}, {5, 5}, {7, 7}, {7, 9}} {
		for _, broken := range []bool{false, true} {
			if x[4*cols+5] = 0; broken {
				x[4*cols+5] = math.NaN()
			}
			want := make([]float64, len(x))
			for i := range want {
				var w []float64
				for a := i/cols - size[0]/2; a <= i/cols+size[0]/2; a++ {
					for b := i%cols - size[1]/2; b <= i%cols+size[1]/2; b++ {
						v := 0.0
						if a >= 0 && a < rows && b >= 0 && b < cols {
							v = x[a*cols+b]
						}
						w = append(w, v)
					}
				}
				slices.SortFunc(w, func(a, b float64) int { return -cmp.Compare(-a, -b) }) // NaN is last
				want[i] = w[len(w)/2]
			}
			image := nd.From(x).Reshape(rows, cols)
			for _, dtype := range []nd.DType{nd.Float64, nd.Float32} {
				got := floats(t, signal.MedFilt(image.Cast(dtype), size[0], size[1]).Cast(nd.Float64))
				for i := range want {
					if got[i] != want[i] && (got[i] == got[i] || want[i] == want[i]) {
						t.Fatalf("%v of %v: %g at %d, want %g", size, dtype, got[i], i, want[i])
					}
				}
			}
		}
	}
}

// A line of several runs is filtered as in one piece.
func TestMedFiltLong(t *testing.T) {
	testdevice.NeedsKernels(t)
	testdevice.NeedsFloat64(t)
	x := wave(2500)
	got := floats(t, signal.MedFilt(nd.From(x), 7))
	for i := range x {
		var w []float64
		for k := i - 3; k <= i+3; k++ {
			v := 0.0
			if k >= 0 && k < len(x) {
				v = x[k]
			}
			w = append(w, v)
		}
		slices.Sort(w)
		if got[i] != w[3] {
			t.Fatalf("%g at %d, want %g", got[i], i, w[3])
		}
	}
}
