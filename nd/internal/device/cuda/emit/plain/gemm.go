package plain

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/accum"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// gemmThreads are eight warps, two by four.
const gemmThreads = 256

// gemm is a matrix product. A block makes a tile of the result: it walks along
// K in slices, which it keeps in shared memory twice, so that the next slice
// is loaded while this one is used. Each thread has part of the tile in
// registers.
type gemm struct {
	g    *ir.Gemm
	uses emit.Uses
	t    elem.Type // of the elements

	side  int // rows and columns of a tile
	depth int // K of a slice
	each  int // rows and columns of a thread

	piece  int // K of a block
	pieces int
}

func generateGemm(g *ir.Gemm, card emit.Card) (*emit.Module, error) {
	if ir.Count(g.Batch) == 0 || g.M == 0 || g.N == 0 {
		return &emit.Module{}, nil
	}
	if g.K >= 1<<30 {
		return nil, fmt.Errorf("cuda: gemm: K is %d: %w", g.K, device.ErrUnsupported)
	}
	if inexact := g.Out.Type.IsFloat() || g.Out.Type.IsComplex(); inexact && !g.Plain() {
		if g.Mode == accum.Exact {
			return generateExact(g, card)
		}
		return generateCompensated(g)
	}
	if g.M == 1 || g.N == 1 {
		return generateReduce(asReduce(g))
	}
	w := &gemm{g: g, t: g.Out.Type}
	tiles := func(side int) int { return ir.Count(g.Batch) * ceil(g.M, side) * ceil(g.N, side) }
	if w.t.IsHalf() && card.Arch >= 80 {
		w.side, w.depth = 128, 32
		if a, b := w.sides(); a.pack == 8 && b.pack == 8 {
			w.divide(tiles(w.side), max(card.Processors, 1))
			return w.halves()
		}
	}
	w.side, w.depth, w.each = 64, 16, 4
	switch {
	case w.t.Size() == 16:
		w.depth = 8
	case w.number() != "u64" && w.t.Compute().Size() <= 4 && w.suits(128, tiles(128), card):
		w.side, w.each = 128, 8
	}
	w.divide(tiles(w.side), max(card.Processors, 1))
	return w.numbers()
}

// suits reports that tiles of a side keep every multiprocessor busy: as they are,
// or in pieces of K that are long beside the sums they leave, if the matrix fills
// the tiles.
func (w *gemm) suits(side, tiles int, card emit.Card) bool {
	g, busy := w.g, max(card.Processors, 1)
	return tiles >= busy || tiles*(g.K/(2*side)) >= busy && g.M%side == 0 && g.N%side == 0
}

// asReduce is a product with a vector: a reduction, bound by memory.
func asReduce(g *ir.Gemm) *ir.Reduce {
	n := len(g.Batch)
	rows, a, b := g.M, slices.Clone(g.A.Strides), slices.Clone(g.B.Strides)
	a, b = a[:n:n], b[:n:n]
	out := g.Out
	if g.N == 1 {
		a, b = append(a, g.A.Strides[n:]...), append(b, 0, g.B.Strides[n])
		out.Strides = g.Out.Strides[:n+1]
	} else {
		rows = g.N
		a, b = append(a, 0, g.A.Strides[n+1]), append(b, g.B.Strides[n+1], g.B.Strides[n])
		out.Strides = append(slices.Clone(g.Out.Strides[:n]), g.Out.Strides[n+1])
	}
	t, c := g.Out.Type, g.Out.Type.Compute()
	r := &ir.Reduce{Dims: append(slices.Clone(g.Batch), rows, g.K), Inner: 1, Op: ir.Sum, Value: 4, Out: out}
	r.In = []ir.Operand{{Type: t, Offset: g.A.Offset, Strides: a}, {Type: t, Offset: g.B.Offset, Strides: b}}
	r.Instrs = []ir.Instr{
		{Kind: ir.Load, Type: t}, {Kind: ir.Load, Type: t, Slot: 1},
		{Kind: ir.Apply, Op: scalar.Cast, Type: c, A: 0}, {Kind: ir.Apply, Op: scalar.Cast, Type: c, A: 1},
		{Kind: ir.Apply, Op: scalar.Mul, Type: c, A: 2, B: 3},
	}
	r.Post.Instrs = []ir.Instr{{Kind: ir.Acc, Type: c}, {Kind: ir.Apply, Op: scalar.Cast, Type: t, A: 0}}
	return r
}

