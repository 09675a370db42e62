package nd

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// Complex makes complex numbers of real and imaginary parts.
func Complex(re, im *Array) *Array {
	if bad := unusable("complex", re, im); bad != nil {
		return bad
	}
	return re.binary(scalar.MakeComplex, im)
}

// Polar makes complex numbers of moduli and angles in radians.
func Polar(modulus, angle *Array) *Array {
	if bad := unusable("polar", modulus, angle); bad != nil {
		return bad
	}
	return named("polar", Complex(modulus.Mul(angle.Cos()), modulus.Mul(angle.Sin())))
}

// MulReal multiplies complex numbers by real ones of the same precision, a
// window or a gain say: both parts are scaled, and no complex number is made of
// the real one.
func (a *Array) MulReal(r *Array) *Array {
	if bad := unusable("mul_real", a, r); bad != nil {
		return bad
	}
	if !a.node.Type.IsComplex() || r.node.Type != a.node.Type.Real() {
		return failed("mul_real", fmt.Errorf("%s by %s, want a complex array by a real one of its precision", a.node.Type, r.node.Type), a, r)
	}
	return named("mul_real", Complex(a.Real().Mul(r), a.Imag().Mul(r)))
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
