package oracle

import "math"

// Unit roundoffs of the two precisions.
const (
	Epsilon32 = 1.0 / (1 << 24)
	Epsilon64 = 1.0 / (1 << 53)
)

// Epsilon is the unit roundoff of C's parts.
func Epsilon[C Complex]() float64 {
	if _, single := any(C(0)).(complex64); single {
		return Epsilon32
	}
	return Epsilon64
}

// Law is how the relative L2 error of a good transform grows with its
// length: sqrt(log2 n) units. A length of 1 or 2 counts as 2.
func Law(n int) float64 { return math.Sqrt(math.Log2(float64(max(n, 2)))) }

// RelativeError is the L2 norm of got-want over that of want. If want is all
// zero, it is the norm of got. It is infinite if the lengths differ, and NaN
// if got holds one.
func RelativeError[C Complex](got []C, want Values) float64 {
	if len(got) != want.Len() {
		return math.Inf(1)
	}
	var difference, norm float64
	for i, g := range got {
		d := exact(g).sub(want.v[i])
		re, im := d.re.float(), d.im.float()
		difference += re*re + im*im
		w := want.At(i)
		norm += real(w)*real(w) + imag(w)*imag(w)
	}
	if norm == 0 {
		norm = 1
	}
	return math.Sqrt(difference / norm)
}

// Half splits the transform of a complex signal z into those of its real and
// its imaginary part, bins 0 to n/2 of each: what real transforms yield.
func (v Values) Half() (re, im Values) {
	n := len(v.v)
	re, im = Values{make([]cdd, n/2+1)}, Values{make([]cdd, n/2+1)}
	for k := range re.v {
		a, b := v.v[k], v.v[(n-k)%n].conj()
		sum, dif := a.add(b), a.sub(b)
		re.v[k] = cdd{sum.re.half(), sum.im.half()}
		im.v[k] = cdd{dif.im.half(), dif.re.half().neg()}
	}
	return re, im
}

// Reversed exchanges bins k and n-k: the inverse transform of a signal, if v
// is its forward one.
func (v Values) Reversed() Values {
	n := len(v.v)
	out := make([]cdd, n)
	for k := range out {
		out[k] = v.v[(n-k)%n]
	}
	return Values{out}
}

// Exact are given values, taken as they are.
func Exact[C Complex](x []C) Values {
	out := make([]cdd, len(x))
	for i, v := range x {
		out[i] = exact(v)
	}
	return Values{out}
}

// Rounded is every value, rounded to C.
func Rounded[C Complex](v Values) []C {
	out := make([]C, v.Len())
	for i := range out {
		out[i] = C(v.At(i))
	}
	return out
}
