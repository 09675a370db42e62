package kgen

import (
	"fmt"
	"math/bits"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

const (
	sortThreads = 512

	// sortTile is how many items a group sorts in shared memory.
	sortTile = 2048
)

// sorter sorts lines of items. Tiles are sorted in shared memory by a bitonic
// network; a line longer than a tile is then merged run by run, of which only
// what can be among the first keep is kept. How items are made of what is
// read, and what becomes of them in the end, is the caller's. Many items are
// sorted digit by digit instead.
type sorter struct {
	items   items
	target  Target
	lines   int
	n       int // items of a line
	keep    int
	keyBits int // that keys have, or 0 for all

	// bindLoad and bindStore declare, at the start of a kernel, what the function
	// that they return uses. load is the item of element at of line l; store
	// stores item x as element at of line l. Both are of kind at.
	bindLoad  func(e *entry) (load func(l, at build.Val) acc)
	bindStore func(e *entry) (store func(x acc, l, at build.Val))

	out kernels
}

// sortThreads is how many threads of a group sort a tile.
func (t Target) sortThreads() int { return min(sortThreads, t.GroupThreads()) }

// run adds the kernels. Scratch memory starts at number first.
func (s *sorter) run(first int) {
	if s.byDigits() {
		s.digitPasses(first)
		return
	}
	tile := 2
	for tile < s.n && tile < sortTile {
		tile *= 2
	}
	tiles := ceil(s.n, tile)
	parts := len(s.items.kinds())
	s.out.add(s.tilesKernel(tile, tiles == 1, first), ceil(s.lines*tiles, sortTile/tile))
	if tiles == 1 {
		return
	}
	span, from, to := tile, first, first+parts
	for _, width := range []int{s.width(span), s.width(2 * span)} {
		s.out.scratch = append(s.out.scratch, lists.Map(bytesOf(s.items.kinds()), func(bytes int) int { return s.lines * width * bytes })...)
	}
	for ; span < s.n; span *= 2 {
		final := 2*span >= s.n
		e, groups := s.mergeKernel(span, final, from, to)
		if span == tile || final {
			s.out.add(e, s.lines*groups)
		} else {
			s.out.again(e, s.lines*groups, 1) // behind the tiles
		}
		from, to = to, from
	}
}

// width is how many items a line keeps when its runs cover span elements.
func (s *sorter) width(span int) int { return min(ceil(s.n, span)*min(s.keep, span), s.n) }

// sorting is a kernel of tiles in the making.
type sorting struct {
	*entry
	items items
	x     accs // in shared memory
	tid   build.Val
}

func (s *sorter) entry(name string, threads int) *entry {
	e := newEntry(name, threads, s.items.wide)
	e.apart, e.loose = true, true
	return e
}

// tilesKernel sorts tiles: each of a part of a line, or of several lines.
func (s *sorter) tilesKernel(tile int, whole bool, scratch int) *entry {
	e := &sorting{entry: s.entry("sort", s.target.sortThreads()), items: s.items}
	lines, size, keep := e.number("lines", s.lines), e.number("size", s.n), e.number("keep", s.keep)
	side := e.numberOf("tile", tile, ktree.Uint)
	shift := e.numberOf("shift", bits.TrailingZeros(uint(tile)), ktree.Uint)
	tiles := e.numberOf("tiles", ceil(s.n, tile), ktree.Uint)
	load := s.bindLoad(e.entry)
	var store func(x acc, l, at build.Val)
	var runs accs
	if whole {
		store = s.bindStore(e.entry)
	} else {
		runs = e.scratchAccs(s.items.kinds(), "runs", scratch)
	}
	e.x, e.tid = e.sharedAccs(s.items.kinds(), "x", sortTile), e.Thread()
	mask := e.Let("mask", side.Sub(1))
	// A group has whole lines, or a part of one.
	one, group := tiles.Eq(1), e.Group()
	line := e.Let("line", one.Choose(group.Mul(build.Int(ktree.Uint, sortTile).Shr(shift)), group.Div(tiles)))
	number := e.Let("number", one.Choose(build.Int(ktree.Uint, 0), group.Sub(line.Mul(tiles))))
	part := e.Let("part", number.To(e.at()).Shl(shift.To(e.at())))
	each := func(body func(p, l build.Val)) {
		e.For("k", build.Int(ktree.Uint, 0), sortTile, e.Threads(), ktree.Fully, func(k build.Val) {
			p := e.Let("p", k.Add(e.tid))
			body(p, e.Let("l", line.Add(p.Shr(shift)).To(e.at())))
		})
	}
	each(func(p, l build.Val) {
		at := e.Let("at", part.Add(p.And(mask).To(e.at())))
		e.IfElse(l.Lt(lines).AndThen(at.Lt(size)), func() { e.x.put(e.Kernel, load(l, at), p) }, func() { e.x.put(e.Kernel, s.items.last(), p) })
	})
	e.Barrier()
	if run := s.topRun(); run > 0 && 4*run <= tile {
		e.top(run, side)
	} else {
		e.network(side, mask)
	}
	each(func(p, l build.Val) {
		at := e.Let("at", p.And(mask).To(e.at()))
		if whole {
			e.If(l.Lt(lines).AndThen(at.Lt(keep)), func() { store(named(e.Kernel, "item", e.x.at(p)), l, at) })
			return
		}
		kept := e.Let("kept", build.Min(keep, side.To(e.at())))
		e.If(l.Lt(lines).AndThen(at.Lt(build.Min(kept, size.Sub(part)))), func() {
			to := l.Mul(e.number("width", s.width(tile))).Add(number.To(e.at()).Mul(kept)).Add(at)
			runs.put(e.Kernel, e.x.at(p), e.Let("to", to))
		})
	})
	return e.entry
}

// exchange puts items i and j in order, or the other way around where up is
// false.
func (e *sorting) exchange(i, j, up build.Val) {
	a, b := named(e.Kernel, "a", e.x.at(i)), named(e.Kernel, "b", e.x.at(j))
	e.If(e.items.before(b, a).Eq(up), func() {
		e.x.put(e.Kernel, b, i)
		e.x.put(e.Kernel, a, j)
	})
}

// network sorts tiles by a bitonic network.
func (e *sorting) network(tile, mask build.Val) {
	run := e.Var("run", build.Int(ktree.Uint, 2))
	e.While(run.Le(tile), 0, func() {
		by := e.Var("by", run.Shr(1))
		e.While(by.Gt(0), 0, func() {
			e.For("k", build.Int(ktree.Uint, 0), sortTile/2, e.Threads(), ktree.Fully, func(k build.Val) {
				c := e.Let("c", k.Add(e.tid))
				i := e.Let("i", c.Mul(2).Sub(c.And(by.Sub(1))))
				e.exchange(i, e.Let("j", i.Add(by)), i.And(mask).And(run).Eq(0))
			})
			e.Barrier()
		}, func() { e.Set(by, by.Shr(1)) })
	}, func() { e.Set(run, run.Shl(1)) })
}

// topRun is the length of runs that have room for what is kept, a power of
// two, or 0 if that is too long to gain by it.
func (s *sorter) topRun() int {
	if s.keep > 32 {
		return 0
	}
	run := 2
	for run < s.keep {
		run *= 2
	}
	return run
}

// top puts the first run items of each tile in order, at its start. It sorts
// runs, up and down in turn, and halves their number again and again: of two
// such runs the lesser of each pair of items are a bitonic run again. A
// simdgroup does this by itself while its runs are in its own part of x.
func (e *sorting) top(length int, tile build.Val) {
	warps := e.Threads() / 32
	run := e.numberOf("run", length, ktree.Uint)
	lane, warp := e.Let("lane", e.tid.Rem(32)), e.Let("warp", e.tid.Div(32))
	each := func(total, alone build.Val, body func(c build.Val)) {
		e.IfElse(alone, func() {
			per := e.Let("per", total.Div(warps))
			e.For("c", lane, per, 32, 0, func(c build.Val) { body(e.Let("own", warp.Mul(per).Add(c))) })
			e.WarpBarrier()
		}, func() {
			e.For("c", e.tid, total, e.Threads(), 0, body)
			e.Barrier()
		})
	}
	size := e.Var("size", build.Int(ktree.Uint, 2))
	e.While(size.Le(run), 0, func() {
		by := e.Var("by", size.Shr(1))
		e.While(by.Gt(0), 0, func() {
			each(build.Int(ktree.Uint, sortTile/2), build.Bool(true), func(c build.Val) {
				i := e.Let("i", c.Mul(2).Sub(c.And(by.Sub(1))))
				e.exchange(i, e.Let("j", i.Add(by)), i.And(size).Eq(0))
			})
		}, func() { e.Set(by, by.Shr(1)) })
	}, func() { e.Set(size, size.Shl(1)) })
	apart := e.Var("apart", run)
	e.While(apart.Lt(tile), 0, func() {
		alone := e.Let("alone", apart.Shl(1).Le(sortTile/warps))
		last := e.Let("last", apart.Shl(1).Eq(tile))
		alive := e.Let("alive", build.Int(ktree.Uint, sortTile).Div(apart.Shl(1)))
		e.If(apart.Eq(sortTile/warps), e.Barrier)
		each(alive.Mul(run), alone, func(c build.Val) {
			i := e.Let("i", c.Div(run).Mul(apart).Mul(2).Add(c.Rem(run)))
			a, b := named(e.Kernel, "a", e.x.at(i)), named(e.Kernel, "b", e.x.at(i.Add(apart)))
			e.If(e.items.before(b, a), func() { e.x.put(e.Kernel, b, i) })
		})
		half := e.Let("half", run.Shr(1))
		by := e.Var("by", half)
		e.While(by.Gt(0), 0, func() {
			each(alive.Mul(half), alone, func(c build.Val) {
				pair, at := e.Let("pair", c.Div(half)), e.Let("at", c.Rem(half))
				i := e.Let("i", pair.Mul(apart).Mul(2).Add(at.Mul(2)).Sub(at.And(by.Sub(1))))
				e.exchange(i, e.Let("j", i.Add(by)), last.OrElse(pair.And(1).Eq(0)))
			})
		}, func() { e.Set(by, by.Shr(1)) })
	}, func() { e.Set(apart, apart.Shl(1)) })
	e.Barrier()
}

func sortKernels(p *ir.Sort, target Target) (*kernels, error) {
	last := len(p.Dims) - 1
	n := p.Dims[last]
	if int64(n) >= 1<<31 {
		return nil, fmt.Errorf("kgen: sort: lines of %d: %w", n, device.ErrUnsupported)
	}
	operands := append(ir.Reads(p), ir.Writes(p)...)
	for i := range operands {
		operands[i] = withoutLast(operands[i])
	}
	lines := newSpace(p.Dims[:last], operands...)
	lines.join()
	kinds := items{p.In.Type, p.Descending, target.Wide}
	s := &sorter{items: kinds, target: target, lines: ir.Count(lines.dims), n: n, keep: p.Keep}
	// Places are not needed where elements can be items themselves.
	carried := s.byDigits() && p.Places == nil && p.In.Type.Size() == 4
	// element is that of the input, by line and place.
	element := func(e *entry) func(l, at build.Val) build.Val {
		in := e.pointer("in", lines.ops[0], read(0))
		step := e.number("in_step", p.In.Strides[last])
		return func(l, at build.Val) build.Val {
			from := e.position("in", e.point("in_c", l.To(e.index()), lines.dims), lines.ops[0].Strides)
			return in.At(from.Add(at.Mul(step)))
		}
	}
	var loaded *entry // the kernel that has the input, and how it reads it
	var read func(l, at build.Val) build.Val
	bindIn := func(e *entry) {
		if loaded != e {
			loaded, read = e, element(e)
		}
	}
	s.bindLoad = func(e *entry) func(l, at build.Val) acc {
		bindIn(e)
		return func(l, at build.Val) acc {
			x := Get(p.In.Type, e.Let("value", read(l, at))).Re
			second := at.To(ktree.Uint)
			if carried {
				second = x.Bits(ktree.Uint)
			}
			return kinds.item(kinds.key(e.Kernel, x), second)
		}
	}
	s.bindStore = func(e *entry) func(x acc, l, at build.Val) {
		// bind declares result i, which is element at of line l.
		bind := func(name string, o *ir.Operand, i int) func(l, at build.Val) build.Val {
			out := e.pointer(name, lines.ops[1+i], write(i))
			step := e.number(name+"_step", o.Strides[last])
			return func(l, at build.Val) build.Val {
				return out.At(e.position(name, e.point(name+"_c", l.To(e.index()), lines.dims), lines.ops[1+i].Strides).Add(at.Mul(step)))
			}
		}
		var value, place func(l, at build.Val) build.Val
		if p.Values != nil {
			if !carried {
				bindIn(e)
			}
			value = bind("out", p.Values, 0)
		}
		if p.Places != nil {
			place = bind("places", p.Places, len(ir.Writes(p))-1)
		}
		return func(x acc, l, at build.Val) {
			if carried {
				to := value(l, at)
				e.Set(to, kinds.place(x).Bits(to.Kind()))
				return
			}
			from := kinds.place(x).To(e.at())
			if place != nil {
				e.Set(place(l, at), from.To(ktree.Long))
			}
			if value != nil {
				e.Set(value(l, at), read(l, from))
			}
		}
	}
	s.run(0)
	return &s.out, nil
}
