package signal

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/twiddle-go/twiddle/internal/choice"
	"github.com/twiddle-go/twiddle/internal/counted"
)

// RemezKind is the kind of filter that Remez designs.
type RemezKind uint8

const (
	RemezBands          RemezKind = iota // pass and stop bands, with linear phase
	RemezDifferentiator                  // a differentiator: gains are for a frequency of 1 sample, and rise with frequency
	RemezHilbert                         // a Hilbert transformer: shifts phases by a quarter of a period
)

var remezKindNames = [...]string{"bandpass", "differentiator", "hilbert"}

func (k RemezKind) String() string { return choice.Name(k, "RemezKind", remezKindNames[:]) }

// ParseRemezKind is the kind of a name: bandpass, differentiator or hilbert.
func ParseRemezKind(name string) (RemezKind, error) {
	return choice.Parse[RemezKind]("signal", "kind", name, remezKindNames[:])
}

// Remez designs filters with a finite impulse response whose greatest weighted
// distance from a wanted response is least, by the exchange algorithm of Parks and
// McClellan, as scipy.signal.remez. Between bands the gain may be anything. Where it is so great there that
// float64 cannot hold the filter, it is bounded.
type Remez struct {
	Bands   [][2]float64 // frequencies, from low to high; between bands anything goes
	Desired []float64    // gain of each band
	Weights []float64    // of each band; nil is 1 for all
	Kind    RemezKind
	FS      float64 // sampling frequency; 0 is 2
	Density int     // of the grid of frequencies: points for each coefficient; 0 is 16
}

// Taps is n coefficients of the filter.
func (r Remez) Taps(n int) ([]float64, error) {
	taps, err := r.taps(n)
	if err != nil {
		return nil, fmt.Errorf("signal: remez: %w", err)
	}
	return taps, nil
}

func (r Remez) check(n int, fs float64) error {
	switch {
	case n < 3:
		return fact("%s: want 3 or more", counted.Of(n, "tap"))
	case !(fs > 0) || math.IsInf(fs, 0):
		return fact("FS %g: want a positive number", r.FS)
	case len(r.Bands) == 0 || len(r.Desired) != len(r.Bands):
		return fact("%s, %s: want as many, and some", counted.Of(len(r.Bands), "band"), counted.Of(len(r.Desired), "gain"))
	case r.Weights != nil && len(r.Weights) != len(r.Bands):
		return fact("%s for %s", counted.Of(len(r.Weights), "weight"), counted.Of(len(r.Bands), "band"))
	case int(r.Kind) >= len(remezKindNames):
		return fact("unknown Kind %d: want one of %v", r.Kind, remezKindNames)
	case r.Density < 0:
		return fact("Density %d: want 1 or more", r.Density)
	}
	if err := checkSize("taps by the grid", n, n, max(r.Density, 16)); err != nil { // what an exchange takes
		return err
	}
	last := 0.0
	for i, b := range r.Bands {
		if !(b[0] >= last && b[0] < b[1] && b[1] <= fs/2) {
			return fact("band %d of %v: want bands to rise between 0 and %s", i, r.Bands, highest(r.FS))
		}
		last = b[1]
		if v := r.Desired[i]; math.IsNaN(v) || math.IsInf(v, 0) {
			return fact("gain %d is %g", i, v)
		}
	}
	for i, w := range r.Weights {
		if !(w > 0) || math.IsInf(w, 0) {
			return fact("weight %d is %g: want positive numbers", i, w)
		}
	}
	return nil
}

// factor is what an amplitude has beside a sum of cosines of 2 pi k f, by whether
// taps are odd in number and in sign.
func (r Remez) factor(n int, f float64) float64 {
	switch odd, anti := n%2 == 1, r.Kind != RemezBands; {
	case odd && anti:
		return math.Sin(2 * math.Pi * f)
	case anti:
		return math.Sin(math.Pi * f)
	case odd:
		return 1
	}
	return math.Cos(math.Pi * f)
}

func (r Remez) taps(n int) ([]float64, error) {
	fs := cmp.Or(r.FS, 2)
	if err := r.check(n, fs); err != nil {
		return nil, err
	}
	cosines := n / 2
	if n%2 == 1 && r.Kind == RemezBands {
		cosines++
	}
	a, err := r.cosines(n, cosines, fs)
	for weight := 1e-9; errors.Is(err, errGreat) && weight < 1e-2; weight *= 10 {
		if b, again := r.bounded(cosines, fs, weight).cosines(n, cosines, fs); again == nil {
			a, err = b, nil
		}
	}
	if err != nil {
		return nil, err
	}
	return r.spread(n, a), nil
}

