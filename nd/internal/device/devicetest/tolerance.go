package devicetest

import (
	"fmt"
	"math"
	"math/cmplx"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/reference"
)

// tolerance says how far a result may be from the reference. The zero value
// asks for the very bits, any NaN being as good as another.
type tolerance struct {
	// ulp is the distance allowed in units of the last place of the result;
	// for complex results, of its modulus.
	ulp float64
	// slack is a further absolute distance, by output and position: what
	// cancellation inside a sum costs. It is asked for where bits differ only, so
	// what it takes to find it is left until then.
	slack func(output, position int) float64
	// anyZero lets +0 and -0 stand for each other.
	anyZero bool
	// unseen, if not nil, is the positions that may hold anything.
	unseen func(position int) bool
	// flushes lets a zero stand for a subnormal number, in the result or on the way
	// to it.
	flushes bool

	output int
}

var exact = tolerance{}

func within(ulp float64) tolerance { return tolerance{ulp: ulp, anyZero: true} }

func (tol tolerance) forOutput(i int) tolerance {
	tol.output = i
	return tol
}

// accepts compares element i.
func (tol tolerance) accepts(want, got reference.Value, i int) bool {
	t := want.Type
	switch {
	case tol.unseen != nil && tol.unseen(i):
		return true
	case t.IsFloat():
		return tol.acceptsFloat(want.Float64(), got.Float64(), tol.allowed(want, i))
	case t.IsComplex():
		w, g := want.Num, got.Num
		if cmplx.IsNaN(w) || cmplx.IsInf(w) || cmplx.IsNaN(g) || cmplx.IsInf(g) {
			return tol.acceptsFloat(real(w), real(g), 0) && tol.acceptsFloat(imag(w), imag(g), 0)
		}
		if allowed := tol.allowed(want, i); allowed > 0 {
			return cmplx.Abs(w-g) <= allowed
		}
		return tol.acceptsFloat(real(w), real(g), 0) && tol.acceptsFloat(imag(w), imag(g), 0)
	}
	return want.Int == got.Int
}

func (tol tolerance) acceptsFloat(want, got, allowed float64) bool {
	switch {
	case want != want || got != got:
		return want != want && got != got
	case want == got:
		return want != 0 || tol.anyZero || math.Signbit(want) == math.Signbit(got)
	case math.IsInf(want, 0):
		return false
	}
	return math.Abs(want-got) <= allowed
}

// allowed is the absolute distance.
func (tol tolerance) allowed(want reference.Value, i int) float64 {
	d := tol.ulp * spacing(want.Type.Real(), cmplx.Abs(want.Num))
	if tol.slack != nil {
		d += tol.slack(tol.output, i)
	}
	if tol.flushes {
		d += leastNormal
	}
	if math.IsNaN(d) || math.IsInf(d, 0) {
		return 0
	}
	return d
}

func (tol tolerance) describe(want, got reference.Value, i int) string {
	t := want.Type
	if !t.IsFloat() && !t.IsComplex() {
		return t.String()
	}
	off := cmplx.Abs(want.Num-got.Num) / spacing(t.Real(), cmplx.Abs(want.Num))
	return fmt.Sprintf("%s, off by %.3g ulp, allowed %.3g", t, off, tol.allowed(want, i)/spacing(t.Real(), cmplx.Abs(want.Num)))
}

// formats are the bits of the significand behind the point, and the exponent
// of the least normal number.
var formats = map[elem.Type]struct{ bits, least int }{
	elem.Float16:  {10, -14},
	elem.BFloat16: {7, -126},
	elem.Float32:  {23, -126},
	elem.Float64:  {52, -1022},
}

// spacing is the distance from x to the next number of type t. Below the
// normal numbers it stays that of the least of them.
func spacing(t elem.Type, x float64) float64 {
	f := formats[t]
	e := f.least
	if x != 0 && !math.IsInf(x, 0) && x == x {
		e = max(e, math.Ilogb(x))
	}
	return math.Ldexp(1, e-f.bits)
}
