package signal

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/twiddle-go/twiddle/internal/choice"
	"github.com/twiddle-go/twiddle/internal/counted"
)

// Band is which frequencies a filter lets through.
type Band uint8

const (
	Lowpass Band = iota
	Highpass
	Bandpass
	Bandstop
)

var bandNames = [...]string{"lowpass", "highpass", "bandpass", "bandstop"}

func (b Band) String() string { return choice.Name(b, "Band", bandNames[:]) }

// ParseBand is the band of a name.
func ParseBand(name string) (Band, error) {
	return choice.Parse[Band]("signal", "band", name, bandNames[:])
}

// edges are those of Cutoff that a band has. A second one where there is none was meant for another
// band: a low-pass filter is what a Band that was forgotten is.
func (b Band) edges(cutoff [2]float64) ([]float64, error) {
	if b == Bandpass || b == Bandstop {
		return cutoff[:], nil
	}
	if cutoff[1] != 0 && int(b) < len(bandNames) {
		return nil, fact("Cutoff %v: %v takes one frequency, want a Band of bandpass or bandstop for two", cutoff, b)
	}
	return cutoff[:1], nil
}

// highest is half of a sampling frequency FS, for errors: where it was not given, as often where
// frequencies are in Hz, it is 1.
func highest(fs float64) string {
	if fs == 0 {
		return "1, since FS is not given"
	}
	return strconv.FormatFloat(fs/2, 'g', -1, 64)
}

// cutoffs checks the edges of a filter and gives them as parts of half the
// sampling frequency, which is 2 if 0 as in SciPy.
func cutoffs(band Band, fs float64, edges []float64) ([]float64, error) {
	top := highest(fs)
	fs = cmp.Or(fs, 2)
	want := 1
	if band == Bandpass || band == Bandstop {
		want = 2
	}
	switch {
	case int(band) >= len(bandNames):
		return nil, fmt.Errorf("unknown band %d: want one of %v", band, bandNames)
	case !(fs > 0) || math.IsInf(fs, 0):
		return nil, fact("FS %g: want a positive number", fs)
	case len(edges) != want:
		return nil, fmt.Errorf("%d cutoff frequencies: %s wants %d", len(edges), band, want)
	}
	w := make([]float64, len(edges))
	for i, e := range edges {
		w[i] = 2 * e / fs
		if !(w[i] > 0 && w[i] < 1) || i > 0 && w[i] <= w[i-1] {
			return nil, fmt.Errorf("cutoff frequencies %v: want them to rise between 0 and %s", edges, top)
		}
	}
	return w, nil
}

// analogCutoffs is cutoffs for angular frequencies without a highest one.
func analogCutoffs(band Band, fs float64, edges []float64) ([]float64, error) {
	if fs != 0 {
		return nil, fact("FS %g: an analog filter has no sampling frequency", fs)
	}
	top := 0.0
	for _, e := range edges {
		top = max(top, e)
	}
	// What cutoffs checks goes for any highest frequency above all of them.
	if _, err := cutoffs(band, 4*top+4, edges); err != nil {
		return nil, err
	}
	return slices.Clone(edges), nil
}

// FIR designs filters with a finite impulse response by windowing the response of an ideal
// filter, as scipy.signal.firwin. Use the taps with Conv.
type FIR struct {
	Band   Band
	Cutoff [2]float64 // frequencies; the second for Bandpass and Bandstop only
	FS     float64    // sampling frequency; 0 is 2, so that cutoffs are parts of the highest frequency
	Window Window     // hamming; it is made symmetric
	// Unscaled leaves the gain in the middle of the first band as the window
	// makes it, instead of 1.
	Unscaled bool
}

// Taps is n coefficients of the filter. A filter that passes the highest
// frequency needs an odd number.
func (f FIR) Taps(n int) ([]float64, error) {
	taps, err := f.taps(n)
	if err != nil {
		return nil, fmt.Errorf("signal: fir: %w", err)
	}
	return taps, nil
}

func (f FIR) taps(n int) ([]float64, error) {
	edges, err := f.Band.edges(f.Cutoff)
	if err != nil {
		return nil, err
	}
	w, err := cutoffs(f.Band, f.FS, edges)
	if err != nil {
		return nil, err
	}
	bands := map[Band][][2]float64{
		Lowpass: {{0, w[0]}}, Highpass: {{w[0], 1}}, Bandpass: {{w[0], w[len(w)-1]}}, Bandstop: {{0, w[0]}, {w[len(w)-1], 1}},
	}[f.Band]
	return windowedBands(bands, n, f.Window, f.Unscaled)
}

// windowedBands is the impulse response of ideal bands, in parts of the highest
// frequency, times a window.
func windowedBands(bands [][2]float64, n int, win Window, unscaled bool) ([]float64, error) {
	switch {
	case n < 1:
		return nil, fmt.Errorf("%d taps: want 1 or more", n)
	case n%2 == 0 && bands[len(bands)-1][1] == 1:
		return nil, fmt.Errorf("%s: a filter that passes the highest frequency wants an odd number", counted.Of(n, "tap"))
	}
	if err := checkSize("taps", n); err != nil {
		return nil, err
	}
	win.Symmetric = true
	win.Name = cmp.Or(win.Name, "hamming")
	h, err := win.samples(n)
	if err != nil {
		return nil, err
	}
	middle := float64(n-1) / 2
	for i := range h {
		ideal := 0.0
		for _, b := range bands {
			m := float64(i) - middle
			ideal += b[1]*sinc(b[1]*m) - b[0]*sinc(b[0]*m)
		}
		h[i] *= ideal
	}
	if unscaled {
		return h, nil
	}
	at := (bands[0][0] + bands[0][1]) / 2
	switch {
	case bands[0][0] == 0:
		at = 0
	case bands[0][1] == 1:
		at = 1
	}
	gain := 0.0
	for i, v := range h {
		gain += v * math.Cos(math.Pi*(float64(i)-middle)*at)
	}
	for i := range h {
		h[i] /= gain
	}
	return h, nil
}

// sinc is sin(pi x)/(pi x).
func sinc(x float64) float64 {
	if x == 0 {
		return 1
	}
	return math.Sin(math.Pi*x) / (math.Pi * x)
}

// KaiserOrder is how many taps, and which beta of a kaiser window, give a
// filter with a ripple below the given attenuation in decibels and a
// transition of the given width, a part of half the sampling frequency:
// Kaiser's formulae, as scipy.signal.kaiserord.
func KaiserOrder(attenuation, width float64) (taps int, beta float64, err error) {
	a := math.Abs(attenuation)
	if !(a >= 8) || math.IsInf(a, 0) || !(width > 0 && width <= 1) {
		return 0, 0, fmt.Errorf("signal: kaiserorder: attenuation %g, width %g: want 8 dB or more, and a width in (0, 1]", attenuation, width)
	}
	switch {
	case a > 50:
		beta = 0.1102 * (a - 8.7)
	case a > 21:
		beta = 0.5842*math.Pow(a-21, 0.4) + 0.07886*(a-21)
	}
	n := math.Ceil((a-7.95)/2.285/(math.Pi*width) + 1)
	if n > maxSize {
		return 0, 0, fmt.Errorf("signal: kaiserorder: attenuation %g, width %g: %g taps, want at most %d", attenuation, width, n, maxSize)
	}
	return int(n), beta, nil
}
