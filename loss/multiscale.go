package loss

import (
	"errors"
	"fmt"

	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// MultiScale is the spectral loss of DDSP: the mean distance of magnitudes,
// and of their logarithms, of transforms of several lengths that overlap by
// three quarters, added up over the lengths. Zeros follow the signals until
// the last frame is whole.
//
// Reduction Item gives the loss of every item alone, Sum adds elements instead of taking
// their mean; None is refused, as elements of different lengths have no common shape.
type MultiScale struct {
	Sizes    []int    // nil is 2048, 1024, 512, 256, 128, 64
	Distance Distance // L1
	// Lin and Log are the weights of magnitudes and of their logarithms.
	// Both 0 are 1 and 0.
	Lin, Log  float64
	Eps       float64 // least magnitude under the logarithm; 0 is 1e-5
	Reduction Reduction
}

var sixSizes = []int{2048, 1024, 512, 256, 128, 64}

// Of is the loss of x against y.
func (m MultiScale) Of(x, y *nd.Array) *nd.Array {
	const op = "multiscale"
	if bad := check(op, x, y, m.Reduction, m.Distance); bad != nil {
		return bad
	}
	if m.Sizes == nil {
		m.Sizes = sixSizes
	}
	if m.Lin == 0 && m.Log == 0 {
		m.Lin = 1
	}
	eps, err := orDefault("Eps", m.Eps, 1e-5)
	switch {
	case err != nil:
	case len(m.Sizes) == 0:
		err = errors.New("no sizes: want one or more")
	case m.Reduction == None:
		err = errors.New("reduction none: elements of different sizes have no common shape")
	default:
		err = Weights{Lin: m.Lin, Log: m.Log}.check()
	}
	if err != nil {
		return nd.Fail("loss", op, err, x, y)
	}
	var total *nd.Array
	for _, n := range m.Sizes {
		if n < 4 {
			return nd.Fail("loss", op, fmt.Errorf("a size of %d: want 4 or more", n), x, y)
		}
		l := m.scale(x, y, n, eps)
		if total == nil {
			total = l
		} else {
			total = total.Add(l)
		}
	}
	return total
}

// scale is the loss of one size.
func (m MultiScale) scale(x, y *nd.Array, n int, eps float64) *nd.Array {
	hop := n / 4
	frames := (x.Dim(-1) + hop - 1) / hop
	more := nd.Margin{After: max(0, (frames-1)*hop+n-x.Dim(-1))}
	f := signal.STFT{NFFT: n, Hop: hop, Border: signal.BorderNone}
	magnitudes := func(a *nd.Array) *nd.Array {
		return f.Apply(a.PadAxis(-1, more, nd.Pad{})).SwapAxes(-2, -1).Abs()
	}
	mx, my := magnitudes(x), magnitudes(y)
	s := STFT{Distance: m.Distance, Weights: Weights{Lin: m.Lin}, Reduction: m.Reduction}
	total := s.terms(mx, my, nil, nil)
	if m.Log == 0 {
		return total
	}
	s.Weights = Weights{Log: m.Log}
	logs := s.terms(atLeast(mx, eps), atLeast(my, eps), nil, nil)
	if total == nil {
		return logs
	}
	return total.Add(logs)
}
