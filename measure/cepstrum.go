package measure

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/nd"
)

// Cepstrum is the real cepstrum along the last axis: the inverse transform of the
// logarithm of the magnitude of the spectrum, numpy.fft.irfft(log(abs(rfft(x)))). Sample n
// is the quefrency of n samples: a family of harmonics or sidebands that are f apart makes
// a peak at FS/f, and an echo one at its delay. Multiply x by a window first if it does
// not begin and end with silence.
func Cepstrum(x *nd.Array) *nd.Array {
	err := fault(x)
	if err == nil && x.Dim(-1) < 2 {
		err = fmt.Errorf("%s: want 2 or more", counted.Of(x.Dim(-1), "sample"))
	}
	if err != nil {
		return nd.Fail("measure", "cepstrum", err, x)
	}
	// Bins of exact zero have a logarithm far below that of any rounding error.
	least := 1e-37
	return x.RFFT().Abs().MaximumScalar(least).Log().Cast(x.DType().Complex()).IRFFT(nd.FFT{N: x.Dim(-1)})
}
