package printer

import (
	"fmt"
	"math"
	"strconv"

	"github.com/twiddle-go/twiddle/internal/ktree"
)

// Values have these types: integers of up to 32 bits are i32 or u32, halves are f32
// that a half could hold, and 64 bits are pairs of words. With native halves, Half
// is f16.

// kind is the name of a value's type. The offset of a moving pointer is a long in
// the dialect; buffers here are short enough for i32.
func (w *wgsl) kind(k ktree.Kind, offset bool) string {
	switch k {
	case ktree.Bool:
		return "bool"
	case ktree.Char, ktree.Short, ktree.Int:
		return "i32"
	case ktree.Uchar, ktree.Ushort, ktree.Uint:
		return "u32"
	case ktree.Half:
		if w.native {
			return "f16"
		}
		return "f32"
	case ktree.Float, ktree.Bfloat:
		return "f32"
	case ktree.Long, ktree.Ulong, ktree.Double:
		if offset {
			return "i32"
		}
		return "vec2<u32>"
	}
	return ""
}

// isWide reports kinds that are pairs of words.
func isWide(k ktree.Kind) bool { return k.Bits() == 64 }

// isNarrow reports kinds of which several are in a word of memory.
func isNarrow(k ktree.Kind) bool { return k.Bits() < 32 }

// wrapped cuts an integer of less than 32 bits, or rounds a half.
func (w *wgsl) wrapped(k ktree.Kind, s string) string {
	switch k {
	case ktree.Uchar:
		return "(" + s + " & 255u)"
	case ktree.Ushort:
		return "(" + s + " & 65535u)"
	case ktree.Char:
		return "((" + s + " << 24u) >> 24u)"
	case ktree.Short:
		return "((" + s + " << 16u) >> 16u)"
	case ktree.Half:
		if !w.native {
			return "tw_half(" + bare(s) + ")"
		}
	case ktree.Bfloat:
		return "tw_bfloat(" + bare(s) + ")"
	}
	return s
}

func (w *wgsl) num(k ktree.Kind, n ktree.Num) string {
	pair := func(bits uint64) string { return fmt.Sprintf("vec2<u32>(%du, %du)", uint32(bits), uint32(bits>>32)) }
	switch k {
	case ktree.Bool:
		return strconv.FormatBool(n.I != 0)
	case ktree.Long, ktree.Ulong:
		return pair(uint64(n.I))
	case ktree.Double:
		return pair(math.Float64bits(n.F))
	case ktree.Float, ktree.Half, ktree.Bfloat:
		suffix, bits := "f", uint32(0)
		f16 := k == ktree.Half && w.native
		if f16 {
			suffix = "h"
		}
		switch {
		case math.IsNaN(n.F):
			bits = 0x7fc00000
		case math.IsInf(float64(float32(n.F)), 1):
			bits = 0x7f800000
		case math.IsInf(float64(float32(n.F)), -1):
			bits = 0xff800000
		case n.F == 0 && math.Signbit(n.F):
			return "(-0.0" + suffix + ")"
		default:
			s := withPoint(strconv.FormatFloat(n.F, 'g', -1, 32)) + suffix
			if n.F < 0 {
				return "(" + s + ")"
			}
			return s
		}
		// Not a literal in WGSL; through a variable it is not folded either.
		s := fmt.Sprintf("bitcast<f32>(tw_group.x * 0u + 0x%xu)", bits)
		if f16 {
			return "f16(" + s + ")"
		}
		return s
	case ktree.Uint, ktree.Uchar, ktree.Ushort:
		return strconv.FormatUint(uint64(uint32(n.I)), 10) + "u"
	}
	v := int32(n.I)
	if v == math.MinInt32 {
		return "i32(-2147483648)"
	}
	if v < 0 {
		return fmt.Sprintf("(%di)", v)
	}
	return fmt.Sprintf("%di", v)
}

