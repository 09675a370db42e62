package plain

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

const (
	scanThreads = 256

	// scanItems is how many neighbours a thread scans by itself.
	scanItems = 8
)

// scan is a scan program. Short lines and lines that lie side by side have a
// thread each; others a group of threads, which takes the line piece by piece.
// Few long lines are cut into pieces that blocks share: the totals of pieces
// are folded first, then scanned, and the pieces are scanned from there.
type scan struct {
	s     *ir.Scan
	fold  fold
	uses  emit.Uses
	lines *space // input and output, without the axis
	n     int
	group int // threads per piece
	pack  int // neighbours that are loaded and stored at once
	piece int // elements
	each  int // pieces per line
}

func generateScan(s *ir.Scan, card emit.Card) (*emit.Module, error) {
	if ir.Count(s.Dims) == 0 {
		return &emit.Module{}, nil
	}
	last := len(s.Dims) - 1
	without := func(o ir.Operand) ir.Operand {
		o.Strides = o.Strides[:last]
		return o
	}
	w := &scan{s: s, fold: fold{op: s.Op, t: s.In.Type}, n: s.Dims[last]}
	w.lines = newSpace(s.Dims[:last], without(s.In), without(s.Out))
	w.lines.order(0)
	w.lines.join()
	w.pack = w.packOf()
	w.divide(max(card.Processors, 1))
	return w.module()
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
		for _, x := range append([]int{o.Offset, w.n}, o.Strides...) {
			for ; x%pack != 0; pack /= 2 {
			}
		}
	}
	return pack
}

// serialFrom is the number of lines from which a thread for each of them
// keeps a card busy.
const serialFrom = 1 << 14

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
	if w.group == scanThreads && lines < 2*processors {
		tile := scanThreads * scanItems
		w.piece = max(ceil(ceil(w.n*lines, 4*processors), tile), 1) * tile
		w.each = ceil(w.n, w.piece)
	}
}

func (w *scan) module() (*emit.Module, error) {
	lines := ir.Count(w.lines.dims)
	shared := w.fold.declare(&w.uses)
	w.uses.Part("quotient")
	w.uses.Part("pack")
	full := *w.lines
	full.dims = append(append([]int(nil), full.dims...), w.n)
	full.ops = []ir.Operand{w.whole(0), w.whole(1)}
	wide := full.isWide()
	var entries []*entry
	var blocks []int
	add := func(name string, jobs int, write func(*entry)) {
		e := &entry{name: name, threads: scanThreads, wide: wide, apart: true}
		write(e)
		entries = append(entries, e)
		blocks = append(blocks, ceil(jobs*w.group, scanThreads))
	}
	if w.group == 1 {
		add("scan", lines, w.writeSerial)
	} else {
		if w.each > 1 {
			add("totals", lines*w.each, w.writeTotals)
			add("carries", lines, w.writeCarries)
		}
		add("scan", lines*w.each, w.writePieces)
	}
	mod, err := module(&w.uses, shared, entries...)
	if err != nil {
		return nil, err
	}
	for i, e := range entries {
		mod.Steps = append(mod.Steps, e.step(blocks[i]))
	}
	if w.each > 1 {
		bytes := lines * w.each * w.fold.bytes()
		mod.Scratch = []int{bytes, bytes}
	}
	return mod, nil
}

// whole is an operand over lines and axis.
func (w *scan) whole(i int) ir.Operand {
	o := w.lines.ops[i]
	along := []ir.Operand{w.s.In, w.s.Out}[i].Strides
	o.Strides = append(append([]int(nil), o.Strides...), along[len(along)-1])
	return o
}

// bind declares the buffers and where line number line starts in them.
func (w *scan) bind(e *entry, line string, out bool) {
	axis := len(w.s.Dims) - 1
	e.pointer("in", w.lines.ops[0], emit.Read(0))
	coords := e.point("l", line, w.lines.dims)
	e.f("in += %s;\n", e.position("in", coords, w.lines.ops[0].Strides))
	e.number("in_step", w.s.In.Strides[axis])
	e.number("size", w.n)
	if out {
		e.pointer("out", w.lines.ops[1], emit.Write(0))
		e.f("out += %s;\n", e.position("out", coords, w.lines.ops[1].Strides))
		e.number("out_step", w.s.Out.Strides[axis])
	}
}

