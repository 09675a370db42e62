package fft

import (
	"math/bits"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/transform"
)

const (
	// tile is how many lines are brought together when their elements are
	// neither neighbours in the line nor across lines: a cache line of
	// complex64 is 8 of them, and the widest vectors take 16.
	tile = 16
	// sharedWork is the number of points times log2 of the length from which
	// a second goroutine pays if it is awake: about 2 us of work.
	sharedWork = 1 << 14
	// longWork is the same for one that has to be woken: about 20 us, a few
	// times what that takes.
	longWork = 1 << 17
	// lineWork is the same, times the bytes of an element, for one line, which is cut
	// in sweeps: each reads half of what the other thread wrote in the sweep before,
	// out of its cache. On two cores of an Emerald Rapids two threads take 0.7 to 0.82 of the time from here
	// on (49152 complex64, 50 to 70 us), and 1.15 for 44100; real lines of 98304 float32 back 1.07 at AVX-512
	// and 0.78 at AVX2.
	lineWork = 6 << 20
	// forwardRealWork is the same for forward real lines that are untangled: on two cores of a Sapphire
	// Rapids those of 98304 to 122880 float32 and 54000 to 61440 float64 take 0.97 to 1.35 times as long on
	// two threads, those from here on 0.63 to 1.08.
	forwardRealWork = 8 << 20
)

// ForwardBatch transforms the lines that b lays out, each as Forward does but for rounding:
// some lengths have another recipe for a single line. dst and src are the same slice with
// the same layout, or do not overlap.
func (p *Plan[C]) ForwardBatch(dst, src []C, b Batch) error {
	return p.batch("forward batch", dst, src, b, false)
}

// InverseBatch transforms the lines that b lays out, each as Inverse does but for rounding:
// some lengths have another recipe for a single line. dst and src are the same slice with
// the same layout, or do not overlap.
func (p *Plan[C]) InverseBatch(dst, src []C, b Batch) error {
	return p.batch("inverse batch", dst, src, b, true)
}

func (p *Plan[C]) batch(op string, dst, src []C, b Batch, inverse bool) error {
	if p == nil || p.transform == nil {
		return errNoPlan
	}
	if p.threads <= 1 && b.follows(p.n, p.n, len(dst), len(src)) {
		if d, s := spanOf(dst), spanOf(src); d == s || !d.overlaps(s) {
			p.follow(dst, src, b.Count, inverse)
			return nil
		}
	}
	l := b.lines(p.n, p.n)
	if err := l.check(op, len(dst), len(src)); err != nil {
		return err
	}
	dst, src = used(dst, l.dst, l), used(src, l.src, l)
	d, s := spanOf(dst), spanOf(src)
	if d.partly(s) || d == s && len(dst) > 0 && l.dst != l.src {
		return overlapError(op)
	}
	p.lines(dst, src, l, inverse)
	return nil
}

// amount is how much work count lines of length n are.
func amount(count, n int) int { return count * n * bits.Len(uint(n)) }

// lineAmount is how much work a line of length n is that is cut.
func lineAmount[C Complex](n int) int {
	var c C
	return amount(1, n) * int(unsafe.Sizeof(c))
}

// lines transforms lines that have been checked.
func (p *Plan[C]) lines(dst, src []C, l lines, inverse bool) {
	if l.outer == 0 || l.inner == 0 {
		return
	}
	if l.outer*l.inner == 1 && l.contiguous() {
		p.single(dst, src, inverse)
		return
	}
	if work := amount(l.outer*l.inner, p.n); p.threads > 1 && work >= sharedWork {
		defer callers.leave()
		if callers.enter(p.threads) {
			j, _ := p.jobs.Get().(*lineJob[C])
			if j == nil {
				j = new(lineJob[C])
			}
			*j = lineJob[C]{plan: p, dst: dst, src: src, lines: l, cut: newCut(l, p.threads), inverse: inverse}
			share(p.threads, j.cut.pieces, work < longWork, j)
			*j = lineJob[C]{}
			p.jobs.Put(j)
			return
		}
	}
	for o := range l.outer {
		part, dstAt, srcAt := l.part(o, 0, l.inner)
		p.group(dst[dstAt:], src[srcAt:], part, inverse)
	}
}

// single transforms one contiguous line, with the plan's threads.
func (p *Plan[C]) single(dst, src []C, inverse bool) {
	if p.threads > 1 && lineAmount[C](p.n) >= lineWork {
		defer callers.leave()
		if callers.enter(p.threads) {
			scratch := p.scratch.get(p.transform.ParallelScratchLen())
			if inverse {
				p.inverse.InverseParallel(dst, src, *scratch, p.parallel)
			} else {
				p.forward.ForwardParallel(dst, src, *scratch, p.parallel)
			}
			p.scratch.put(scratch)
			return
		}
	}
	scratch := p.scratch.get(p.need)
	if inverse {
		p.inverse.Inverse(dst, src, *scratch)
	} else {
		p.forward.Forward(dst, src, *scratch)
	}
	p.scratch.put(scratch)
}

