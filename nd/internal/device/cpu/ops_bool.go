package cpu

import "github.com/twiddle-go/twiddle/nd/internal/scalar"

// boolForms is the operations on truth values. They are read as bytes: only
// 0 is false, whatever put the byte there.
func boolForms(op scalar.Op) forms {
	two := func(f func(x, y bool) bool) forms {
		return each2(func(x, y uint8) bool { return f(x != 0, y != 0) })
	}
	switch op {
	case scalar.Not:
		return each1(func(x uint8) bool { return x == 0 })
	case scalar.IsNaN, scalar.IsInf:
		return each1(func(uint8) bool { return false })
	case scalar.And:
		return two(func(x, y bool) bool { return x && y })
	case scalar.Or:
		return two(func(x, y bool) bool { return x || y })
	case scalar.Xor, scalar.NotEqual:
		return two(func(x, y bool) bool { return x != y })
	case scalar.Equal:
		return two(func(x, y bool) bool { return x == y })
	case scalar.Less:
		return two(func(x, y bool) bool { return !x && y })
	case scalar.LessEqual:
		return two(func(x, y bool) bool { return !x || y })
	case scalar.Greater:
		return two(func(x, y bool) bool { return x && !y })
	case scalar.GreaterEqual:
		return two(func(x, y bool) bool { return x || !y })
	}
	return forms{}
}