// number is the type in registers and shared memory.
func (w *gemm) number() string { return fold{op: ir.Sum, t: w.t}.number() }

// multiplyAdd is the function of the inner loop. Fused where the hardware
// fuses: every product of a matrix is made this way.
func (w *gemm) multiplyAdd() string {
	body := "c += a * b;"
	switch w.t {
	case elem.Float32, elem.Float16, elem.BFloat16:
		body = "c = fmaf(a, b, c);"
	case elem.Float64:
		body = "c = fma(a, b, c);"
	case elem.Complex64, elem.Complex128:
		body = "c.re = fma(a.re, b.re, c.re); c.im = fma(a.re, b.im, c.im); c.re = fma(-a.im, b.im, c.re); c.im = fma(a.im, b.re, c.im);"
	}
	return fmt.Sprintf("typedef %s num;\nTW void multiply_add(num& c, num a, num b) { %s }\n", w.number(), body)
}

// side of a product: A, whose lines are rows, or B, whose lines are columns.
type gemmSide struct {
	name  string // a or b
	lines string // m or n
	count int    // of lines
	o     ir.Operand
	line  int  // stride from line to line
	k     int  // stride along K
	pack  int  // neighbours loaded at once
	along bool // neighbours are along K
	loads int  // of a thread for a slice
	some  bool // not every thread has as many
}

func (w *gemm) sides() (a, b gemmSide) {
	g, n := w.g, len(w.g.Batch)
	a = gemmSide{name: "a", lines: "m", count: g.M, o: g.A, line: g.A.Strides[n], k: g.A.Strides[n+1]}
	b = gemmSide{name: "b", lines: "n", count: g.N, o: g.B, line: g.B.Strides[n+1], k: g.B.Strides[n]}
	for _, s := range []*gemmSide{&a, &b} {
		s.along = abs(s.k) < abs(s.line) || s.line == 0
		near, far, length := s.line, s.k, s.count
		if s.along {
			near, far, length = s.k, s.line, g.K
		}
		s.pack = 1
		if near == 1 {
			s.pack = accessBytes / w.t.Size()
			for _, x := range append([]int{far, length, s.o.Offset}, s.o.Strides[:n]...) {
				for ; x%s.pack != 0; s.pack /= 2 {
				}
			}
		}
		total := w.side * w.depth / s.pack
		s.loads, s.some = ceil(total, gemmThreads), total%gemmThreads != 0
	}
	return a, b
}

// place declares, for load l of a side, its line and its K within the slice.
func (w *gemm) place(e *entry, s gemmSide) {
	e.f("const int id = threadIdx.x + l * %d;\n", gemmThreads)
	if s.along {
		e.f("const int line = id / %d, k = id %% %d * %d;\n", w.depth/s.pack, w.depth/s.pack, s.pack)
	} else {
		e.f("const int k = id / %d, line = id %% %d * %d;\n", w.side/s.pack, w.side/s.pack, s.pack)
	}
}

// fetch loads the slice at k0 into registers and moves on to the next; outside
// the matrix are zeros.
func (w *gemm) fetch(e *entry, s gemmSide) {
	e.f("#pragma unroll\nfor (int l = 0; l < %d; l++) {\n", s.loads)
	w.place(e, s)
	some := ""
	if s.some {
		some = fmt.Sprintf("id < %d && ", w.side*w.depth/s.pack)
	}
	at := "i32"
	if (abs(s.line)+abs(s.k))*128 >= 1<<31 {
		at = "i64"
	}
	e.f("%s_next[l] = %sline < %s_lines && k < (int)size_k - k0 ? load_pack<%d>(%s + (line * (%s)%s_line + k * (%s)%s_k)) : pack<%s, %d>{};\n}\n",
		s.name, some, s.name, s.pack, s.name, at, s.name, at, s.name, emit.Memory(w.t), s.pack)
	e.f("%s += %d * (i64)%s_k;\n", s.name, w.depth, s.name)
}

