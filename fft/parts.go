package fft

import "unsafe"

// parts are the real and imaginary part of z. R is the component type of C,
// which Go's generics cannot say.
func parts[R Float, C Complex](z C) (re, im R) {
	p := (*[2]R)(unsafe.Pointer(&z))
	return p[0], p[1]
}

// pair is the complex number of two parts.
func pair[R Float, C Complex](re, im R) C {
	var z C
	*(*[2]R)(unsafe.Pointer(&z)) = [2]R{re, im}
	return z
}

// element is a complex number rounded to C.
func element[C Complex](re, im float64) C { return C(complex(re, im)) }
