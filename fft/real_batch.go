package fft

import "fmt"

// ForwardBatch transforms the lines that b lays out, each as Forward does but for rounding:
// some lengths have another recipe for a single line. dst and src do not overlap.
func (p *RealPlan[R, C]) ForwardBatch(dst []C, src []R, b Batch) error {
	const op = "real forward batch"
	if p == nil || p.real == nil {
		return errNoPlan
	}
	if p.threads <= 1 && b.follows(p.Bins(), p.n, len(dst), len(src)) && !spanOf(dst).overlaps(spanOf(src)) {
		if p.forward.WholeBatches() {
			p.forward.ForwardBatch(dst, src, nil, b.Count, p.Bins(), p.n)
			return nil
		}
		scratch := p.scratch.get(p.forward.BatchScratchLen(b.Count))
		p.forward.ForwardBatch(dst, src, *scratch, b.Count, p.Bins(), p.n)
		p.scratch.put(scratch)
		return nil
	}
	l := b.lines(p.Bins(), p.n)
	if err := l.check(op, len(dst), len(src)); err != nil {
		return err
	}
	dst, src = used(dst, l.dst, l), used(src, l.src, l)
	if spanOf(dst).overlaps(spanOf(src)) {
		return fmt.Errorf("fft: %s: dst and src overlap", op)
	}
	p.lines(dst, src, l, false)
	return nil
}

// InverseBatch transforms the lines that b lays out, each as Inverse does but for rounding:
// some lengths have another recipe for a single line. dst and src do not overlap.
func (p *RealPlan[R, C]) InverseBatch(dst []R, src []C, b Batch) error {
	const op = "real inverse batch"
	if p == nil || p.real == nil {
		return errNoPlan
	}
	if p.threads <= 1 && b.follows(p.n, p.Bins(), len(dst), len(src)) && !spanOf(dst).overlaps(spanOf(src)) {
		if p.inverse.WholeBatches() {
			p.inverse.InverseBatch(dst, src, nil, b.Count, p.n, p.Bins())
			return nil
		}
		scratch := p.scratch.get(p.inverse.BatchScratchLen(b.Count))
		p.inverse.InverseBatch(dst, src, *scratch, b.Count, p.n, p.Bins())
		p.scratch.put(scratch)
		return nil
	}
	l := b.lines(p.n, p.Bins())
	if err := l.check(op, len(dst), len(src)); err != nil {
		return err
	}
	dst, src = used(dst, l.dst, l), used(src, l.src, l)
	if spanOf(dst).overlaps(spanOf(src)) {
		return fmt.Errorf("fft: %s: dst and src overlap", op)
	}
	p.lines(src, dst, l, true)
	return nil
}

// lines transforms lines that have been checked, from samples to bins or, if
// inverse, from bins to samples.
func (p *RealPlan[R, C]) lines(bins []C, samples []R, l lines, inverse bool) {
	if l.outer == 0 || l.inner == 0 {
		return
	}
	if l.outer*l.inner == 1 && l.contiguous() {
		if inverse {
			p.inverseSingle(samples, bins)
		} else {
			p.forwardSingle(bins, samples)
		}
		return
	}
	if work := amount(l.outer*l.inner, p.n); p.threads > 1 && work >= sharedWork {
		defer callers.leave()
		if callers.enter(p.threads) {
			j, _ := p.jobs.Get().(*realJob[R, C])
			if j == nil {
				j = new(realJob[R, C])
			}
			*j = realJob[R, C]{plan: p, bins: bins, samples: samples, lines: l, cut: newCut(l, p.threads), inverse: inverse}
			share(p.threads, j.cut.pieces, work < longWork, j)
			*j = realJob[R, C]{}
			p.jobs.Put(j)
			return
		}
	}
	for o := range l.outer {
		p.part(bins, samples, l, o, 0, l.inner, inverse)
	}
}

// realJob is a batch being shared.
type realJob[R Float, C Complex] struct {
	plan    *RealPlan[R, C]
	bins    []C
	samples []R
	lines   lines
	cut     cut
	inverse bool
}

func (j *realJob[R, C]) piece(i int) {
	group, first, count := j.cut.piece(i, j.lines.inner)
	j.plan.part(j.bins, j.samples, j.lines, group, first, count, j.inverse)
}

// part transforms some lines of one group on the calling goroutine.
func (p *RealPlan[R, C]) part(bins []C, samples []R, l lines, group, first, count int, inverse bool) {
	l, dstAt, srcAt := l.part(group, first, count)
	if inverse {
		p.inverseGroup(samples[dstAt:], bins[srcAt:], l)
	} else {
		p.forwardGroup(bins[dstAt:], samples[srcAt:], l)
	}
}

func (p *RealPlan[R, C]) forwardGroup(dst []C, src []R, l lines) {
	t := p.forward
	if l.contiguous() {
		scratch := p.scratch.get(t.BatchScratchLen(l.inner))
		t.ForwardBatch(dst, src, *scratch, l.inner, l.dst.dist, l.src.dist)
		p.scratch.put(scratch)
		return
	}
	bins := p.Bins()
	samples := p.samples.get(tile * p.n)
	scratch := p.scratch.get(tile*bins + t.BatchScratchLen(tile))
	lines, rest := (*scratch)[:tile*bins], (*scratch)[tile*bins:]
	for first := 0; first < l.inner; first += tile {
		count := min(tile, l.inner-first)
		gather(*samples, src[first*l.src.dist:], l.src, count)
		t.ForwardBatch(lines, *samples, rest, count, bins, p.n)
		scatter(dst[first*l.dst.dist:], lines, l.dst, count)
	}
	p.scratch.put(scratch)
	p.samples.put(samples)
}

func (p *RealPlan[R, C]) inverseGroup(dst []R, src []C, l lines) {
	t := p.inverse
	if l.contiguous() {
		scratch := p.scratch.get(t.BatchScratchLen(l.inner))
		t.InverseBatch(dst, src, *scratch, l.inner, l.dst.dist, l.src.dist)
		p.scratch.put(scratch)
		return
	}
	bins := p.Bins()
	samples := p.samples.get(tile * p.n)
	scratch := p.scratch.get(tile*bins + t.BatchScratchLen(tile))
	lines, rest := (*scratch)[:tile*bins], (*scratch)[tile*bins:]
	for first := 0; first < l.inner; first += tile {
		count := min(tile, l.inner-first)
		gather(lines, src[first*l.src.dist:], l.src, count)
		t.InverseBatch(*samples, lines, rest, count, p.n, bins)
		scatter(dst[first*l.dst.dist:], *samples, l.dst, count)
	}
	p.scratch.put(scratch)
	p.samples.put(samples)
}
