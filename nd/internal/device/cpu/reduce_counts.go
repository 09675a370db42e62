package cpu

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// A sum of truth values, cast to numbers that hold every count, is counted where the truth values are:
// they need not become eight times as many bytes first.

// truthOf is the truth value that a reduction counts, or -1.
func truthOf(r *ir.Reduce) ir.ValueID {
	src := r.Instrs[r.Value]
	if r.Op == ir.Sum && src.Kind == ir.Apply && src.Op == scalar.Cast && r.Instrs[src.A].Type == elem.Bool &&
		(src.Type == elem.Int64 || src.Type == elem.Float64) {
		return src.A
	}
	return -1
}

// countFold is the fold sums of a type, of lines of truth values.
func countFold(sums fold, t elem.Type) fold {
	sums.line = func(acc, x unsafe.Pointer, n, _ int) {
		count := countTrue(slice[uint8](x, n))
		if t == elem.Float64 {
			*(*float64)(acc) = float64(count)
		} else {
			*(*int64)(acc) = int64(count)
		}
	}
	sums.start, sums.add = nil, nil // of columns
	return sums
}

// countTrue adds up eight bytes at a time, in four sums of 255 words at most.
func countTrue(x []uint8) int {
	const pairs = 0x00ff00ff00ff00ff
	n := 0
	for len(x) >= 32 {
		run := x[:min(len(x)&^31, 4*255*8)]
		var a, b, c, d uint64
		for i := 0; i < len(run); i += 32 {
			w := (*[4]uint64)(unsafe.Pointer(&run[i]))
			a, b, c, d = a+truths(w[0]), b+truths(w[1]), c+truths(w[2]), d+truths(w[3])
		}
		for _, s := range [...]uint64{a, b, c, d} {
			n += int((s&pairs + s>>8&pairs) * 0x0001000100010001 >> 48)
		}
		x = x[len(run):]
	}
	for _, v := range x {
		if v != 0 {
			n++
		}
	}
	return n
}
