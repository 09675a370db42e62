package kgen

import (
	"math"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// Many items are sorted digit by digit, from the lowest on. A line is cut into
// shares of some tiles, one for each group. For a digit of 8 bits, groups count
// the digits of their share; counts of all shares are added up, so that each
// group knows where its items of a digit begin; then groups move their items
// there, in order. Every pass is stable, so items are compared by their keys alone.
const (
	digitBits   = 8
	digitValues = 1 << digitBits

	// digitThreads is one for each value of a digit.
	digitThreads = digitValues
	digitWarps   = digitThreads / 32

	// digitShares is how many groups there are for a multiprocessor, which has two at once: 2^24
	// items take 1.06 ms with 2 of them, 1.04 with 4 and 1.00 with 8.
	digitShares = 8

	// digitItems is how many items a multiprocessor has to have before passes of
	// three launches are faster than a merge for each doubling: 2^16 take as long by
	// either on an H200.
	digitItems = 512
)

// byDigits reports whether lines are sorted digit by digit: only where all or most
// of long lines is kept, since merges drop what is not.
func (s *sorter) byDigits() bool {
	target := s.target
	return target.Wide && target.Subgroup == 32 && s.n > sortTile && s.keep >= min(s.n, sortTile) &&
		s.lines*s.n >= digitItems*target.Processors
}

// keyDigits is where the digits of keys are that differ: from bit lowest on, so many
// of them, after base is subtracted, modulo 2^32.
func (s items) keyDigits() (base int32, lowest, digits int) {
	bit := 8 * s.t.Size()
	switch {
	case s.isLong():
	case s.t == elem.Bool:
		bit = 1
		fallthrough
	case s.t.IsInteger() && bit < 32:
		if s.t.IsSigned() {
			base = math.MaxInt32 - (1<<(bit-1) - 1)
		} else if s.descending {
			base = -1 << bit
		}
	case s.t == elem.Float16: // as float32, whose last 13 bits are 0
		lowest, bit = digitBits, 32-digitBits
	case s.t == elem.BFloat16:
		lowest = 16
	}
	return base, lowest, ceil(bit, digitBits)
}

// radix is a sort digit by digit in the making. Items are a key and a place, apart.
type radix struct {
	*sorter
	pairs  items
	each   int   // items of a thread in a tile
	shares int   // of a line
	share  int   // items of a share, a multiple of a tile
	base   int32 // of keys
}

// digitPasses adds the kernels. Scratch memory starts at number first.
func (s *sorter) digitPasses(first int) {
	r := &radix{sorter: s, pairs: s.items, each: 16}
	r.pairs.wide = false
	if r.pairs.isLong() { // a tile is in shared memory
		r.each = 8
	}
	base, lowest, digits := s.items.keyDigits()
	if s.keyBits > 0 {
		digits = ceil(s.keyBits, digitBits)
	}
	r.base = base
	tiles := ceil(s.n, r.tile())
	r.share = r.tile() * ceil(tiles, max(digitShares*s.target.Processors/s.lines, 1))
	r.shares = ceil(s.n, r.share)

	parts := len(r.pairs.kinds())
	rows := s.lines * digitValues
	from, to, counts := first, first+parts, first+2*parts
	for range 2 {
		s.out.scratch = append(s.out.scratch, lists.Map(bytesOf(r.pairs.kinds()), func(bytes int) int { return s.lines * s.n * bytes })...)
	}
	s.out.scratch = append(s.out.scratch, 4*rows*r.shares, 4*rows)
	count, sum, move := -1, -1, -1 // the kernels that passes share
	for d := range digits {
		shift := lowest + d*digitBits
		begins, ends := d == 0, d == digits-1
		// add launches a kernel of this pass, which may be one of an earlier pass.
		add := func(like *int, same bool, e *entry, groups int) {
			if same && *like >= 0 {
				s.out.again(e, groups, *like)
				return
			}
			if same {
				*like = len(s.out.entries)
			}
			s.out.add(e, groups)
		}
		add(&count, !begins, r.countKernel(shift, begins, from, counts), s.lines*r.shares)
		if r.shares > 1 {
			add(&sum, true, r.sumKernel(counts), rows)
		}
		add(&move, !begins && !ends, r.moveKernel(shift, begins, ends, from, to, counts), s.lines*r.shares)
		from, to = to, from
	}
}

// tile is how many items a group has at once.
func (r *radix) tile() int { return digitThreads * r.each }

// moving is a kernel of a pass in the making.
type moving struct {
	*entry
	r         *radix
	tid, lane build.Val
	warp      build.Val
	line      build.Val // of kind at
	share     build.Val // its number in the line, an Uint
	from, to  build.Val // of kind at: what the group has of its line
	load      func(at build.Val) acc
	seen      build.Val // in shared memory, how often each warp has seen a digit
	shift     build.Val
	lower     build.Val // lanes before the thread's own
}

// begin declares what counting and moving have in common; begins says that items are loaded
// as the caller does.
func (r *radix) begin(name string, shift int, begins bool, from int) *moving {
	m := &moving{entry: r.entry(name, digitThreads), r: r}
	m.tid = m.Thread()
	m.lane, m.warp = m.Let("lane", m.tid.Rem(32)), m.Let("warp", m.tid.Div(32))
	m.lower = m.Let("lower", build.Int(ktree.Uint, 1).Shl(m.lane).Sub(1))
	shares, size, share := m.numberOf("shares", r.shares, ktree.Uint), m.number("size", r.n), m.number("share", r.share)
	m.shift = m.numberOf("shift", shift, ktree.Uint)
	l := m.Let("l", m.Group().Div(shares))
	m.share = m.Let("part", m.Group().Sub(l.Mul(shares)))
	m.line = m.Let("line", l.To(m.at()))
	m.from = m.Let("from", m.share.To(m.at()).Mul(share))
	m.to = m.Let("to", build.Min(m.from.Add(share), size))
	if begins {
		load := r.bindLoad(m.entry)
		m.load = func(at build.Val) acc {
			x := load(m.line, at)
			key := r.items.keyOf(x)
			if r.base != 0 {
				key = key.Sub(build.Int(key.Kind(), int64(r.base)))
			}
			return acc{key, r.items.place(x)}
		}
	} else {
		items := m.itemsFrom(r.pairs, "items", from)
		start := m.Let("start", m.line.Mul(size))
		m.load = func(at build.Val) acc { return items.at(start.Add(at)) }
	}
	return m
}

// clear makes the group forget what it has seen.
func (m *moving) clear() {
	m.For("k", m.tid, digitWarps*digitValues, digitThreads, ktree.Fully, func(k build.Val) { m.Set(m.seen.At(k), build.Int(ktree.Uint, 0)) })
	m.Barrier()
}

// tiles runs body for each tile of the group, which begins at element at of the line.
func (m *moving) tiles(body func(at build.Val)) {
	m.For("tile", m.from, m.to, m.r.tile(), 0, body)
}

// eachItem runs body for each item of the thread: k is its number, at its element. Warps have
// neighbouring parts of a tile, lanes neighbouring items.
func (m *moving) eachItem(tile build.Val, body func(k, at build.Val)) {
	own := m.Let("own", tile.Add(m.warp.Mul(32*m.r.each).Add(m.lane).To(m.at())))
	m.Each("k", m.r.each, func(k build.Val) { body(k, m.Let("at", own.Add(k.Mul(32).To(m.at())))) })
}

// digit is that of a key in this pass, an Uint.
func (m *moving) digit(key build.Val) build.Val {
	return key.Shr(m.shift.To(key.Kind())).To(ktree.Uint).And(digitValues - 1)
}

// meet notes a digit of every thread of a warp. It gives how often the warp had seen the
// thread's digit before, in earlier items and in lower lanes.
func (m *moving) meet(digit build.Val) build.Val {
	same := m.Across(ktree.SimdMatch, digit)
	place := m.Let("seen_at", m.warp.Mul(digitValues).Add(digit))
	before := m.Let("before", build.Apply(ktree.Popcount, same.And(m.lower)))
	old := m.Let("old", m.seen.At(place))
	m.WarpBarrier()
	m.If(before.Eq(0), func() { m.Set(m.seen.At(place), old.Add(build.Apply(ktree.Popcount, same))) })
	m.WarpBarrier()
	return old.Add(before)
}

// countKernel counts how often each share has each digit.
func (r *radix) countKernel(shift int, begins bool, from, counts int) *entry {
	name := "count_again"
	if begins {
		name = "count"
	}
	m := r.begin(name, shift, begins, from)
	out := m.buffer("counts", ktree.Scalar(ktree.Uint), scratch(counts))
	seen := m.AtomicShared("seen", ktree.Scalar(ktree.Uint), digitValues)
	none, one := build.Int(ktree.Uint, 0), build.Int(ktree.Uint, 1)
	m.Do(m.Atomic(ktree.AtomicStore, seen.At(m.tid), none))
	m.Barrier()
	m.tiles(func(tile build.Val) {
		digits := m.Array("digits", ktree.Scalar(ktree.Uint), r.each)
		m.eachItem(tile, func(k, at build.Val) {
			// What is behind the end counts as the greatest digit, whose count nothing follows.
			m.IfElse(at.Lt(m.to), func() { m.Set(digits.At(k), m.digit(m.load(at)[0])) },
				func() { m.Set(digits.At(k), build.Int(ktree.Uint, digitValues-1)) })
		})
		m.Each("k", r.each, func(k build.Val) { m.Do(m.Atomic(ktree.AtomicAdd, seen.At(digits.At(k)), one)) })
	})
	m.Barrier()
	m.Set(out.At(m.countAt()), m.Let("sum", m.Atomic(ktree.AtomicExchange, seen.At(m.tid), none)))
	return m.entry
}

// row is the thread's digit among those of all lines; countAt is where the counts of its
// shares have that of the group.
func (m *moving) row() build.Val {
	return m.line.Mul(digitValues).Add(m.tid.To(m.at()))
}

func (m *moving) countAt() build.Val {
	return m.Let("count_at", m.row().Mul(m.number("row", m.r.shares)).Add(m.share.To(m.at())))
}

// sumKernel replaces the counts of a digit by those of all shares before, and gives the sum of all.
func (r *radix) sumKernel(first int) *entry {
	e := r.entry("sums", digitThreads)
	counts := e.buffer("counts", ktree.Scalar(ktree.Uint), scratch(first))
	totals := e.buffer("totals", ktree.Scalar(ktree.Uint), scratch(first+1))
	shares := e.number("shares", r.shares)
	row, tid := e.Group().To(e.at()), e.Thread()
	carry := e.Var("carry", build.Int(ktree.Uint, 0))
	parts := e.Shared("parts", ktree.Scalar(ktree.Uint), digitWarps)
	start := e.Let("start", row.Mul(shares))
	e.For("k", build.Int(e.at(), 0), shares, digitThreads, 0, func(k build.Val) {
		at := e.Let("at", k.Add(tid.To(e.at())))
		v := e.Var("v", build.Int(ktree.Uint, 0))
		e.If(at.Lt(shares), func() { e.Set(v, counts.At(start.Add(at))) })
		before, all := e.groupSums(v, parts)
		e.If(at.Lt(shares), func() { e.Set(counts.At(start.Add(at)), carry.Add(before)) })
		e.Set(carry, carry.Add(all))
	})
	e.If(tid.Eq(0), func() { e.Set(totals.At(row), carry) })
	return e
}

// groupSums is the sum of v over the threads before this one, and over all of them; parts has a
// number for each warp.
func (e *entry) groupSums(v, parts build.Val) (before, all build.Val) {
	tid := e.Thread()
	lane, warp := e.Let("lane", tid.Rem(32)), e.Let("warp", tid.Div(32))
	sum := e.Var("sum", v)
	for by := 1; by < 32; by *= 2 {
		other := e.Across(ktree.SimdShuffleUp, sum, by)
		e.If(lane.Ge(by), func() { e.Set(sum, sum.Add(other)) })
	}
	e.If(lane.Eq(31), func() { e.Set(parts.At(warp), sum) })
	e.Barrier()
	before, all = e.Var("before", sum.Sub(v)), e.Var("all", build.Int(ktree.Uint, 0))
	e.Each("w", e.Threads()/32, func(w build.Val) {
		part := e.Let("part", parts.At(w))
		e.Set(all, all.Add(part))
		e.If(w.To(ktree.Uint).Lt(warp), func() { e.Set(before, before.Add(part)) })
	})
	e.Barrier()
	return before, all
}

// moveKernel moves items to where those of their digit are.
func (r *radix) moveKernel(shift int, begins, ends bool, from, to, counts int) *entry {
	name := "move"
	switch {
	case ends:
		name = "move_last"
	case begins:
		name = "move_first"
	}
	m := r.begin(name, shift, begins, from)
	count := m.buffer("counts", ktree.Scalar(ktree.Uint), scratch(counts))
	count.E.(*ktree.Ref).Var.Type.Const, count.E.(*ktree.Ref).Type.Const = true, true
	var store func(x acc, at build.Val)
	if ends {
		put := r.bindStore(m.entry)
		keep := m.number("keep", r.keep)
		store = func(x acc, at build.Val) {
			m.If(at.Lt(keep), func() {
				key := x[0]
				if r.base != 0 {
					key = key.Add(build.Int(key.Kind(), int64(r.base)))
				}
				put(named(m.Kernel, "item", r.items.item(key, x[1])), m.line, at)
			})
		}
	} else {
		moved := m.scratchAccs(r.pairs.kinds(), "moved", to)
		start := m.Let("moved_from", m.line.Mul(m.number("size", r.n)))
		store = func(x acc, at build.Val) { moved.put(m.Kernel, x, m.Let("moved_at", start.Add(at))) }
	}
	m.seen = m.Shared("seen", ktree.Scalar(ktree.Uint), digitWarps*digitValues)
	x := m.sharedAccs(r.pairs.kinds(), "x", r.tile())
	parts := m.Shared("parts", ktree.Scalar(ktree.Uint), digitWarps)
	apart := m.Shared("apart", ktree.Scalar(ktree.Uint), digitValues) // from a place in the tile to one in the line, below 2^32
	// Thread t has digit t: where the group's next item of it goes.
	next := m.Var("next", build.Int(ktree.Uint, 0))
	if r.shares == 1 {
		before, _ := m.groupSums(m.Let("total", count.At(m.row())), parts)
		m.Set(next, before)
	} else {
		totals := m.buffer("totals", ktree.Scalar(ktree.Uint), scratch(counts+1))
		totals.E.(*ktree.Ref).Var.Type.Const, totals.E.(*ktree.Ref).Type.Const = true, true
		before, _ := m.groupSums(m.Let("total", totals.At(m.row())), parts)
		m.Set(next, before.Add(count.At(m.countAt())))
	}
	m.tiles(func(tile build.Val) {
		m.clear()
		mine := m.accArray(r.pairs.kinds(), "mine", r.each)
		rank := m.Array("rank", ktree.Scalar(ktree.Uint), r.each)
		m.eachItem(tile, func(k, at build.Val) {
			m.IfElse(at.Lt(m.to), func() { mine.put(m.Kernel, m.load(at), k) }, func() { mine.put(m.Kernel, r.pairs.last(), k) })
		})
		m.Each("k", r.each, func(k build.Val) { m.Set(rank.At(k), m.meet(m.Let("digit", m.digit(mine[0].At(k))))) })
		m.Barrier()
		sum := m.Var("sum_seen", build.Int(ktree.Uint, 0))
		m.Each("w", digitWarps, func(w build.Val) {
			at := m.Let("w_at", w.To(ktree.Uint).Mul(digitValues).Add(m.tid))
			seen := m.Let("w_seen", m.seen.At(at))
			m.Set(m.seen.At(at), sum)
			m.Set(sum, sum.Add(seen))
		})
		before, _ := m.groupSums(sum, parts)
		m.Each("w", digitWarps, func(w build.Val) {
			at := m.Let("w_at", w.To(ktree.Uint).Mul(digitValues).Add(m.tid))
			m.Set(m.seen.At(at), m.seen.At(at).Add(before))
		})
		m.Set(apart.At(m.tid), next.Sub(before))
		m.Set(next, next.Add(sum))
		m.Barrier()
		m.Each("k", r.each, func(k build.Val) {
			y := named(m.Kernel, "y", mine.at(k))
			x.put(m.Kernel, y, m.Let("to_at", m.seen.At(m.warp.Mul(digitValues).Add(m.digit(y[0]))).Add(rank.At(k))))
		})
		m.Barrier()
		count := m.Let("count", build.Min(m.to.Sub(tile), r.tile()).To(ktree.Uint))
		m.Each("k", r.each, func(k build.Val) {
			p := m.Let("p", k.To(ktree.Uint).Mul(digitThreads).Add(m.tid))
			m.If(p.Lt(count), func() {
				y := named(m.Kernel, "y", x.at(p))
				store(y, m.Let("place", apart.At(m.digit(y[0])).Add(p).To(m.at())))
			})
		})
	})
	return m.entry
}
