package plain

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

const (
	reduceThreads = 256

	// columnSplit is how many threads share a column, and more where columns
	// make less than fewBlocks, or fewWhole if they are not in parts: that would
	// leave most of a large card idle.
	columnSplit, fewBlocks, fewWhole = 8, 4, 48

	// columnsFrom is how many results there must be for it to be worth it to
	// fold neighbours in memory side by side.
	columnsFrom = 8
)

// reduction is a reduce program, its index spaces put in order. Results come
// from groups of threads that fold a part of the inner space each; where there
// are several parts to a result, a second kernel folds those. Parts and groups
// follow from the length alone, so the bits do too.
type reduction struct {
	r    *ir.Reduce
	fold fold
	uses emit.Uses

	factors []int // the values that the fold takes: one, or two to multiply

	// outer has the loads and positions of the code, then the loads, the
	// positions and the output of Post; inner those of the code.
	outer, inner *space

	columns bool // neighbours in memory belong to different results
	pack    int  // neighbours that are loaded at once: inner points, or results
	group   int  // threads that fold one part; those of columns are not neighbours
	part    int  // inner points of a part
	parts   int  // per result
}

func generateReduce(r *ir.Reduce) (*emit.Module, error) {
	return reduceTo(reductionOf(r))
}

func reductionOf(r *ir.Reduce) *reduction {
	return &reduction{r: r, fold: fold{op: r.Op, t: r.Instrs[r.Value].Type}, factors: []int{r.Value}}
}

func reduceTo(w *reduction) (*emit.Module, error) {
	results := ir.Count(w.r.Outer())
	if results == 0 {
		return &emit.Module{}, nil
	}
	return w.kernels(results).module()
}

// arrange puts both spaces into the order in which the reduced elements lie.
func (w *reduction) arrange() {
	r := w.r
	n := len(r.Outer())
	body := append(append([]ir.Operand(nil), r.In...), r.Positions...)
	outer, inner := make([]ir.Operand, len(body)), make([]ir.Operand, len(body))
	for i, o := range body {
		outer[i] = ir.Operand{Type: o.Type, Offset: o.Offset, Strides: o.Strides[:n]}
		inner[i] = ir.Operand{Type: o.Type, Strides: o.Strides[n:]}
	}
	outer = append(append(append(outer, r.Post.In...), r.Post.Positions...), r.Out)
	lies := r.Layout()
	if lies != nil { // one more operand, until they are in order
		outer = append(outer, ir.Operand{Strides: lies[:n]})
		inner = append(inner, ir.Operand{Strides: lies[n:]})
	}
	w.outer = newSpace(r.Outer(), outer...)
	w.inner = newSpace(r.Dims[n:], inner...)
	if lies != nil {
		o, i := len(outer)-1, len(inner)-1
		near, far := nearest(w.outer, o), nearest(w.inner, i)
		w.columns = near > 0 && (far == 0 || near < far) && ir.Count(w.outer.dims) >= columnsFrom
		w.outer.order(o)
		// Positions are numbered over the inner dimensions as they are.
		if !w.fold.isArg() {
			w.inner.order(i)
		}
		w.outer.ops, w.inner.ops = w.outer.ops[:o], w.inner.ops[:i]
	}
	w.outer.join()
	w.inner.join()
}

// nearest is an operand's smallest distance between neighbours, 0 if it does
// not move.
func nearest(s *space, op int) int {
	least := 0
	for _, st := range s.ops[op].Strides {
		if a := abs(st); a > 0 && (least == 0 || a < least) {
			least = a
		}
	}
	return least
}

// divide decides on groups and parts. What a result comes to follows from the
// length alone: for lines see emit.Lanes and emit.PartOf, and whoever shares a
// column keeps to its chains.
func (w *reduction) divide(results int) {
	n := ir.Count(w.inner.dims)
	w.pack = w.packOf()
	if w.columns {
		w.part = emit.Chain * emit.Chain
		chains, few := min(ceil(n, emit.Chain), emit.Chain), fewBlocks
		if n <= w.part {
			few = fewWhole
		}
		for w.group = 1; w.group < chains && (w.group < columnSplit || ceil(results, w.width()*w.pack) < few); {
			w.group *= 2
		}
	} else {
		w.group = emit.Lanes(n) / emit.LanesEach
		w.part = emit.PartOf(n)
	}
	w.parts = max(ceil(n, w.part), 1)
}

