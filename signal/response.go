package signal

import (
	"fmt"
	"math"
	"math/cmplx"
	"slices"

	"github.com/twiddle-go/twiddle/nd"
)

// Response is the gain at angular frequencies, in radians per sample, as
// scipy.signal.freqz_zpk.
func (a ZPK) Response(w []float64) []complex128 {
	h := make([]complex128, len(w))
	for i, v := range w {
		h[i] = a.at(cmplx.Exp(complex(0, v)))
	}
	return h
}

// AnalogResponse is the gain of an analog filter at angular frequencies, as
// scipy.signal.freqs_zpk.
func (a ZPK) AnalogResponse(w []float64) []complex128 {
	h := make([]complex128, len(w))
	for i, v := range w {
		h[i] = a.at(complex(0, v))
	}
	return h
}

// at is the transfer function. Zeros and poles take turns, so that products stay
// in range.
func (a ZPK) at(s complex128) complex128 {
	h := complex(a.K, 0)
	for i := range max(len(a.Z), len(a.P)) {
		if i < len(a.Z) {
			h *= s - a.Z[i]
		}
		if i < len(a.P) {
			h /= s - a.P[i]
		}
	}
	return h
}

// AnalogResponse is the gain of an analog filter at angular frequencies, as
// scipy.signal.freqs.
func (f TF) AnalogResponse(w []float64) []complex128 {
	h := make([]complex128, len(w))
	a := f.A
	if len(a) == 0 {
		a = []float64{1}
	}
	for i, v := range w {
		s := complex(0, v)
		h[i] = polyval(f.B, s) / polyval(a, s)
	}
	return h
}

// GroupDelay is by how many samples the filter delays each angular frequency, in
// radians per sample, as scipy.signal.group_delay. Where the gain is 0 it is 0.
func (f TF) GroupDelay(w []float64) ([]float64, error) {
	if err := f.check(); err != nil {
		return nil, fmt.Errorf("signal: groupdelay: %w", err)
	}
	a := f.A
	if len(a) == 0 {
		a = []float64{1}
	}
	// b/a has the phase of b times a backwards, which is a polynomial.
	back := slices.Clone(a)
	slices.Reverse(back)
	c := polymul(f.B, back)
	delay := make([]float64, len(w))
	for i, v := range w {
		d := cmplx.Exp(complex(0, -v))
		num, den, size := complex128(0), complex128(0), 0.0
		for k := len(c) - 1; k >= 0; k-- {
			num, den = num*d+complex(float64(k)*c[k], 0), den*d+complex(c[k], 0)
			size += math.Abs(c[k])
		}
		if cmplx.Abs(den) > 10*0x1p-52*size {
			delay[i] = real(num/den) - float64(len(a)-1)
		}
	}
	return delay, nil
}

// GroupDelay is that of the cascade: the sum over sections.
func (s SOS) GroupDelay(w []float64) ([]float64, error) {
	sum := make([]float64, len(w))
	for _, c := range s {
		d, err := TF{c[:3], c[3:]}.GroupDelay(w)
		if err != nil {
			return nil, err
		}
		for i, v := range d {
			sum[i] += v
		}
	}
	return sum, nil
}

// Frequencies is n angular frequencies in radians per sample, from 0 to just below
// pi, as scipy.signal.freqz takes them by default, or all around the circle. It is
// empty if n is below 1 or above 2^30.
func Frequencies(n int, whole bool) []float64 {
	end := math.Pi
	if whole {
		end = 2 * math.Pi
	}
	if n < 1 || checkSize("n", n) != nil {
		return nil
	}
	w := make([]float64, n)
	for i := range w {
		w[i] = end * float64(i) / float64(n)
	}
	return w
}

// Notch takes one frequency out, as scipy.signal.iirnotch: quality is the
// frequency over the width of what is lost, fs the sampling frequency, 2 if 0.
func Notch(frequency, quality, fs float64) (TF, error) {
	return resonator(frequency, quality, fs, false)
}

// Peak keeps one frequency, as scipy.signal.iirpeak.
func Peak(frequency, quality, fs float64) (TF, error) { return resonator(frequency, quality, fs, true) }

// Comb takes a frequency and all its multiples out, or keeps them, as
// scipy.signal.iircomb.
type Comb struct {
	Frequency float64 // the sampling frequency is a multiple of it
	Quality   float64 // the frequency over the width of what is lost or kept
	FS        float64 // sampling frequency; 0 is 2
	Keep      bool    // keep the frequencies, instead of taking them out
	// PassZero lets frequency 0 pass: what is kept begins at 0, or what is taken
	// out at half the Frequency. Otherwise it is the other way round.
	PassZero bool
}

// Apply designs the filter and runs x through it, as TF.Apply.
func (c Comb) Apply(x *nd.Array, axis ...nd.AxisChoice) *nd.Array {
	f, err := c.TF()
	return designed("comb", f.Apply, err, x, axis)
}

// TF is the filter.
func (c Comb) TF() (TF, error) {
	bad := func(err error) (TF, error) { return TF{}, fmt.Errorf("signal: comb: %w", err) }
	w, err := cutoffs(Lowpass, c.FS, []float64{c.Frequency})
	if err != nil {
		return bad(err)
	}
	n := math.Round(2 / w[0])
	if math.Abs(w[0]-2/n) > 2e-14 {
		return bad(fact("Frequency %g: FS %g is not a multiple of it", c.Frequency, c.FS))
	}
	if n > maxSize { // also where it is infinite
		return bad(fact("taps %g: want at most %d", n, maxSize))
	}
	if !(c.Quality > 0) {
		return bad(fact("Quality %g: want a positive number", c.Quality))
	}
	// Half the power is lost at the edges of the bands.
	beta := math.Tan(n * math.Pi * w[0] / c.Quality / 4)
	first, last := 1/(1+beta), 1/(1+beta)
	if c.Keep {
		first, last = beta/(1+beta), -beta/(1+beta)
	}
	sign := 1.0
	if c.Keep == c.PassZero {
		sign = -1
	}
	f := TF{make([]float64, int(n)+1), make([]float64, int(n)+1)}
	f.B[0], f.A[0] = first, 1
	f.B[int(n)], f.A[int(n)] = sign*last, sign*(1-beta)/(1+beta)
	return f, nil
}

func resonator(frequency, quality, fs float64, keep bool) (TF, error) {
	op := "notch"
	if keep {
		op = "peak"
	}
	w, err := cutoffs(Lowpass, fs, []float64{frequency})
	if err == nil && !(quality > 0) {
		err = fact("quality %g: want a positive number", quality)
	}
	if err != nil {
		return TF{}, fmt.Errorf("signal: %s: %w", op, err)
	}
	at := math.Pi * w[0]
	// Half the power is lost at the edges of the band.
	beta := math.Tan(at / quality / 2)
	gain := 1 / (1 + beta)
	middle := -2 * math.Cos(at)
	if keep {
		return TF{[]float64{1 - gain, 0, -(1 - gain)}, []float64{1, gain * middle, 2*gain - 1}}, nil
	}
	return TF{[]float64{gain, gain * middle, gain}, []float64{1, gain * middle, 2*gain - 1}}, nil
}