// keep stores what was fetched into shared memory, K by K.
func (w *gemm) keep(e *entry, s gemmSide, buffer string) {
	e.f("#pragma unroll\nfor (int l = 0; l < %d; l++) {\n", s.loads)
	w.place(e, s)
	if s.some {
		e.f("if (id >= %d) continue;\n", w.side*w.depth/s.pack)
	}
	at := "[k][line + j]"
	if s.along {
		at = "[k + j][line]"
	}
	e.f("#pragma unroll\nfor (int j = 0; j < %d; j++) %s_tile[%s]%s = (num)%s;\n}\n",
		s.pack, s.name, buffer, at, w.uses.Get(w.t, fmt.Sprintf("%s_next[l].x[j]", s.name)))
}

// bind declares the operands, the tile's place and the size of the product.
func (w *gemm) bind(e *entry, a, b gemmSide) {
	g, n := w.g, len(w.g.Batch)
	e.number("size_m", g.M)
	e.number("size_n", g.N)
	for _, s := range []gemmSide{a, b} {
		e.pointer(s.name, s.o, emit.Read(map[string]int{"a": 0, "b": 1}[s.name]))
		e.number(s.name+"_line", s.line)
		e.number(s.name+"_k", s.k)
	}
	rows, columns := ceil(g.M, w.side), ceil(g.N, w.side)
	e.number("rows", rows)
	e.number("columns", columns)
	// Tiles are numbered in bands of eight rows, so that blocks that run at
	// the same time share slices in the cache.
	e.f(`const i64 per = rows * columns, product = blockIdx.x / per, tile = blockIdx.x - product * per;
const i64 band = tile / (8 * columns), high = min((i64)8, rows - band * 8), within = tile - band * 8 * columns;
const i64 m0 = (band * 8 + within %% high) * %d, n0 = within / high * %d;
`, w.side, w.side)
	if w.pieces > 1 {
		e.number("all_k", g.K)
		e.f("const i64 split = product / %s, batch = product - split * batches, from = split * %s, size_k = min(piece, all_k - from);\n",
			e.number("batches", ir.Count(g.Batch)), e.number("piece", w.piece))
		e.f("a += from * a_k;\nb += from * b_k;\n")
		e.param(fmt.Sprintf("%s* out", w.number()), emit.Scratch(0))
		e.f("out += product * size_m * size_n;\nconst i64 out_m = size_n;\nconst int out_n = 1;\n")
	} else {
		e.number("size_k", g.K)
		e.f("const i64 batch = product;\n")
		e.pointer("out", g.Out, emit.Write(0))
		e.number("out_m", g.Out.Strides[n])
		e.number("out_n", g.Out.Strides[n+1])
	}
	if n > 0 {
		for i, o := range []ir.Operand{g.A, g.B, g.Out} {
			name := []string{"a", "b", "out"}[i]
			if name == "out" && w.pieces > 1 {
				continue
			}
			e.starts(name+"_at", g.Batch, o.Strides[:n])
			e.f("%s += %s_at(batch);\n", name, name)
		}
	}
	for _, s := range []gemmSide{a, b} {
		e.f("%s += %s0 * %s_line;\nconst int %s_lines = (int)min((i64)%d, size_%s - %s0);\n", s.name, s.lines, s.name, s.name, w.side, s.lines, s.lines)
	}
}

