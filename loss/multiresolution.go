package loss

import (
	"errors"

	"github.com/twiddle-go/twiddle/nd"
)

// MultiResolutionSTFT is the mean of STFT losses of several resolutions, as
// auraloss's MultiResolutionSTFTLoss. The zero value has its three: transforms
// of 1024, 2048 and 512, hops of 120, 240 and 50, windows of 600, 1200 and 240.
//
// Elements of different resolutions have no common shape, so Reduction None
// is refused.
type MultiResolutionSTFT struct {
	Resolutions []Resolution // nil is the three above
	// STFT is the other options of each resolution; its lengths are not used.
	STFT STFT
}

// Resolution is the lengths of an STFT, as in STFT.
type Resolution struct{ NFFT, Hop, WinLength int }

var threeResolutions = []Resolution{{1024, 120, 600}, {2048, 240, 1200}, {512, 50, 240}}

// Of is the loss of x against y.
func (m MultiResolutionSTFT) Of(x, y *nd.Array) *nd.Array {
	const op = "multiresolutionstft"
	list := m.Resolutions
	if list == nil {
		list = threeResolutions
	}
	each := make([]STFT, len(list))
	for i, r := range list {
		each[i] = m.STFT
		each[i].NFFT, each[i].Hop, each[i].WinLength = r.NFFT, r.Hop, r.WinLength
	}
	return meanOf(op, each, x, y)
}

// meanOf is the mean of several STFT losses.
func meanOf(op string, each []STFT, x, y *nd.Array) *nd.Array {
	if len(each) == 0 {
		return nd.Fail("loss", op, errors.New("no resolutions: want one or more"), x, y)
	}
	var total *nd.Array
	shared := newBorder(each, x, y)
	for _, s := range each {
		if s.Reduction == None {
			return nd.Fail("loss", op, errors.New("reduction none: elements of different resolutions have no common shape"), x, y)
		}
		l := s.of(op, x, y, nil, shared)
		if total == nil {
			total = l
		} else {
			total = total.Add(l)
		}
	}
	return total.DivScalar(len(each))
}

// border is two signals that go on beyond their ends, mirrored. A shorter border
// is a part of a longer one, so that resolutions share the longest.
type border struct {
	x, y *nd.Array
	size int // samples at either end
}

// newBorder is that of the longest transform, or nil if each resolution has to
// look after its own: there is nothing to share, or something to refuse.
func newBorder(each []STFT, x, y *nd.Array) *border {
	b := &border{}
	for _, s := range each {
		if s.NFFT < 0 || check("", x, y, s.Reduction, s.Distance) != nil {
			return nil
		}
		b.size = max(b.size, s.filled().border())
	}
	if len(each) < 2 || b.size >= x.Dim(-1) {
		return nil
	}
	around := nd.Margin{Before: b.size, After: b.size}
	b.x, b.y = x.PadAxis(-1, around, nd.Pad{Mode: nd.PadReflect}), y.PadAxis(-1, around, nd.Pad{Mode: nd.PadReflect})
	return b
}

// part is one of the signals with less of a border.
func (b *border) part(a *nd.Array, size int) *nd.Array {
	return a.SliceAxis(-1, nd.Range{Start: b.size - size, Stop: a.Dim(-1) - b.size + size})
}