// lifted is a memory element as an accumulator, lowered the reverse.
func (w *scan) lifted(x string) string { return fmt.Sprintf("lift(%s, 0)", w.uses.Get(w.s.In.Type, x)) }

func (w *scan) lowered(acc string) string {
	return w.uses.Put(w.s.Out.Type, w.fold.result(&w.uses, acc))
}

func (w *scan) load(e *entry, i string) string {
	return w.lifted(fmt.Sprintf("in[(%s)(%s) * (%s)in_step]", e.at(), i, e.at()))
}

func (w *scan) store(e *entry, i, acc string) string {
	return fmt.Sprintf("out[(%s)(%s) * (%s)out_step] = %s", e.at(), i, e.at(), w.lowered(acc))
}

func (w *scan) writeSerial(e *entry) {
	e.f("const %s line = (%s)blockIdx.x * %d + threadIdx.x;\n", e.index(), e.index(), scanThreads)
	e.f("if (line >= (%s)%s) return;\n", e.index(), e.number("lines", ir.Count(w.lines.dims)))
	w.bind(e, "line", true)
	e.f("acc t = none();\n#pragma unroll 8\nfor (%s i = 0; i < (%s)size; i++) {\nt = join(t, %s);\n%s;\n}\n",
		e.index(), e.index(), w.load(e, "i"), w.store(e, "i", "t"))
}

// job declares which piece of which line a group has. Groups past the last
// piece go along without loading or storing.
func (w *scan) job(e *entry) {
	e.f("const int lane = threadIdx.x %% %d;\nconst %s job = (%s)blockIdx.x * %d + threadIdx.x / %d;\n",
		w.group, e.index(), e.index(), scanThreads/w.group, w.group)
	e.f("const bool here = job < (%s)%s;\n", e.index(), e.number("jobs", ir.Count(w.lines.dims)*w.each))
	if w.each > 1 {
		per := e.number("per_line", w.each)
		e.f("const %s line = %s, number = job - line * (%s)%s;\n", e.index(), e.quotient("job", "per_line", w.each), e.index(), per)
	} else {
		e.f("const %s line = job, number = 0;\n", e.index())
	}
}

// writeTotals scans pieces without storing them, so that their totals are what
// a scan in one piece would have come to.
func (w *scan) writeTotals(e *entry) {
	w.job(e)
	e.param("acc* totals", emit.Scratch(0))
	w.bind(e, "line", false)
	e.f("const i64 from = (i64)number * %s, to = here ? min(from + piece, size) : from;\nacc carry = none();\n", e.number("piece", w.piece))
	w.scanGroup(e, w.loadItems(e), "")
	e.f("if (lane == 0 && here) totals[job] = carry;\n")
}

// writeCarries scans the totals of each line, so that every piece finds what
// is before it.
func (w *scan) writeCarries(e *entry) {
	e.param("const acc* totals", emit.Scratch(0))
	e.param("acc* carries", emit.Scratch(1))
	e.number("per_line", w.each)
	e.f("const int lane = threadIdx.x;\nconst i64 first = (i64)blockIdx.x * per_line;\nconst i64 from = 0, to = per_line;\nacc carry = none();\n")
	w.scanGroup(e, eachItem("a[k] = at + k < to ? totals[first + at + k] : none();"),
		eachItem("if (at + k < to) carries[first + at + k] = k == 0 ? prefix : join(prefix, a[k - 1]);"))
}

