package signal

import (
	"cmp"
	"slices"

	"fmt"
	"math"
	"math/cmplx"

	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/nd"
)

// ResamplePoly is the options of resampling by a ratio of small integers, with a polyphase
// filter.
type ResamplePoly struct {
	Up, Down int       // samples out for samples in
	Window   Window    // of the filter between them; kaiser of 5
	Taps     []float64 // the filter itself, instead; it is multiplied by Up
	// Extension says how the signal continues beyond its ends; the default is zeros.
	// A level, as of ExtendMean, is subtracted before and added again after filtering.
	Extension Extension
	Axis      nd.AxisChoice
}

// Apply gives Up samples for every Down of x, real or complex, as
// scipy.signal.resample_poly: zeros are put between samples, a low-pass filter
// with no delay smooths them, and every Down-th is kept. Around outputs whose taps meet a NaN or
// an infinity, some dozens more are NaN: outputs are computed in blocks.
func (r ResamplePoly) Apply(x *nd.Array) *nd.Array {
	const op = "resamplepoly"
	l, bad := along(op, x, r.Axis, true)
	if bad != nil {
		return bad
	}
	if r.Up < 1 || r.Down < 1 {
		return fail(op, "Up %d and Down %d: want 1 or more", r.Up, r.Down)(x)
	}
	how, err := r.Extension.or(ExtendZeros)
	if err != nil {
		return nd.Fail("signal", op, err, x)
	}
	divisor := gcd(r.Up, r.Down)
	up, down := r.Up/divisor, r.Down/divisor
	if up == 1 && down == 1 {
		return x
	}
	if err := checkPhases(l.Dim(-1), up, down); err != nil {
		return nd.Fail("signal", op, err, x)
	}
	h, err := r.filter(up, down)
	if err != nil {
		return nd.Fail("signal", op, err, x)
	}
	n := l.Dim(-1)
	count := (n*up + down - 1) / down
	lines := l.Array
	var level *nd.Array
	if how >= ExtendMean && how <= ExtendMinimum {
		if level, err = how.level(lines); err != nil {
			return nd.Fail("signal", op, err, x)
		}
		lines, how = lines.Sub(level), ExtendZeros
	}
	y, err := polyphase(lines, h, up, down, (len(h)-1)/2, count, how)
	if err != nil {
		return nd.Fail("signal", op, err, x)
	}
	if level != nil {
		y = y.Add(level)
	}
	return l.back(y)
}

// UpFirDn is what resampling is made of, as scipy.signal.upfirdn: Up-1 zeros
// behind every sample, a filter, and every Down-th sample of that.
type UpFirDn struct {
	Taps        []float64
	ComplexTaps []complex128 // instead of Taps: the result is complex
	Up, Down    int          // 0 is 1
	Extension   Extension    // of the signal beyond its ends; the default is zeros
	Axis        nd.AxisChoice
}

// Apply filters real or complex lines. A NaN or an infinity reaches as far as in ResamplePoly.
func (u UpFirDn) Apply(x *nd.Array) *nd.Array {
	const op = "upfirdn"
	l, bad := along(op, x, u.Axis, true)
	if bad != nil {
		return bad
	}
	up, down := max(u.Up, 1), max(u.Down, 1)
	taps := max(len(u.Taps), len(u.ComplexTaps))
	how, err := u.Extension.or(ExtendZeros)
	switch {
	case u.Up < 0 || u.Down < 0:
		err = fact("Up %d and Down %d: want 1 or more", u.Up, u.Down)
	case taps == 0:
		err = fact("no Taps")
	case u.Taps != nil && u.ComplexTaps != nil:
		err = fact("Taps and ComplexTaps: want one of them")
	case err == nil:
		err = checkPhases(l.Dim(-1), up, down)
	}
	for i := range u.Taps {
		if math.IsNaN(u.Taps[i]) || math.IsInf(u.Taps[i], 0) {
			err = fact("tap %d is %g", i, u.Taps[i])
		}
	}
	for i, v := range u.ComplexTaps {
		if cmplx.IsNaN(v) || cmplx.IsInf(v) {
			err = fact("tap %d is %g", i, v)
		}
	}
	if err != nil {
		return nd.Fail("signal", op, err, x)
	}
	count := ((l.Dim(-1)-1)*up+taps-1)/down + 1
	var y *nd.Array
	if u.ComplexTaps != nil {
		y, err = polyphase(inComplex(l.Array), u.ComplexTaps, up, down, 0, count, how)
	} else {
		y, err = polyphase(l.Array, u.Taps, up, down, 0, count, how)
	}
	if err != nil {
		return nd.Fail("signal", op, err, x)
	}
	return l.back(y)
}

// inComplex is an array as complex numbers of its precision.
func inComplex(x *nd.Array) *nd.Array {
	switch x.DType() {
	case nd.Float32:
		return x.Cast(nd.Complex64)
	case nd.Float64:
		return x.Cast(nd.Complex128)
	}
	return x
}

