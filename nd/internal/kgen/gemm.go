package kgen

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/accum"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// gemmThreads are eight simdgroups.
const gemmThreads = 256

// gemm is a matrix product. A group makes a tile of the result: it walks along
// K in slices, which it keeps in shared memory twice, so that the next slice
// is loaded while this one is used. Each thread has part of the tile in
// registers.
type gemm struct {
	g    *ir.Gemm
	t    elem.Type // of the elements
	wide bool      // positions have 64 bits
	skip bool      // products with what a mask hid: see gemm_skip.go

	rows, columns int // of a tile
	depth         int // K of a slice
	each          int // rows and columns of a thread

	piece  int // K of a group
	pieces int
}

func gemmKernels(g *ir.Gemm, target Target) (*kernels, error) {
	if g.K >= 1<<30 {
		return nil, fmt.Errorf("kgen: gemm: K is %d: %w", g.K, device.ErrUnsupported)
	}
	plain := g.AxesA.Plain() && g.AxesB.Plain()
	if inexact := g.Out.Type.IsFloat() || g.Out.Type.IsComplex(); inexact && !g.Plain() {
		if !plain {
			return nil, fmt.Errorf("kgen: gemm: factors of several axes: %w", device.ErrUnsupported)
		}
		// Without doubles a compensated sum would be made of emulated ones, which
		// drivers inline until compiling takes minutes. Exact sums take a few
		// operations of integers, and are no worse.
		if g.Mode == accum.Exact || !target.Wide {
			return exactKernels(g, target), nil
		}
		return compensated(g).kernels(), nil
	}
	if plain && (g.M == 1 || g.N == 1) {
		return reductionOf(g.AsReduce(), target).kernels(), nil
	}
	w := &gemm{g: g, t: g.Out.Type, wide: target.Wide}
	processors := max(target.Processors, 1)
	if w.t.IsHalf() && target.Tensor {
		w.rows, w.columns, w.depth = 128, 128, 32
		if a, b := w.sides(); a.pack == 8 && b.pack == 8 {
			w.divide(processors)
			return w.kernels(w.halves), nil
		}
	}
	w.rows, w.columns, w.depth, w.each = 64, 64, 16, 4
	switch {
	case w.t.Size() == 16:
		w.depth = 8
	case target.Tile == 64 || w.kind() == ktree.Ulong || w.t.Compute().Size() > 4:
	case target.Tile == 128:
		w.rows, w.columns, w.each = 128, 128, 8
	default:
		w.widen(processors)
	}
	w.skip = g.Alike != nil && target.Arch > 0 && w.t.IsFloat()
	for w.tileBytes() > target.SharedBytes && w.depth > 4 {
		w.depth /= 2
	}
	w.divide(processors)
	return w.kernels(w.numbers), nil
}

// widen makes tiles four times as large where they still keep every multiprocessor busy, and small matrices would not
// leave them empty: square ones, or oblong ones where those are fewer. Numbers have to be four fifths of what is in oblong
// tiles, two thirds in square ones: where a quarter was missing, a product of 64 x 576 took 1.2 times as long as by small tiles.
func (w *gemm) widen(processors int) {
	small := w.tiles()
	fewest := small
	for _, c := range []struct{ rows, columns, most int }{{128, 128, small * 3 / 8}, {64, 256, small * 5 / 16}, {256, 64, small * 5 / 16}} {
		t := *w
		t.rows, t.columns, t.each = c.rows, c.columns, 8
		if n := t.tiles(); n <= c.most && n < fewest && t.suits(processors) {
			*w, fewest = t, n
		}
	}
}

// tiles is how many there are.
func (w *gemm) tiles() int {
	return ir.Count(w.g.Batch) * ceil(w.g.M, w.rows) * ceil(w.g.N, w.columns)
}

// tileBytes is the shared memory of two tiles, each twice.
func (w *gemm) tileBytes() int {
	return 2 * w.depth * (w.line(w.rows) + w.line(w.columns)) * w.bytes()
}

// line is the row of a side's tile: padding keeps transposing stores from meeting in one
// bank.
func (w *gemm) line(side int) int { return side + 16/w.bytes() }

// suits reports that tiles keep every multiprocessor busy: as they are,
// or in pieces of K that are long beside the sums they leave, if the matrix fills
// the tiles.
func (w *gemm) suits(busy int) bool {
	g, tiles := w.g, w.tiles()
	return tiles >= busy || tiles*(g.K/256) >= busy && g.M%w.rows == 0 && g.N%w.columns == 0
}

