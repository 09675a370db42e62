package signal

import (
	"github.com/twiddle-go/twiddle/internal/choice"
	"github.com/twiddle-go/twiddle/nd"
)

// Extension says how a signal continues beyond its ends, for filters that read there. The
// zero value is the default of the function that takes it. Names are those of
// scipy.signal.upfirdn, with two more. What filtfilt calls "odd" and "even" is
// ExtendAntireflect and ExtendReflect; what savgol_filter calls "mirror" and "nearest" is
// ExtendReflect and ExtendEdge.
type Extension uint8

const (
	ExtendDefault       Extension = iota
	ExtendZeros                   // zeros: "constant" in SciPy
	ExtendEdge                    // the last sample again
	ExtendReflect                 // mirrored at the last sample: c b | a b c | b a
	ExtendSymmetric               // mirrored behind the last sample: b a | a b c | c b
	ExtendWrap                    // from the other end: b c | a b c | a b
	ExtendAntireflect             // turned around the last sample: 2a-b | a b c | 2c-b
	ExtendAntisymmetric           // mirrored behind the last sample with the other sign: -a | a b c | -c
	ExtendSmooth                  // the line through the last two samples
	ExtendLine                    // the line through the first and the last sample
	ExtendMean                    // the mean of the signal
	ExtendMedian                  // the median of the signal
	ExtendMaximum                 // the greatest sample
	ExtendMinimum                 // the least sample
	ExtendPolynomial              // the polynomial of the last window: SavGol only
)

var extensionNames = [...]string{"default", "zeros", "edge", "reflect", "symmetric", "wrap", "antireflect", "antisymmetric",
	"smooth", "line", "mean", "median", "maximum", "minimum", "polynomial"}

func (e Extension) String() string { return choice.Name(e, "Extension", extensionNames[:]) }

// ParseExtension is the extension of a name.
func ParseExtension(name string) (Extension, error) {
	return choice.Parse[Extension]("signal", "extension", name, extensionNames[:])
}

// or is the extension, or the default one; polynomials are for who can.
func (e Extension) or(usual Extension) (Extension, error) {
	switch {
	case e == ExtendDefault:
		return usual, nil
	case int(e) >= len(extensionNames):
		return 0, fact("unknown Extension %d: want one of %v", uint8(e), extensionNames)
	case e == ExtendPolynomial && usual != ExtendPolynomial:
		return 0, fact("Extension %s: that is for SavGol only", e)
	}
	return e, nil
}

// extend continues lines along the last axis by a margin of any size.
func (e Extension) extend(x *nd.Array, m nd.Margin) (*nd.Array, error) {
	n := x.Dim(-1)
	switch e {
	case ExtendZeros:
		return x.PadAxis(-1, m, nd.Pad{}), nil
	case ExtendEdge:
		return x.PadAxis(-1, m, nd.Pad{Mode: nd.PadEdge}), nil
	case ExtendWrap:
		return x.PadAxis(-1, m, nd.Pad{Mode: nd.PadWrap}), nil
	case ExtendReflect:
		if max(m.Before, m.After) < n {
			return x.PadAxis(-1, m, nd.Pad{Mode: nd.PadReflect}), nil
		}
		if n == 1 {
			return x.PadAxis(-1, m, nd.Pad{Mode: nd.PadEdge}), nil
		}
		return mirrored(x, m, 2*(n-1), 1), nil
	case ExtendSymmetric:
		return mirrored(x, m, 2*n, 1), nil
	case ExtendAntisymmetric:
		return mirrored(x, m, 2*n, -1), nil
	case ExtendAntireflect:
		if n == 1 {
			return x.PadAxis(-1, m, nd.Pad{Mode: nd.PadEdge}), nil
		}
		if max(m.Before, m.After) < n {
			return antireflected(x, m), nil
		}
		// Without the line through its ends a signal is 0 there, and turning
		// around an end is mirroring with the other sign.
		line := through(x, m, 0, n-1)
		rest := x.Sub(line.SliceAxis(-1, nd.Range{Start: m.Before, Stop: m.Before + n}))
		return mirrored(rest, m, 2*(n-1), -1).Add(line), nil
	case ExtendSmooth:
		if n == 1 {
			return nil, fact("Extension %s: want 2 samples or more", e)
		}
		before := through(x, m, 0, 1).SliceAxis(-1, nd.Range{Stop: m.Before})
		after := through(x, m, n-2, n-1).SliceAxis(-1, nd.Range{Start: m.Before + n, Stop: nd.End})
		return joined(before, x, after), nil
	case ExtendLine:
		line := through(x, m, 0, n-1)
		return joined(line.SliceAxis(-1, nd.Range{Stop: m.Before}), x, line.SliceAxis(-1, nd.Range{Start: m.Before + n, Stop: nd.End})), nil
	}
	level, err := e.level(x)
	if err != nil {
		return nil, err
	}
	return x.Sub(level).PadAxis(-1, m, nd.Pad{}).Add(level), nil
}

