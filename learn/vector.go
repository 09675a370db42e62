package learn

import "github.com/twiddle-go/twiddle/nd"

// vector shows a list of arrays as one vector of reals, complex ones as their
// real parts and then their imaginary parts.
type vector struct {
	shapes [][]int
	types  []nd.DType
	sizes  []int // reals of each
}

func vectorOf(list []*nd.Array) vector {
	var v vector
	for _, a := range list {
		n := a.Len()
		if a.DType().IsComplex() {
			n *= 2
		}
		v.shapes, v.types, v.sizes = append(v.shapes, a.Shape()), append(v.types, a.DType()), append(v.sizes, n)
	}
	return v
}

// join makes the vector. Reals of different types are an error, as nothing is
// promoted.
func (v vector) join(list []*nd.Array) *nd.Array {
	var parts []*nd.Array
	for _, a := range list {
		if a.DType().IsComplex() {
			parts = append(parts, a.Real().Flatten(), a.Imag().Flatten())
		} else {
			parts = append(parts, a.Flatten())
		}
	}
	return nd.Concat(0, parts...)
}

// split is the reverse.
func (v vector) split(x *nd.Array) []*nd.Array {
	list := make([]*nd.Array, len(v.sizes))
	at := 0
	for i, n := range v.sizes {
		part := func(from, count int) *nd.Array {
			return x.SliceAxis(0, nd.Range{Start: at + from, Stop: at + from + count}).Reshape(v.shapes[i]...)
		}
		if v.types[i].IsComplex() {
			list[i] = nd.Complex(part(0, n/2), part(n/2, n/2))
		} else {
			list[i] = part(0, n)
		}
		at += n
	}
	return list
}
