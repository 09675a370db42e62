package signal

import "github.com/twiddle-go/twiddle/nd"

// constant is numbers that were computed in float64, rounded once to the
// element type of an array and on the device of that array.
func constant(values []float64, like *nd.Array, shape ...int) *nd.Array {
	if like.DType().IsComplex() {
		z := make([]complex128, len(values))
		for i, v := range values {
			z[i] = complex(v, 0)
		}
		return complexConstant(z, like, shape...)
	}
	return typed(values, like.DType(), shape...).Beside(like)
}

// complexConstant is constant for complex numbers, of the precision of an
// array.
func complexConstant(values []complex128, like *nd.Array, shape ...int) *nd.Array {
	if t := like.DType(); t == nd.Complex128 || t == nd.Float64 {
		return nd.From(values, shape...).Beside(like)
	}
	z := make([]complex64, len(values))
	for i, v := range values {
		z[i] = complex64(v)
	}
	return nd.From(z, shape...).Beside(like)
}

// typed is numbers as an array of a float type.
func typed(values []float64, t nd.DType, shape ...int) *nd.Array {
	if t == nd.Float64 {
		return nd.From(values, shape...)
	}
	v := make([]float32, len(values))
	for i, x := range values {
		v[i] = float32(x)
	}
	return nd.From(v, shape...)
}
