package vec

import "math"

// Between these a quotient of complex numbers can be computed by its formula:
// no square or product overflows, and none that matters underflows.
const (
	divMost  = 0x1p250
	divLeast = 0x1p-250
)

// quotient is (a + ib) / (c + id). Products of what was float32 are exact in
// float64, so that it is rounded like a quotient in higher precision; numerators
// of float64 must not be so small that products vanish. What is out of range,
// infinite or NaN is divided by Go's rules: where those would overflow or lose digits
// on the way, as multiples by powers of two.
func quotient(a, b, c, d float64, double bool) (re, im float64) {
	top, bottom := max(math.Abs(a), math.Abs(b)), max(math.Abs(c), math.Abs(d))
	if !(math.Abs(a)+math.Abs(c) <= divMost) || !(math.Abs(b)+math.Abs(d) <= divMost) || bottom < divLeast || double && top < divLeast && top > 0 {
		above, under := inRange(top), inRange(bottom)
		q := complex(a*above, b*above) / complex(c*under, d*under)
		// One after the other: their quotient may be no number.
		return real(q) * under / above, imag(q) * under / above
	}
	below := math.FMA(c, c, float64(d*d))
	return math.FMA(a, c, float64(b*d)) / below, math.FMA(b, c, -float64(a*d)) / below
}

// inRange is what numbers of that size are multiplied by, so that sums of two do not overflow and products
// with less than 1 keep their digits.
func inRange(size float64) float64 {
	switch {
	case size > 0x1p1020:
		return 0x1p-2
	case size < 0x1p-900:
		return 0x1p200
	}
	return 1
}

func quotientOf[R Float](a, b, c, d R) (re, im R) {
	_, double := any(a).(float64)
	x, y := quotient(float64(a), float64(b), float64(c), float64(d), double)
	return R(x), R(y)
}

func pairDivVV[R Float](dst, x, y []R, _ bool) int {
	n := min(len(dst), len(x), len(y)) &^ 1
	for i := 0; i < n; i += 2 {
		dst[i], dst[i+1] = quotientOf(x[i], x[i+1], y[i], y[i+1])
	}
	return n / 2
}

func pairDivVS[R Float](dst, x []R, re, im R, _ bool) int {
	n := min(len(dst), len(x)) &^ 1
	for i := 0; i < n; i += 2 {
		dst[i], dst[i+1] = quotientOf(x[i], x[i+1], re, im)
	}
	return n / 2
}

func pairDivSV[R Float](dst []R, re, im R, y []R, _ bool) int {
	n := min(len(dst), len(y)) &^ 1
	for i := 0; i < n; i += 2 {
		dst[i], dst[i+1] = quotientOf(re, im, y[i], y[i+1])
	}
	return n / 2
}

// divResumed is how many numbers are divided one by one before a kernel that
// gave up has another try: a vector of the widest level.
const divResumed = 4

// divided calls kernel, which returns how many numbers it did, until all n are
// done, and portable for some where it gave up.
func divided(n int, kernel, portable func(from, to int) int) {
	for from := 0; from < n; {
		from += kernel(from, n)
		if from < n {
			to := min(from+divResumed, n)
			portable(from, to)
			from = to
		}
	}
}

// division makes the division of complex numbers from the kernels of parts.
func division[C complex64 | complex128, R Float](p pairs[R]) Binary[C] {
	view := parts[R, C]
	return Binary[C]{
		VV: func(dst, x, y []C, stream bool) {
			d, a, b := view(dst), view(x), view(y)
			divided(min(len(dst), len(x), len(y)),
				func(from, to int) int { return p.divVV(d[2*from:2*to], a[2*from:2*to], b[2*from:2*to], stream) },
				func(from, to int) int { return pairDivVV(d[2*from:2*to], a[2*from:2*to], b[2*from:2*to], stream) })
		},
		VS: func(dst, x []C, y C, stream bool) {
			d, a := view(dst), view(x)
			re, im := split[R](y)
			divided(min(len(dst), len(x)),
				func(from, to int) int { return p.divVS(d[2*from:2*to], a[2*from:2*to], re, im, stream) },
				func(from, to int) int { return pairDivVS(d[2*from:2*to], a[2*from:2*to], re, im, stream) })
		},
		SV: func(dst []C, x C, y []C, stream bool) {
			d, b := view(dst), view(y)
			re, im := split[R](x)
			divided(min(len(dst), len(y)),
				func(from, to int) int { return p.divSV(d[2*from:2*to], re, im, b[2*from:2*to], stream) },
				func(from, to int) int { return pairDivSV(d[2*from:2*to], re, im, b[2*from:2*to], stream) })
		},
	}
}