// converted is s, of kind from, as kind to: integers wrap, floats that become
// integers go towards zero and stay in range.
func (w *wgsl) converted(from, to ktree.Kind, s string) string {
	if from == to {
		return s
	}
	call := func(f string) string { return f + "(" + bare(s) + ")" }
	real := from == ktree.Float || from.IsHalf()
	if from == ktree.Half && w.native {
		s, from = "f32("+bare(s)+")", ktree.Float
	}
	switch to {
	case ktree.Bool:
		switch {
		case from == ktree.Double:
			return call("tw_dtruth")
		case isWide(from):
			return "any(" + s + " != vec2<u32>(0u, 0u))"
		case real && !(from == ktree.Half && w.native):
			// Comparisons may take subnormal numbers for zeros.
			return "((bitcast<u32>(" + bare(s) + ") & 0x7fffffffu) != 0u)"
		case from.IsFloat():
			return "(!(" + s + " == " + w.num(from, ktree.Num{}) + "))"
		}
		return "(" + s + " != " + w.num(from, ktree.Num{}) + ")"
	case ktree.Half:
		if w.native {
			return "f16(" + bare(w.converted(from, ktree.Float, s)) + ")"
		}
		return w.wrapped(to, w.converted(from, ktree.Float, s))
	case ktree.Bfloat:
		return w.wrapped(to, w.converted(from, ktree.Float, s))
	case ktree.Float:
		switch {
		case real:
			return s
		case from == ktree.Bool:
			return "select(0.0f, 1.0f, " + s + ")"
		case from == ktree.Double:
			return call("tw_d2f")
		case from == ktree.Long:
			return call("tw_l2f")
		case from == ktree.Ulong:
			return call("tw_ul2f")
		case from == ktree.Uint:
			return call("tw_u2f")
		}
		return call("f32")
	case ktree.Double:
		switch {
		case real:
			return call("tw_f2d")
		case from == ktree.Long:
			return call("tw_l2d")
		case from == ktree.Ulong:
			return call("tw_ul2d")
		case w.kind(from, false) == "i32":
			return call("tw_i2d")
		}
		return "tw_ul2d(" + w.converted(from, ktree.Ulong, s) + ")"
	case ktree.Long, ktree.Ulong:
		signed := to == ktree.Long
		switch {
		case from == ktree.Bool:
			return "vec2<u32>(select(0u, 1u, " + s + "), 0u)"
		case real && signed:
			return call("tw_f2l")
		case real:
			return call("tw_f2ul")
		case from == ktree.Double && signed:
			return call("tw_d2l")
		case from == ktree.Double:
			return call("tw_d2ul")
		case isWide(from):
			return s
		case w.kind(from, false) == "i32":
			return call("tw_i2l")
		}
		return "vec2<u32>(" + bare(s) + ", 0u)"
	}
	return w.toWord(from, to, s)
}

// ranges of integers of less than 32 bits.
var wgslRanges = map[ktree.Kind][2]string{ktree.Char: {"-128i", "127i"}, ktree.Short: {"-32768i", "32767i"}, ktree.Uchar: {"0u", "255u"}, ktree.Ushort: {"0u", "65535u"}}

// toWord converts to an integer of up to 32 bits.
func (w *wgsl) toWord(from, to ktree.Kind, s string) string {
	name := w.kind(to, false)
	signed := name == "i32"
	if from.IsFloat() {
		letter := "u"
		if signed {
			letter = "i"
		}
		if from == ktree.Double {
			s = "tw_d2" + letter + "(" + bare(s) + ")"
		} else {
			s = "tw_f2" + letter + "(" + bare(s) + ")"
		}
		if r, ok := wgslRanges[to]; ok {
			s = fmt.Sprintf("clamp(%s, %s, %s)", s, r[0], r[1])
		}
		return s
	}
	switch {
	case from == ktree.Bool && signed:
		return "select(0i, 1i, " + s + ")"
	case from == ktree.Bool:
		return "select(0u, 1u, " + s + ")"
	case isWide(from):
		s = s + ".x"
		if signed {
			s = "bitcast<i32>(" + s + ")"
		}
	case w.kind(from, false) != name:
		s = "bitcast<" + name + ">(" + bare(s) + ")"
	}
	if to.Bits() < 32 && !(from.Bits() < to.Bits() && (from.IsSigned() == to.IsSigned() || to.IsSigned())) {
		return w.wrapped(to, s)
	}
	return s
}
