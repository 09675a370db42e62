package kgen

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/order"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

const (
	reduceThreads = 256

	// columnSplit is how many threads share a column, and more where columns
	// make less than fewBlocks, or fewWhole if they are not in parts: that would
	// leave most of a large card idle.
	columnSplit, fewBlocks, fewWhole = 32, 4, 48

	// finishSplit is how many threads fold the parts of a column.
	finishSplit = 8

	// columnsFrom is how many results there must be for it to be worth it to
	// fold neighbours in memory side by side.
	columnsFrom = 8
)

// reduction is a reduce program, its index spaces put in order. Results come
// from groups of threads that fold a part of the inner space each; where there
// are several parts to a result, a second kernel folds those. Parts and groups
// follow from the length alone, so the bits do too.
type reduction struct {
	r      *ir.Reduce
	fold   fold
	target Target

	factors []ir.ValueID // the values that the fold takes: one, or two to multiply

	// outer has the loads and positions of the code, then the loads, the
	// positions and the output of Post; inner those of the code.
	outer, inner *space

	columns bool // neighbours in memory belong to different results
	pack    int  // neighbours that are loaded at once: inner points, or results
	group   int  // threads that fold one part; those of columns are not neighbours
	part    int  // inner points of a part
	parts   int  // per result
}

func reductionOf(r *ir.Reduce, target Target) *reduction {
	return &reduction{r: r, target: target, fold: fold{op: r.Op, t: r.Instrs[r.Value].Type}, factors: []ir.ValueID{r.Value}}
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
// length alone: for lines see order.Lanes and order.PartOf, and whoever shares a
// column keeps to its chains.
func (w *reduction) divide(results int) {
	n := ir.Count(w.inner.dims)
	w.pack = w.packOf()
	if w.columns {
		w.part = order.Chain * order.Chain
		chains, few := min(ceil(n, order.Chain), order.Chain), fewBlocks
		if n <= w.part {
			few = fewWhole
		}
		for w.group = 1; w.group < chains && (w.group < columnSplit || ceil(results, w.width()*w.pack) < few); {
			w.group *= 2
		}
	} else {
		w.group = order.Lanes(n) / order.LanesEach
		w.part = order.PartOf(n)
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
	pack := order.LanesEach
	for _, i := range Needed(&w.r.Code, w.factors...) {
		switch along.ops[i].Strides[last] {
		case 0:
			continue
		case 1:
		default:
			return 1
		}
		pack = min(pack, accessBytes/w.r.In[i].Type.Size())
		pack = aligned(pack, slices.Concat([]int{w.outer.ops[i].Offset}, other.ops[i].Strides, along.ops[i].Strides[:last])...)
	}
	return aligned(pack, along.dims[last])
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

// kernels are those of a reduction to one result or more.
func (w *reduction) kernels() *kernels {
	results := ir.Count(w.r.Outer())
	w.arrange()
	w.divide(results)
	w.fold.wide = w.outer.isWide() || w.inner.isWide()
	k := &kernels{}
	if w.slides() {
		k.add(w.slideKernel(results), ceil(results, reduceThreads))
		return k
	}
	if p, ok := w.pairing(results); ok {
		k.add(w.pairsKernel(p))
		return k
	}
	groups := ceil(results*w.parts, reduceThreads/w.group)
	if w.columns {
		groups = ceil(results, w.width()*w.pack) * w.parts
	}
	k.add(w.partsKernel(results), groups)
	if w.parts > 1 {
		k.add(w.finishKernel(results), ceil(results, reduceThreads/w.finishers()))
		k.scratch = append(k.scratch, lists.Map(bytesOf(w.fold.kinds()), func(bytes int) int { return results * w.parts * bytes })...)
	}
	return k
}

// operands lists what the code reads and the positions it uses, as numbers
// and names of operands.
func (w *reduction) operands() (numbers []int, names []string) {
	for _, i := range Needed(&w.r.Code, w.factors...) {
		numbers, names = append(numbers, i), append(names, fmt.Sprintf("in%d", i))
	}
	for i := range w.r.Positions {
		numbers, names = append(numbers, len(w.r.In)+i), append(names, fmt.Sprintf("p%d", i))
	}
	return numbers, names
}
