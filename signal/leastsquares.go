package signal

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/internal/counted"
)

// LeastSquares designs filters with a finite impulse response whose squared
// distance from a wanted response, linear in each band, is least, as
// scipy.signal.firls.
type LeastSquares struct {
	Bands   [][2]float64 // frequencies, from low to high; between bands anything goes
	Desired [][2]float64 // gain at the ends of each band
	Weights []float64    // of each band; nil is 1 for all
	FS      float64      // sampling frequency; 0 is 2
}

// Taps is n coefficients of the filter; n is odd.
func (l LeastSquares) Taps(n int) ([]float64, error) {
	taps, err := l.taps(n)
	if err != nil {
		return nil, fmt.Errorf("signal: leastsquares: %w", err)
	}
	return taps, nil
}

func (l LeastSquares) check(n int, fs float64) error {
	switch {
	case n < 1 || n%2 == 0:
		return fmt.Errorf("%s: want an odd number", counted.Of(n, "tap"))
	case !(fs > 0) || math.IsInf(fs, 0):
		return fact("FS %g: want a positive number", l.FS)
	case len(l.Bands) == 0 || len(l.Desired) != len(l.Bands):
		return fmt.Errorf("%s, %s: want as many, and some", counted.Of(len(l.Bands), "band"), counted.Of(len(l.Desired), "gain"))
	case l.Weights != nil && len(l.Weights) != len(l.Bands):
		return fmt.Errorf("%s for %s", counted.Of(len(l.Weights), "weight"), counted.Of(len(l.Bands), "band"))
	}
	if err := checkSize("taps", n/2+1, n/2+1); err != nil { // a system of equations
		return err
	}
	last := 0.0
	for i, b := range l.Bands {
		if !(b[0] >= last && b[0] < b[1] && b[1] <= fs/2) {
			return fmt.Errorf("band %d of %v: want bands to rise between 0 and %s", i, l.Bands, highest(l.FS))
		}
		last = b[1]
	}
	for i, w := range l.Weights {
		if !(w > 0) {
			return fmt.Errorf("weight %d is %g: want positive numbers", i, w)
		}
	}
	return nil
}

func (l LeastSquares) taps(n int) ([]float64, error) {
	fs := cmp.Or(l.FS, 2)
	if err := l.check(n, fs); err != nil {
		return nil, err
	}
	half := (n - 1) / 2
	// The normal equations for the amplitude a0 + sum a_k cos(pi k f): q holds
	// the integrals of cosines over the bands, b those of cosines times the
	// wanted gain.
	q, b := make([]float64, n), make([]float64, half+1)
	for i, band := range l.Bands {
		weight := 1.0
		if l.Weights != nil {
			weight = l.Weights[i]
		}
		from, to := 2*band[0]/fs, 2*band[1]/fs
		slope := (l.Desired[i][1] - l.Desired[i][0]) / (to - from)
		start := l.Desired[i][0] - from*slope
		for k := range q {
			q[k] += weight * (to*sinc(to*float64(k)) - from*sinc(from*float64(k)))
		}
		integral := func(f float64, k int) float64 {
			v := f * (slope*f + start) * sinc(f*float64(k))
			if k == 0 {
				return v - slope*f*f/2
			}
			w := math.Pi * float64(k)
			return v + slope*math.Cos(w*f)/(w*w)
		}
		for k := range b {
			b[k] += weight * (integral(to, k) - integral(from, k))
		}
	}
	a := make([][]float64, half+1)
	for i := range a {
		a[i] = make([]float64, half+1)
		for j := range a[i] {
			a[i][j] = q[max(i-j, j-i)] + q[i+j]
		}
	}
	if err := solve(a, b); err != nil {
		return nil, err
	}
	taps := make([]float64, n)
	taps[half] = 2 * b[0]
	for k := 1; k <= half; k++ {
		taps[half-k], taps[half+k] = b[k], b[k]
	}
	return taps, nil
}

// solve puts the solution of a x = b into b, by elimination with pivots.
func solve(a [][]float64, b []float64) error {
	n := len(b)
	for k := range n {
		pivot := k
		for i := k + 1; i < n; i++ {
			if math.Abs(a[i][k]) > math.Abs(a[pivot][k]) {
				pivot = i
			}
		}
		if a[pivot][k] == 0 {
			return errors.New("the equations have no single solution: want wider bands or fewer taps")
		}
		a[k], a[pivot], b[k], b[pivot] = a[pivot], a[k], b[pivot], b[k]
		for i := k + 1; i < n; i++ {
			f := a[i][k] / a[k][k]
			for j := k; j < n; j++ {
				a[i][j] -= f * a[k][j]
			}
			b[i] -= f * b[k]
		}
	}
	for k := n - 1; k >= 0; k-- {
		for j := k + 1; j < n; j++ {
			b[k] -= a[k][j] * b[j]
		}
		b[k] /= a[k][k]
	}
	return nil
}