// cut divides lines into pieces for several goroutines. Pieces are whole
// tiles, so that lines meet the same neighbours, and give the same bits,
// whatever the number of goroutines.
type cut struct{ pieces, perGroup, size int }

func newCut(l lines, threads int) cut {
	tiles := (l.inner + tile - 1) / tile
	// More pieces than goroutines even out those that start late.
	perGroup := min(tiles, max(1, (2*threads+l.outer-1)/l.outer))
	size := (tiles + perGroup - 1) / perGroup * tile
	perGroup = (l.inner + size - 1) / size
	return cut{pieces: l.outer * perGroup, perGroup: perGroup, size: size}
}

// piece is group, first line and number of lines of piece i.
func (c cut) piece(i, inner int) (group, first, count int) {
	group, first = i/c.perGroup, i%c.perGroup*c.size
	return group, first, min(c.size, inner-first)
}

// lineJob is a batch being shared.
type lineJob[C Complex] struct {
	plan     *Plan[C]
	dst, src []C
	lines    lines
	cut      cut
	inverse  bool
}

func (j *lineJob[C]) piece(i int) {
	group, first, count := j.cut.piece(i, j.lines.inner)
	part, dstAt, srcAt := j.lines.part(group, first, count)
	j.plan.group(j.dst[dstAt:], j.src[srcAt:], part, j.inverse)
}

// scaled is the transform of one direction.
func (p *Plan[C]) scaled(inverse bool) *transform.Plan[C] {
	if inverse {
		return p.inverse
	}
	return p.forward
}

// follow transforms lines that follow one another, on the calling goroutine.
func (p *Plan[C]) follow(dst, src []C, count int, inverse bool) {
	t := p.scaled(inverse)
	if t.WholeBatches() {
		t.WholeBatch(unsafe.Pointer(&dst[0]), unsafe.Pointer(&src[0]), count, inverse)
		return
	}
	scratch := p.scratch.get(t.BatchScratchLen(count))
	t.Batch(dst, src, *scratch, count, p.n, p.n, inverse)
	p.scratch.put(scratch)
}

// group transforms the lines of one group on the calling goroutine.
func (p *Plan[C]) group(dst, src []C, l lines, inverse bool) {
	t := p.scaled(inverse)
	switch {
	case l.contiguous():
		scratch := p.scratch.get(t.BatchScratchLen(l.inner))
		t.Batch(dst, src, *scratch, l.inner, l.dst.dist, l.src.dist, inverse)
		p.scratch.put(scratch)
	case l.adjacent():
		scratch := p.scratch.get(t.ColumnsScratchLen(l.inner))
		t.Columns(dst, src, *scratch, l.inner, l.dst.stride, l.src.stride, inverse)
		p.scratch.put(scratch)
	default:
		scratch := p.scratch.get(tile*p.n + t.BatchScratchLen(tile))
		lines, rest := (*scratch)[:tile*p.n], (*scratch)[tile*p.n:]
		for first := 0; first < l.inner; first += tile {
			count := min(tile, l.inner-first)
			gather(lines, src[first*l.src.dist:], l.src, count)
			t.Batch(lines, lines, rest, count, p.n, p.n, inverse)
			scatter(dst[first*l.dst.dist:], lines, l.dst, count)
		}
		p.scratch.put(scratch)
	}
}

// gather packs count lines one after another, reading in the order of memory.
func gather[T any](packed, x []T, s side, count int) {
	if s.dist < s.stride {
		for i := range s.length {
			for b := range count {
				packed[b*s.length+i] = x[b*s.dist+i*s.stride]
			}
		}
		return
	}
	for b := range count {
		line := packed[b*s.length : (b+1)*s.length]
		for i := range line {
			line[i] = x[b*s.dist+i*s.stride]
		}
	}
}

// scatter is the reverse of gather, writing in the order of memory.
func scatter[T any](x, packed []T, s side, count int) {
	if s.dist < s.stride {
		for i := range s.length {
			for b := range count {
				x[b*s.dist+i*s.stride] = packed[b*s.length+i]
			}
		}
		return
	}
	for b := range count {
		line := packed[b*s.length : (b+1)*s.length]
		for i, v := range line {
			x[b*s.dist+i*s.stride] = v
		}
	}
}
