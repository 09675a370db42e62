package signal

import (
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// PolyPad is what a signal is beyond its ends when it is resampled: what is taken
// off before and put back behind, or how it goes on. Names are SciPy's.
type PolyPad uint8

const (
	PolyZero PolyPad = iota // zeros: "constant" in SciPy
	PolyMean
	PolyMedian
	PolyMaximum
	PolyMinimum
	PolyLine    // the line through the first and the last sample
	PolyEdge    // the last sample again
	PolyReflect // mirrored at the last sample
	PolyWrap    // from the beginning again
)

var polyPadNames = [...]string{"constant", "mean", "median", "maximum", "minimum", "line", "edge", "reflect", "wrap"}

func (p PolyPad) String() string {
	if int(p) >= len(polyPadNames) {
		return fmt.Sprintf("PolyPad(%d)", uint8(p))
	}
	return polyPadNames[p]
}

// ParsePolyPad is the padding of a name.
func ParsePolyPad(name string) (PolyPad, error) {
	return parse[PolyPad]("padding", name, polyPadNames[:])
}

// ResamplePoly is the options of resampling by a ratio of small integers.
type ResamplePoly struct {
	Up, Down int       // samples out for samples in
	Window   Window    // of the filter between them; kaiser of 5
	Taps     []float64 // the filter itself, instead
	Pad      PolyPad
	Axis     nd.AxisChoice
}

// Apply gives Up samples for every Down of x, real or complex, as
// scipy.signal.resample_poly: zeros are put between samples, a low-pass filter
// with no delay smooths them, and every Down-th is kept.
//
// Up outputs look at one stretch of x, the next Up at one that is Down samples
// later, so all of it is one product of stretches with a matrix.
func (r ResamplePoly) Apply(x *nd.Array) *nd.Array {
	const op = "resamplepoly"
	l, bad := along(op, x, r.Axis, true)
	if bad != nil {
		return bad
	}
	if r.Up < 1 || r.Down < 1 {
		return fail(op, "Up %d and Down %d: want 1 or more", r.Up, r.Down)(x)
	}
	if int(r.Pad) >= len(polyPadNames) {
		return fail(op, "unknown Pad %d: want one of %v", r.Pad, polyPadNames)(x)
	}
	divisor := gcd(r.Up, r.Down)
	up, down := r.Up/divisor, r.Down/divisor
	if up == 1 && down == 1 {
		return x
	}
	if err := checkSize("Up by Down", up, down); err != nil { // the filter in phases has as many
		return nd.Fail("signal", op, err, x)
	}
	h, err := r.filter(up, down)
	if err != nil {
		return nd.Fail("signal", op, err, x)
	}
	n := l.Dim(-1)
	count := (n*up + down - 1) / down
	lines, back := l.Array, func(y *nd.Array) *nd.Array { return y }
	switch r.Pad {
	case PolyMean, PolyMedian, PolyMaximum, PolyMinimum:
		if x.DType().IsComplex() && r.Pad != PolyMean {
			return fail(op, "Pad %s: complex numbers have no order", r.Pad)(x)
		}
		lines, back = r.Pad.background(lines, n)
	}
	return l.back(back(polyphase(lines, h, up, down, (len(h)-1)/2, count, r.Pad)))
}

// background takes off what the padding is about, and gives what puts it back.
func (p PolyPad) background(x *nd.Array, n int) (*nd.Array, func(*nd.Array) *nd.Array) {
	var level *nd.Array
	switch p {
	case PolyMean:
		level = x.Mean(-1).ExpandDims(-1)
	case PolyMedian:
		sorted := x.Sort(-1)
		level = sorted.SliceAxis(-1, nd.Range{Start: (n - 1) / 2, Stop: n/2 + 1}).Mean(-1).ExpandDims(-1)
	case PolyMaximum:
		level = x.Max(-1).ExpandDims(-1)
	default:
		level = x.Min(-1).ExpandDims(-1)
	}
	return x.Sub(level), func(y *nd.Array) *nd.Array { return y.Add(level) }
}

// UpFirDn is what resampling is made of, as scipy.signal.upfirdn: Up-1 zeros
// behind every sample, a filter, and every Down-th sample of that.
type UpFirDn struct {
	Taps     []float64
	Up, Down int // 0 is 1
	Axis     nd.AxisChoice
}

// Apply filters real or complex lines.
func (u UpFirDn) Apply(x *nd.Array) *nd.Array {
	const op = "upfirdn"
	l, bad := along(op, x, u.Axis, true)
	if bad != nil {
		return bad
	}
	up, down := max(u.Up, 1), max(u.Down, 1)
	switch {
	case u.Up < 0 || u.Down < 0:
		return fail(op, "Up %d and Down %d: want 1 or more", u.Up, u.Down)(x)
	case len(u.Taps) == 0:
		return fail(op, "no Taps")(x)
	}
	for i, v := range u.Taps {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fail(op, "tap %d is %g", i, v)(x)
		}
	}
	count := ((l.Dim(-1)-1)*up+len(u.Taps)-1)/down + 1
	return l.back(polyphase(l.Array, u.Taps, up, down, 0, count, PolyZero))
}

