package sched

import (
	"encoding/binary"
	"math"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// expectation is what an array is compared with, and how closely.
type expectation struct {
	typ   elem.Type
	bytes []byte
	// scale is the greatest modulus of a float on the way to it, and slack the
	// coarsest rounding there, in units of scale.
	scale, slack float64
	// jumps says that a function which is not continuous was applied to rounded
	// numbers: an element may be another one altogether, as the position of a
	// maximum is. Few may.
	jumps bool
}

// Roundings of each precision, a few hundred of them; bfloat16 has eight bits.
const slackDouble, slackSingle, slackHalf = 1e-10, 1e-4, 0.1

// expected derives how closely a node can be compared from its elements and from
// what is known about its inputs. Inputs that were there before are exact.
func expected(n *graph.Node, data []byte, in []*graph.Node, about map[*graph.Node]expectation) expectation {
	x := expectation{typ: n.Type, scale: 1}
	grow := 1.0
	for i, m := range in {
		a, ok := about[m]
		if !ok {
			continue
		}
		x.scale, x.slack, x.jumps = max(x.scale, a.scale), max(x.slack, a.slack), x.jumps || a.jumps
		if n.Op == graph.Butterfly && i == 1 {
			grow = a.scale
		}
	}
	rough := x.slack > 0
	if n.Type.IsFloat() || n.Type.IsComplex() {
		x.scale = max(x.scale, largest(n.Type, data))
		switch {
		case n.Op.IsSource() || n.Op.IsView() && n.Op != graph.BitCast:
		case n.Type.IsHalf():
			x.slack = slackHalf
		case n.Type == elem.Float32 || n.Type == elem.Complex64:
			x.slack = max(x.slack, slackSingle)
		default:
			x.slack = max(x.slack, slackDouble)
		}
	}
	if n.Op == graph.Butterfly && len(in) == 2 {
		// Inside of it, every factor may make numbers so much larger.
		for range in[1].Shape[0] {
			x.scale *= 2 * max(1, grow)
		}
	}
	x.jumps = x.jumps || rough && isJump(n)
	return x
}

// isJump reports an operation that gives different results for numbers which
// are equal but for rounding.
func isJump(n *graph.Node) bool {
	switch n.Op {
	case graph.BitCast, graph.Custom:
		return true
	case graph.Reduce, graph.Sort, graph.Scan:
		return !n.Type.IsFloat() && !n.Type.IsComplex() // positions, and what is true of all
	case graph.Map:
		a, ok := n.Attr.(graph.MapAttr)
		if !ok {
			return true
		}
		switch a.Op {
		case scalar.Sign, scalar.Floor, scalar.Ceil, scalar.Round, scalar.Rem, scalar.Angle, scalar.Atan2, scalar.Pow,
			scalar.Sqrt, scalar.Rsqrt, scalar.Log, scalar.Div, scalar.Tan, scalar.IsNaN, scalar.IsInf:
			return true // also those with a pole, or steep enough near zero
		}
		return !n.Type.IsFloat() && !n.Type.IsComplex()
	}
	return false
}

// compare is how other elements differ, or nil.
func (x expectation) compare(got []byte) *VerifyError {
	count := len(x.bytes) / x.typ.Size()
	if math.IsInf(x.scale, 0) || math.IsNaN(x.scale) || x.slack > 0 && x.scale > 1e15 {
		return nil // overflows here or there
	}
	var bad *VerifyError
	wrong := 0
	for i := range count {
		if x.same(got, i) {
			continue
		}
		if wrong++; bad == nil {
			bad = &VerifyError{Index: i, Fused: textOf(x.typ, got, i), Unfused: textOf(x.typ, x.bytes, i)}
		}
	}
	if bad == nil || x.jumps && wrong <= max(1, count/100) {
		return nil
	}
	bad.Count = wrong
	return bad
}

func (x expectation) same(got []byte, i int) bool {
	re, im, whole := number(x.typ, x.bytes, i)
	gre, gim, gwhole := number(x.typ, got, i)
	return whole == gwhole && x.near(re, gre) && x.near(im, gim)
}

func (x expectation) near(a, b float64) bool {
	return a == b || a != a && b != b || math.Abs(a-b) <= x.slack*x.scale
}

// largest is the greatest modulus of a part of an element.
func largest(t elem.Type, data []byte) float64 {
	top := 0.0
	for i := range len(data) / t.Size() {
		re, im, _ := number(t, data, i)
		for _, v := range [2]float64{math.Abs(re), math.Abs(im)} {
			if v != v {
				return math.Inf(1)
			}
			top = max(top, v)
		}
	}
	return top
}

// number is element i: its parts if it is a float or complex, or else the whole
// number.
func number(t elem.Type, data []byte, i int) (re, im float64, whole int64) {
	b := data[i*t.Size():]
	switch t {
	case elem.Bool, elem.Uint8:
		return 0, 0, int64(b[0])
	case elem.Int8:
		return 0, 0, int64(int8(b[0]))
	case elem.Int16:
		return 0, 0, int64(int16(binary.NativeEndian.Uint16(b)))
	case elem.Int32:
		return 0, 0, int64(int32(binary.NativeEndian.Uint32(b)))
	case elem.Uint32:
		return 0, 0, int64(binary.NativeEndian.Uint32(b))
	case elem.Int64:
		return 0, 0, int64(binary.NativeEndian.Uint64(b))
	case elem.Float16:
		return float64(elem.F16(binary.NativeEndian.Uint16(b)).Float32()), 0, 0
	case elem.BFloat16:
		return float64(elem.BF16(binary.NativeEndian.Uint16(b)).Float32()), 0, 0
	case elem.Float32:
		return single(b), 0, 0
	case elem.Float64:
		return double(b), 0, 0
	case elem.Complex64:
		return single(b), single(b[4:]), 0
	}
	return double(b), double(b[8:]), 0
}

func single(b []byte) float64 { return float64(math.Float32frombits(binary.NativeEndian.Uint32(b))) }
func double(b []byte) float64 { return math.Float64frombits(binary.NativeEndian.Uint64(b)) }
