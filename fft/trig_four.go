package fft

import (
	"math"

	"github.com/twiddle-go/twiddle/internal/roots"
)

// fourEven is a type IV transform of even length: samples from both ends ride
// as real and imaginary part of a complex line of half the length, turned by
// eighths of a sample before and after. The sine transform reads its samples
// backwards and changes every other sign of the result.
type fourEven[R Float, C Complex] struct {
	n     int
	sine  bool
	turns []C // exp(-i*pi*(8j+1)/8n), j < n/2
	plan  *Plan[C]
}

func newFourEven[R Float, C Complex](op string, kind Trig, n int, o Options) (kernel[R], error) {
	t, err := build[C](op, n/2, o)
	if err != nil {
		return nil, err
	}
	f := &fourEven[R, C]{n: n, sine: kind == DST4, plan: newPlan(n/2, t, o), turns: make([]C, n/2)}
	table := roots.Of(16 * n)
	for j := range f.turns {
		f.turns[j] = element[C](table.At(8*j + 1))
	}
	return f, nil
}

func (f *fourEven[R, C]) run(dst, src []R, factor R) {
	m, last := f.n/2, f.n-1
	buffer := f.plan.scratch.get(m + f.plan.ScratchLen())
	z, scratch := (*buffer)[:m], (*buffer)[m:]
	for j := range z {
		a, b := src[2*j], src[last-2*j]
		if f.sine {
			a, b = b, a
		}
		z[j] = f.turns[j] * pair[R, C](a, b)
	}
	f.plan.transform.Forward(z, z, scratch)
	factor *= 2
	negative := -factor
	if f.sine {
		negative = factor // odd coefficients change sign
	}
	for k, v := range z {
		re, im := parts[R](f.turns[k] * v)
		dst[2*k] = re * factor
		dst[last-2*k] = im * negative
	}
	f.plan.scratch.put(buffer)
}

// fourOdd is a type IV transform of odd length n as a real transform of the
// same length. The sum runs over cos(2*pi*a*b/8n) with a = 2j+1, b = 2k+1. Up
// to a sign the cosine is the same for a, -a, 4n-a and 4n+a, and exactly one
// of these is 1 modulo 8; the same holds for b. Among such a and b, the
// remainders modulo n are what varies, and 1/8n = n'/8 + e/n (modulo 1) with
// n' = 1/n modulo 8 and e = 1/8 modulo n turns the sum into a transform of
// length n, seen from an eighth of a turn off.
type fourOdd[R Float, C Complex] struct {
	n      int
	sine   bool
	source []int32 // of element r of the line: sample index, ^index if negated
	bin    []int32 // of coefficient k
	signs  []int8  // of coefficient k: real part positive is 1, imaginary 2
	plan   *RealPlan[R, C]
}

func newFourOdd[R Float, C Complex](op string, kind Trig, n int, o Options) (kernel[R], error) {
	plan, err := newRealPlan[R, C](op, n, o)
	if err != nil {
		return nil, err
	}
	f := &fourOdd[R, C]{
		n: n, sine: kind == DST4, plan: plan,
		source: make([]int32, n), bin: make([]int32, n), signs: make([]int8, n),
	}
	eighth := n + 1 // 1/8 modulo n: 8 divides m*n+1 for one m below 8
	for eighth%8 != 0 {
		eighth += n
	}
	eighth = eighth / 8 % n
	for j := range n {
		r, negated := f.residue(2*j + 1)
		f.source[r] = int32(j)
		if negated {
			f.source[r] = ^int32(j)
		}
		// The coefficient is the real part of exp(2*pi*i*n'/8) times the
		// conjugate of bin e*r; n' is n modulo 8, since odd squares are 1.
		b := eighth * r % n
		re := n%8 == 1 || n%8 == 7 // cos(2*pi*n/8) > 0
		im := n%8 == 1 || n%8 == 3 // sin(2*pi*n/8) > 0
		f.bin[j] = int32(b)
		if b > n/2 {
			f.bin[j] = int32(n - b)
			im = !im
		}
		if negated != (f.sine && j%2 == 1) {
			re, im = !re, !im
		}
		if re {
			f.signs[j] |= 1
		}
		if im {
			f.signs[j] |= 2
		}
	}
	return f, nil
}

// residue finds the one of a, -a, 4n-a, 4n+a that is 1 modulo 8, reduces it
// modulo n, and reports whether the cosine changes sign.
func (f *fourOdd[R, C]) residue(a int) (r int, negated bool) {
	n := f.n
	switch {
	case a%8 == 1:
		return a % n, false
	case a%8 == 7:
		return (n - a%n) % n, false
	case (4*n+a)%8 == 1:
		return a % n, true
	}
	return (n - a%n) % n, true
}

func (f *fourOdd[R, C]) run(dst, src []R, factor R) {
	samples, bins := f.plan.samples.get(f.n), f.plan.scratch.get(f.plan.Bins()+f.plan.ScratchLen())
	z, scratch := (*bins)[:f.plan.Bins()], (*bins)[f.plan.Bins():]
	for r, j := range f.source {
		negated := j < 0
		if negated {
			j = ^j
		}
		if f.sine {
			j = int32(f.n-1) - j
		}
		v := src[j]
		if negated {
			v = -v
		}
		(*samples)[r] = v
	}
	f.plan.real.Forward(z, *samples, scratch)
	factor *= math.Sqrt2
	for k, b := range f.bin {
		re, im := parts[R](z[b])
		if f.signs[k]&1 == 0 {
			re = -re
		}
		if f.signs[k]&2 == 0 {
			im = -im
		}
		dst[k] = (re + im) * factor
	}
	f.plan.samples.put(samples)
	f.plan.scratch.put(bins)
}
