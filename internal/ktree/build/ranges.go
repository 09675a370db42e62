package build

import (
	"math"

	"github.com/twiddle-go/twiddle/internal/ktree"
)

// Range bounds an integer value: lo <= v <= hi. It knows what a kind can hold,
// what variables are declared to hold, and what arithmetic makes of that.
func Range(v Val) (lo, hi int64) {
	lo, hi = kindRange(v.Kind())
	if !v.Type().IsScalar() || !v.Kind().IsInt() {
		return lo, hi
	}
	a, b, ok := bounds(v.E)
	if !ok || a < lo || b > hi { // it may have wrapped around
		return lo, hi
	}
	return a, b
}

func kindRange(k ktree.Kind) (lo, hi int64) {
	switch k {
	case ktree.Bool:
		return 0, 1
	case ktree.Long, ktree.Ulong: // an Ulong is held as the int64 with its bits
		return math.MinInt64, math.MaxInt64
	}
	if k.IsSigned() {
		return -1 << (k.Bits() - 1), 1<<(k.Bits()-1) - 1
	}
	return 0, 1<<k.Bits() - 1
}

// far is beyond which bounds are not followed, so that products fit 64 bits.
const far = 1 << 31

func bounds(e ktree.Expr) (lo, hi int64, ok bool) {
	switch e := e.(type) {
	case *ktree.Lit:
		return e.Val.I, e.Val.I, e.Type.Kind != ktree.Ulong || e.Val.I >= 0
	case *ktree.Ref:
		return e.Var.Least, e.Var.Most, e.Var.Least != 0 || e.Var.Most != 0
	case *ktree.Convert:
		if !e.X.T().Kind.IsInt() {
			return 0, 0, false
		}
		lo, hi = Range(Val{e.X})
		least, most := kindRange(e.Type.Kind)
		return lo, hi, lo >= least && hi <= most
	case *ktree.Apply:
		if e.Fn != ktree.Min && e.Fn != ktree.Max {
			return 0, 0, false
		}
		lo, hi = Range(Val{e.Args[0]})
		a, b := Range(Val{e.Args[1]})
		if e.Fn == ktree.Min {
			return min(lo, a), min(hi, b), true
		}
		return max(lo, a), max(hi, b), true
	case *ktree.Cond:
		lo, hi = Range(Val{e.X})
		a, b := Range(Val{e.Y})
		return min(lo, a), max(hi, b), true
	case *ktree.Binary:
		return binaryBounds(e)
	}
	return 0, 0, false
}

func binaryBounds(e *ktree.Binary) (lo, hi int64, ok bool) {
	lo, hi = Range(Val{e.X})
	a, b := Range(Val{e.Y})
	if lo < -far || hi > far || a < -far || b > far {
		return 0, 0, false
	}
	switch e.Op {
	case ktree.Add:
		return lo + a, hi + b, true
	case ktree.Sub:
		return lo - b, hi - a, true
	case ktree.Mul:
		return min(lo*a, lo*b, hi*a, hi*b), max(lo*a, lo*b, hi*a, hi*b), true
	case ktree.Div:
		return lo / b, hi / max(a, 1), lo >= 0 && a > 0
	case ktree.Rem:
		return 0, min(hi, b-1), lo >= 0 && a > 0
	case ktree.And:
		return 0, min(hi, b), lo >= 0 && a >= 0
	case ktree.Shl:
		return lo << b, hi << b, lo >= 0 && a == b && a >= 0 && b < 31
	case ktree.Shr:
		return lo >> b, hi >> a, lo >= 0 && a >= 0 && b < 63
	}
	return 0, 0, false
}
