package signal

import (
	"cmp"
	"errors"
	"slices"

	"github.com/twiddle-go/twiddle/nd"
)

// runner is a filter that is ready to run lines from a state.
type runner interface {
	filter(x, state *nd.Array) (y, end *nd.Array)
}

func (s SOS) runner() runner { return s.cascade() }

func (f TF) runner() runner {
	c := f.cascade()
	if len(f.B) <= 1 && len(f.A) <= 1 {
		return gain{c.c[0]}
	}
	b, a := c.c[:c.order+1], c.c[c.order+1:]
	if !slices.ContainsFunc(a[1:], func(v float64) bool { return v != 0 }) {
		return tapped{b}
	}
	return c
}

func (s SOS) cascade() cascade {
	c := cascade{sections: len(s), order: 2}
	for _, v := range s {
		c.c = append(c.c, v[:]...)
	}
	return c
}

func (f TF) cascade() cascade {
	b, a := f.filled()
	if len(a) == 1 { // a gain is a filter of order 1 that remembers nothing
		b, a = append(b, 0), append(a, 0)
	}
	return cascade{c: slices.Concat(b, a), sections: 1, order: len(a) - 1}
}

// Apply filters x, real or complex, with the cascade from a zero state, along an axis, the
// last unless one is given, as scipy.signal.sosfilt. The filter's state is float64 for all
// sample types.
func (s SOS) Apply(x *nd.Array, axis ...nd.AxisChoice) *nd.Array {
	return filtered("sosfilt", s.runner, s.check, x, first(axis))
}

// Filter is Apply.
func (s SOS) Filter(x *nd.Array, axis ...nd.AxisChoice) *nd.Array { return s.Apply(x, axis...) }

// Apply runs x, real or complex, through the filter from rest, along an axis,
// the last unless one is given, as scipy.signal.lfilter. States are float64
// whatever the samples are. A filter without feedback, such as TF{B: taps}, is a sum of
// products for every output; from about 100 taps on, Convolve takes less time.
func (f TF) Apply(x *nd.Array, axis ...nd.AxisChoice) *nd.Array {
	return filtered("lfilter", f.runner, f.check, x, first(axis))
}

// Filter is Apply.
func (f TF) Filter(x *nd.Array, axis ...nd.AxisChoice) *nd.Array { return f.Apply(x, axis...) }

// designed applies a filter that has just been designed.
func designed(op string, apply func(*nd.Array, ...nd.AxisChoice) *nd.Array, err error, x *nd.Array, axis []nd.AxisChoice) *nd.Array {
	if err != nil {
		return nd.Fail("signal", op, cmp.Or(errors.Unwrap(err), err), x)
	}
	return apply(x, axis...)
}

func filtered(op string, c func() runner, check func() error, x *nd.Array, axis nd.AxisChoice) *nd.Array {
	l, bad := along(op, x, axis, true)
	if bad != nil {
		return bad
	}
	if err := check(); err != nil {
		return nd.Fail("signal", op, err, x)
	}
	y, _ := c().filter(l.Array, nil)
	return l.back(y)
}

// FilterFrom runs x through the cascade along the last axis from a given
// state, and gives the state after it: a signal in parts is filtered as in one
// piece, with the same bits. So samples go one after another, where Filter has a GPU work on
// blocks of a line at once. For x of shape (..., samples) the state has shape
// (..., sections, 2) or one that broadcasts to it; a nil one is rest. The state
// after x is float64, or complex128.
func (s SOS) FilterFrom(x, state *nd.Array) (y, end *nd.Array) {
	return filteredFrom("sosfilt", s.runner, s.check, x, state, len(s), 2)
}

// FilterFrom is SOS.FilterFrom for a state of shape (..., order), one less than
// the longer of B and A has coefficients: scipy.signal.lfilter with zi.
func (f TF) FilterFrom(x, state *nd.Array) (y, end *nd.Array) {
	return filteredFrom("lfilter", f.runner, f.check, x, state, f.cascade().order)
}

func filteredFrom(op string, c func() runner, check func() error, x, state *nd.Array, tail ...int) (y, end *nd.Array) {
	l, bad := along(op, x, nd.AxisChoice{}, true)
	if bad == nil && state != nil {
		bad = unusable(op, state)
	}
	if bad != nil {
		return bad, bad
	}
	if err := check(); err != nil {
		bad = nd.Fail("signal", op, err, x)
		return bad, bad
	}
	lead := x.Shape()[:x.NDim()-1]
	shape := slices.Concat(lead, tail)
	if state != nil {
		t := state.DType()
		floats := t == nd.Float32 || t == nd.Float64 || t.IsComplex() && x.DType().IsComplex()
		if !floats || !broadcasts(state.Shape(), shape) {
			bad = fail(op, "state is %s of shape %v: want floats of %v", t, state.Shape(), shape)(x, state)
			return bad, bad
		}
		state = state.BroadcastTo(shape...).Reshape(append(slices.Clone(lead), -1)...)
	}
	r := c()
	if whole, ok := r.(cascade); ok {
		whole.whole = true
		r = whole
	}
	y, end = r.filter(l.Array, state)
	return y, end.Reshape(shape...)
}