func (w *scan) writePieces(e *entry) {
	w.job(e)
	w.bind(e, "line", true)
	e.f("const i64 from = (i64)number * %s, to = here ? min(from + piece, size) : from;\n", e.number("piece", w.piece))
	if w.each > 1 {
		e.param("const acc* carries", emit.Scratch(1))
		e.f("acc carry = here ? carries[job] : none();\n")
	} else {
		e.f("acc carry = none();\n")
	}
	w.scanGroup(e, w.loadItems(e), w.storeItems(e))
}

// loadItems sets a[k] to element at+k; where there is none, to nothing.
func (w *scan) loadItems(e *entry) string {
	if w.pack == 1 {
		return eachItem(fmt.Sprintf("a[k] = at + k < to ? %s : none();", w.load(e, "at + k")))
	}
	each := fmt.Sprintf("#pragma unroll\nfor (int k = 0; k < %d; k++) ", w.pack)
	return w.eachPack(fmt.Sprintf("const pack<%s, %d> x = load_pack<%d>(in + at + p);\n%sa[p + k] = %s;\n",
		emit.Memory(w.s.In.Type), w.pack, w.pack, each, w.lifted("x.x[k]")), each+"a[p + k] = none();\n")
}

// storeItems stores the fold of all up to element at+k.
func (w *scan) storeItems(e *entry) string {
	if w.pack == 1 {
		return eachItem(fmt.Sprintf("if (at + k < to) { const acc y = join(prefix, a[k]); %s; }", w.store(e, "at + k", "y")))
	}
	return w.eachPack(fmt.Sprintf("pack<%s, %d> x;\n#pragma unroll\nfor (int k = 0; k < %d; k++) { const acc y = join(prefix, a[p + k]); x.x[k] = %s; }\nstore_pack<%d>(out + at + p, x);\n",
		emit.Memory(w.s.Out.Type), w.pack, w.pack, w.lowered("y"), w.pack), "")
}

// eachPack is a statement for each pack p of a thread that is inside the line,
// which is a whole number of packs, and one for the others.
func (w *scan) eachPack(inside, outside string) string {
	return fmt.Sprintf("#pragma unroll\nfor (int p = 0; p < %d; p += %d) if (at + p < to) {\n%s} else {\n%s}\n", scanItems, w.pack, inside, outside)
}

// eachItem is a statement for each item k of a thread.
func eachItem(statement string) string {
	return fmt.Sprintf("#pragma unroll\nfor (int k = 0; k < %d; k++) %s\n", scanItems, statement)
}

// scanGroup scans elements from to to with a group of threads, tile by tile.
// load sets a[k] to element at+k; store has the fold of all before the
// thread's first in prefix and that of its own up to k in a[k].
func (w *scan) scanGroup(e *entry, load, store string) {
	warps := w.group / 32
	if warps > 1 {
		e.f("__shared__ acc sums[%d];\n", warps)
	}
	e.f("for (i64 tile = from; tile < to; tile += %d) {\nconst i64 at = tile + lane * %d;\nacc a[%d];\n", w.group*scanItems, scanItems, scanItems)
	e.f("%s", load)
	e.f("#pragma unroll\nfor (int k = 1; k < %d; k++) a[k] = join(a[k - 1], a[k]);\n", scanItems)
	e.f("acc s = a[%d];\n#pragma unroll\nfor (int by = 1; by < 32; by *= 2) { const acc left = shuffle_up(s, by); if (lane %% 32 >= by) s = join(left, s); }\n", scanItems-1)
	e.f("acc before = shuffle_up(s, 1);\nif (lane %% 32 == 0) before = none();\n")
	if warps > 1 {
		e.f("if (lane %% 32 == 31) sums[lane / 32] = s;\n__syncthreads();\nacc ahead = none(), all = none();\n")
		e.f("for (int k = 0; k < %d; k++) { if (k == lane / 32) ahead = all; all = join(all, sums[k]); }\n__syncthreads();\n", warps)
		e.f("const acc prefix = join(carry, join(ahead, before));\n")
	} else {
		e.f("const acc all = shuffle_at(s, 31), prefix = join(carry, before);\n")
	}
	e.f("%scarry = join(carry, all);\n}\n", store)
}