// compensated is a product as a reduction of K for each element, in double, that
// also adds up what each product and each addition rounds away.
func compensated(g *ir.Gemm) *reduction {
	n, t, c := len(g.Batch), g.Out.Type, elem.Float64
	if t.IsComplex() {
		c = elem.Complex128
	}
	a := append(slices.Clone(g.A.Strides[:n]), g.A.Strides[n], 0, g.A.Strides[n+1])
	b := append(slices.Clone(g.B.Strides[:n]), 0, g.B.Strides[n+1], g.B.Strides[n])
	r := &ir.Reduce{Dims: append(slices.Clone(g.Batch), g.M, g.N, g.K), Inner: 1, Op: ir.Sum, Value: 2, Out: g.Out}
	r.In = []ir.Operand{{Type: t, Offset: g.A.Offset, Strides: a}, {Type: t, Offset: g.B.Offset, Strides: b}}
	r.Instrs = []ir.Instr{
		{Kind: ir.Load, Type: t}, {Kind: ir.Load, Type: t, Slot: 1},
		{Kind: ir.Apply, Op: scalar.Cast, Type: c, A: 0}, {Kind: ir.Apply, Op: scalar.Cast, Type: c, A: 1},
	}
	r.Post.Instrs = []ir.Instr{{Kind: ir.Acc, Type: c}, {Kind: ir.Apply, Op: scalar.Cast, Type: t, A: 0}}
	return &reduction{r: r, fold: fold{op: ir.Sum, t: c, twice: true}, factors: []ir.ValueID{2, 3}}
}

// kind is that of numbers in registers, and number their type in shared and
// scratch memory.
func (w *gemm) kind() ktree.Kind { return fold{op: ir.Sum, t: w.t}.number() }

func (w *gemm) number() ktree.Type {
	if w.t.IsComplex() {
		return ktree.Vector(KindOf(w.t), 2)
	}
	return ktree.Scalar(w.kind())
}

// bytes is the size of a number.
func (w *gemm) bytes() int { return w.number().Comps() * w.number().Kind.Bits() / 8 }

// lifted is an element of memory as a number of shared memory.
func (w *gemm) lifted(x build.Val) build.Val {
	if w.t.IsComplex() {
		return x
	}
	return Get(w.t, x).Re.To(w.kind())
}

// multiplyAdd adds a product to a sum. Fused where the hardware fuses: every
// product of a matrix is made this way.
func (w *gemm) multiplyAdd(k *build.Kernel, sum, a, b build.Val) {
	switch {
	case w.t.IsComplex():
		re, im := sum.X(), sum.Y()
		k.Set(re, build.Fma(a.X(), b.X(), re))
		k.Set(im, build.Fma(a.X(), b.Y(), im))
		k.Set(re, build.Fma(a.Y().Neg(), b.Y(), re))
		k.Set(im, build.Fma(a.Y(), b.X(), im))
	case w.t.IsFloat():
		k.Set(sum, build.Fma(a, b, sum))
	default:
		k.Set(sum, sum.Add(a.Mul(b)))
	}
}

// gemmSide is a side of a product: A, whose lines are rows, or B, whose lines are
// columns.
type gemmSide struct {
	name  string // a or b
	lines string // m or n
	count int    // of lines
	side  int    // of a tile, in lines
	o     ir.Operand
	line  gemmAxes
	k     gemmAxes
	pack  int  // neighbours loaded at once
	along bool // neighbours are along K
	loads int  // of a thread for a slice
	some  bool // not every thread has as many
}

func (w *gemm) sides() (a, b gemmSide) {
	g, n := w.g, len(w.g.Batch)
	a, b = gemmSide{name: "a", lines: "m", count: g.M, side: w.rows, o: g.A}, gemmSide{name: "b", lines: "n", count: g.N, side: w.columns, o: g.B}
	a.line, a.k = w.matrixAxes(g.A, g.AxesA, g.M, g.K)
	b.k, b.line = w.matrixAxes(g.B, g.AxesB, g.K, g.N)
	for _, s := range []*gemmSide{&a, &b} {
		line, k := s.line.stride(), s.k.stride()
		s.along = s.k.isNearer(s.line)
		near, far, length := line, k, s.count
		if s.along {
			near, far, length = k, line, g.K
		}
		s.pack = 1
		if near == 1 && s.line.plain() && s.k.plain() {
			s.pack = aligned(accessBytes/w.t.Size(), append([]int{far, length, s.o.Offset}, s.o.Strides[:n]...)...)
		}
		if s.along {
			s.pack = min(s.pack, w.depth)
		}
		total := s.side * w.depth / s.pack
		s.loads, s.some = ceil(total, gemmThreads), total%gemmThreads != 0
	}
	return a, b
}

// outPack is how many neighbours of a row are stored at once.
func (w *gemm) outPack() int {
	g, n := w.g, len(w.g.Batch)
	if w.pieces > 1 {
		return aligned(min(4, accessBytes/w.bytes()), g.N)
	}
	if g.Out.Strides[n+1] != 1 {
		return 1
	}
	return aligned(min(4, accessBytes/w.t.Size()), append([]int{g.N, g.Out.Offset}, g.Out.Strides[:n+1]...)...)
}
