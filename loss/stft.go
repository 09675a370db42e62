package loss

import (
	"cmp"
	"errors"
	"math"

	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// Weights is what the terms of an STFT loss count. The zero value is 1 for
// SC and Log and 0 for the others; any other value is taken as it is.
type Weights struct {
	SC    float64 // spectral convergence: |Y-X| / |Y|, Frobenius norms of magnitudes
	Log   float64 // distance of log magnitudes
	Lin   float64 // distance of magnitudes
	Phase float64 // squared distance of phases
}

// STFT is the loss between magnitudes of short-time spectra of auraloss's
// STFTLoss, with its formulas and defaults: magnitudes are
// sqrt(max(re^2+im^2, Eps)), and the loss is the weighted sum of the terms.
//
// Reduction None keeps an element for each bin and frame, to each of which the spectral
// convergence is added; Sum adds elements instead of taking their mean; Item gives the loss
// of every item alone.
type STFT struct {
	NFFT      int           // length of the transform; 0 is 1024
	Hop       int           // samples from frame to frame; 0 is 256
	WinLength int           // samples in the window; 0 is NFFT
	Window    signal.Window // periodic hann
	Weights   Weights
	Distance  Distance // of magnitudes; L1
	Eps       float64  // least power; 0 is 1e-8
	// PerItem computes the spectral convergence of each item and reduces it like the other
	// terms. Otherwise the norms are of the whole batch, as in auraloss, and an item's gradient
	// depends on the other items.
	PerItem bool
	// ScaleInvariant compares with the multiple of each target that is
	// nearest in magnitudes.
	ScaleInvariant bool
	Reduction      Reduction
}

// Of is the loss of x against y.
func (s STFT) Of(x, y *nd.Array) *nd.Array { return s.of("stft", x, y, nil, nil) }

func (s STFT) filled() STFT {
	s.NFFT = cmp.Or(s.NFFT, 1024)
	s.Hop = cmp.Or(s.Hop, 256)
	s.Weights = cmp.Or(s.Weights, Weights{SC: 1, Log: 1})
	return s
}

func (w Weights) check() error {
	for _, v := range []float64{w.SC, w.Log, w.Lin, w.Phase} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return errors.New("a weight is not a number: want finite weights")
		}
	}
	return nil
}

// of is Of with bands, if not nil, made of the bins before they are compared, and
// with a border that resolutions share, if not nil.
func (s STFT) of(op string, x, y *nd.Array, bank func(nfft int) *nd.Array, shared *border) *nd.Array {
	if bad := check(op, x, y, s.Reduction, s.Distance); bad != nil {
		return bad
	}
	s = s.filled()
	eps, err := orDefault("Eps", s.Eps, 1e-8)
	if err == nil {
		err = s.Weights.check()
	}
	if err != nil {
		return nd.Fail("loss", op, err, x, y)
	}
	f := signal.STFT{NFFT: s.NFFT, Hop: s.Hop, WinLength: s.WinLength, Window: s.Window, Trailing: s.trailing()}
	fx, fy := x, y
	if shared != nil {
		f.Border = signal.BorderNone
		fx, fy = shared.part(shared.x, s.border()), shared.part(shared.y, s.border())
	}
	// Frames, then bins: as they are computed, so that all of it is one pass.
	zx, zy := f.Apply(fx).SwapAxes(-2, -1), f.Apply(fy).SwapAxes(-2, -1)
	if zx.Err() != nil {
		return restated(op, zx, x, y)
	}
	mx, my := magnitudes(zx, eps), magnitudes(zy, eps)
	if bank != nil {
		b := bank(s.NFFT)
		if b.Err() != nil {
			return restated(op, b, x, y)
		}
		// A band that no bin falls into is silent on both sides.
		mx, my = atLeast(mx.MatMul(b.Transpose()), 1e-8), atLeast(my.MatMul(b.Transpose()), 1e-8)
	}
	if s.ScaleInvariant {
		a := mx.Mul(my).Sum(-2, -1).Div(my.AbsSquared().Sum(-2, -1))
		my = my.Mul(a.ExpandDims(-2, -1))
	}
	l := s.terms(mx, my, zx, zy)
	if s.Reduction == None {
		return l.SwapAxes(-2, -1)
	}
	return l
}