// cosines is the coefficients of a sum of cosines.
func (r Remez) cosines(n, cosines int, fs float64) ([]float64, error) {
	e := r.grid(n, cosines, fs)
	if len(e.x) <= cosines+1 {
		return nil, errors.New("bands are too narrow for so many taps")
	}
	if err := e.run(cosines + 1); err != nil {
		return nil, err
	}
	return e.coefficients(cosines)
}

// bounded is a design that wants a gain of 0 between the bands, too, with a weight that is a part of the least.
func (r Remez) bounded(cosines int, fs, weight float64) Remez {
	least := 1.0
	if r.Weights != nil {
		least = slices.Min(r.Weights)
	}
	b := Remez{Kind: r.Kind, FS: r.FS, Density: r.Density}
	add := func(band [2]float64, gain, weight float64) {
		b.Bands, b.Desired, b.Weights = append(b.Bands, band), append(b.Desired, gain), append(b.Weights, weight)
	}
	margin := fs / float64(4*cosines) // half the distance of extremes
	end := -margin
	for i := 0; i <= len(r.Bands); i++ {
		next := fs/2 + margin
		if i < len(r.Bands) {
			next = r.Bands[i][0]
		}
		if free := [2]float64{end + margin, next - margin}; free[1]-free[0] > margin {
			add(free, 0, least*weight)
		}
		if i < len(r.Bands) {
			w := 1.0
			if r.Weights != nil {
				w = r.Weights[i]
			}
			add(r.Bands[i], r.Desired[i], w)
			end = r.Bands[i][1]
		}
	}
	return b
}

// grid is the frequencies where the error is looked at, as cosines, with what is
// wanted there of the sum of cosines.
func (r Remez) grid(n, cosines int, fs float64) *exchange {
	density := cmp.Or(r.Density, 16)
	step := 0.5 / float64(density*cosines)
	e := &exchange{}
	for i, b := range r.Bands {
		from, to := b[0]/fs, b[1]/fs
		// Where the factor is 0, the sum of cosines makes no difference.
		if r.Kind != RemezBands {
			from = max(from, step)
		}
		e.bands = append(e.bands, len(e.x))
		steps := int((to-from)/step + 1e-9)
		for k := 0; k <= steps; k++ {
			f := from + float64(k)*step
			if k == steps {
				f = to
			}
			if (n%2 == 0) == (r.Kind == RemezBands) && f > 0.5-step {
				continue
			}
			want, weight := r.Desired[i], 1.0
			if r.Weights != nil {
				weight = r.Weights[i]
			}
			if r.Kind == RemezDifferentiator {
				if want >= 1e-4 {
					weight /= f
				}
				want *= f
			}
			c := r.factor(n, f)
			e.x, e.want, e.weight = append(e.x, math.Cos(2*math.Pi*f)), append(e.want, want/c), append(e.weight, weight*c)
		}
	}
	e.bands = append(e.bands, len(e.x))
	return e
}

// spread makes taps of the coefficients of cosines.
func (r Remez) spread(n int, a []float64) []float64 {
	h := make([]float64, n)
	half := n / 2
	last := len(a) - 1
	odd, anti := n%2 == 1, r.Kind != RemezBands
	sign := 1.0
	if anti {
		sign = -1
	}
	// put is the amplitude of the cosine, or sine, of the j-th pair from the middle.
	put := func(j int, v float64) {
		if odd {
			h[half-j], h[half+j] = h[half-j]+v/2, h[half+j]+sign*v/2
		} else {
			h[half-j], h[half+j-1] = h[half-j]+v/2, h[half+j-1]+sign*v/2
		}
	}
	switch {
	case odd && !anti:
		h[half] = a[0]
		for k := 1; k <= last; k++ {
			put(k, a[k])
		}
	case odd:
		put(1, a[0])
		for k := 1; k <= last; k++ {
			put(k+1, a[k]/2)
			if k > 1 {
				put(k-1, -a[k]/2)
			}
		}
	default:
		put(1, a[0])
		for k := 1; k <= last; k++ {
			put(k+1, a[k]/2)
			put(k, sign*a[k]/2)
		}
	}
	return h
}
