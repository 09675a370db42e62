package line

import (
	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/dft"
)

// precision is the numbers that transforms compute with.
type precision struct {
	kind ktree.Kind
	bits int // of a real
	// lanes is how many lines are computed side by side, in the components of a real;
	// 0 for one.
	lanes int
}

var single, double = &precision{kind: ktree.Float, bits: 32}, &precision{kind: ktree.Double, bits: 64}

// halves compute two lines at a time.
var halves = &precision{kind: ktree.Half, bits: 32, lanes: 2}

// bytes is the size of a complex number.
func (p *precision) bytes() int { return p.bits / 4 }

// real is the type of a real.
func (p *precision) real() ktree.Type { return ktree.Vector(p.kind, max(p.lanes, 1)) }

// pair is the type of a complex number.
func (p *precision) pair() ktree.Type { return ktree.Vector(p.kind, 2*max(p.lanes, 1)) }

// two is the type of two complex numbers.
func (p *precision) two() ktree.Type { return ktree.Vector(p.kind, 4*max(p.lanes, 1)) }

// constant is the type of a complex number in tables, which is that of all lanes.
func (p *precision) constant() ktree.Type { return ktree.Vector(p.kind, 2) }

// zero is a real that is known to be nothing.
func (p *precision) zero() build.Val { return build.ZeroOf(p.real()) }

// only is a number without an imaginary part.
func (p *precision) only(v build.Val) number { return number{Re: v, Im: p.zero()} }

// nothing is a number that is known to be zero when the kernel is made, so that
// transforms of padded lines do not compute with it.
func (p *precision) nothing() number { return number{Re: p.zero(), Im: p.zero()} }

// numberOf is a value as a number.
func (p *precision) numberOf(v kgen.Num) number {
	if v.IsComplex() {
		return number{Re: v.Re, Im: v.Im}
	}
	return p.only(v.Re)
}

// valueOf is a number as a value of a type, complex or not.
func valueOf(t elem.Type, z number) kgen.Num {
	if t.IsComplex() {
		return kgen.Num{Re: z.Re, Im: z.Im}
	}
	return kgen.Real(z.Re)
}

// number is a complex number.
type number = dft.Number