// FiltFilt is the options of the FiltFilt methods.
type FiltFilt struct {
	// PadLen is by how many samples each end is continued: 0 is three times
	// the filter's taps, as in SciPy, None is none.
	PadLen int
	// Extension says how the signal continues beyond its ends; the default is antireflect, "odd"
	// in SciPy.
	Extension Extension
	// Gustafsson does not continue the ends, but chooses states so that filtering
	// backwards and then forwards gives the same: for TF only.
	Gustafsson bool
	// ImpulseLen is after how many samples the impulse response is taken to be
	// over, for Gustafsson: its work grows with this instead of with the signal.
	// 0 is when it is below the rounding of float64.
	ImpulseLen int
	Axis       nd.AxisChoice
}

// FiltFilt filters x with the cascade forwards and then backwards, as
// scipy.signal.sosfiltfilt: the phase does not change, and the gain is the square of the
// filter's.
func (s SOS) FiltFilt(x *nd.Array, opt ...FiltFilt) *nd.Array {
	steady, err := s.Steady()
	var flat []float64
	for _, v := range steady {
		flat = append(flat, v[0], v[1])
	}
	o := first(opt)
	if o.Gustafsson && err == nil {
		err = fact("Gustafsson's method is for polynomials: see SOS.TF")
	}
	return o.apply(x, s.runner, real64(flat), s.edge(), err)
}

// FiltFilt runs x through the filter forwards and then backwards, as
// scipy.signal.filtfilt.
func (f TF) FiltFilt(x *nd.Array, opt ...FiltFilt) *nd.Array {
	if o := first(opt); o.Gustafsson {
		return f.filtfiltGustafsson(x, o)
	}
	steady, err := f.Steady()
	if len(steady) == 0 {
		steady = []float64{0} // as cascade has one
	}
	return first(opt).apply(x, f.runner, real64(steady), 3*max(len(f.A), len(f.B)), err)
}

func (f TF) filtfiltGustafsson(x *nd.Array, o FiltFilt) *nd.Array {
	const op = "filtfilt"
	l, bad := along(op, x, o.Axis, true)
	if bad != nil {
		return bad
	}
	err := f.check()
	switch {
	case err != nil:
	case o.ImpulseLen < 0:
		err = fact("ImpulseLen %d: want 0 or more", o.ImpulseLen)
	case o.PadLen != 0 || o.Extension != ExtendDefault:
		err = fact("Gustafsson's method continues no ends: want no PadLen and no Extension")
	default:
		if o.ImpulseLen == 0 {
			o.ImpulseLen = f.settled(l.Dim(-1) / 2)
		}
		err = checkSize("samples by states", max(o.ImpulseLen, 1)*2, max(len(f.A), len(f.B)), 4)
		if o.ImpulseLen == 0 || l.Dim(-1) <= 2*o.ImpulseLen {
			err = checkSize("samples by states", l.Dim(-1), max(len(f.A), len(f.B)), 4)
		}
	}
	if err != nil {
		return nd.Fail("signal", op, err, x)
	}
	deep := nd.Float64
	if x.DType().IsComplex() {
		deep = nd.Complex128
	}
	return l.back(f.gustafsson(l.Array.Cast(deep), o.ImpulseLen).Cast(l.DType()))
}

// real64 gives numbers as a constant of the type of samples.
func real64(v []float64) func(like *nd.Array) *nd.Array {
	return func(like *nd.Array) *nd.Array { return constant(v, like) }
}

func (o FiltFilt) apply(x *nd.Array, c func() runner, steady func(like *nd.Array) *nd.Array, edge int, err error) *nd.Array {
	const op = "filtfilt"
	l, bad := along(op, x, o.Axis, true)
	if bad != nil {
		return bad
	}
	if err != nil {
		return nd.Fail("signal", op, inner(err), x)
	}
	if o.Gustafsson {
		return fail(op, "Gustafsson's method is for real coefficients")(x)
	}
	n := l.Dim(-1)
	switch o.PadLen {
	case 0:
	case None:
		edge = 0
	default:
		edge = o.PadLen
	}
	if edge < 0 {
		return fail(op, "PadLen %d: want 1 or more, 0 for the default, or None", edge)(x)
	}
	if edge >= n {
		return fail(op, "PadLen %d: want less than the %d samples", edge, n)(x)
	}
	how, err := o.Extension.or(ExtendAntireflect)
	if err != nil {
		return nd.Fail("signal", op, err, x)
	}
	deep := nd.Float64
	if x.DType().IsComplex() {
		deep = nd.Complex128
	}
	y, err := how.extend(l.Array.Cast(deep), nd.Margin{Before: edge, After: edge})
	if err != nil {
		return nd.Fail("signal", op, err, x)
	}
	filter := c()
	for range 2 {
		start := y.SliceAxis(-1, nd.Range{Stop: 1}).Mul(steady(y))
		y, _ = filter.filter(y, start)
		y = y.Flip(-1)
	}
	return l.back(y.SliceAxis(-1, nd.Range{Start: edge, Stop: edge + n}).Cast(l.DType()))
}

func (s SOS) edge() int { return sectionsEdge(s) }

// sectionsEdge is SciPy's padding: three times the taps, not counting delays that
// every section has.
func sectionsEdge[S ~[][6]T, T float64 | complex128](s S) int {
	zeros, poles := 0, 0
	for _, c := range s {
		if c[2] == 0 {
			zeros++
		}
		if c[5] == 0 {
			poles++
		}
	}
	return 3 * (2*len(s) + 1 - min(zeros, poles))
}

// inner is an error of this package without the place where it was found.
func inner(err error) error {
	if e := errors.Unwrap(err); e != nil {
		return e
	}
	return err
}