// trailing reports that frames may begin where the window does, and zeros follow it:
// that turns the phases of spectra and nothing else. The samples before and behind a
// window, about half of a frame, are then neither read nor is their gradient, zeros,
// added up. Frames stay where they were if half a window is as far as half a transform
// from their middle, to the sample.
func (s STFT) trailing() bool {
	return s.Weights.Phase == 0 && s.WinLength > 0 && s.WinLength < s.NFFT && s.WinLength%2 == 0 && s.NFFT%2 == 0
}

// border is how far frames reach beyond the ends of signals.
func (s STFT) border() int {
	if s.trailing() {
		return s.WinLength / 2
	}
	return s.NFFT / 2
}

// magnitudes is the moduli of spectra, at least the root of eps. Their gradient is z/|z|,
// and 0 where they are held: so it is written down instead of derived, by way of a root
// that may be 0 and a maximum that may be either's.
func magnitudes(z *nd.Array, eps float64) *nd.Array {
	return nd.Custom(
		func(in []*nd.Array) []*nd.Array { return []*nd.Array{atLeast(in[0].AbsSquared(), eps).Sqrt()} },
		func(in, out, grads []*nd.Array) []*nd.Array {
			z, g := in[0], grads[0].Div(out[0])
			g = nd.Where(z.AbsSquared().GreaterEqualScalar(eps), g, nd.FullLike(g, 0))
			return []*nd.Array{nd.Complex(z.Real().Mul(g), z.Imag().Mul(g))}
		})(z)[0]
}

// terms puts the loss together. Frames and bins are the last two axes.
func (s STFT) terms(mx, my, zx, zy *nd.Array) *nd.Array {
	var total *nd.Array
	add := func(t *nd.Array, weight float64) {
		if weight != 1 {
			t = t.MulScalar(weight)
		}
		if total == nil {
			total = t
			return
		}
		total = total.Add(t)
	}
	w := s.Weights
	if w.SC != 0 {
		add(s.convergence(mx, my), w.SC)
	}
	if w.Log != 0 {
		add(s.reduce(s.Distance.ofLogs(mx, my)), w.Log)
	}
	if w.Lin != 0 {
		add(s.reduce(s.Distance.of(mx, my, L1)), w.Lin)
	}
	if w.Phase != 0 {
		// auraloss takes the mean of this term whatever the reduction.
		d := L2.of(phases(zx), phases(zy), L2)
		if s.Reduction == Item {
			add(d.Mean(-2, -1), w.Phase)
		} else {
			add(d.Mean(), w.Phase)
		}
	}
	return total
}

// reduce is the mean or the sum of elements.
func (s STFT) reduce(d *nd.Array) *nd.Array {
	switch s.Reduction {
	case Mean:
		return sumOf(d).DivScalar(max(1, d.Len()))
	case Sum:
		return sumOf(d)
	case Item:
		return sumOfItems(d).DivScalar(max(1, d.Dim(-2)*d.Dim(-1)))
	}
	return d
}

// sumOf and sumOfItems add up frames first: that belongs to the pass which
// computes them, and what is left to be added up is small.
func sumOf(d *nd.Array) *nd.Array { return d.Sum(-1).Sum() }

func sumOfItems(d *nd.Array) *nd.Array { return d.Sum(-1).Sum(-1) }

// convergence is the Frobenius norm of the difference over that of the target.
func (s STFT) convergence(mx, my *nd.Array) *nd.Array {
	diff, of := my.Sub(mx).AbsSquared(), my.AbsSquared()
	if !s.PerItem && s.Reduction != Item {
		return root(sumOf(diff)).Div(root(sumOf(of)))
	}
	items := root(sumOfItems(diff)).Div(root(sumOfItems(of)))
	if s.Reduction == None {
		return items.ExpandDims(-2, -1)
	}
	return s.Reduction.ofItems(items)
}

// phases is the angles of spectra. Where there is next to nothing the angle
// is 0, and so is its gradient, which would be 1 over the modulus.
func phases(z *nd.Array) *nd.Array {
	const least = 1e-30 // of the power: squares of float32 go down to 1e-38
	some := nd.Where(z.AbsSquared().GreaterScalar(least), z, nd.FullLike(z, 1))
	// Bins of real signals that are real have an imaginary part of 0 or -0;
	// added to 0 both are 0, and a negative bin has the angle pi, not -pi.
	return some.AddScalar(0).Angle()
}
