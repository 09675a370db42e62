package fft

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// Freq are the frequencies of the bins of a complex transform of n samples
// taken d apart, in cycles per unit of d: 0, 1, ..., then the negative ones,
// each over n*d. As numpy.fft.fftfreq.
func Freq(n int, d float64) ([]float64, error) {
	if err := checkFreq("freq", n, d); err != nil {
		return nil, err
	}
	f := make([]float64, n)
	for k := range f {
		bin := k
		if k > (n-1)/2 {
			bin = k - n
		}
		f[k] = float64(bin) / (float64(n) * d)
	}
	return f, nil
}

// RFreq are the frequencies of the n/2+1 bins of a real transform of n
// samples taken d apart. As numpy.fft.rfftfreq.
func RFreq(n int, d float64) ([]float64, error) {
	if err := checkFreq("rfreq", n, d); err != nil {
		return nil, err
	}
	f := make([]float64, n/2+1)
	for k := range f {
		f[k] = float64(k) / (float64(n) * d)
	}
	return f, nil
}

func checkFreq(op string, n int, d float64) error {
	if err := checkLen(op, n); err != nil {
		return err
	}
	if d == 0 || math.IsNaN(d) || math.IsInf(d, 0) {
		return fmt.Errorf("fft: %s: sample spacing %v, want a finite number other than 0", op, d)
	}
	return nil
}

// Shift moves the zero frequency of a spectrum to its middle, in place. As
// numpy.fft.fftshift of one axis.
func Shift[T any](x []T) { rotate(x, len(x)/2) }

// IShift undoes Shift, also for an odd number of bins.
func IShift[T any](x []T) { rotate(x, len(x)-len(x)/2) }

// rotate moves every element by places to the right, the last ones to the
// front.
func rotate[T any](x []T, places int) {
	slices.Reverse(x)
	slices.Reverse(x[:places])
	slices.Reverse(x[places:])
}

// NextFastLen returns the smallest length of at least n whose complex transform is fast:
// its prime factors are at most 11, as in scipy.fft.next_fast_len.
func NextFastLen(n int) (int, error) { return nextSmooth("next fast len", n, 11, 7, 5, 3) }

// NextFastRealLen is NextFastLen for real transforms, where prime factors are
// at most 5. As scipy.fft.next_fast_len with real=True.
func NextFastRealLen(n int) (int, error) { return nextSmooth("next fast real len", n, 5, 3) }

func nextSmooth(op string, n int, primes ...int) (int, error) {
	if err := checkLen(op, n); err != nil {
		return 0, err
	}
	return smallest(n, 1, 1<<bits.Len(uint(n-1)), primes), nil
}

// smallest is the smallest number from n on that is base times powers of two
// and of the primes, or best if none is smaller.
func smallest(n, base, best int, primes []int) int {
	if len(primes) == 0 {
		for ; base < n; base *= 2 {
		}
		return min(base, best)
	}
	for ; base < best; base *= primes[0] {
		best = smallest(n, base, best, primes[1:])
	}
	return best
}
