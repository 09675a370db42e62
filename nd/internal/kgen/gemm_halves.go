package kgen

import (
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
)

// halfStages is how many slices of both operands are in shared memory: one is
// used while the others arrive. Three of 16 KB are what every card has room
// for without asking.
const halfStages = 3

// halves makes the product of half matrices for tensor cores: products of 16 x 8
// x 16, accumulated in float32. Simdgroups, two by four, have 64 x 32 of a tile
// of 128 x 128, and slices are 32 deep. A slice lies in shared memory as it does
// outside, along K or across, in chunks of 16 bytes that change places from line
// to line so that loads of a fragment meet no bank twice.
func (w *gemm) halves() *entry {
	e := &gemmEntry{entry: newEntry("gemm", gemmThreads, w.wide), w: w}
	e.apart = true
	e.Beside(2)
	a, b := w.bind(e)
	aTile, bTile := e.Shared("a_tile", MemoryOf(w.t), halfStages, 4096), e.Shared("b_tile", MemoryOf(w.t), halfStages, 4096)
	row, column := e.Let("row", e.warp.Div(4).Mul(64)), e.Let("column", e.warp.Rem(4).Mul(32))
	float, word := ktree.Scalar(ktree.Float), ktree.Scalar(ktree.Uint)
	sum := e.Zeros("sum", float, 4, 4, 4)
	fetch := func(k0, stage build.Val) {
		e.If(k0.Lt(e.sizeK), func() {
			e.fetchChunks(a, aTile, k0, stage)
			e.fetchChunks(b, bTile, k0, stage)
		})
		e.Commit()
	}
	zero := build.Int(ktree.Int, 0)
	for s := range halfStages - 1 {
		fetch(build.Int(ktree.Int, int64(32*s)), build.Int(ktree.Int, int64(s)))
	}
	now := e.Var("now", zero)
	e.For("k0", zero, e.sizeK, 32, 0, func(k0 build.Val) {
		e.Await(halfStages - 2)
		e.Barrier()
		fetch(e.Let("next", k0.Add(32*(halfStages-1))), e.Let("stage", now.Eq(0).Choose(halfStages-1, now.Sub(1))))
		e.For("k", zero, 32, 16, ktree.Fully, func(k build.Val) {
			x, y := e.Array("x", word, 4, 4), e.Array("y", word, 4, 2)
			// Lanes point to rows of four 8 x 8 matrices: for A two blocks of rows in
			// two of K, for B two of K in two of columns.
			high, low := e.Let("high", e.lane.Div(16)), e.Let("low", e.lane.Div(8).Rem(2))
			e.Each("i", 4, func(i build.Val) { e.fragment(a, aTile, now, x.At(i, 0), row.Add(i.Mul(16)), low, k, high) })
			e.For("j", zero, 4, 2, ktree.Fully, func(j build.Val) {
				both := e.Array("both", word, 4)
				e.fragment(b, bTile, now, both.At(0), column.Add(j.Mul(8)), high, k, low)
				for c := range 4 {
					e.Set(y.At(j.Add(c/2), c%2), both.At(c))
				}
			})
			e.Each("i", 4, func(i build.Val) {
				e.Each("j", 4, func(j build.Val) {
					e.MultiplyMatrices(MemoryOf(w.t).Kind, sum.At(i, j, 0), x.At(i, 0), y.At(j, 0))
				})
			})
		})
		e.Set(now, now.Eq(halfStages-1).Choose(0, now.Add(1)))
	})
	e.storeHalves(sum, row, column)
	return e.entry
}

// chunk is where 16 bytes of a slice are: line and k are numbers, one of them
// a multiple of 8.
func chunk(s *gemmOperand, line, k build.Val) build.Val {
	if s.along {
		return line.Mul(32).Add(k.Div(8).Xor(line.Div(2).Rem(4)).Mul(8))
	}
	return k.Mul(128).Add(line.Div(8).Xor(k.Rem(8)).Mul(8))
}

// fetchChunks starts the copies of the slice at k0.
func (e *gemmEntry) fetchChunks(s *gemmOperand, tile, k0, stage build.Val) {
	e.Each("l", 2, func(l build.Val) {
		id := e.Let("id", e.Thread().To(ktree.Int).Add(l.Mul(gemmThreads)))
		line, k := e.Let("line", id.Div(4)), e.Let("k", id.Rem(4).Mul(8))
		if !s.along {
			k, line = e.Let("k", id.Div(16)), e.Let("line", id.Rem(16).Mul(8))
		}
		there := e.Let("there", line.Lt(s.lines).AndThen(k.Lt(e.sizeK.Sub(k0))))
		in := line.To(e.at()).Mul(s.line).Add(k0.Add(k).To(e.at()).Mul(s.k))
		from := e.Let("from", there.Choose(s.from.Add(in), 0))
		e.MoveAsync(tile.At(stage, chunk(s, line, k)), s.at.At(from), 8, there)
	})
}

// fragment loads four 8 x 8 matrices from line and K on; block says which
// eight lines a lane's matrix has, half which eight of K.
func (e *gemmEntry) fragment(s *gemmOperand, tile, stage, to, line, block, k, half build.Val) {
	within := e.lane.Rem(8)
	lines, ks := line.Add(block.Mul(8)), k.Add(half.Mul(8))
	if s.along {
		lines = lines.Add(within)
	} else {
		ks = ks.Add(within)
	}
	at := chunk(s, e.Let("line", lines), e.Let("k", ks))
	e.LoadMatrices(to, tile.At(stage, at), !s.along)
}

// storeHalves writes the simdgroup's part of the tile: a lane has two neighbours
// of two rows of each product.
func (e *gemmEntry) storeHalves(sum, row, column build.Val) {
	pack := min(e.w.outPack(), 2)
	e.Each("i", 4, func(i build.Val) {
		e.Each("h", 2, func(h build.Val) {
			m := e.Let("m", e.m0.Add(row.Add(i.Mul(16)).Add(h.Mul(8)).Add(e.lane.Div(4)).To(e.at())))
			e.Each("j", 4, func(j build.Val) {
				e.For("p", build.Int(ktree.Int, 0), 2, pack, ktree.Fully, func(p build.Val) {
					n := e.Let("n", e.n0.Add(column.Add(j.Mul(8)).Add(e.lane.Rem(4).Mul(2)).Add(p).To(e.at())))
					e.put(m, n, pack, func(c build.Val) build.Val { return sum.At(i, j, h.Mul(2).Add(p).Add(c)) })
				})
			})
		})
	})
}
