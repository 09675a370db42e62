package signal

import (
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/internal/simd/peak"
)

// PeakProminences is how far each peak of a line stands out: its height over
// the higher of the two lowest samples between it and the nearest higher
// ground, or the end, on either side. The search is in wlen samples around the
// peak, or everywhere if that is 0. The bases are where those samples are.
func PeakProminences(x []float64, peaks []int, wlen int) (prominences []float64, leftBases, rightBases []int, err error) {
	if err := inside("peakprominences", x, peaks, wlen); err != nil {
		return nil, nil, nil, err
	}
	prominences = make([]float64, len(peaks))
	leftBases, rightBases = make([]int, len(peaks)), make([]int, len(peaks))
	for i, k := range peaks {
		prominences[i], leftBases[i], rightBases[i] = prominence(x, k, wlen)
	}
	return prominences, leftBases, rightBases, nil
}

// PeakWidths is how wide each peak of a line is, in samples, at relHeight of
// its prominence below its top, the height there, and where the line crosses
// it on either side.
func PeakWidths(x []float64, peaks []int, relHeight float64, wlen int) (width, height, leftIPs, rightIPs []float64, err error) {
	err = inside("peakwidths", x, peaks, wlen)
	if err == nil && !(relHeight >= 0) {
		err = fmt.Errorf("signal: peakwidths: relHeight %g: want 0 or more", relHeight)
	}
	if err != nil {
		return nil, nil, nil, nil, err
	}
	n := len(peaks)
	width, height, leftIPs, rightIPs = make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for i, k := range peaks {
		p, l, r := prominence(x, k, wlen)
		height[i], leftIPs[i], rightIPs[i] = peak.Crossing(x, k, float64(p*relHeight), l, r)
		width[i] = rightIPs[i] - leftIPs[i]
	}
	return width, height, leftIPs, rightIPs, nil
}

func inside(op string, x []float64, peaks []int, wlen int) error {
	if wlen < 0 || wlen == 1 {
		return fmt.Errorf("signal: %s: wlen %d: want 2 or more", op, wlen)
	}
	for _, p := range peaks {
		if p < 0 || p >= len(x) {
			return fmt.Errorf("signal: %s: peak %d of %d samples", op, p, len(x))
		}
	}
	return nil
}

// prominence walks away from a peak until it finds higher ground.
func prominence(x []float64, k, wlen int) (prominence float64, left, right int) {
	from, to := 0, len(x)-1
	if wlen >= 2 {
		from, to = max(from, k-wlen/2), min(to, k+wlen/2)
	}
	top := x[k]
	lowLeft, lowRight := top, top
	left, right = k, k
	for j := k; j >= from && x[j] <= top; j-- {
		if x[j] < lowLeft {
			lowLeft, left = x[j], j
		}
	}
	for j := k; j <= to && x[j] <= top; j++ {
		if x[j] < lowRight {
			lowRight, right = x[j], j
		}
	}
	return top - max(lowLeft, lowRight), left, right
}

// refined is the top of the parabola through a peak and its neighbours. Where
// there is none, as on a flat top or with logarithms of what is not positive,
// it is the peak itself.
func refined(x []float64, k int, how Refinement) (position, level float64) {
	a, b, c := x[k-1], x[k], x[k+1]
	if how == RefineLog {
		a, b, c = math.Log(a), math.Log(b), math.Log(c)
	}
	bend := a - 2*b + c
	shift := 0.5 * (a - c) / bend
	if !(math.Abs(shift) <= 1) || math.IsInf(bend, 0) {
		return float64(k), x[k]
	}
	level = b - 0.25*(a-c)*shift
	if how == RefineLog {
		level = math.Exp(level)
	}
	return float64(k) + shift, level
}
