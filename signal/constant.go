package signal

import "github.com/twiddle-go/twiddle/nd"

// constant is numbers that were computed in float64, rounded once to the
// element type of an array and on the device of that array.
func constant(values []float64, like *nd.Array, shape ...int) *nd.Array {
	return onHost(values, like.DType(), shape...).Beside(like)
}

// complexConstant is constant for complex numbers, of the precision of an
// array.
func complexConstant(values []complex128, like *nd.Array, shape ...int) *nd.Array {
	return complexOnHost(values, like.DType(), shape...).Beside(like)
}

// onHost is numbers as an array of a float or complex type, on the host.
func onHost(values []float64, t nd.DType, shape ...int) *nd.Array {
	if !t.IsComplex() {
		return typed(values, t, shape...)
	}
	z := make([]complex128, len(values))
	for i, v := range values {
		z[i] = complex(v, 0)
	}
	return complexOnHost(z, t, shape...)
}

func complexOnHost(values []complex128, t nd.DType, shape ...int) *nd.Array {
	if t == nd.Complex128 || t == nd.Float64 {
		return nd.From(values, shape...)
	}
	z := make([]complex64, len(values))
	for i, v := range values {
		z[i] = complex64(v)
	}
	return nd.From(z, shape...)
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
