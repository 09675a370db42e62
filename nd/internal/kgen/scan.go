package kgen

import (
	"slices"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

const (
	scanThreads = 256

	// scanItems is how many neighbours a thread scans by itself.
	scanItems = 8

	// scanPiece is how many times as much a piece of a line has, where its length
	// decides: 1024 pieces of 16 million elements.
	scanPiece = 8

	// serialFrom is the number of lines from which a thread for each of them
	// keeps a card busy.
	serialFrom = 1 << 14
)

// scan is a scan program. Short lines and lines that lie side by side have a
// thread each; others a group of threads, which takes the line piece by piece.
// Few long lines are cut into pieces that blocks share: the totals of pieces
// are folded first, then scanned, and the pieces are scanned from there.
type scan struct {
	s      *ir.Scan
	fold   fold
	target Target
	lines  *space // input and output, without the axis
	n      int
	group  int // threads per piece
	pack   int // neighbours that are loaded and stored at once
	piece  int // elements
	each   int // pieces per line
	wide   bool
}

func scanKernels(s *ir.Scan, target Target) *kernels {
	last := len(s.Dims) - 1
	w := &scan{s: s, target: target, fold: fold{op: s.Op, t: s.In.Type}, n: s.Dims[last]}
	w.lines = newSpace(s.Dims[:last], withoutLast(s.In), withoutLast(s.Out))
	w.lines.order(0)
	w.lines.join()
	w.pack = w.packOf()
	w.divide(max(target.Processors, 1))
	full := &space{dims: append(slices.Clone(w.lines.dims), w.n), ops: []ir.Operand{w.whole(0), w.whole(1)}}
	w.wide = full.isWide()
	return w.kernels()
}

// withoutLast is an operand without its last dimension.
func withoutLast(o ir.Operand) ir.Operand {
	o.Strides = o.Strides[:len(o.Strides)-1]
	return o
}

// packOf is how many neighbours along the axis can be accessed at once in both
// operands.
func (w *scan) packOf() int {
	axis := len(w.s.Dims) - 1
	pack := min(scanItems, accessBytes/w.s.In.Type.Size())
	for i, o := range w.lines.ops {
		if []ir.Operand{w.s.In, w.s.Out}[i].Strides[axis] != 1 {
			return 1
		}
		pack = aligned(pack, append([]int{o.Offset, w.n}, o.Strides...)...)
	}
	return pack
}

func (w *scan) divide(processors int) {
	lines := ir.Count(w.lines.dims)
	near := nearest(w.lines, 0)
	apart := abs(w.s.In.Strides[len(w.s.Dims)-1])
	beside := near > 0 && near < apart
	w.group = scanThreads
	switch {
	case w.n <= 2*scanItems || beside && lines >= serialFrom:
		w.group = 1
	case w.n <= 4*32*scanItems:
		w.group = 32
	}
	w.piece, w.each = w.n, 1
	const tile = scanThreads * scanItems
	switch {
	case w.group < scanThreads:
	case !w.target.Wide:
		// Sums without float64 show where lines are cut, so their length alone decides.
		w.piece = scanPiece * tile
		w.each = ceil(w.n, w.piece)
	case lines < 2*processors:
		w.piece = max(ceil(ceil(w.n*lines, 4*processors), tile), 1) * tile
		w.each = ceil(w.n, w.piece)
	}
}

// whole is an operand over lines and axis.
func (w *scan) whole(i int) ir.Operand {
	o := w.lines.ops[i]
	along := []ir.Operand{w.s.In, w.s.Out}[i].Strides
	o.Strides = append(slices.Clone(o.Strides), along[len(along)-1])
	return o
}

func (w *scan) kernels() *kernels {
	lines := ir.Count(w.lines.dims)
	k := &kernels{}
	add := func(name string, jobs int, write func(*scanEntry)) {
		e := &scanEntry{entry: w.target.newEntry(name, scanThreads, w.wide), w: w}
		e.apart = true
		write(e)
		k.add(e.entry, ceil(jobs*w.group, scanThreads))
	}
	if w.group == 1 {
		add("scan", lines, (*scanEntry).serial)
		return k
	}
	if w.each > 1 {
		add("totals", lines*w.each, (*scanEntry).totals)
		add("carries", lines, (*scanEntry).carries)
		for range 2 { // totals, then carries
			k.scratch = append(k.scratch, lists.Map(bytesOf(w.fold.kinds()), func(bytes int) int { return lines * w.each * bytes })...)
		}
	}
	add("scan", lines*w.each, (*scanEntry).pieces)
	return k
}

// scanEntry is a kernel of a scan in the making.
type scanEntry struct {
	*entry
	w               *scan
	in, out         build.Val // pointers, and where the thread's line begins
	inFrom, outFrom build.Val
	lane, job       build.Val
	here, from, to  build.Val // from and to are Longs or Ints: kind at
}

// bind declares the buffers and where line number line starts in them.
func (e *scanEntry) bind(line build.Val, out bool) {
	w := e.w
	e.in = e.pointer("in", w.lines.ops[0], read(0))
	coords := e.point("l", line, w.lines.dims)
	e.inFrom = e.Let("in_line", e.position("in", coords, w.lines.ops[0].Strides))
	if out {
		e.out = e.pointer("out", w.lines.ops[1], write(0))
		e.outFrom = e.Let("out_line", e.position("out", coords, w.lines.ops[1].Strides))
	}
}

func (e *scanEntry) length() build.Val { return e.number("size", e.w.n) }

// load is element i of the line, of kind at, as an accumulator.
func (e *scanEntry) load(i build.Val) acc {
	axis := len(e.w.s.Dims) - 1
	x := e.in.At(e.inFrom.Add(i.Mul(e.number("in_step", e.w.s.In.Strides[axis]))))
	return e.w.fold.lift(Get(e.w.s.In.Type, x), build.Int(ktree.Long, 0))
}

// lowered is an accumulator as an element of the result.
func (e *scanEntry) lowered(a acc) build.Val {
	return Put(e.w.s.Out.Type, e.w.fold.result(e.Kernel, a))
}

func (e *scanEntry) store(i build.Val, a acc) {
	axis := len(e.w.s.Dims) - 1
	e.Set(e.out.At(e.outFrom.Add(i.Mul(e.number("out_step", e.w.s.Out.Strides[axis])))), e.lowered(a))
}

// variable declares an accumulator that changes.
func (e *scanEntry) variable(name string, start acc) acc {
	return lists.Map(start, func(v build.Val) build.Val { return e.Var(name, v) })
}

// change assigns an accumulator.
func (e *scanEntry) change(to, v acc) {
	if len(v) > 1 {
		v = named(e.Kernel, "t", v)
	}
	for i := range to {
		e.Set(to[i], v[i])
	}
}

func (e *scanEntry) join(a, b acc) acc { return e.w.fold.join(e.Kernel, a, b) }

// serial scans a line with each thread.
func (e *scanEntry) serial() {
	w := e.w
	line := e.first(1)
	e.If(line.Lt(e.size("lines", ir.Count(w.lines.dims))), func() {
		e.bind(line, true)
		t := e.variable("t", w.fold.none())
		e.For("i", build.Int(e.at(), 0), e.length(), 1, 8, func(i build.Val) {
			e.change(t, e.join(t, e.load(i)))
			e.store(i, t)
		})
	})
}

// piece finds which piece of which line a group has. Groups past the last piece
// go along without loading or storing.
func (e *scanEntry) piece(out bool) {
	w, index := e.w, e.index()
	tid := e.Thread().To(ktree.Int)
	e.lane = e.Let("lane", tid.Rem(w.group))
	e.job = e.Let("job", e.Group().To(index).Mul(scanThreads/w.group).Add(tid.Div(w.group).To(index)))
	e.here = e.Let("here", e.job.Lt(e.size("jobs", ir.Count(w.lines.dims)*w.each)))
	line := e.job
	number := build.Int(index, 0)
	if w.each > 1 {
		line = e.Let("line", e.quotient(e.job, "per_line", w.each))
		number = e.Let("number", e.job.Sub(line.Mul(e.size("per_line", w.each))))
	}
	e.bind(line, out)
	e.from = e.Let("from", number.To(e.at()).Mul(e.number("piece", w.piece)))
	e.to = e.Let("to", e.here.Choose(build.Min(e.from.Add(e.number("piece", w.piece)), e.length()), e.from))
}

// totals scans pieces without storing them, so that their totals are what a scan
// in one piece would have come to.
func (e *scanEntry) totals() {
	totals := e.scratchAccs(e.w.fold.kinds(), "totals", 0)
	e.piece(false)
	carry := e.variable("carry", e.w.fold.none())
	e.scanGroup(carry, e.loadItems, nil)
	e.If(e.lane.Eq(0).AndThen(e.here), func() { totals.put(e.Kernel, carry, e.job) })
}

// carries scans the totals of each line, so that every piece finds what is before
// it.
func (e *scanEntry) carries() {
	w, f := e.w, e.w.fold
	totals := e.scratchAccs(f.kinds(), "totals", 0)
	carries := e.scratchAccs(f.kinds(), "carries", len(f.kinds()))
	per := e.number("per_line", w.each)
	e.lane = e.Let("lane", e.Thread().To(ktree.Int))
	first := e.Let("first", e.Group().To(e.at()).Mul(per))
	e.from, e.to = build.Int(e.at(), 0), per
	carry := e.variable("carry", f.none())
	e.scanGroup(carry, func(at build.Val, a accs) {
		e.eachItem(func(k, i build.Val) {
			e.IfElse(i.Lt(e.to), func() { a.put(e.Kernel, totals.at(first.Add(i)), k) }, func() { a.put(e.Kernel, f.none(), k) })
		}, at)
	}, func(at build.Val, prefix acc, a accs) {
		for k := range scanItems { // the first has nothing of its own before it
			i := at.Add(k)
			e.If(i.Lt(e.to), func() {
				before := prefix
				if k > 0 {
					before = e.join(prefix, a.at(k-1))
				}
				carries.put(e.Kernel, before, first.Add(i))
			})
		}
	})
}

func (e *scanEntry) pieces() {
	w, f := e.w, e.w.fold
	var carries accs
	if w.each > 1 {
		carries = e.scratchAccs(f.kinds(), "carries", len(f.kinds()))
	}
	e.piece(true)
	carry := e.variable("carry", f.none())
	if w.each > 1 {
		e.If(e.here, func() { e.change(carry, carries.at(e.job)) })
	}
	e.scanGroup(carry, e.loadItems, e.storeItems)
}

// eachItem runs body for each item k of a thread, element i of the line.
func (e *scanEntry) eachItem(body func(k, i build.Val), at build.Val) {
	e.Each("k", scanItems, func(k build.Val) { body(k, e.Let("i", at.Add(k.To(e.at())))) })
}

// loadItems sets a[k] to element at+k; where there is none, to nothing.
func (e *scanEntry) loadItems(at build.Val, a accs) {
	w, f := e.w, e.w.fold
	if w.pack == 1 {
		e.eachItem(func(k, i build.Val) {
			e.IfElse(i.Lt(e.to), func() { a.put(e.Kernel, e.load(i), k) }, func() { a.put(e.Kernel, f.none(), k) })
		}, at)
		return
	}
	e.eachPack(at, func(p, i build.Val) {
		x := e.Array("x", MemoryOf(w.s.In.Type), w.pack)
		e.Move(x.At(0), e.in.At(e.Let("at", e.inFrom.Add(i))), w.pack)
		e.Each("k", w.pack, func(k build.Val) {
			a.put(e.Kernel, f.lift(Get(w.s.In.Type, x.At(k)), build.Int(ktree.Long, 0)), p.Add(k))
		})
	}, func(p build.Val) {
		e.Each("k", w.pack, func(k build.Val) { a.put(e.Kernel, f.none(), p.Add(k)) })
	})
}

// storeItems stores the fold of all up to element at+k.
func (e *scanEntry) storeItems(at build.Val, prefix acc, a accs) {
	w := e.w
	if w.pack == 1 {
		e.eachItem(func(k, i build.Val) {
			e.If(i.Lt(e.to), func() { e.store(i, named(e.Kernel, "y", e.join(prefix, a.at(k)))) })
		}, at)
		return
	}
	e.eachPack(at, func(p, i build.Val) {
		x := e.Array("x", MemoryOf(w.s.Out.Type), w.pack)
		e.Each("k", w.pack, func(k build.Val) {
			e.Set(x.At(k), e.lowered(named(e.Kernel, "y", e.join(prefix, a.at(p.Add(k))))))
		})
		e.Move(e.out.At(e.Let("at", e.outFrom.Add(i))), x.At(0), w.pack)
	}, func(build.Val) {})
}

// eachPack runs inside for each pack p of a thread that is inside the line,
// which is a whole number of packs and has it from element i on, and outside for
// the others.
func (e *scanEntry) eachPack(at build.Val, inside func(p, i build.Val), outside func(p build.Val)) {
	e.For("p", build.Int(ktree.Int, 0), scanItems, e.w.pack, ktree.Fully, func(p build.Val) {
		i := e.Let("i", at.Add(p.To(e.at())))
		e.IfElse(i.Lt(e.to), func() { inside(p, i) }, func() { outside(p) })
	})
}

// scanGroup scans elements from to to with a group of threads, tile by tile, and
// leaves the fold of all in carry. load sets a[k] to element at+k; store has the
// fold of all before the thread's first in prefix and that of its own up to k in
// a[k].
func (e *scanEntry) scanGroup(carry acc, load func(at build.Val, a accs), store func(at build.Val, prefix acc, a accs)) {
	w, f := e.w, e.w.fold
	warps := w.group / 32
	var sums accs
	if warps > 1 {
		sums = e.sharedAccs(f.kinds(), "sums", warps)
	}
	shuffle := func(fn ktree.Intrinsic, a acc, by int) (out acc) {
		return lists.Map(a, func(v build.Val) build.Val { return e.Across(fn, v, by) })
	}
	inWarp := e.Let("in_warp", e.lane.Rem(32))
	// Groups that share a block go through as many tiles, also those that have no
	// line: some devices have no operations across less than a block.
	end := e.to
	if w.group < scanThreads {
		end = e.length()
	}
	e.For("tile", e.from, end, w.group*scanItems, 0, func(tile build.Val) {
		at := e.Let("at", tile.Add(e.lane.To(e.at()).Mul(scanItems)))
		a := e.accArray(f.kinds(), "a", scanItems)
		load(at, a)
		e.For("k", build.Int(ktree.Int, 1), scanItems, 1, ktree.Fully, func(k build.Val) {
			a.put(e.Kernel, e.join(a.at(k.Sub(1)), a.at(k)), k)
		})
		s := e.variable("s", a.at(scanItems-1))
		for by := 1; by < 32; by *= 2 {
			left := shuffle(ktree.SimdShuffleUp, s, by)
			e.If(inWarp.Ge(by), func() { e.change(s, e.join(left, s)) })
		}
		before := e.variable("before", shuffle(ktree.SimdShuffleUp, s, 1))
		e.If(inWarp.Eq(0), func() { e.change(before, f.none()) })
		var all, prefix acc
		if warps > 1 {
			warp := e.Let("warp", e.lane.Div(32))
			e.If(inWarp.Eq(31), func() { sums.put(e.Kernel, s, warp) })
			e.Barrier()
			ahead := e.variable("ahead", f.none())
			all = e.variable("all", f.none())
			e.For("k", build.Int(ktree.Int, 0), warps, 1, 0, func(k build.Val) {
				e.If(k.Eq(warp), func() { e.change(ahead, all) })
				e.change(all, e.join(all, sums.at(k)))
			})
			e.Barrier()
			prefix = named(e.Kernel, "prefix", e.join(carry, named(e.Kernel, "ahead_of", e.join(ahead, before))))
		} else {
			all = shuffle(ktree.SimdShuffle, s, 31)
			prefix = named(e.Kernel, "prefix", e.join(carry, before))
		}
		if store != nil {
			store(at, prefix, a)
		}
		e.change(carry, e.join(carry, all))
	})
}
