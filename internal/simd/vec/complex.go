package vec

import (
	"math"
	"unsafe"
)

// pairs is the kernels of complex numbers seen as their parts: in []R real and
// imaginary parts take turns. One whole number is (re, im).
type pairs[R Float] struct {
	addVS      func(dst, x []R, re, im R, stream bool)
	subSV      func(dst []R, re, im R, y []R, stream bool)
	mulVV      func(dst, x, y []R, stream bool)
	mulVS      func(dst, x []R, re, im R, stream bool)
	divVV      func(dst, x, y []R, stream bool) int
	divVS      func(dst, x []R, re, im R, stream bool) int
	divSV      func(dst []R, re, im R, y []R, stream bool) int
	mulReal    func(dst, x, y []R, stream bool)
	conj       func(dst, x []R, stream bool)
	abs        func(dst, x []R, stream bool)
	absSquared func(dst, x []R, stream bool)
	real       func(dst, x []R, stream bool)
	imag       func(dst, x []R, stream bool)
	join       func(dst, re, im []R, stream bool)
	sumBlock   func(x []R) (re, im R)
	mirror     func(dst, x []R)
}

func portablePairs[R Float]() pairs[R] {
	return pairs[R]{
		addVS: pairAddVS[R], subSV: pairSubSV[R],
		mulVV: pairMulVV[R], mulVS: pairMulVS[R], mulReal: pairMulReal[R],
		divVV: pairDivVV[R], divVS: pairDivVS[R], divSV: pairDivSV[R],
		conj: pairConj[R], abs: pairAbs[R], absSquared: pairAbsSquared[R],
		real: pairReal[R], imag: pairImag[R], join: pairJoin[R], sumBlock: sumBlock[R], mirror: pairMirror[R],
	}
}

// parts views complex numbers as their parts.
func parts[R Float, C complex64 | complex128](x []C) []R {
	return unsafe.Slice((*R)(unsafe.Pointer(unsafe.SliceData(x))), 2*len(x))
}

func split[R Float, C complex64 | complex128](z C) (re, im R) {
	p := (*[2]R)(unsafe.Pointer(&z))
	return p[0], p[1]
}

// complexOf makes complex kernels from kernels of parts.
func complexOf[C complex64 | complex128, R Float](r *Real[R], p pairs[R]) Complex[C, R] {
	view := parts[R, C]
	add, sub, neg, atan2 := r.Add.VV, r.Sub.VV, r.Neg, r.Atan2.VV
	addVS := func(dst, x []C, y C, stream bool) {
		re, im := split[R](y)
		p.addVS(view(dst), view(x), re, im, stream)
	}
	mulVS := func(dst, x []C, y C, stream bool) {
		re, im := split[R](y)
		p.mulVS(view(dst), view(x), re, im, stream)
	}
	return Complex[C, R]{
		Add: Binary[C]{
			VV: func(dst, x, y []C, stream bool) { add(view(dst), view(x), view(y), stream) },
			VS: addVS,
			SV: flip(addVS),
		},
		Sub: Binary[C]{
			VV: func(dst, x, y []C, stream bool) { sub(view(dst), view(x), view(y), stream) },
			VS: func(dst, x []C, y C, stream bool) {
				re, im := split[R](y)
				p.addVS(view(dst), view(x), -re, -im, stream)
			},
			SV: func(dst []C, x C, y []C, stream bool) {
				re, im := split[R](x)
				p.subSV(view(dst), re, im, view(y), stream)
			},
		},
		Mul: Binary[C]{
			VV: func(dst, x, y []C, stream bool) { p.mulVV(view(dst), view(x), view(y), stream) },
			VS: mulVS,
			SV: flip(mulVS),
		},
		Div:        division[C](p),
		MulReal:    func(dst, x []C, y []R, stream bool) { p.mulReal(view(dst), view(x), y, stream) },
		Neg:        func(dst, x []C, stream bool) { neg(view(dst), view(x), stream) },
		Conj:       func(dst, x []C, stream bool) { p.conj(view(dst), view(x), stream) },
		Abs:        func(dst []R, x []C, stream bool) { p.abs(dst, view(x), stream) },
		AbsSquared: func(dst []R, x []C, stream bool) { p.absSquared(dst, view(x), stream) },
		Angle:      func(dst []R, x []C, stream bool) { angle(atan2, p, dst, view(x), stream) },
		Real:       func(dst []R, x []C, stream bool) { p.real(dst, view(x), stream) },
		Imag:       func(dst []R, x []C, stream bool) { p.imag(dst, view(x), stream) },
		Make:       func(dst []C, re, im []R, stream bool) { p.join(view(dst), re, im, stream) },
		Mirror:     func(dst, x []C) { p.mirror(view(dst), view(x)) },
		Sum: func(x []C) C {
			sum := [2]R{}
			sum[0], sum[1] = treePairs(view(x), p.sumBlock)
			return *(*C)(unsafe.Pointer(&sum))
		},
	}
}

