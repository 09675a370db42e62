package fft

import "github.com/twiddle-go/twiddle/internal/roots"

// quarter is a type II or III transform by Makhoul's method: the even samples
// followed by the odd ones backwards have a real transform whose bins, turned
// by quarter samples, hold the cosine sums. Type III runs the same backwards.
// The sine transforms are the cosine ones with every other sign changed on the
// sample side and the coefficients in reverse.
type quarter[R Float, C Complex] struct {
	n         int
	sine      bool
	backwards bool // type III
	turns     []C  // exp(-i*pi*k/2n), k <= n/2
	plan      *RealPlan[R, C]
}

func newQuarter[R Float, C Complex](op string, kind Trig, n int, o Options) (kernel[R], error) {
	plan, err := newRealPlan[R, C](op, n, o)
	if err != nil {
		return nil, err
	}
	q := &quarter[R, C]{
		n: n, plan: plan,
		sine:      kind == DST2 || kind == DST3,
		backwards: kind == DCT3 || kind == DST3,
		turns:     make([]C, n/2+1),
	}
	table := roots.Of(4 * n)
	for k := range q.turns {
		q.turns[k] = element[C](table.At(k))
	}
	return q, nil
}

func (q *quarter[R, C]) run(dst, src []R, factor R) {
	samples, bins := q.plan.samples.get(q.n), q.plan.scratch.get(q.plan.Bins()+q.plan.ScratchLen())
	z, scratch := (*bins)[:q.plan.Bins()], (*bins)[q.plan.Bins():]
	if q.backwards {
		q.toBins(z, src, factor)
		q.plan.real.Inverse(*samples, z, scratch)
		q.unfold(dst, *samples)
	} else {
		q.fold(*samples, src)
		q.plan.real.Forward(z, *samples, scratch)
		q.fromBins(dst, z, factor)
	}
	q.plan.samples.put(samples)
	q.plan.scratch.put(bins)
}

// fold puts even samples first and odd ones, backwards, behind them. For a
// sine transform the odd ones change sign.
func (q *quarter[R, C]) fold(to, x []R) {
	last := q.n - 1
	for j := range (q.n + 1) / 2 {
		to[j] = x[2*j]
	}
	for j := range q.n / 2 {
		if q.sine {
			to[last-j] = -x[2*j+1]
		} else {
			to[last-j] = x[2*j+1]
		}
	}
}

func (q *quarter[R, C]) unfold(to, x []R) {
	last := q.n - 1
	for j := range (q.n + 1) / 2 {
		to[2*j] = x[j]
	}
	for j := range q.n / 2 {
		if q.sine {
			to[2*j+1] = -x[last-j]
		} else {
			to[2*j+1] = x[last-j]
		}
	}
}

// fromBins turns each bin back by its quarter samples: coefficient k is twice
// the real part, coefficient n-k minus twice the imaginary part.
func (q *quarter[R, C]) fromBins(dst []R, z []C, factor R) {
	factor *= 2
	for k, v := range z {
		re, im := parts[R](v)
		c, s := parts[R](q.turns[k])
		dst[q.at(k)] = (re*c - im*s) * factor
		if k > 0 && k < q.n-k {
			dst[q.at(q.n-k)] = -(re*s + im*c) * factor
		}
	}
}

// toBins is the transpose of fromBins: what makes an inverse real transform
// yield the type III sums. Bins other than the first (and the middle one of an
// even length) count twice there, so nothing is halved here.
func (q *quarter[R, C]) toBins(z []C, x []R, factor R) {
	z[0] = pair[R, C](x[q.at(0)]*factor, 0)
	for k := 1; k < len(z); k++ {
		a, b := x[q.at(k)], x[q.at(q.n-k)]
		c, s := parts[R](q.turns[k])
		z[k] = pair[R, C]((a*c-b*s)*factor, -(a*s+b*c)*factor)
	}
}

// at is where coefficient k of the cosine transform is.
func (q *quarter[R, C]) at(k int) int {
	if q.sine {
		return q.n - 1 - k
	}
	return k
}
