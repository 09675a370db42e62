package cpu

import (
	"sync"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd/vec"
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

func boolForms(k *vec.Table, op scalar.Op) forms {
	f, ok := boolOps[op]
	switch {
	case op == scalar.IsNaN || op == scalar.IsInf:
		return each1(func(uint8) bool { return false })
	case !ok:
		return forms{}
	case op == scalar.Not && hasBytes(k):
		return forms{vv: func(d, a, _, _ unsafe.Pointer, n int) { bytewise(k.U8.Equal, d, a, unsafe.Pointer(&zeroBytes), n) }}
	}
	both := wordwise(f)
	if byByte := lanesOfTruth(&k.U8, op); byByte != nil && hasBytes(k) {
		both = vectorwise(k.U8.Min, byByte)
	}
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

// truthRun is how many truth values vectors take at a time, by way of the first cache.
const truthRun = 1024

var zeroBytes, oneBytes = [truthRun]uint8{}, func() (ones [truthRun]uint8) {
	for i := range ones {
		ones[i] = 1
	}
	return ones
}()

// truthRuns are places for two runs: those of a function would be garbage.
var truthRuns = sync.Pool{New: func() any { return new([2][truthRun]uint8) }}

// hasBytes says that there are vectors of bytes. Go's loops over them are slower than those
// over words.
func hasBytes(k *vec.Table) bool { return k.U8.Quotients != nil }

// lanesOfTruth is the operation on bytes that are 0 or 1.
func lanesOfTruth(k *vec.Integer[uint8], op scalar.Op) vec.Lanes {
	switch op {
	case scalar.And:
		return k.Min
	case scalar.Or:
		return k.Max
	case scalar.Xor, scalar.NotEqual:
		return k.NotEqual
	case scalar.Equal:
		return k.Equal
	case scalar.Less:
		return k.Less
	case scalar.LessEqual:
		return k.LessEqual
	case scalar.Greater:
		return k.Greater
	case scalar.GreaterEqual:
		return k.GreaterEqual
	}
	return nil
}

// vectorwise makes bytes 0 or 1, by the lesser of them and 1, and does op.
func vectorwise(lesser, op vec.Lanes) stepFunc {
	return func(d, a, b, _ unsafe.Pointer, n int) {
		run := truthRuns.Get().(*[2][truthRun]uint8)
		defer truthRuns.Put(run)
		x, y := &run[0], &run[1]
		for n > 0 {
			m := min(n, truthRun)
			lesser(unsafe.Pointer(x), a, unsafe.Pointer(&oneBytes), m)
			lesser(unsafe.Pointer(y), b, unsafe.Pointer(&oneBytes), m)
			op(d, unsafe.Pointer(x), unsafe.Pointer(y), m)
			if n -= m; n > 0 {
				d, a, b = unsafe.Add(d, m), unsafe.Add(a, m), unsafe.Add(b, m)
			}
		}
	}
}

// bytewise does op on bytes and the truthRun ones at b, again and again.
func bytewise(op vec.Lanes, d, a, b unsafe.Pointer, n int) {
	for n > 0 {
		m := min(n, truthRun)
		op(d, a, b, m)
		if n -= m; n > 0 {
			d, a = unsafe.Add(d, m), unsafe.Add(a, m)
		}
	}
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
