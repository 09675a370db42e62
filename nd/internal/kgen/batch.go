package kgen

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// batchKernels is one kernel whose first groups work on the first program, the
// next ones on the next, and so on. Programs of several kernels, and those that
// would not fit in, are launched behind it by themselves.
func batchKernels(b *ir.Batch, target Target) (*kernels, error) {
	w := &batchWriter{all: target.newEntry("batch", mapThreads, false)}
	for _, p := range b.Programs {
		k, err := kernelsOf(p, target)
		if err == nil {
			err = w.add(k)
		}
		if err != nil {
			return nil, err
		}
		w.reads += len(ir.Reads(p))
		w.writes += len(ir.Writes(p))
	}
	k := &kernels{scratch: w.scratch}
	if w.groups > 0 {
		k.add(w.all, w.groups)
	}
	for i, e := range w.behind {
		k.add(e, w.behindGroups[i])
	}
	return k, nil
}

type batchWriter struct {
	all   *entry
	group build.Val // left after the groups of earlier programs

	parts, groups int // so far
	reads, writes int // of the programs before
	scratch       []int
	behind        []*entry // launched by themselves
	behindGroups  []int
}

// add takes in the kernels of a program.
func (w *batchWriter) add(k *kernels) error {
	w.parts++
	for i, e := range k.entries {
		w.shift(e)
		if len(k.entries) == 1 && e.Threads() == w.all.Threads() && len(w.all.params)+len(e.params)+1 <= mostParams {
			w.call(e, k.groups[i])
			continue
		}
		if err := e.fits(); err != nil {
			return err
		}
		e.Rename(fmt.Sprintf("%s%d", e.Name(), w.parts))
		w.behind, w.behindGroups = append(w.behind, e), append(w.behindGroups, k.groups[i])
	}
	w.scratch = append(w.scratch, k.scratch...)
	return nil
}

// shift numbers parameters as the whole launch does.
func (w *batchWriter) shift(e *entry) {
	for i := range e.params {
		switch p := &e.params[i]; p.Kind {
		case ReadPointer:
			p.Index += w.reads
		case WritePointer:
			p.Index += w.writes
		case ScratchPointer:
			p.Index += len(w.scratch)
		}
	}
}

// call makes a function of an entry, and lets the next so many groups call it.
func (w *batchWriter) call(e *entry, groups int) {
	all := w.all
	if w.group.IsNil() {
		w.group = all.Var("group", all.Group())
	}
	name := fmt.Sprintf("part%d", w.parts)
	args := append([]build.Val{w.group}, all.Forwarded(e.Kernel, name+"_")...)
	all.params = append(all.params, e.params...)
	f := e.AsFunc(name, w.parts)
	all.Join(e.Kernel, f)
	count := all.numberOf(name+"_groups", groups, ktree.Uint)
	all.If(w.group.Lt(count), func() {
		all.Do(build.Call(f, args...))
		all.Return()
	})
	all.Set(w.group, w.group.Sub(count))
	w.groups += groups
}
