package nd

import "github.com/twiddle-go/twiddle/nd/internal/scalar"

// Complex makes complex numbers of real and imaginary parts.
func Complex(re, im *Array) *Array {
	if bad := unusable("complex", re, im); bad != nil {
		return bad
	}
	return re.binary(scalar.MakeComplex, im)
}

// Real is the real part of complex numbers.
func (a *Array) Real() *Array { return a.unary(scalar.Real) }

// Imag is the imaginary part of complex numbers.
func (a *Array) Imag() *Array { return a.unary(scalar.Imag) }

// Conj is the complex conjugate; a real array is its own.
func (a *Array) Conj() *Array { return a.unary(scalar.Conj) }

// Angle is the argument of complex numbers, in (-pi, pi].
func (a *Array) Angle() *Array { return a.unary(scalar.Angle) }

// AbsSquared is the squared modulus, without the root that Abs takes; x*x for
// real numbers.
func (a *Array) AbsSquared() *Array { return a.unary(scalar.AbsSquared) }
