package emit

import (
	"github.com/twiddle-go/twiddle/nd/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/order"
)

// The order of additions, as package order has it.
const (
	Chain       = order.Chain
	ChainLevels = order.ChainLevels
	LanesEach   = order.LanesEach
)

// Lanes is that of package order.
func Lanes(n int) int { return order.Lanes(n) }

// PartOf is that of package order.
func PartOf(n int) int { return order.PartOf(n) }

// FrameGroup is that of package order.
func FrameGroup(size, hop int) int { return order.FrameGroup(size, hop) }

// Identity is what any other value of a type combines with to itself, as a
// reduction starts: in C++, of the type's value.
func Identity(op ir.ReduceOp, t elem.Type) string {
	switch op {
	case ir.Sum, ir.Prod:
		one := map[ir.ReduceOp]string{ir.Sum: "0", ir.Prod: "1"}[op]
		if t.IsComplex() {
			return Value(t) + "{" + one + ", 0}"
		}
		return one
	case ir.All:
		return "1"
	case ir.Any:
		return "0"
	case ir.Max:
		return least(t)
	}
	return most(t)
}

// least and most are the identities of Max and Min.
func least(t elem.Type) string {
	switch t {
	case elem.Int32:
		return "-2147483647 - 1"
	case elem.Int64:
		return "-9223372036854775807ll - 1"
	case elem.Uint8, elem.Uint32:
		return "0"
	case elem.Float64:
		return "-__longlong_as_double(0x7ff0000000000000ll)"
	}
	return "-__int_as_float(0x7f800000)"
}

func most(t elem.Type) string {
	switch t {
	case elem.Int32:
		return "2147483647"
	case elem.Int64:
		return "9223372036854775807ll"
	case elem.Uint8:
		return "255u"
	case elem.Uint32:
		return "4294967295u"
	case elem.Float64:
		return "__longlong_as_double(0x7ff0000000000000ll)"
	}
	return "__int_as_float(0x7f800000)"
}
