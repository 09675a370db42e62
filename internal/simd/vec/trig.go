package vec

import "math"

// (sin(r) - r)/r^3 and (cos(r) - 1)/r^2 in r^2, for |r| <= pi/4. Times r^2 they
// are off by 2^-37.6 and 2^-34.1.
var (
	sinSingle = []float64{-0x1.5555554cb94c6p-3, 0x1.11110895d4362p-7, -0x1.a00f9d42d32eap-13, 0x1.6cd83fa202dcfp-19}
	cosSingle = []float64{-0x1.ffffffd0bdccdp-2, 0x1.55553e0d4af18p-5, -0x1.6c087d407c2ebp-10, 0x1.9933dfbf1f5a6p-16}
)

// (sin(r) - r)/r^3 and (cos(r) - 1 + r^2/2)/r^4 in r^2, for |r| <= pi/4. Times
// r^2 and r^4 they are off by 2^-58.0 and 2^-64.2.
var (
	sinDouble = []float64{
		-0x1.5555555555549p-3, 0x1.111111110f87ap-7, -0x1.a01a019c11948p-13,
		0x1.71de3577aed6cp-19, -0x1.ae5e6633019a2p-26, 0x1.5d92fe8be5afbp-33,
	}
	cosDouble = []float64{
		0x1.555555555554cp-5, -0x1.6c16c16c1517ep-10, 0x1.a01a019cb1bf4p-16,
		-0x1.27e4f809f172fp-22, 0x1.1ee9ebe983a11p-29, -0x1.8fae9c87de470p-37,
	}
)

const (
	twoByPi = 0x1.45f306dc9c883p-1
	// piHigh + piMid + piLow is pi/2 to 160 bits.
	piHigh = 0x1.921fb54442d18p0
	piMid  = 0x1.1a62633145c07p-54
	piLow  = -0x1.f1976b7ed8fbcp-110

	// Up to these magnitudes pi/2 times the quadrant is known well enough.
	trigSingle = 1 << 30
	trigDouble = 1 << 20

	// Below these magnitudes the sine and the tangent of x are x, sign of
	// zero included.
	tinySingle = 0x1p-14
	tinyDouble = 0x1p-27
)

// turnSingle is the sine and cosine of x, less the quadrant in the lowest two
// of the bits returned, to float32 precision; |x| <= trigSingle.
func turnSingle(x float64) (sin, cos float64, quadrant uint64) {
	t := math.FMA(x, twoByPi, shifter)
	k := t - shifter
	r := math.FMA(k, -piMid, math.FMA(k, -piHigh, x))
	z := float64(r * r)
	sin = math.FMA(float64(z*r), horner(z, sinSingle), r)
	cos = math.FMA(z, horner(z, cosSingle), 1)
	return sin, cos, math.Float64bits(t)
}

// turnFor is turnSingle for any x.
func turnFor(x float32) (sin, cos float64, quadrant uint64) {
	v := float64(x)
	if math.Abs(v) <= trigSingle {
		return turnSingle(v)
	}
	s, c, q := turn(v)
	return s.high + s.low, c.high + c.low, q
}

// sum is a number in two parts, the lower of which is small.
type sum struct{ high, low float64 }

// turn is turnSingle to float64 precision, for any x. The high parts are exact.
func turn(x float64) (sin, cos sum, quadrant uint64) {
	var r, low float64
	switch a := math.Abs(x); {
	case a <= trigDouble:
		t := math.FMA(x, twoByPi, shifter)
		k := t - shifter
		quadrant = math.Float64bits(t)
		// k*piHigh is a multiple of the unit in which x is counted, so a is
		// exact. r + low is a - k*piMid - k*piLow: an exact sum, and what is
		// lost.
		a := math.FMA(k, -piHigh, x)
		p := float64(k * piMid)
		r = a - p
		back := r - a
		low = a - (r - back) - (p + back)
		low -= math.FMA(k, piMid, -p)
		low = math.FMA(k, -piLow, low)
	case a <= math.MaxFloat64:
		r, low, quadrant = reduceLarge(x)
	default:
		r = math.NaN()
	}
	z := float64(r * r)
	sin.high = r
	sin.low = math.FMA(float64(z*r), horner(z, sinDouble), math.FMA(float64(-0.5*z), low, low))
	half := float64(0.5 * z)
	cos.high = 1 - half
	cos.low = 1 - cos.high - half + math.FMA(float64(z*z), horner(z, cosDouble), -float64(r*low))
	return sin, cos, quadrant
}

// pick is sin or, in odd quadrants, cos; the upper two quadrants negate.
func pick(sin, cos float64, quadrant uint64) float64 {
	if quadrant&1 != 0 {
		sin = cos
	}
	return math.Float64frombits(math.Float64bits(sin) ^ quadrant>>1<<63)
}

func sin32(x float32) float32 {
	if math.Abs(float64(x)) < tinySingle {
		return x
	}
	return float32(pick(turnFor(x)))
}

func cos32(x float32) float32 {
	s, c, q := turnFor(x)
	return float32(pick(s, c, q+1))
}

func tan32(x float32) float32 {
	if math.Abs(float64(x)) < tinySingle {
		return x
	}
	s, c, q := turnFor(x)
	if q&1 != 0 {
		s, c = -c, s
	}
	return float32(s / c)
}

func sin64(x float64) float64 {
	if math.Abs(x) < tinyDouble {
		return x
	}
	s, c, q := turn(x)
	return pick(s.high+s.low, c.high+c.low, q)
}

func cos64(x float64) float64 {
	s, c, q := turn(x)
	return pick(s.high+s.low, c.high+c.low, q+1)
}

// tan64 divides the rounded sine and cosine, then corrects the quotient by
// what it leaves of the exact ones.
func tan64(x float64) float64 {
	if math.Abs(x) < tinyDouble {
		return x
	}
	s, c, q := turn(x)
	if q&1 != 0 {
		s, c = sum{-c.high, -c.low}, s
	}
	s, c = s.rounded(), c.rounded()
	t := s.high / c.high
	left := math.FMA(-t, c.high, s.high) + math.FMA(-t, c.low, s.low)
	return t + left/c.high
}

// rounded makes the high part the rounded sum, for a high part that is the
// larger one.
func (s sum) rounded() sum {
	high := s.high + s.low
	return sum{high, s.low - (high - s.high)}
}
