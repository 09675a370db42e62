package cpu

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// boolOps are the operations on truth values, eight at a time. They are read as
// bytes: only 0 is false, whatever put the byte there. Results are 0 or 1.
var boolOps = map[scalar.Op]func(x, y uint64) uint64{
	scalar.Not:          func(x, _ uint64) uint64 { return x ^ eachByte },
	scalar.And:          func(x, y uint64) uint64 { return x & y },
	scalar.Or:           func(x, y uint64) uint64 { return x | y },
	scalar.Xor:          func(x, y uint64) uint64 { return x ^ y },
	scalar.NotEqual:     func(x, y uint64) uint64 { return x ^ y },
	scalar.Equal:        func(x, y uint64) uint64 { return x ^ y ^ eachByte },
	scalar.Less:         func(x, y uint64) uint64 { return y &^ x },
	scalar.LessEqual:    func(x, y uint64) uint64 { return y | (x ^ eachByte) },
	scalar.Greater:      func(x, y uint64) uint64 { return x &^ y },
	scalar.GreaterEqual: func(x, y uint64) uint64 { return x | (y ^ eachByte) },
}

func boolForms(op scalar.Op) forms {
	f, ok := boolOps[op]
	switch {
	case op == scalar.IsNaN || op == scalar.IsInf:
		return each1(func(uint8) bool { return false })
	case !ok:
		return forms{}
	}
	both := wordwise(f)
	if op.Arity() == 1 {
		return forms{vv: func(d, a, _, _ unsafe.Pointer, n int) { both(d, a, a, nil, n) }}
	}
	return forms{vv: both}
}

// eachByte is true in each byte of a word.
const eachByte = 0x0101010101010101

// truths makes every byte of a word that is not 0 into 1.
func truths(w uint64) uint64 {
	const low = 0x7f7f7f7f7f7f7f7f
	return (w&low + low | w) >> 7 & eachByte
}

func truth(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

// wordwise works on eight truth values at a time; f gets and gives bytes of 0
// and 1.
func wordwise(f func(x, y uint64) uint64) stepFunc {
	return func(d, a, b, _ unsafe.Pointer, n int) {
		dst, x, y := slice[uint8](d, n), slice[uint8](a, n), slice[uint8](b, n)
		for ; n >= 8; n -= 8 {
			v, w := *(*uint64)(unsafe.Pointer(&x[0])), *(*uint64)(unsafe.Pointer(&y[0]))
			*(*uint64)(unsafe.Pointer(&dst[0])) = f(truths(v), truths(w))
			dst, x, y = dst[8:], x[8:], y[8:]
		}
		for i := range dst {
			dst[i] = uint8(f(truths(uint64(x[i])), truths(uint64(y[i])))) & 1
		}
	}
}
