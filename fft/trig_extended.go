package fft

// extended is DCT-I or DST-I: the real transform of the line continued by its
// mirror image, even or odd, to the period where it repeats. Shorter schemes
// exist, but they lose accuracy with the length.
type extended[R Float, C Complex] struct {
	n    int
	odd  bool
	plan *RealPlan[R, C]
}

func newExtended[R Float, C Complex](op string, kind Trig, n int, o Options) (kernel[R], error) {
	e := &extended[R, C]{n: n, odd: kind == DST1}
	period := 2 * (n - 1)
	if e.odd {
		period = 2 * (n + 1)
	}
	var err error
	e.plan, err = newRealPlan[R, C](op, period, o)
	return e, err
}

func (e *extended[R, C]) run(dst, src []R, factor R) {
	period := e.plan.n
	line, bins := e.plan.samples.get(period), e.plan.scratch.get(e.plan.Bins()+e.plan.ScratchLen())
	x := *line
	if e.odd {
		x[0], x[e.n+1] = 0, 0
		for j, v := range src {
			x[j+1], x[period-1-j] = v, -v
		}
	} else {
		copy(x, src)
		for j := 1; j < e.n-1; j++ {
			x[period-j] = src[j]
		}
	}
	z := (*bins)[:e.plan.Bins()]
	e.plan.forward.Forward(z, x, (*bins)[len(z):])
	for k := range dst {
		if e.odd {
			_, im := parts[R](z[k+1])
			dst[k] = -im * factor
		} else {
			re, _ := parts[R](z[k])
			dst[k] = re * factor
		}
	}
	e.plan.samples.put(line)
	e.plan.scratch.put(bins)
}

// hartley is the real transform with both parts of a bin put together.
type hartley[R Float, C Complex] struct{ plan *RealPlan[R, C] }

func newHartley[R Float, C Complex](op string, n int, o Options) (kernel[R], error) {
	plan, err := newRealPlan[R, C](op, n, o)
	return &hartley[R, C]{plan}, err
}

func (h *hartley[R, C]) run(dst, src []R, factor R) {
	n := h.plan.n
	bins := h.plan.scratch.get(h.plan.Bins() + h.plan.ScratchLen())
	z := (*bins)[:h.plan.Bins()]
	h.plan.forward.Forward(z, src, (*bins)[len(z):])
	for k, v := range z {
		re, im := parts[R](v)
		dst[k] = (re - im) * factor
		if k > 0 {
			dst[n-k] = (re + im) * factor
		}
	}
	// The loop wrote the middle bin of an even length twice: there the
	// imaginary part is zero, so both are the same.
	h.plan.scratch.put(bins)
}