// width is how many columns, or packs of them, a block has.
func (w *reduction) width() int { return reduceThreads / w.group }

// packOf is how many neighbours can be loaded at once: of the inner space, or
// of the outer one where those are neighbours in memory.
func (w *reduction) packOf() int {
	along, other := w.inner, w.outer
	if w.columns {
		along, other = w.outer, w.inner
	}
	last := len(along.dims) - 1
	if last < 0 {
		return 1
	}
	pack := emit.LanesEach
	for _, i := range emit.Needed(&w.r.Code, w.factors...) {
		switch along.ops[i].Strides[last] {
		case 0:
			continue
		case 1:
		default:
			return 1
		}
		pack = min(pack, accessBytes/w.r.In[i].Type.Size())
		for _, s := range slices.Concat([]int{w.outer.ops[i].Offset}, other.ops[i].Strides, along.ops[i].Strides[:last]) {
			for ; s%pack != 0; pack /= 2 {
			}
		}
	}
	for ; along.dims[last]%pack != 0; pack /= 2 {
	}
	return pack
}

// packed reports whether an operand of the code is loaded in packs.
func (w *reduction) packed(i int) bool {
	along := w.inner
	if w.columns {
		along = w.outer
	}
	last := len(along.dims) - 1
	return w.pack > 1 && along.ops[i].Strides[last] == 1
}

// kernels are those of a reduction to that many results, at least one.
func (w *reduction) kernels(results int) *kernels {
	w.arrange()
	w.divide(results)
	u := &w.uses
	u.Part("pack")
	u.Part("quotient")
	wide := w.outer.isWide() || w.inner.isWide()
	w.fold.wide = wide
	shared := w.fold.declare(u)
	entries := []*entry{{name: "reduce", threads: reduceThreads, wide: wide, apart: true}}
	w.writeParts(entries[0], results)
	blocks := []int{ceil(results*w.parts, reduceThreads/w.group)}
	if w.columns {
		blocks[0] = ceil(results, w.width()*w.pack) * w.parts
	}
	if w.parts > 1 {
		finish := &entry{name: "finish", threads: reduceThreads, wide: wide}
		w.writeFinish(finish, results)
		entries = append(entries, finish)
		blocks = append(blocks, ceil(results, reduceThreads/w.finishers()))
	}
	k := &kernels{uses: u, shared: shared, entries: entries, blocks: blocks}
	if w.parts > 1 {
		k.scratch = []int{results * w.parts * w.fold.bytes()}
	}
	return k
}

// body renders the code for point at[..] of the inner space: names of
// positions are those that writeParts declares.
func (w *reduction) body(e *entry) emit.Statements {
	u, r := &w.uses, w.r
	loads := len(r.In)
	along := w.inner
	if w.columns {
		along = w.outer
	}
	last := len(along.dims) - 1
	return u.Code(&r.Code, emit.Spelling{
		Prefix: "v",
		Load: func(slot int) string {
			x := fmt.Sprintf("x%d", slot)
			if w.packed(slot) {
				x += ".x[k]"
			}
			return u.Get(r.In[slot].Type, x)
		},
		Index: func(slot int) string {
			x := fmt.Sprintf("(i64)base_p%d + at_p%d", slot, slot)
			if o := w.outer.ops[loads+slot]; o.Offset != 0 {
				x += " + " + e.number(fmt.Sprintf("p%d_from", slot), o.Offset)
			}
			if w.pack > 1 && along.ops[loads+slot].Strides[last] != 0 {
				x += " + k * " + e.number(fmt.Sprintf("p%d_step", slot), along.ops[loads+slot].Strides[last])
			}
			return x
		},
	}, w.factors...)
}

// operands lists what the code reads and the positions it uses, as numbers
// and names of operands.
func (w *reduction) operands() (numbers []int, names []string) {
	for _, i := range emit.Needed(&w.r.Code, w.factors...) {
		numbers, names = append(numbers, i), append(names, fmt.Sprintf("in%d", i))
	}
	for i := range w.r.Positions {
		numbers, names = append(numbers, len(w.r.In)+i), append(names, fmt.Sprintf("p%d", i))
	}
	return numbers, names
}