// level is the number that a signal goes on with.
func (e Extension) level(x *nd.Array) (*nd.Array, error) {
	if x.DType().IsComplex() && e != ExtendMean {
		return nil, fact("Extension %s: complex numbers have no order", e)
	}
	n := x.Dim(-1)
	switch e {
	case ExtendMean:
		return x.Mean(-1).ExpandDims(-1), nil
	case ExtendMedian:
		return x.Sort(-1).SliceAxis(-1, nd.Range{Start: (n - 1) / 2, Stop: n/2 + 1}).Mean(-1).ExpandDims(-1), nil
	case ExtendMaximum:
		return x.Max(-1).ExpandDims(-1), nil
	}
	return x.Min(-1).ExpandDims(-1), nil
}

// mirrored continues lines with a period: of 2n samples the second half is the
// line turned around behind its end, of 2(n-1) at its last sample. The second half
// is multiplied by sign.
func mirrored(x *nd.Array, m nd.Margin, period int, sign float64) *nd.Array {
	n := x.Dim(-1)
	part := func(from, count int) *nd.Array {
		index, signs := make([]int32, count), make([]float64, count)
		for i := range index {
			p := ((from+i)%period + period) % period
			signs[i] = 1
			if p >= n {
				p, signs[i] = period-p-(period-2*n+2)/2, sign
			}
			index[i] = int32(p)
		}
		y := x.Take(nd.From(index).Beside(x), -1)
		if sign < 0 {
			y = y.Mul(constant(signs, x))
		}
		return y
	}
	parts := []*nd.Array{x}
	if m.Before > 0 {
		parts = append([]*nd.Array{part(-m.Before, m.Before)}, parts...)
	}
	if m.After > 0 {
		parts = append(parts, part(n, m.After))
	}
	return joined(parts...)
}

// antireflected is antireflect for margins that are shorter than lines.
func antireflected(x *nd.Array, m nd.Margin) *nd.Array {
	n := x.Dim(-1)
	at := func(from, to int) *nd.Array { return x.SliceAxis(-1, nd.Range{Start: from, Stop: to}) }
	around := func(end, part *nd.Array) *nd.Array { return end.MulScalar(2).Sub(part.Flip(-1)) }
	return joined(around(at(0, 1), at(1, m.Before+1)), x, around(at(n-1, n), at(n-1-m.After, n-1)))
}

// through is the line through samples i and j, over the signal and its margins.
func through(x *nd.Array, m nd.Margin, i, j int) *nd.Array {
	n := x.Dim(-1)
	at := func(k int) *nd.Array { return x.SliceAxis(-1, nd.Range{Start: k, Stop: k + 1}) }
	t := make([]float64, m.Before+n+m.After)
	for k := range t {
		t[k] = float64(k - m.Before - i)
	}
	slope := at(j).Sub(at(i)).DivScalar(float64(max(j-i, 1)))
	return at(i).Add(slope.Mul(constant(t, x)))
}

// joined puts parts one behind the other, without those that are empty.
func joined(parts ...*nd.Array) *nd.Array {
	var some []*nd.Array
	for _, p := range parts {
		if p.Err() != nil {
			return p
		}
		if p.Dim(-1) > 0 {
			some = append(some, p)
		}
	}
	if len(some) == 1 {
		return some[0]
	}
	return nd.Concat(-1, some...)
}
