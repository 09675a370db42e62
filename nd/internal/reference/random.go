package reference

import (
	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/simd/philox"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// Draw is a random element of type t. args holds the key, and for RandInt the
// bounds after it. Draws are part of what a program means: every device gives
// these very bits.
func Draw(op scalar.Op, t elem.Type, counter int64, args []scalar.Arg) Value {
	key, n := args[0][0], uint64(counter)
	switch op {
	case scalar.RandBits:
		return Integer(t, int64(philox.Bits(key, n)))
	case scalar.RandUniform:
		if t == elem.Float64 {
			return Float(t, philox.Float64(key, n))
		}
		return Float(t, float64(philox.Float32(key, n)))
	case scalar.RandNormal:
		return Float(t, philox.Normal(key, n))
	case scalar.RandInt:
		return Integer(t, philox.Int(key, n, int64(args[1][0]), int64(args[1][1])))
	}
	return unknown(op, t)
}