// filter is the low-pass filter of a ratio, with the gain that the zeros take
// away.
func (r ResamplePoly) filter(up, down int) ([]float64, error) {
	var h []float64
	if r.Taps != nil {
		h = append(h, r.Taps...)
		if len(h) == 0 {
			return nil, fmt.Errorf("no taps")
		}
	} else {
		w := r.Window
		if w.Name == "" {
			w.Name, w.Param = "kaiser", 5
		}
		low, err := lowPasses.get(lowPass{max(up, down), w})
		if err != nil {
			return nil, err
		}
		h = append(h, low...)
	}
	for i, v := range h {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("tap %d is %g", i, v)
		}
		h[i] = v * float64(up)
	}
	return h, nil
}

// lowPass is the filter between samples of a rate and of one so many times lower.
type lowPass struct {
	rate   int
	window Window
}

// lowPasses are kept: the taps of 441 to 160 took the host longer than their product takes a GPU.
var lowPasses = kept[lowPass, []float64]{make: lowPass.taps, samples: func(h []float64) int { return len(h) }}

func (l lowPass) taps() ([]float64, error) {
	return FIR{Cutoff: [2]float64{1 / float64(l.rate)}, Window: l.window}.taps(20*l.rate + 1)
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Decimate keeps every Q-th sample behind a low-pass filter, as
// scipy.signal.decimate.
type Decimate struct {
	Q     int
	FIR   bool // a filter of finite response, instead of a Chebyshev filter
	Order int  // of the filter; 0 is 8, and 20 Q of a FIR one
	Delay bool // filter forwards only, so that the result is later
	// Filter is the filter to use, instead of one that is designed: of finite response if A has
	// one coefficient, or none. FIR and Order are then ignored.
	Filter *TF
	Axis   nd.AxisChoice
}

// Apply filters and thins out real or complex lines.
func (d Decimate) Apply(x *nd.Array) *nd.Array {
	const op = "decimate"
	l, bad := along(op, x, d.Axis, true)
	if bad != nil {
		return bad
	}
	if d.Q < 1 || d.Order < 0 {
		return fail(op, "Q %d and Order %d: want 1 or more, or an Order of 0 for the default", d.Q, d.Order)(x)
	}
	if err := checkSize("Q", d.Q); err != nil {
		return nd.Fail("signal", op, inner(err), x)
	}
	if d.Q == 1 {
		return x
	}
	n := l.Dim(-1)
	count := (n + d.Q - 1) / d.Q
	thin := func(y *nd.Array) *nd.Array { return l.back(y.SliceAxis(-1, nd.Range{Stop: nd.End, Step: d.Q})) }
	if !d.finite() {
		if d.Filter != nil && d.Delay {
			return thin(d.Filter.Filter(l.Array))
		}
		if d.Filter != nil {
			return thin(d.Filter.FiltFilt(l.Array))
		}
		sos, err := d.sections()
		if err != nil {
			return nd.Fail("signal", op, inner(err), x)
		}
		if d.Delay {
			return thin(sos.Filter(l.Array))
		}
		if edge := sos.edge(); edge >= n {
			return fail(op, "%s: want more than the %d that ends are continued by", counted.Of(n, "sample"), edge)(x)
		}
		return thin(sos.FiltFilt(l.Array))
	}
	h, err := d.taps()
	if err != nil {
		return nd.Fail("signal", op, inner(err), x)
	}
	offset := (len(h) - 1) / 2
	if d.Delay {
		offset = 0
	}
	y, err := polyphase(l.Array, h, 1, d.Q, offset, count, ExtendZeros)
	if err != nil {
		return nd.Fail("signal", op, err, x)
	}
	return l.back(y)
}

// finite reports a filter of finite response.
func (d Decimate) finite() bool {
	if d.Filter != nil {
		return len(d.Filter.A) < 2
	}
	return d.FIR
}

// sections is the filter of infinite response that is designed.
func (d Decimate) sections() (SOS, error) {
	order := cmp.Or(d.Order, 8)
	return IIR{Family: Chebyshev1, Order: order, Ripple: 0.05, Cutoff: [2]float64{0.8 / float64(d.Q)}}.SOS()
}

// taps is the filter of finite response.
func (d Decimate) taps() ([]float64, error) {
	if d.Filter != nil {
		if err := d.Filter.check(); err != nil {
			return nil, err
		}
		h := slices.Clone(d.Filter.B)
		if len(d.Filter.A) == 1 {
			for i := range h {
				h[i] /= d.Filter.A[0]
			}
		}
		return h, nil
	}
	order := cmp.Or(d.Order, 20*d.Q)
	return FIR{Cutoff: [2]float64{1 / float64(d.Q)}}.taps(order + 1)
}
