package plain

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/kern"
)

const (
	reduceThreads = 256

	// chain is how many values a thread adds one after the other before it
	// starts anew and adds up what it has, so that long sums stay exact.
	chain = 64

	// columnSplit is how many threads share a column, and columnWidth how
	// many columns a block has.
	columnSplit = 8
	columnWidth = reduceThreads / columnSplit
)

// reduction is a reduce program, its index spaces put in order. Results come
// from groups of threads that fold a part of the inner space each; where there
// are several parts to a result, a second kernel folds those. Parts and groups
// follow from shapes alone, so the bits do too.
type reduction struct {
	r    *kern.Reduce
	fold fold
	uses emit.Uses

	// outer has the loads and positions of the code, then the loads, the
	// positions and the output of Post; inner those of the code.
	outer, inner *space

	columns bool // neighbours in memory belong to different results
	pack    int  // inner neighbours that are loaded at once
	group   int  // threads that fold one part
	part    int  // inner points of a part
	parts   int  // per result
}

func generateReduce(r *kern.Reduce, card emit.Card) (*emit.Module, error) {
	results := kern.Count(r.Outer())
	if results == 0 {
		return &emit.Module{}, nil
	}
	w := &reduction{r: r, fold: fold{r.Op, r.Instrs[r.Value].Type}}
	w.arrange()
	w.divide(results, max(card.Processors, 1))
	return w.module(results)
}

// arrange puts both spaces into the order of the operand that reads most.
func (w *reduction) arrange() {
	r := w.r
	n := len(r.Outer())
	body := append(append([]kern.Operand(nil), r.In...), r.Positions...)
	outer, inner := make([]kern.Operand, len(body)), make([]kern.Operand, len(body))
	main, touched := -1, 0
	for i, o := range body {
		outer[i] = kern.Operand{Type: o.Type, Offset: o.Offset, Strides: o.Strides[:n]}
		inner[i] = kern.Operand{Type: o.Type, Strides: o.Strides[n:]}
		if t := o.Touched(r.Dims); i < len(r.In) && t > touched {
			main, touched = i, t
		}
	}
	outer = append(append(append(outer, r.Post.In...), r.Post.Positions...), r.Out)
	w.outer = newSpace(r.Outer(), outer...)
	w.inner = newSpace(r.Dims[n:], inner...)
	if main >= 0 {
		near, far := nearest(w.outer, main), nearest(w.inner, main)
		w.columns = near > 0 && (far == 0 || near < far)
		w.outer.order(main)
		// Positions are numbered over the inner dimensions as they are.
		if !w.fold.isArg() {
			w.inner.order(main)
		}
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

// divide decides on groups and parts.
func (w *reduction) divide(results, processors int) {
	n := kern.Count(w.inner.dims)
	w.pack = 1
	jobs, least := 0, 0 // groups without parts; the least points of a part that keep its threads busy
	if w.columns {
		w.group = columnSplit
		jobs, least = ceil(results, columnWidth), 8*columnSplit
	} else {
		w.pack = w.packOf()
		w.group = 1
		for w.group < reduceThreads && w.group*w.pack*8 < n {
			w.group *= 2
		}
		jobs, least = ceil(results*w.group, reduceThreads), 8*w.group*w.pack
	}
	w.parts = 1
	if w.columns || w.group == reduceThreads {
		// As many blocks as multiprocessors can hold at once.
		w.parts = max(min(8*processors/jobs, n/least), 1)
	}
	w.part = max(ceil(ceil(n, w.parts), w.group*w.pack), 1) * w.group * w.pack
	w.parts = max(ceil(n, w.part), 1)
}

// packOf is how many inner neighbours can be loaded at once.
func (w *reduction) packOf() int {
	last := len(w.inner.dims) - 1
	if last < 0 {
		return 1
	}
	pack := accessBytes
	for _, i := range emit.Needed(&w.r.Code, w.r.Value) {
		o, outer := w.inner.ops[i], w.outer.ops[i]
		switch o.Strides[last] {
		case 0:
			continue
		case 1:
		default:
			return 1
		}
		pack = min(pack, accessBytes/o.Type.Size())
		for _, s := range append(append([]int{outer.Offset}, outer.Strides...), o.Strides[:last]...) {
			for ; s%pack != 0; pack /= 2 {
			}
		}
	}
	for ; w.inner.dims[last]%pack != 0; pack /= 2 {
	}
	return min(pack, 8)
}

func (w *reduction) module(results int) (*emit.Module, error) {
	u := &w.uses
	u.Part("pack")
	u.Part("quotient")
	shared := w.fold.declare(u)
	wide := w.outer.isWide() || w.inner.isWide()
	entries := []*entry{{name: "reduce", threads: reduceThreads, wide: wide, apart: true}}
	w.writeParts(entries[0], results)
	blocks := []int{ceil(results*w.parts, reduceThreads/w.group)}
	if w.columns {
		blocks[0] = ceil(results, columnWidth) * w.parts
	}
	if w.parts > 1 {
		finish := &entry{name: "finish", threads: reduceThreads, wide: wide}
		w.writeFinish(finish, results)
		entries = append(entries, finish)
		blocks = append(blocks, results)
		if w.columns {
			blocks[1] = ceil(results, columnWidth)
		}
	}
	mod, err := module(u, shared, entries...)
	if err != nil {
		return nil, err
	}
	for i, e := range entries {
		mod.Steps = append(mod.Steps, e.step(blocks[i]))
	}
	if w.parts > 1 {
		mod.Scratch = []int{results * w.parts * w.fold.bytes()}
	}
	return mod, nil
}

// body renders the code for point at[..] of the inner space: names of
// positions are those that writeParts declares.
func (w *reduction) body(e *entry) emit.Statements {
	u, r := &w.uses, w.r
	last := len(w.inner.dims) - 1
	loads := len(r.In)
	return u.Code(&r.Code, emit.Spelling{
		Prefix: "v",
		Load: func(slot int) string {
			x := fmt.Sprintf("x%d", slot)
			if w.pack > 1 && w.inner.ops[slot].Strides[last] == 1 {
				x += ".x[k]"
			}
			return u.Get(r.In[slot].Type, x)
		},
		Index: func(slot int) string {
			x := fmt.Sprintf("(i64)base_p%d + at_p%d", slot, slot)
			if o := w.outer.ops[loads+slot]; o.Offset != 0 {
				x += " + " + e.number(fmt.Sprintf("p%d_from", slot), o.Offset)
			}
			if w.pack > 1 && w.inner.ops[loads+slot].Strides[last] != 0 {
				x += " + k * " + e.number(fmt.Sprintf("p%d_step", slot), w.inner.ops[loads+slot].Strides[last])
			}
			return x
		},
	}, r.Value)
}

// operands lists what the code reads and the positions it uses, as numbers
// and names of operands.
func (w *reduction) operands() (numbers []int, names []string) {
	for _, i := range emit.Needed(&w.r.Code, w.r.Value) {
		numbers, names = append(numbers, i), append(names, fmt.Sprintf("in%d", i))
	}
	for i := range w.r.Positions {
		numbers, names = append(numbers, len(w.r.In)+i), append(names, fmt.Sprintf("p%d", i))
	}
	return numbers, names
}
