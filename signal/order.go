package signal

import (
	"cmp"
	"fmt"
	"math"
)

// Specification is the requirements of a filter: the greatest attenuation in the pass band,
// and the least in the stop band. The kind of filter follows from the edges: a stop band
// above the pass band makes a low-pass filter.
type Specification struct {
	Pass, Stop  []float64 // edges, one or two
	Ripple      float64   // most loss in the pass band, in dB
	Attenuation float64   // least loss in the stop band, in dB
	FS          float64   // sampling frequency; 0 is 2
	Analog      bool      // edges are angular frequencies
}

// IIR is the filter of a family with the lowest order that will do, as
// scipy.signal.buttord, cheb1ord, cheb2ord and ellipord.
func (s Specification) IIR(f Family) (IIR, error) {
	d, err := s.iir(f)
	if err != nil {
		return IIR{}, fmt.Errorf("signal: specification: %w", err)
	}
	return d, nil
}

func (s Specification) iir(f Family) (IIR, error) {
	d := IIR{Family: f, FS: s.FS, Analog: s.Analog, Ripple: s.Ripple, Attenuation: s.Attenuation}
	if len(s.Pass) != len(s.Stop) || len(s.Pass) < 1 || len(s.Pass) > 2 {
		return d, fmt.Errorf("edges %v and %v: want one of each, or two", s.Pass, s.Stop)
	}
	if f > Elliptic {
		return d, fmt.Errorf("%s has no order for a specification", f)
	}
	if !(s.Ripple > 0) || !(s.Attenuation > s.Ripple) || math.IsInf(s.Attenuation, 0) {
		return d, fact("Ripple %g and Attenuation %g: want 0 < Ripple < Attenuation", s.Ripple, s.Attenuation)
	}
	two := len(s.Pass) == 2
	switch {
	case !two && s.Pass[0] < s.Stop[0]:
		d.Band = Lowpass
	case !two:
		d.Band = Highpass
	case s.Pass[0] > s.Stop[0]:
		d.Band = Bandpass
	default:
		d.Band = Bandstop
	}
	edges := func(e []float64) ([]float64, error) {
		if s.Analog {
			return analogCutoffs(d.Band, s.FS, e)
		}
		w, err := cutoffs(d.Band, s.FS, e)
		for i := range w {
			w[i] = math.Tan(math.Pi * w[i] / 2)
		}
		return w, err
	}
	pass, err := edges(s.Pass)
	if err != nil {
		return d, err
	}
	stop, err := edges(s.Stop)
	if err != nil {
		return d, err
	}
	if two && !(d.Band == Bandpass && stop[0] < pass[0] && pass[1] < stop[1] || d.Band == Bandstop && pass[0] < stop[0] && stop[1] < pass[1]) {
		return d, fmt.Errorf("edges %v and %v: want one band inside the other", s.Pass, s.Stop)
	}
	if d.Band == Bandstop {
		pass[0] = narrowest(pass[0], stop[0], func(e float64) float64 { return s.need(f, ratio(d.Band, []float64{e, pass[1]}, stop)) })
		pass[1] = narrowest(pass[1], stop[1], func(e float64) float64 { return s.need(f, ratio(d.Band, []float64{pass[0], e}, stop)) })
	}
	nat := ratio(d.Band, pass, stop)
	order := s.need(f, nat)
	if !(order <= maxOrder) {
		return d, fmt.Errorf("an order of %g: want edges further apart", order)
	}
	d.Order = max(1, int(math.Ceil(order)))
	cut := pass
	switch f {
	case Butterworth:
		cut = moved(d.Band, pass, math.Pow(over1(s.Ripple), -1/(2*float64(d.Order))))
	case Chebyshev2:
		// Where the stop band is reached with this order.
		v := math.Acosh(math.Sqrt(over1(s.Attenuation)/over1(s.Ripple))) / float64(d.Order)
		cut = moved(d.Band, pass, math.Cosh(v))
	}
	for i, v := range cut {
		if !s.Analog {
			fs := cmp.Or(s.FS, 2)
			v = math.Atan(v) * fs / math.Pi
		}
		d.Cutoff[i] = v
	}
	return d, nil
}

// need is the order that a family needs, not rounded, for a stop band that begins
// at nat times the end of the pass band.
func (s Specification) need(f Family, nat float64) float64 {
	stop, pass := over1(s.Attenuation), over1(s.Ripple)
	switch f {
	case Butterworth:
		return math.Log10(stop/pass) / (2 * math.Log10(nat))
	case Elliptic:
		k, k1 := 1/nat, math.Sqrt(pass/stop)
		return completeK(1-k*k) * completeK(k1*k1) / (completeK(k*k) * completeK(1-k1*k1))
	}
	return math.Acosh(math.Sqrt(stop/pass)) / math.Acosh(nat)
}

// ratio is where the stop band of the low-pass prototype begins.
func ratio(b Band, pass, stop []float64) float64 {
	switch b {
	case Lowpass:
		return stop[0] / pass[0]
	case Highpass:
		return pass[0] / stop[0]
	}
	least := math.Inf(1)
	for _, w := range stop {
		r := (w*w - pass[0]*pass[1]) / (w * (pass[0] - pass[1]))
		if b == Bandstop {
			r = 1 / r
		}
		least = min(least, math.Abs(r))
	}
	return least
}

// moved is the edges when that of the prototype moves from 1 to w.
func moved(b Band, pass []float64, w float64) []float64 {
	switch b {
	case Lowpass:
		return []float64{pass[0] * w}
	case Highpass:
		return []float64{pass[0] / w}
	}
	if b == Bandstop {
		w = 1 / w
	}
	half, product := w*(pass[1]-pass[0])/2, pass[0]*pass[1]
	root := math.Sqrt(half*half + product)
	return []float64{root - half, root + half}
}

// narrowest moves the edge of a pass band towards that of the stop band to where
// the order is least, by golden sections.
func narrowest(pass, stop float64, order func(float64) float64) float64 {
	golden := (math.Sqrt(5) - 1) / 2
	a, b := pass, stop+(pass-stop)*1e-12
	c, d := b-golden*(b-a), a+golden*(b-a)
	for range 100 {
		if order(c) < order(d) {
			b, d = d, c
			c = b - golden*(b-a)
		} else {
			a, c = c, d
			d = a + golden*(b-a)
		}
	}
	return (a + b) / 2
}
