package loss

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd"
)

// pair is the spectra of two signals that a Frame loss compares.
//
// The gradient is written down instead of derived, so that it is one pass
// behind the one that computes the loss: with a the level of a bin X,
// dL/dX = dL/da X/|X| (da/dm), taken as 0 where X is, and its inverse transform
// times the window is what each frame says about its samples.
type pair struct {
	Frame
	window         *nd.Array
	items, samples int
	count, whole   int // frames, and frames that are computed: whole turns of the phases
	phases         int
	x, y           bins
}

// bins is the spectra of the frames of a signal.
type bins struct {
	z       *nd.Array // complex
	power   *nd.Array // squared moduli
	modulus *nd.Array
	level   *nd.Array // what is compared
}

func newPair(f Frame, x, y *nd.Array, window []float64) *pair {
	p := &pair{Frame: f, window: constant(window, x), samples: x.Dim(-1), items: x.Len() / x.Dim(-1)}
	p.count, p.phases = countOf(p.samples, f.Hop), phasesOf(f.Size, f.Hop)
	p.whole = (p.count + p.phases - 1) / p.phases * p.phases
	p.x, p.y = p.bins(x), p.bins(y)
	return p
}

func (p *pair) bins(a *nd.Array) bins {
	z := inTurns(causalFrames(a, p.Size, p.Hop, p.whole), p.phases).Mul(p.window).RFFT()
	b := bins{z: z, power: z.AbsSquared()}
	b.modulus = b.power.Sqrt()
	switch p.Scale {
	case Linear:
		b.level = b.modulus
	case Log:
		b.level = b.modulus.AddScalar(p.Eps).Log()
	case Smooth:
		b.level = b.power.AddScalar(p.Eps * p.Eps).Log().MulScalar(0.5)
	}
	return b
}

// gradient is that of the loss by x, or by y, for one of the reduced loss.
func (p *pair) gradient(byY bool, g *nd.Array) *nd.Array {
	of, other := p.x, p.y
	if byY {
		of, other = p.y, p.x
	}
	slope := of.level.Sub(other.level)
	scale := 2.0
	if p.Distance == L1 {
		slope, scale = slope.Sign(), 1
	}
	// Below 1e-8 a modulus has no direction worth following.
	modulus := atLeast(of.modulus, 1e-8)
	switch p.Scale {
	case Linear:
		slope = slope.Div(modulus)
	case Log:
		slope = slope.Div(of.modulus.AddScalar(p.Eps).Mul(modulus))
	case Smooth:
		slope = slope.Div(of.power.AddScalar(p.Eps * p.Eps))
	}
	if p.Reduction == Mean {
		scale /= float64(p.items)
	}
	slope = slope.Mul(p.spread(g)).Mul(p.weights(scale))
	back := nd.Complex(of.z.Real().Mul(slope), of.z.Imag().Mul(slope)).IRFFT(nd.FFT{N: p.Size, Norm: nd.Forward})
	return overlapAdd(back.SwapAxes(-2, -3).Mul(p.window), p.samples, p.Hop)
}

// spread is the gradient by each frame, as wide as its bins or a single one.
func (p *pair) spread(g *nd.Array) *nd.Array {
	switch p.Reduction {
	case Item:
		return g.ExpandDims(-3, -2, -1)
	case None:
		return inTurns(g.PadAxis(-1, nd.Margin{After: p.whole - p.count}, nd.Pad{}).ExpandDims(-1), p.phases)
	}
	return g
}

// weights is scale, halved for the bins that the inverse transform of a real
// line counts twice.
func (p *pair) weights(scale float64) *nd.Array {
	h := slices.Repeat([]float64{scale / 2}, p.Size/2+1)
	h[0] = scale
	if p.Size%2 == 0 {
		h[p.Size/2] = scale
	}
	return constant(h, p.window)
}
