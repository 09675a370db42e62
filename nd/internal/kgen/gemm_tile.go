package kgen

import (
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// gemmEntry is the kernel of a product in the making.
type gemmEntry struct {
	*entry
	w              *gemm
	m0, n0         build.Val // the tile's place
	fromK, sizeK   build.Val // K of the group; its size is an Int
	warp, lane     build.Val
	seen           build.Val // whether anything reads the tile
	out            build.Val // a pointer, and where the product begins in it
	outFrom        build.Val
	outRow, outCol build.Val // its strides
}

// gemmOperand is a side as a kernel sees it.
type gemmOperand struct {
	gemmSide
	at    build.Val // a pointer
	begin build.Val // where the tile's lines begin, at the first slice
	from  build.Val // the same at the next slice: a Long
	lines build.Val // of the tile that there are, an Int
	line  build.Val // the stride of plain lines; else where a thread's line begins, or each line of the tile, in shared memory
	k     build.Val // the stride of plain K; else where the elements of two slices are, in shared memory
}

// bind declares the operands, the tile's place and the size of the product.
func (w *gemm) bind(e *gemmEntry) (a, b *gemmOperand) {
	g, n := w.g, len(w.g.Batch)
	first, second := w.sides()
	a, b = &gemmOperand{gemmSide: first}, &gemmOperand{gemmSide: second}
	sizes := []build.Val{e.number("size_m", g.M), e.number("size_n", g.N)}
	for i, s := range []*gemmOperand{a, b} {
		s.at = e.pointer(s.name, s.o, read(i))
		if s.gemmSide.line.plain() {
			s.line = e.number(s.name+"_line", s.gemmSide.line.stride())
		}
		if s.gemmSide.k.plain() {
			s.k = e.number(s.name+"_k", s.gemmSide.k.stride())
		} else {
			s.k = e.Shared(s.name+"_ks", ktree.Scalar(s.within(w)), 2, w.depth)
		}
	}
	rows, columns := e.number("rows", ceil(g.M, w.rows)), e.number("columns", ceil(g.N, w.columns))
	// Tiles are numbered in bands of eight rows, so that groups that run at
	// the same time share slices in the cache.
	group := e.Let("group", e.Group().To(e.at()))
	per := e.Let("per", rows.Mul(columns))
	product, tile := e.tileOf(group, per)
	band := e.Let("band", tile.Div(columns.Mul(8)))
	high := e.Let("high", build.Min(rows.Sub(band.Mul(8)), 8))
	within := e.Let("within", tile.Sub(band.Mul(8).Mul(columns)))
	e.m0 = e.Let("m0", band.Mul(8).Add(within.Rem(high)).Mul(w.rows))
	e.n0 = e.Let("n0", within.Div(high).Mul(w.columns))
	e.seen = build.Bool(true)
	if g.Seen != nil {
		d := e.Let("diagonal", e.n0.Sub(e.m0)) // of the tile's first element
		e.seen = e.Let("seen", d.Add(w.columns-1).Ge(e.number("seen_from", g.Seen.From)).AndThen(d.Sub(w.rows-1).Le(e.number("seen_to", g.Seen.To))))
		e.If(e.seen.Not(), e.Return)
	}
	batch := product
	from := build.Int(e.at(), 0)
	if w.pieces > 1 {
		batches, piece := e.number("batches", ir.Count(g.Batch)), e.number("piece", w.piece)
		split := e.Let("split", product.Div(batches))
		batch = e.Let("batch", product.Sub(split.Mul(batches)))
		from = e.Let("from", split.Mul(piece))
		e.sizeK = e.Let("size_k", build.Min(piece, e.number("all_k", g.K).Sub(from)).To(ktree.Int))
		e.out = e.buffer("out", w.number(), scratch(0))
		e.outFrom = e.Let("out_from", product.Mul(sizes[0]).Mul(sizes[1]))
		e.outRow, e.outCol = sizes[1], build.Int(e.at(), 1)
	} else {
		e.sizeK = e.numberOf("size_k", g.K, ktree.Int)
		e.out = e.pointer("out", g.Out, write(0))
		e.outFrom = build.Int(e.at(), 0)
		e.outRow, e.outCol = e.number("out_m", g.Out.Strides[n]), e.number("out_n", g.Out.Strides[n+1])
	}
	start := func(name string, o ir.Operand) build.Val {
		if n == 0 {
			return build.Int(e.at(), 0)
		}
		return e.position(name+"_at", e.point(name+"_c", batch.To(e.index()), g.Batch), o.Strides[:n])
	}
	e.fromK = from
	for i, s := range []*gemmOperand{a, b} {
		corner := []build.Val{e.m0, e.n0}[i]
		begin := start(s.name, s.o)
		if s.gemmSide.k.plain() {
			begin = begin.Add(from.Mul(s.k))
		}
		if s.gemmSide.line.plain() {
			begin = begin.Add(corner.Mul(s.line))
		} else {
			e.findLines(s, corner)
		}
		s.begin = e.Let(s.name+"_begin", begin)
		s.from = e.Var(s.name+"_from", s.begin)
		s.lines = e.Let(s.name+"_lines", build.Min(sizes[i].Sub(corner), s.side).To(ktree.Int))
	}
	if w.pieces == 1 {
		e.outFrom = e.Let("out_from", start("out", g.Out))
	}
	tid := e.Thread().To(ktree.Int)
	e.warp, e.lane = e.Let("warp", tid.Div(32)), e.Let("lane", tid.Rem(32))
	return a, b
}

// place is, for load l of a side, its line and its K within the slice, and whether there is such a load. Loads of a
// thread differ only in K, or only in their line where neighbours are along K.
func (e *gemmEntry) place(s *gemmOperand, l build.Val) (line, k, there build.Val) {
	per, most := s.side/s.pack, e.w.depth
	if s.along {
		per, most = e.w.depth/s.pack, s.side
	}
	tid := e.Thread().To(ktree.Int)
	near, far := tid.Rem(per).Mul(s.pack), tid.Div(per).Add(l.Mul(gemmThreads/per))
	there = build.Bool(true)
	if s.some {
		there = far.Lt(most)
	}
	if s.along {
		near, far = far, near
	}
	return e.Let("line", near), e.Let("k", far), there
}

// fetch loads the slice at k0 into registers and moves on to the next; outside
// the matrix are zeros. Its buffer in shared memory tells where elements are whose K is several axes.
func (e *gemmEntry) fetch(s *gemmOperand, next, k0, buffer build.Val) {
	w := e.w
	e.Each("l", s.loads, func(l build.Val) {
		line, k, there := e.place(s, l)
		e.IfElse(there.AndThen(line.Lt(s.lines)).AndThen(k.Lt(e.sizeK.Sub(k0))), func() {
			in := e.inTile(s, line, k, buffer)
			e.Move(next.At(l, 0), s.at.At(e.Let("at", s.from.Add(in.To(e.at())))), s.pack)
		}, func() {
			e.Each("j", s.pack, func(j build.Val) { e.Set(next.At(l, j), Nothing(w.t)) })
		})
	})
	if s.gemmSide.k.plain() {
		e.Set(s.from, s.from.Add(s.k.Mul(w.depth)))
	}
}

// keep stores what was fetched into shared memory, K by K.
func (e *gemmEntry) keep(s *gemmOperand, next, tile, buffer build.Val) {
	w := e.w
	e.Each("l", s.loads, func(l build.Val) {
		line, k, there := e.place(s, l)
		e.If(there, func() {
			e.Each("j", s.pack, func(j build.Val) {
				to := tile.At(buffer, k, line.Add(j))
				if s.along {
					to = tile.At(buffer, k.Add(j), line)
				}
				e.Set(to, w.lifted(next.At(l, j)))
			})
		})
	})
}

// numbers makes the product of numbers that are multiplied one by one.
func (w *gemm) numbers() *entry {
	e := &gemmEntry{entry: newEntry("gemm", gemmThreads, w.wide), w: w}
	e.apart = true
	e.Beside(2)
	a, b := w.bind(e)
	aTile, bTile := e.Shared("a_tile", w.number(), 2, w.depth, w.line(w.rows)), e.Shared("b_tile", w.number(), 2, w.depth, w.line(w.columns))
	aNext, bNext := e.Array("a_next", MemoryOf(w.t), a.loads, a.pack), e.Array("b_next", MemoryOf(w.t), b.loads, b.pack)
	across := w.columns / (4 * w.each) // simdgroups, of eight lanes by four
	row := e.Let("row", e.warp.Div(across).Mul(8*w.each).Add(e.lane.Div(4).Mul(4)))
	column := e.Let("column", e.warp.Rem(across).Mul(4*w.each).Add(e.lane.Rem(4).Mul(4)))
	sum := e.Zeros("sum", w.number(), w.each, w.each)
	find := func(k0, buffer build.Val) {
		e.findK(a, k0, buffer)
		e.findK(b, k0, buffer)
	}
	fetch := func(k0, buffer build.Val) {
		e.fetch(a, aNext, k0, buffer)
		e.fetch(b, bNext, k0, buffer)
	}
	keep := func(buffer build.Val) {
		e.keep(a, aNext, aTile, buffer)
		e.keep(b, bNext, bTile, buffer)
	}
	zero := build.Int(ktree.Int, 0)
	if second := build.Int(ktree.Int, int64(w.depth)); !w.g.AxesA.Plain() || !w.g.AxesB.Plain() {
		find(zero, zero)
		find(second, build.Int(ktree.Int, 1))
		e.Barrier()
	}
	e.walks(a, b, sum, func(first, end build.Val) {
		fetch(first, zero)
		keep(zero)
		e.Barrier()
		now := e.Var("now", zero)
		e.For("k0", first.Add(w.depth), end.Add(w.depth), w.depth, 0, func(k0 build.Val) {
			more := e.Let("more", k0.Lt(end))
			e.If(more, func() { fetch(k0, now.Xor(1)) })
			find(k0.Add(w.depth), now)
			e.Each("k", w.depth, func(k build.Val) {
				x, y := e.Array("x", w.number(), w.each), e.Array("y", w.number(), w.each)
				vector := 16 / w.bytes()
				for _, part := range []struct {
					array, tile, from build.Val
					span              int
				}{{x, aTile, row, 32}, {y, bTile, column, 16}} {
					e.Each("i", w.each/4, func(i build.Val) {
						e.For("j", zero, 4, vector, ktree.Fully, func(j build.Val) {
							e.Move(part.array.At(i.Mul(4).Add(j)), part.tile.At(now, k, part.from.Add(i.Mul(part.span)).Add(j)), vector)
						})
					})
				}
				e.Each("i", w.each, func(i build.Val) {
					e.Each("j", w.each, func(j build.Val) { w.multiplyAdd(e.Kernel, sum.At(i, j), x.At(i), y.At(j)) })
				})
			})
			e.If(more, func() { keep(now.Xor(1)) })
			e.Barrier()
			e.Set(now, now.Xor(1))
		})
	})
	e.store(sum, row, column)
	return e.entry
}

// stored is the type of what a group stores, and a number as such.
func (w *gemm) stored(v build.Val) build.Val {
	if w.pieces > 1 || w.t.IsComplex() {
		return v
	}
	return Put(w.t, Real(v.To(KindOf(w.t))))
}

func (w *gemm) storedType() ktree.Type {
	if w.pieces > 1 {
		return w.number()
	}
	return MemoryOf(w.t)
}

// put stores pack neighbours of row m from column n on, where that is inside.
func (e *gemmEntry) put(m, n build.Val, pack int, value func(c build.Val) build.Val) {
	w, g := e.w, e.w.g
	e.If(m.Lt(e.number("size_m", g.M)).AndThen(n.Lt(e.number("size_n", g.N))), func() {
		v := e.Array("v", w.storedType(), pack)
		e.Each("c", pack, func(c build.Val) { e.Set(v.At(c), w.stored(value(c))) })
		at := e.Let("at", e.outFrom.Add(m.Mul(e.outRow)).Add(n.Mul(e.outCol)))
		e.Move(e.out.At(at), v.At(0), pack)
	})
}

// store writes the thread's part of the tile.
func (e *gemmEntry) store(sum, row, column build.Val) {
	w, pack := e.w, e.w.outPack()
	e.Each("i", w.each, func(i build.Val) {
		m := e.Let("m", e.m0.Add(row.Add(i.Div(4).Mul(32)).Add(i.Rem(4)).To(e.at())))
		e.For("j", build.Int(ktree.Int, 0), w.each, pack, ktree.Fully, func(j build.Val) {
			n := e.Let("n", e.n0.Add(column.Add(j.Div(4).Mul(16)).Add(j.Rem(4)).To(e.at())))
			e.put(m, n, pack, func(c build.Val) build.Val { return sum.At(i, j.Add(c)) })
		})
	})
}