// numbers writes the product of numbers that are multiplied one by one.
func (w *gemm) numbers() (*emit.Module, error) {
	u := &w.uses
	u.Part("pack")
	u.Part("quotient")
	e := &entry{name: "gemm", threads: gemmThreads, beside: 2, wide: true, apart: true}
	a, b := w.sides()
	w.bind(e, a, b)
	// A row of padding keeps transposing stores from meeting in one bank.
	line := w.side + 16/max(w.bytes(), 4)
	e.f("alignas(16) __shared__ num a_tile[2][%d][%d], b_tile[2][%d][%d];\n", w.depth, line, w.depth, line)
	e.f("pack<%s, %d> a_next[%d];\npack<%s, %d> b_next[%d];\n", emit.Memory(w.t), a.pack, a.loads, emit.Memory(w.t), b.pack, b.loads)
	lanes := w.each / 4
	e.f("const int warp = threadIdx.x / 32, lane = threadIdx.x %% 32;\n")
	e.f("const int row = warp / 4 * %d + lane / 4 * 4, column = warp %% 4 * %d + lane %% 4 * 4;\n", w.side/2, w.side/4)
	e.f("num sum[%d][%d] = {};\n", w.each, w.each)
	e.f("{ const int k0 = 0;\n")
	w.fetch(e, a)
	w.fetch(e, b)
	w.keep(e, a, "0")
	w.keep(e, b, "0")
	e.f("}\n__syncthreads();\nint now = 0;\nfor (int k0 = %d; k0 < (int)size_k + %d; k0 += %d) {\nif (k0 < (int)size_k) {\n", w.depth, w.depth, w.depth)
	w.fetch(e, a)
	w.fetch(e, b)
	e.f("}\n#pragma unroll\nfor (int k = 0; k < %d; k++) {\nnum x[%d], y[%d];\n", w.depth, w.each, w.each)
	vector := 16 / max(w.bytes(), 4)
	for _, part := range []struct{ array, tile, from, span string }{
		{"x", "a_tile", "row", "32"}, {"y", "b_tile", "column", "16"},
	} {
		e.f("#pragma unroll\nfor (int i = 0; i < %d; i++)\n#pragma unroll\nfor (int j = 0; j < 4; j += %d) { const pack<num, %d> v = load_pack<%d>(&%s[now][k][%s + i * %s + j]);\n",
			lanes, vector, vector, vector, part.tile, part.from, part.span)
		e.f("#pragma unroll\nfor (int c = 0; c < %d; c++) %s[i * 4 + j + c] = v.x[c]; }\n", vector, part.array)
	}
	e.f("#pragma unroll\nfor (int i = 0; i < %d; i++)\n#pragma unroll\nfor (int j = 0; j < %d; j++) multiply_add(sum[i][j], x[i], y[j]);\n}\n", w.each, w.each)
	e.f("if (k0 < (int)size_k) {\n")
	w.keep(e, a, "now ^ 1")
	w.keep(e, b, "now ^ 1")
	e.f("}\n__syncthreads();\nnow ^= 1;\n}\n")
	w.store(e)
	return w.module(e, w.multiplyAdd())
}

// bytes is the size of a number.
func (w *gemm) bytes() int { return w.t.Compute().Size() }

// outPack is how many neighbours of a row are stored at once.
func (w *gemm) outPack() int {
	g, n := w.g, len(w.g.Batch)
	size, aligned := w.t.Size(), append([]int{g.N, g.Out.Offset}, g.Out.Strides[:n+1]...)
	switch {
	case w.pieces > 1:
		size, aligned = max(w.bytes(), 4), []int{g.N}
	case g.Out.Strides[n+1] != 1:
		return 1
	}
	pack := min(4, accessBytes/size)
	for _, x := range aligned {
		for ; x%pack != 0; pack /= 2 {
		}
	}
	return pack
}

// stored is the type of what a block stores, and a sum as such.
func (w *gemm) stored(sum string) (memory, value string) {
	if w.pieces > 1 {
		return w.number(), sum
	}
	return emit.Memory(w.t), w.uses.Put(w.t, fmt.Sprintf("(%s)%s", emit.Value(w.t), sum))
}

// store writes the thread's part of the tile.
func (w *gemm) store(e *entry) {
	pack := w.outPack()
	memory, value := w.stored("sum[i][j + c]")
	e.f("#pragma unroll\nfor (int i = 0; i < %d; i++) {\nconst i64 m = m0 + row + i / 4 * 32 + i %% 4;\nif (m >= size_m) continue;\n", w.each)
	e.f("#pragma unroll\nfor (int j = 0; j < %d; j += %d) {\nconst i64 n = n0 + column + j / 4 * 16 + j %% 4;\nif (n >= size_n) continue;\n", w.each, pack)
	e.f("pack<%s, %d> v;\n#pragma unroll\nfor (int c = 0; c < %d; c++) v.x[c] = %s;\n", memory, pack, pack, value)
	e.f("store_pack<%d>(out + (m * out_m + n * out_n), v);\n}\n}\n", pack)
}