// polyphase gives count outputs: output m is the sum over j of
// x[j] h[offset + m*down - j*up].
func polyphase(x *nd.Array, h []float64, up, down, offset, count int, pad PolyPad) *nd.Array {
	n := x.Dim(-1)
	// For m below up the samples reach from -before to after.
	before := (len(h) - 1 - offset) / up
	after := (offset + (up-1)*down) / up
	size := before + after + 1
	matrix := make([]float64, size*up)
	for j := range size {
		for m := range up {
			if k := offset + m*down - (j-before)*up; k >= 0 && k < len(h) {
				matrix[j*up+m] = h[k]
			}
		}
	}
	blocks := (count + up - 1) / up
	need := (blocks-1)*down + size
	margin := nd.Margin{Before: before, After: max(0, need-before-n)}
	how := nd.Pad{Mode: map[PolyPad]nd.PadMode{PolyEdge: nd.PadEdge, PolyReflect: nd.PadReflect, PolyWrap: nd.PadWrap}[pad]}
	var padded *nd.Array
	if pad == PolyLine {
		padded = continued(x, margin)
	} else {
		padded = x.PadAxis(-1, margin, how)
	}
	y := padded.SliceAxis(-1, nd.Range{Stop: need}).Frames(size, down).MatMul(constant(matrix, x, size, up))
	lead := x.Shape()[:x.NDim()-1]
	return y.Reshape(append(lead, blocks*up)...).SliceAxis(-1, nd.Range{Stop: count})
}

// continued goes on along the line through the first and the last sample.
func continued(x *nd.Array, m nd.Margin) *nd.Array {
	n := x.Dim(-1)
	first := x.SliceAxis(-1, nd.Range{Stop: 1})
	slope := x.SliceAxis(-1, nd.Range{Start: n - 1, Stop: n}).Sub(first).DivScalar(float64(max(n-1, 1)))
	t := make([]float64, m.Before+n+m.After)
	for i := range t {
		t[i] = float64(i - m.Before)
	}
	line := first.Add(slope.Mul(constant(t, x)))
	inside := line.SliceAxis(-1, nd.Range{Start: m.Before, Stop: m.Before + n})
	return x.Sub(inside).PadAxis(-1, m, nd.Pad{}).Add(line)
}

// filter is the low-pass filter of a ratio, with the gain that the zeros take
// away.
func (r ResamplePoly) filter(up, down int) ([]float64, error) {
	var h []float64
	if r.Taps != nil {
		h = append(h, r.Taps...)
		if len(h) == 0 {
			return nil, fmt.Errorf("no taps")
		}
	} else {
		w := r.Window
		if w.Name == "" {
			w.Name, w.Param = "kaiser", 5
		}
		rate := max(up, down)
		var err error
		h, err = FIR{Cutoff: [2]float64{1 / float64(rate)}, Window: w}.taps(20*rate + 1)
		if err != nil {
			return nil, err
		}
	}
	for i, v := range h {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("tap %d is %g", i, v)
		}
		h[i] = v * float64(up)
	}
	return h, nil
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Decimate keeps every Q-th sample behind a low-pass filter, as
// scipy.signal.decimate.
type Decimate struct {
	Q     int
	FIR   bool // a filter of finite response, instead of a Chebyshev filter
	Order int  // of the filter; 0 is 8, and 20 Q of a FIR one
	Delay bool // filter forwards only, so that the result is later
	Axis  nd.AxisChoice
}

// Apply filters and thins out real or complex lines.
func (d Decimate) Apply(x *nd.Array) *nd.Array {
	const op = "decimate"
	l, bad := along(op, x, d.Axis, true)
	if bad != nil {
		return bad
	}
	if d.Q < 1 || d.Order < 0 {
		return fail(op, "Q %d and Order %d: want a Q of 1 or more", d.Q, d.Order)(x)
	}
	if d.Q == 1 {
		return x
	}
	n := l.Dim(-1)
	count := (n + d.Q - 1) / d.Q
	thin := func(y *nd.Array) *nd.Array { return l.back(y.SliceAxis(-1, nd.Range{Stop: nd.End, Step: d.Q})) }
	if !d.FIR {
		order := d.Order
		if order == 0 {
			order = 8
		}
		sos, err := IIR{Family: Chebyshev1, Order: order, Ripple: 0.05, Cutoff: [2]float64{0.8 / float64(d.Q)}}.SOS()
		if err != nil {
			return nd.Fail("signal", op, inner(err), x)
		}
		if d.Delay {
			return thin(sos.Filter(l.Array))
		}
		if edge := sos.edge(); edge >= n {
			return fail(op, "%d samples: want more than the %d that ends are continued by", n, edge)(x)
		}
		return thin(sos.FiltFilt(l.Array))
	}
	order := d.Order
	if order == 0 {
		order = 20 * d.Q
	}
	h, err := FIR{Cutoff: [2]float64{1 / float64(d.Q)}}.taps(order + 1)
	if err != nil {
		return nd.Fail("signal", op, err, x)
	}
	offset := order / 2
	if d.Delay {
		offset = 0
	}
	return l.back(polyphase(l.Array, h, 1, d.Q, offset, count, PolyZero))
}
