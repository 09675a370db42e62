package loss

import (
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// Mel is the STFT loss of mel bands, as auraloss's MelSTFTLoss: the bins of
// magnitudes are put together to bands before they are compared.
type Mel struct {
	// Bands is how bins become bands: librosa's conventions, as in
	// signal.Mel. FS, the sampling frequency, has to be given.
	Bands signal.Mel
	STFT  STFT
}

// Of is the loss of x against y.
func (m Mel) Of(x, y *nd.Array) *nd.Array {
	const op = "mel"
	if bad := check(op, x, y, m.STFT.Reduction, m.STFT.Distance); bad != nil {
		return bad
	}
	var err error
	switch {
	case m.Bands.FS == 0:
		err = fact("Bands.FS is 0: want the sampling frequency")
	case m.Bands.STFT != (signal.STFT{}):
		err = fact("Bands.STFT is given: the transform is that of STFT")
	case m.Bands.Power != 0:
		err = fact("Bands.Power is given: bands are of magnitudes")
	}
	if err != nil {
		return nd.Fail("loss", op, err, x, y)
	}
	return m.STFT.of(op, x, y, func(nfft int) *nd.Array {
		return m.Bands.FilterBank(x.DType(), nfft).Beside(x)
	}, nil)
}
