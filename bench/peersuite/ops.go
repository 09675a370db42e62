package main

import (
	"fmt"
	"slices"

	lines "github.com/twiddle-go/twiddle/fft"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

type operation func(r *request) ([]*nd.Array, error)

// ops are Twiddle's functions by the names the shim calls them by.
var ops = map[string]operation{
	"fft": fft((*nd.Array).FFT), "ifft": fft((*nd.Array).IFFT), "rfft": fft((*nd.Array).RFFT), "irfft": fft((*nd.Array).IRFFT),
	"hfft": fft((*nd.Array).HFFT), "ihfft": fft((*nd.Array).IHFFT),
	"fftn": fftn((*nd.Array).FFTN), "ifftn": fftn((*nd.Array).IFFTN), "rfftn": fftn((*nd.Array).RFFTN),
	"irfftn": fftn((*nd.Array).IRFFTN), "hfftn": fftn((*nd.Array).HFFTN), "ihfftn": fftn((*nd.Array).IHFFTN),
	"dct": trig, "convolve": convolve, "lfilter": lfilter, "sosfilt": sosfilt, "filtfilt": filtfilt, "sosfiltfilt": filtfilt,
	"resample": resample, "resample_poly": resamplePoly, "upfirdn": upfirdn, "savgol": savgol, "medfilt": medfilt,
	"decimate": decimate, "detrend": detrend, "window": window, "iir": iir, "czt": czt, "zoomfft": zoom,
	"remez": remez, "comb": comb, "notch": notch, "firls": firls, "hilbert": hilbert, "lfilter_zi": lfilterZi, "firwin": firwin, "firwin2": firwin2, "freqz": freqz,
}

func norm(name string) (nd.Norm, error) {
	if name == "" {
		return nd.Backward, nil
	}
	return lines.ParseNorm(name)
}

func one(a *nd.Array) ([]*nd.Array, error) { return []*nd.Array{a}, nil }

func fft(f func(*nd.Array, ...nd.FFT) *nd.Array) operation {
	return func(r *request) ([]*nd.Array, error) {
		n, err := norm(r.text("norm"))
		if err != nil {
			return nil, err
		}
		if r.given("n") && r.int("n") < 1 {
			return nil, fmt.Errorf("%d points", r.int("n"))
		}
		return one(f(r.in[0], nd.FFT{N: r.int("n"), Axis: r.axis(), Norm: n}))
	}
}

func fftn(f func(*nd.Array, ...nd.FFTN) *nd.Array) operation {
	return func(r *request) ([]*nd.Array, error) {
		n, err := norm(r.text("norm"))
		if err != nil {
			return nil, err
		}
		return one(f(r.in[0], nd.FFTN{Shape: r.ints("shape"), Axes: r.ints("axes"), Norm: n}))
	}
}

func trig(r *request) ([]*nd.Array, error) {
	n, err := norm(r.text("norm"))
	if err != nil {
		return nil, err
	}
	if r.given("n") && r.int("n") < 1 {
		return nil, fmt.Errorf("%d points", r.int("n"))
	}
	d := signal.DCT{Type: r.int("type"), N: r.int("n"), Norm: n, Axis: r.axis(),
		Orthogonalize: r.flag("orthogonalize"), NotOrthogonal: r.given("orthogonalize") && !r.flag("orthogonalize")}
	switch sine, inverse := r.flag("sine"), r.flag("inverse"); {
	case sine && inverse:
		return one(signal.DST(d).Inverse(r.in[0]))
	case sine:
		return one(signal.DST(d).Apply(r.in[0]))
	case inverse:
		return one(d.Inverse(r.in[0]))
	}
	return one(d.Apply(r.in[0]))
}

func convolve(r *request) ([]*nd.Array, error) {
	mode, err := signal.ParseMode(r.text("mode"))
	if err != nil {
		return nil, err
	}
	method, err := signal.ParseMethod(r.text("method"))
	if err != nil {
		return nil, err
	}
	c := signal.Convolve{Mode: mode, Method: method, Axes: r.ints("axes")}
	if r.flag("correlate") {
		return one(c.Correlate(r.in[0], r.in[1]))
	}
	return one(c.Apply(r.in[0], r.in[1]))
}

func (r *request) tf(i int) (signal.TF, error) {
	b, err := r.floats(i)
	if err != nil {
		return signal.TF{}, err
	}
	a, err := r.floats(i + 1)
	return signal.TF{B: b, A: a}, err
}

func (r *request) sos(i int) (signal.SOS, error) {
	v, err := r.floats(i)
	if err != nil {
		return nil, err
	}
	var s signal.SOS
	for k := 0; k+6 <= len(v); k += 6 {
		s = append(s, [6]float64(v[k:k+6]))
	}
	return s, nil
}

// filter is a TF or a ComplexTF.
type filter interface {
	Filter(x *nd.Array, axis ...nd.AxisChoice) *nd.Array
	FilterFrom(x, state *nd.Array) (y, end *nd.Array)
	FiltFilt(x *nd.Array, opt ...signal.FiltFilt) *nd.Array
}

func (r *request) anyTF(i int) (filter, error) {
	if !r.in[i].DType().IsComplex() {
		return r.tf(i)
	}
	return r.complexTF(i)
}

func (r *request) complexTF(i int) (signal.ComplexTF, error) {
	b, err := r.complexes(i)
	if err != nil {
		return signal.ComplexTF{}, err
	}
	a, err := r.complexes(i + 1)
	return signal.ComplexTF{B: b, A: a}, err
}

func lfilter(r *request) ([]*nd.Array, error) {
	f, err := r.anyTF(1)
	if err != nil {
		return nil, err
	}
	if len(r.in) > 3 {
		y, end := f.FilterFrom(r.in[0], r.in[3])
		return []*nd.Array{y, end}, nil
	}
	return one(f.Filter(r.in[0], r.axis()))
}

func lfilterZi(r *request) ([]*nd.Array, error) {
	if r.in[0].DType().IsComplex() {
		f, err := r.complexTF(0)
		if err != nil {
			return nil, err
		}
		z, err := f.Steady()
		if err != nil {
			return nil, err
		}
		return one(nd.From(z))
	}
	f, err := r.tf(0)
	if err != nil {
		return nil, err
	}
	z, err := f.Steady()
	if err != nil {
		return nil, err
	}
	return one(nd.From(z))
}

func sosfilt(r *request) ([]*nd.Array, error) {
	s, err := r.sos(1)
	if err != nil {
		return nil, err
	}
	if len(r.in) > 2 {
		y, end := s.FilterFrom(r.in[0], r.in[2])
		return []*nd.Array{y, end}, nil
	}
	return one(s.Filter(r.in[0], r.axis()))
}

func filtfilt(r *request) ([]*nd.Array, error) {
	o := signal.FiltFilt{Axis: r.axis(), PadLen: r.int("padlen"), Gustafsson: r.flag("gust"), ImpulseLen: r.int("irlen")}
	if o.Gustafsson {
		f, err := r.tf(1)
		if err != nil {
			return nil, err
		}
		return one(f.FiltFilt(r.in[0], o))
	}
	if r.given("padlen") && o.PadLen == 0 || r.text("padtype") == "" {
		o.PadLen = signal.None
	} else {
		var err error
		if o.Extension, err = extension(r.text("padtype")); err != nil {
			return nil, err
		}
	}
	if r.Op == "sosfiltfilt" {
		s, err := r.sos(1)
		if err != nil {
			return nil, err
		}
		return one(s.FiltFilt(r.in[0], o))
	}
	f, err := r.anyTF(1)
	if err != nil {
		return nil, err
	}
	return one(f.FiltFilt(r.in[0], o))
}

func resample(r *request) ([]*nd.Array, error) {
	p := signal.Resample{N: r.int("num"), Spectrum: r.flag("spectrum"), Axis: r.axis()}
	var err error
	if r.given("window") {
		if p.Window, err = signal.ParseWindow(r.text("window")); err != nil {
			return nil, err
		}
	}
	if len(r.in) > 1 {
		w, err := r.floats(1)
		if err != nil {
			return nil, err
		}
		half := len(w) / 2 // from the order of bins to a window
		p.Window = signal.CustomWindow(append(slices.Clone(w[half:]), w[:half]...))
	}
	return one(p.Apply(r.in[0]))
}

func resamplePoly(r *request) ([]*nd.Array, error) {
	p := signal.ResamplePoly{Up: r.int("up"), Down: r.int("down"), Axis: r.axis()}
	var err error
	if p.Extension, err = extension(r.text("padtype")); err != nil {
		return nil, err
	}
	if len(r.in) > 1 {
		p.Taps, err = r.floats(1)
	} else if r.given("window") {
		p.Window, err = signal.ParseWindow(r.text("window"))
	}
	if err != nil {
		return nil, err
	}
	return one(p.Apply(r.in[0]))
}

func upfirdn(r *request) ([]*nd.Array, error) {
	u := signal.UpFirDn{Up: r.int("up"), Down: r.int("down"), Axis: r.axis()}
	var err error
	if u.Extension, err = extension(r.text("mode")); err != nil {
		return nil, err
	}
	if r.in[1].DType().IsComplex() {
		u.ComplexTaps, err = r.complexes(1)
	} else {
		u.Taps, err = r.floats(1)
	}
	if err != nil {
		return nil, err
	}
	if r.int("up") < 1 || r.int("down") < 1 {
		return nil, fmt.Errorf("up %d and down %d", r.int("up"), r.int("down"))
	}
	return one(u.Apply(r.in[0]))
}

// extension is one of a name of SciPy's; the shim calls filtfilt's constant edge.
func extension(name string) (signal.Extension, error) {
	own := map[string]string{"": "default", "constant": "zeros", "odd": "antireflect", "even": "reflect", "mirror": "reflect",
		"nearest": "edge", "interp": "polynomial"}
	if to, ok := own[name]; ok {
		name = to
	}
	return signal.ParseExtension(name)
}

func savgol(r *request) ([]*nd.Array, error) {
	edge, err := extension(r.text("mode"))
	if err != nil {
		return nil, err
	}
	return one(signal.SavGol{Window: r.int("window"), Order: r.int("order"), Deriv: r.int("deriv"), Delta: r.number("delta"),
		Extension: edge, Axis: r.axis()}.Apply(r.in[0]))
}

func medfilt(r *request) ([]*nd.Array, error) {
	return one(signal.MedFilt(r.in[0], r.ints("sizes")...))
}

func decimate(r *request) ([]*nd.Array, error) {
	return one(signal.Decimate{Q: r.int("q"), FIR: r.flag("fir"), Order: r.int("n"), Delay: r.flag("delay"), Axis: r.axis()}.Apply(r.in[0]))
}

func detrend(r *request) ([]*nd.Array, error) {
	t, err := signal.ParseTrend(r.text("type"))
	if err != nil {
		return nil, err
	}
	if r.given("breakpoints") {
		return one(signal.DetrendAt(r.in[0], r.ints("breakpoints"), r.axis()))
	}
	return one(signal.Detrend(r.in[0], t, r.axis()))
}

func window(r *request) ([]*nd.Array, error) {
	w, err := signal.ParseWindow(r.text("name"))
	if err != nil {
		return nil, err
	}
	w.Symmetric = r.flag("symmetric")
	return one(w.Array(nd.Float64, r.int("n")))
}

func iir(r *request) ([]*nd.Array, error) {
	f, err := signal.ParseFamily(r.text("family"))
	if err != nil {
		return nil, err
	}
	band, err := signal.ParseBand(r.text("band"))
	if err != nil {
		return nil, err
	}
	d := signal.IIR{Family: f, Order: r.int("order"), Band: band, FS: r.number("fs"), Ripple: r.number("ripple"), Attenuation: r.number("attenuation"), Analog: r.flag("analog")}
	if r.given("norm") {
		if d.Norm, err = signal.ParseBesselNorm(r.text("norm")); err != nil {
			return nil, err
		}
	}
	edges, err := r.floats(0)
	if err != nil || len(edges) > 2 {
		return nil, fmt.Errorf("%d edges, %v", len(edges), err)
	}
	copy(d.Cutoff[:], edges)
	if r.text("output") == "sos" {
		s, err := d.SOS()
		if err != nil {
			return nil, err
		}
		var v []float64
		for _, c := range s {
			v = append(v, c[:]...)
		}
		return one(nd.From(v, len(s), 6))
	}
	if r.text("output") == "ba" {
		t, err := d.TF()
		if err != nil {
			return nil, err
		}
		return []*nd.Array{nd.From(t.B), nd.From(t.A)}, nil
	}
	z, err := d.ZPK()
	if err != nil {
		return nil, err
	}
	return []*nd.Array{nd.From(z.Z), nd.From(z.P), nd.From([]float64{z.K})}, nil
}

func czt(r *request) ([]*nd.Array, error) {
	return one(signal.CZT{M: r.int("m"), W: complex(r.number("wr"), r.number("wi")), A: complex(r.number("ar"), r.number("ai")), Axis: r.axis()}.Apply(r.in[0]))
}

func zoom(r *request) ([]*nd.Array, error) {
	return one(signal.ZoomFFT{From: r.number("from"), To: r.number("to"), M: r.int("m"), FS: r.number("fs"), Endpoint: r.flag("endpoint"), Axis: r.axis()}.Apply(r.in[0]))
}

func hilbert(r *request) ([]*nd.Array, error) {
	return one(signal.Hilbert(r.in[0], signal.Analytic{N: r.int("n"), Axis: r.axis()}))
}

func firwin(r *request) ([]*nd.Array, error) {
	edges, err := r.floats(0)
	if err != nil {
		return nil, err
	}
	w, err := signal.ParseWindow(r.text("window"))
	if err != nil {
		return nil, err
	}
	h, err := signal.FIRBands{Cutoff: edges, PassZero: r.flag("passzero"), FS: r.number("fs"), Window: w, Unscaled: !r.flag("scale")}.Taps(r.int("n"))
	if err != nil {
		return nil, err
	}
	return one(nd.From(h))
}

func firwin2(r *request) ([]*nd.Array, error) {
	f, err := r.floats(0)
	if err != nil {
		return nil, err
	}
	g, err := r.floats(1)
	if err != nil {
		return nil, err
	}
	w, err := signal.ParseWindow(r.text("window"))
	if err != nil {
		return nil, err
	}
	h, err := signal.FIRGrid{Frequencies: f, Gains: g, FS: r.number("fs"), NFreqs: r.int("nfreqs"), Window: w}.Taps(r.int("n"))
	if err != nil {
		return nil, err
	}
	return one(nd.From(h))
}

func freqz(r *request) ([]*nd.Array, error) {
	f, err := r.tf(0)
	if err != nil {
		return nil, err
	}
	w, err := r.floats(2)
	if err != nil {
		return nil, err
	}
	return one(nd.From(f.Response(w)))
}