// angle takes numbers apart, some at a time, to find their angles.
func angle[R Float](atan2 func(dst, y, x []R, stream bool), p pairs[R], dst, x []R, stream bool) {
	var re, im [256]R
	for n := min(len(dst), len(x)/2); n > 0; {
		some := min(n, len(re))
		p.real(re[:some], x, false)
		p.imag(im[:some], x, false)
		atan2(dst[:some], im[:], re[:], stream)
		dst, x, n = dst[some:], x[2*some:], n-some
	}
}

func pairAddVS[R Float](dst, x []R, re, im R, _ bool) {
	n := min(len(dst), len(x)) &^ 1
	for i := 0; i < n; i += 2 {
		dst[i], dst[i+1] = x[i]+re, x[i+1]+im
	}
}

func pairSubSV[R Float](dst []R, re, im R, y []R, _ bool) {
	n := min(len(dst), len(y)) &^ 1
	for i := 0; i < n; i += 2 {
		dst[i], dst[i+1] = re-y[i], im-y[i+1]
	}
}

func pairMulVV[R Float](dst, x, y []R, _ bool) {
	n := min(len(dst), len(x), len(y)) &^ 1
	for i := 0; i < n; i += 2 {
		a, b, c, d := x[i], x[i+1], y[i], y[i+1]
		dst[i], dst[i+1] = R(a*c)-R(b*d), R(b*c)+R(a*d)
	}
}

func pairMulVS[R Float](dst, x []R, c, d R, _ bool) {
	n := min(len(dst), len(x)) &^ 1
	for i := 0; i < n; i += 2 {
		a, b := x[i], x[i+1]
		dst[i], dst[i+1] = R(a*c)-R(b*d), R(b*c)+R(a*d)
	}
}

func pairMulReal[R Float](dst, x, y []R, _ bool) {
	n := min(len(dst)/2, len(x)/2, len(y))
	for i, v := range y[:n] {
		dst[2*i], dst[2*i+1] = x[2*i]*v, x[2*i+1]*v
	}
}

func pairConj[R Float](dst, x []R, _ bool) {
	n := min(len(dst), len(x)) &^ 1
	for i := 0; i < n; i += 2 {
		dst[i], dst[i+1] = x[i], -x[i+1]
	}
}

func pairMirror[R Float](dst, x []R) {
	n := min(len(dst), len(x)) &^ 1
	for i := 0; i < n; i += 2 {
		dst[i], dst[i+1] = x[n-2-i], -x[n-1-i]
	}
}

// mirrorer is pairMirror by a kernel for a vector of so many parts and more.
func mirrorer[R Float](lanes int, kernel func(dst, x *R, n int)) func(dst, x []R) {
	return func(dst, x []R) {
		n := min(len(dst), len(x)) &^ 1
		if n < lanes {
			pairMirror(dst, x)
			return
		}
		kernel(&dst[0], &x[0], n)
	}
}

func pairAbsSquared[R Float](dst, x []R, _ bool) {
	n := min(len(dst), len(x)/2)
	for i := range dst[:n] {
		a, b := x[2*i], x[2*i+1]
		dst[i] = R(a*a) + R(b*b)
	}
}

func pairAbs[R Float](dst, x []R, _ bool) {
	n := min(len(dst), len(x)/2)
	for i := range dst[:n] {
		dst[i] = R(hypot(float64(x[2*i]), float64(x[2*i+1])))
	}
}

// hypot is within 1 ulp. Scaling by a power of two near the larger leg keeps
// the squares in range; the clamp keeps the scale itself, and its inverse,
// normal numbers. An infinite leg wins over NaN, as in math.Hypot.
func hypot(a, b float64) float64 {
	a, b = math.Abs(a), math.Abs(b)
	if a > math.MaxFloat64 || b > math.MaxFloat64 {
		return math.Inf(1)
	}
	exp := max(math.Float64bits(a), math.Float64bits(b)) & (0x7ff << 52)
	exp = min(max(exp, 3<<52), 0x7fc<<52)
	up, down := math.Float64frombits(exp), math.Float64frombits(0x7fe<<52-exp)
	a, b = a*down, b*down
	return math.Sqrt(math.FMA(a, a, b*b)) * up
}

func pairReal[R Float](dst, x []R, _ bool) {
	n := min(len(dst), len(x)/2)
	for i := range dst[:n] {
		dst[i] = x[2*i]
	}
}

func pairImag[R Float](dst, x []R, _ bool) {
	n := min(len(dst), len(x)/2)
	for i := range dst[:n] {
		dst[i] = x[2*i+1]
	}
}

func pairJoin[R Float](dst, re, im []R, _ bool) {
	n := min(len(dst)/2, len(re), len(im))
	for i := range n {
		dst[2*i], dst[2*i+1] = re[i], im[i]
	}
}
