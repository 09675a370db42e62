package signal

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/cmplx"
	"slices"

	"github.com/twiddle-go/twiddle/fft"
	"github.com/twiddle-go/twiddle/internal/counted"
)

// FIRBands designs filters with any number of pass bands by windowing, as
// scipy.signal.firwin with a list of cutoffs.
type FIRBands struct {
	Cutoff   []float64 // edges that rise between 0 and half of FS
	PassZero bool      // the first band begins at 0
	FS       float64   // sampling frequency; 0 is 2
	Window   Window    // hamming; it is made symmetric
	Unscaled bool      // the gain of the first band is as the window makes it
}

// Taps is n coefficients.
func (f FIRBands) Taps(n int) ([]float64, error) {
	fs := cmp.Or(f.FS, 2)
	if len(f.Cutoff) == 0 {
		return nil, errors.New("signal: fir: no cutoff frequencies")
	}
	var edges []float64
	if f.PassZero {
		edges = append(edges, 0)
	}
	last := 0.0
	for _, c := range f.Cutoff {
		w := 2 * c / fs
		if !(w > last && w < 1) {
			return nil, fmt.Errorf("signal: fir: cutoff frequencies %v: want them to rise between 0 and %g", f.Cutoff, fs/2)
		}
		edges, last = append(edges, w), w
	}
	if len(edges)%2 == 1 {
		edges = append(edges, 1)
	}
	var bands [][2]float64
	for b := range slices.Chunk(edges, 2) {
		bands = append(bands, [2]float64{b[0], b[1]})
	}
	h, err := windowedBands(bands, n, f.Window, f.Unscaled)
	if err != nil {
		return nil, fmt.Errorf("signal: fir: %w", err)
	}
	return h, nil
}

// FIRGrid designs a filter with a gain given at some frequencies, as
// scipy.signal.firwin2: the line through them is sampled and windowed.
type FIRGrid struct {
	Frequencies []float64 // from 0 to half of FS; one that is there twice is a step
	Gains       []float64
	FS          float64 // sampling frequency; 0 is 2
	NFreqs      int     // samples of the line; 0 is a power of two and 1, above the taps
	Window      Window  // hamming; it is made symmetric
}

// Taps is n coefficients.
func (f FIRGrid) Taps(n int) ([]float64, error) {
	h, err := f.taps(n)
	if err != nil {
		return nil, fmt.Errorf("signal: firgrid: %w", err)
	}
	return h, nil
}

func (f FIRGrid) taps(n int) ([]float64, error) {
	fs := cmp.Or(f.FS, 2)
	k := len(f.Frequencies)
	switch {
	case k != len(f.Gains) || k < 2:
		return nil, fmt.Errorf("%d frequencies and %s: want two or more of each", k, counted.Of(len(f.Gains), "gain"))
	case f.Frequencies[0] != 0 || f.Frequencies[k-1] != fs/2:
		return nil, fmt.Errorf("frequencies from %g to %g: want 0 to %s", f.Frequencies[0], f.Frequencies[k-1], highest(f.FS))
	case n < 1:
		return nil, fmt.Errorf("%d taps: want 1 or more", n)
	case n%2 == 0 && f.Gains[k-1] != 0:
		return nil, fmt.Errorf("%s: a gain at the highest frequency wants an odd number", counted.Of(n, "tap"))
	}
	for _, err := range []error{checkSize("taps", n), checkSize("NFreqs", f.NFreqs)} {
		if err != nil {
			return nil, err
		}
	}
	points := f.NFreqs
	if points == 0 {
		points = 2
		for points-1 < n {
			points = 2*points - 1
		}
	}
	if n >= points {
		return nil, fmt.Errorf("NFreqs %d: want more than the %d taps", points, n)
	}
	at := slices.Clone(f.Frequencies)
	for i := 1; i < k; i++ {
		if at[i] == at[i-1] { // a step: just before and just behind
			eps := 0x1p-52 * fs / 2
			at[i-1], at[i] = at[i-1]-eps, at[i]+eps
		}
		if !(at[i] > at[i-1]) {
			return nil, fmt.Errorf("frequencies %v: want them to rise", f.Frequencies)
		}
	}
	// The spectrum of the filter, delayed to be causal.
	size := 2 * (points - 1)
	spectrum := make([]complex128, points)
	j := 0
	for i := range points {
		x := fs / 2 * float64(i) / float64(points-1)
		for j < k-2 && at[j+1] < x {
			j++
		}
		gain := f.Gains[j] + (f.Gains[j+1]-f.Gains[j])*min(1, max(0, (x-at[j])/(at[j+1]-at[j])))
		spectrum[i] = complex(gain, 0) * cmplx.Exp(complex(0, -float64(n-1)/2*math.Pi*float64(i)/float64(points-1)))
	}
	h := make([]float64, size)
	h, err := fft.RealInverse(h, spectrum)
	if err != nil {
		return nil, err
	}
	win := f.Window
	win.Symmetric = true
	win.Name = cmp.Or(win.Name, "hamming")
	w, err := win.samples(n)
	if err != nil {
		return nil, err
	}
	for i := range w {
		w[i] *= h[i]
	}
	return w, nil
}

// MinimumPhase is the filter of a linear phase made into one of the least delay,
// as scipy.signal.minimum_phase by its homomorphic method: half as long, with the
// square root of the gain; whole keeps length and gain.
func MinimumPhase(taps []float64, whole bool) ([]float64, error) {
	n := len(taps)
	if n <= 2 {
		return nil, fmt.Errorf("signal: minimumphase: %s: want 3 or more", counted.Of(n, "tap"))
	}
	some := false
	for i, v := range taps {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("signal: minimumphase: tap %d is %g", i, v)
		}
		some = some || v != 0
	}
	if !some {
		return nil, errors.New("signal: minimumphase: all taps are 0")
	}
	// SciPy's length: aliases of the cepstrum 40 dB down at least.
	size := 1
	for size < int(2*float64(n-1)/0.01) {
		size *= 2
	}
	z := make([]complex128, size)
	for i, v := range taps {
		z[i] = complex(v, 0)
	}
	z, err := fft.Forward(z, z)
	if err != nil {
		return nil, fmt.Errorf("signal: minimumphase: %w", err)
	}
	least := math.Inf(1)
	for _, v := range z {
		if m := cmplx.Abs(v); m > 0 {
			least = min(least, m)
		}
	}
	power := 1.0
	if !whole {
		power = 0.5
	}
	for i, v := range z {
		z[i] = complex(power*math.Log(cmplx.Abs(v)+1e-7*least), 0)
	}
	if z, err = fft.Inverse(z, z); err != nil {
		return nil, fmt.Errorf("signal: minimumphase: %w", err)
	}
	// What is before the origin of the cepstrum goes behind it.
	for i := range z {
		switch {
		case i == 0:
		case i < size/2:
			z[i] *= 2
		default:
			z[i] = 0
		}
	}
	if z, err = fft.Forward(z, z); err != nil {
		return nil, fmt.Errorf("signal: minimumphase: %w", err)
	}
	for i, v := range z {
		z[i] = cmplx.Exp(v)
	}
	if z, err = fft.Inverse(z, z); err != nil {
		return nil, fmt.Errorf("signal: minimumphase: %w", err)
	}
	if !whole {
		n = n/2 + n%2
	}
	h := make([]float64, n)
	for i := range h {
		h[i] = real(z[i])
	}
	return h, nil
}
