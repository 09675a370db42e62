package loss

import (
	"cmp"
	"fmt"
	"math/bits"
	"math/rand/v2"

	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// RandomResolutionSTFT is the mean of STFT losses of resolutions drawn anew
// for every key, as auraloss's RandomResolutionSTFTLoss: lengths are powers of
// two from MinFFT to below MaxFFT, hops a part of them, windows the whole, a
// half or a quarter of them, of one of five kinds.
//
// There is no hidden state: one Key gives one set of resolutions, so training
// uses RandomResolutionSTFT{Key: key.Fold(step)}.
type RandomResolutionSTFT struct {
	Key            nd.Key
	Count          int     // of resolutions; 0 is 3
	MinFFT, MaxFFT int     // powers of two; 0 is 16 and 32768
	MinHop, MaxHop float64 // parts of the length; 0 is 0.1 and 1
	// STFT is the other options of each resolution; its lengths and its
	// window are not used.
	STFT STFT
}

// Of is the loss of x against y, which have more than MaxFFT samples.
func (r RandomResolutionSTFT) Of(x, y *nd.Array) *nd.Array {
	const op = "randomresolutionstft"
	if bad := check(op, x, y, r.STFT.Reduction, r.STFT.Distance); bad != nil {
		return bad
	}
	f := r.filled()
	each, err := r.Draw()
	if err == nil && x.Dim(-1) <= f.MaxFFT {
		err = fmt.Errorf("%s: want more than MaxFFT, which is %d", counted.Of(x.Dim(-1), "sample"), f.MaxFFT)
	}
	if err != nil {
		return nd.Fail("loss", op, err, x, y)
	}
	return meanOf(op, each, x, y)
}

func (r RandomResolutionSTFT) filled() RandomResolutionSTFT {
	r.Count = cmp.Or(r.Count, 3)
	r.MinFFT = cmp.Or(r.MinFFT, 16)
	r.MaxFFT = cmp.Or(r.MaxFFT, 32768)
	r.MinHop = cmp.Or(r.MinHop, 0.1)
	r.MaxHop = cmp.Or(r.MaxHop, 1)
	return r
}

// randomWindows is those that auraloss draws from, with torch's parameters.
var randomWindows = []signal.Window{
	{Name: "hann"}, {Name: "bartlett"}, {Name: "blackman"}, {Name: "hamming"}, {Name: "kaiser", Param: 12},
}

// Sizes beyond these are mistakes: a loss of so many transforms, or of such long
// ones, is never done.
const maxCount, maxFFT = 1 << 16, 1 << 30

// Draw is the resolutions of the key.
func (r RandomResolutionSTFT) Draw() ([]STFT, error) {
	r = r.filled()
	low, high := bits.Len(uint(r.MinFFT))-1, bits.Len(uint(r.MaxFFT))-1
	switch {
	case r.Count < 1 || r.Count > maxCount:
		return nil, fact("Count %d: want 1 to %d", r.Count, maxCount)
	case r.MaxFFT > maxFFT:
		return nil, fact("MaxFFT %d: want at most %d", r.MaxFFT, maxFFT)
	case r.MinFFT < 4 || r.MaxFFT <= r.MinFFT || r.MinFFT != 1<<low || r.MaxFFT != 1<<high:
		return nil, fact("MinFFT %d and MaxFFT %d: want powers of two, from 4, the second the greater", r.MinFFT, r.MaxFFT)
	case !(r.MinHop > 0 && r.MinHop <= r.MaxHop && r.MaxHop <= 1):
		return nil, fact("MinHop %g and MaxHop %g: want 0 < MinHop <= MaxHop <= 1", r.MinHop, r.MaxHop)
	}
	rng := rand.New(rand.NewPCG(uint64(r.Key), uint64(r.Key.Fold(1))))
	each := make([]STFT, r.Count)
	for i := range each {
		s := r.STFT
		s.NFFT = 1 << (low + rng.IntN(high-low))
		s.Hop = max(1, int(float64(s.NFFT)*(r.MinHop+rng.Float64()*(r.MaxHop-r.MinHop))))
		s.WinLength = s.NFFT >> rng.IntN(3)
		s.Window = randomWindows[rng.IntN(len(randomWindows))]
		each[i] = s
	}
	return each, nil
}
