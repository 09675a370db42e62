package devicetest

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/reference"
)

// encode lays values out as a buffer.
func encode(t elem.Type, values []reference.Value) []byte {
	out := make([]byte, len(values)*t.Size())
	for i, v := range values {
		reference.Store(v, out, i)
	}
	return out
}

// magnitudes is the moduli of numbers of a type, as another.
func magnitudes(from, to elem.Type, data []byte) []byte {
	return encode(to, lists.Make(len(data)/from.Size(), func(i int) reference.Value {
		return reference.Float(to, cmplx.Abs(reference.Load(from, data, i).Num))
	}))
}

// floats every float type has, as near as it can: zeros, ones, halves, where
// arithmetic overflows and underflows, and what is not a number.
var floats = []float64{
	0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 3, -7, 10, 100.25, -1000,
	math.Pi, -math.Pi / 2, math.E, 1e-3, -1e-5, 1e-7,
	math.Inf(1), math.Inf(-1), math.NaN(),
}

// extremes are the least and greatest numbers of each float type: subnormal,
// normal, and the largest.
var extremes = map[elem.Type][]float64{
	elem.Float16:  {0x1p-24, -0x1p-24, 0x1.ff8p-15, 0x1p-14, 65504, -65504},
	elem.BFloat16: {0x1p-133, -0x1p-133, 0x1.fcp-127, 0x1p-126, 0x1.fep127, -0x1.fep127},
	elem.Float32:  {0x1p-149, -0x1p-149, 0x1.fffffcp-127, 0x1p-126, math.MaxFloat32, -math.MaxFloat32, 1e30, 1e-30},
	elem.Float64:  {0x1p-1074, -0x1p-1074, 0x1.ffffffffffffep-1023, 0x1p-1022, math.MaxFloat64, -math.MaxFloat64, 1e300, 1e-300},
}

var integers = map[elem.Type][]int64{
	elem.Bool:   {0, 1},
	elem.Uint8:  {0, 1, 2, 3, 7, 100, 127, 128, 254, 255},
	elem.Int8:   {0, 1, -1, 2, -2, 3, 7, -10, 100, 127, -128, -127},
	elem.Int16:  {0, 1, -1, 2, -2, 3, 7, -10, 1000, math.MaxInt16, math.MinInt16, math.MinInt16 + 1},
	elem.Int32:  {0, 1, -1, 2, -2, 3, 7, -10, 1000, math.MaxInt32, math.MinInt32, math.MinInt32 + 1},
	elem.Int64:  {0, 1, -1, 2, -2, 3, 7, -10, 1 << 40, 1<<53 + 1, math.MaxInt64, math.MinInt64, math.MinInt64 + 1},
	elem.Uint32: {0, 1, 2, 3, 7, 1000, 1 << 31, math.MaxUint32 - 1, math.MaxUint32},
}

// specials are the values of t at which operations have corners.
func (s *suite) specials(t elem.Type) []reference.Value {
	var out []reference.Value
	edge := slices.Clone(extremes[t.Real()])
	if s.flushes(t) {
		for i, x := range edge {
			if math.Abs(x) < leastNormal {
				edge[i] = math.Copysign(0, x)
			}
		}
	}
	switch {
	case t.IsFloat():
		out = lists.Map(append(append([]float64(nil), floats...), edge...), func(x float64) reference.Value { return reference.Float(t, x) })
	case t.IsComplex():
		parts := []float64{0, math.Copysign(0, -1), 1, -2.5, math.Inf(1), math.Inf(-1), math.NaN(), edge[0], edge[6]}
		for _, re := range parts {
			for _, im := range parts {
				out = append(out, reference.Complex(t, complex(re, im)))
			}
		}
	default:
		out = lists.Map(integers[t], func(v int64) reference.Value { return reference.Integer(t, v) })
	}
	return out
}

// leastNormal is the least normal number of float32 and of bfloat16.
const leastNormal = 0x1p-126

// flushes reports that the device may take subnormal numbers of the type for zeros.
func (s *suite) flushes(t elem.Type) bool {
	return s.dev.Info().Flushes && (t.Real() == elem.Float32 || t == elem.BFloat16)
}

// ordinary is a finite value of middling size: for floats of either sign and
// a few orders of magnitude, for integers small or any.
func ordinary(t elem.Type, rng *rand.Rand) reference.Value {
	real := func() float64 {
		return (2*rng.Float64() - 1) * []float64{1e-2, 1, 1, 8, 60}[rng.IntN(5)]
	}
	switch {
	case t.IsFloat():
		return reference.Float(t, real())
	case t.IsComplex():
		return reference.Complex(t, complex(real(), real()))
	case t == elem.Bool:
		return reference.Truth(rng.IntN(2) == 1)
	case rng.IntN(2) == 0:
		return reference.Integer(t, int64(rng.IntN(41))-20)
	}
	return reference.Integer(t, int64(rng.Uint64()))
}

// some gives n ordinary values, encoded.
func (s *suite) some(t elem.Type, n int) []byte {
	values := lists.Make(n, func(int) reference.Value { return ordinary(t, s.rng) })
	return encode(t, values)
}
