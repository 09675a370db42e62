package plain

import (
	"fmt"
	"strings"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// generateBatch writes one kernel whose first blocks work on the first program,
// the next ones on the next, and so on. Programs of several kernels, and those
// that would not fit in, are launched behind it by themselves.
func generateBatch(b *ir.Batch, card emit.Card) (*emit.Module, error) {
	w := &batchWriter{all: &entry{name: "batch", threads: mapThreads}}
	for _, p := range b.Programs {
		if k := kernelsOf(p, card); k != nil {
			if err := w.add(k); err != nil {
				return nil, err
			}
		}
		w.reads += len(p.Reads())
		w.writes += len(p.Writes())
	}
	if w.unions != "" {
		w.shared.WriteString("union chips {\n" + w.unions + "};\n")
		w.all.f("__shared__ chips chip;\n")
	}
	w.all.f("%s", w.calls.String())
	k := &kernels{uses: &w.uses, shared: w.shared.String(), entries: []*entry{w.all}, blocks: []int{w.blocks}, scratch: w.scratch}
	m, err := k.module()
	if err != nil {
		return nil, err
	}
	m.Steps = append(m.Steps, w.behind...)
	return m, nil
}

// kernelsOf is the kernels of a program, nil if there is nothing to do.
func kernelsOf(p ir.Program, card emit.Card) *kernels {
	switch p := p.(type) {
	case *ir.Map:
		if ir.Count(p.Dims) > 0 {
			return mapKernels(p, card)
		}
	case *ir.Reduce:
		if n := ir.Count(p.Outer()); n > 0 {
			return reductionOf(p).kernels(n)
		}
	}
	return nil
}

type batchWriter struct {
	all   *entry
	calls strings.Builder // of all
	uses  emit.Uses
	// shared has a namespace for each program.
	shared strings.Builder
	// unions are the arrays in shared memory of all programs: a block runs one.
	unions string

	parts, blocks int // so far
	reads, writes int // of the programs before
	scratch       []int
	behind        []emit.Step // launched by themselves
}

// add takes in the kernels of a program.
func (w *batchWriter) add(k *kernels) error {
	name := fmt.Sprintf("part%d", w.parts)
	w.parts++
	w.uses.Join(k.uses)
	fmt.Fprintf(&w.shared, "namespace %s {\n%s", name, k.shared)
	using := ""
	for i := range k.entries {
		e := k.entries[i]
		w.shift(e)
		if len(k.entries) == 1 && e.threads == w.all.threads && 16*(len(w.all.params)+len(e.params)+1) <= 4096 {
			w.call(name, e, k.blocks[i])
			continue
		}
		if err := e.fits(); err != nil {
			return err
		}
		e.name += fmt.Sprint(w.parts)
		w.shared.WriteString(e.source())
		using += fmt.Sprintf("using %s::%s;\n", name, e.name)
		w.behind = append(w.behind, e.step(k.blocks[i]))
	}
	w.shared.WriteString("}\n" + using)
	w.scratch = append(w.scratch, k.scratch...)
	return nil
}

// shift numbers parameters as the whole launch does.
func (w *batchWriter) shift(e *entry) {
	for i := range e.params {
		switch p := &e.params[i]; p.Kind {
		case emit.ReadPointer:
			p.Index += w.reads
		case emit.WritePointer:
			p.Index += w.writes
		case emit.ScratchPointer:
			p.Index += len(w.scratch)
		}
	}
}

// call makes a function of an entry, and lets the next so many blocks call it.
func (w *batchWriter) call(name string, e *entry, blocks int) {
	decls, args := []string{"const u32 which"}, []string{"block"}
	text := strings.ReplaceAll(e.text.String(), "blockIdx.x", "which")
	if len(e.arrays) > 0 {
		fmt.Fprintf(&w.shared, "struct arrays { %s; };\n", strings.Join(e.arrays, "; "))
		for _, a := range e.arrays {
			array, _, _ := strings.Cut(a[strings.LastIndexByte(a, ' ')+1:], "[")
			text = strings.Replace(text, "__shared__ "+a+";", fmt.Sprintf("auto& %s = chip.%s;", array, array), 1)
		}
		w.unions += fmt.Sprintf("%s::arrays %s;\n", name, name)
		decls, args = append(decls, "arrays& chip"), append(args, "chip."+name)
	}
	decls = append(decls, e.decls...)
	fmt.Fprintf(&w.shared, "TW void run(%s) {\n%s}\n", strings.Join(decls, ", "), text)
	for i, d := range e.decls {
		at := strings.LastIndexAny(d, " *") + 1
		own := name + "_" + d[at:]
		w.all.param(d[:at]+own, e.params[i])
		args = append(args, own)
	}
	if w.blocks == 0 {
		w.calls.WriteString("u32 block = blockIdx.x;\n")
	}
	count := w.all.number(name+"_blocks", blocks)
	fmt.Fprintf(&w.calls, "if (block < (u32)%s) { %s::run(%s); return; }\nblock -= (u32)%s;\n", count, name, strings.Join(args, ", "), count)
	w.blocks += blocks
}
