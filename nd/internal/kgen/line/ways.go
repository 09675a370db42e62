package line

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// A kernel may have its stages more than once, for groups that can take a shorter
// way than others. It takes a vote of the group.

// hasMargins reports slots with margins, which lines may be without.
func (k *kernel) hasMargins() bool {
	return k.target.Wide && slices.ContainsFunc(k.p.Slots, func(s ir.Slot) bool { return s.Margin != nil })
}

// outside is the condition that some of a line is not there; nothing if no slot
// has a margin.
func (k *kernel) outside() (out build.Val) {
	if !k.hasMargins() {
		return out
	}
	inside := build.Bool(true)
	for i, s := range k.p.EachSlot() {
		if s.Margin != nil {
			inside = inside.AndThen(k.runs[i].Ge(0)).AndThen(k.runs[i].Add(s.Len).Le(k.lengths[i]))
		}
	}
	return inside.Not()
}

// ways makes all stages: without margins for groups whose lines are all there,
// and with short ways to roots and quotients, which have no branches, so that the
// loads and the arithmetic of many elements run side by side; and for groups where
// those were not good enough, once more without. Nobody else reads what a group
// writes.
func (k *kernel) ways() error {
	a, err := k.another()
	if err != nil {
		return err
	}
	outside, near := k.outside(), k.hasNear()
	if near {
		k.near = k.newNear()
	}
	switch {
	case outside.IsNil():
		k.body()
		k.again(a)
	case near:
		k.IfElse(k.AnyOfGroup(outside).Not(), func() {
			k.whole = true
			k.body()
		}, func() { k.Set(k.near, build.Bool(false)) })
		k.again(a)
	default:
		k.IfElse(k.AnyOfGroup(outside).Not(), func() {
			k.whole = true
			k.body()
		}, a.body)
	}
	return nil
}

// another makes the same stages elsewhere in the kernel.
func (k *kernel) another() (*kernel, error) {
	a := k.unit.kernel(k.p)
	if err := a.plan(); err != nil {
		return nil, err
	}
	if err := a.share(); err != nil {
		return nil, err
	}
	a.entry, a.outer, a.bound = k.entry, k.outer, k.bound
	a.t, a.row, a.live = k.t, k.row, k.live
	a.at, a.offsets, a.runs, a.lengths, a.fills = k.at, k.offsets, k.runs, k.lengths, k.fills
	return a, nil
}

// again makes the stages of a for groups where short ways were not good enough.
func (k *kernel) again(a *kernel) {
	// Behind pointers that the compiler does not know to be the same, nothing of
	// the first time is kept in registers for the second.
	a.again0 = k.number("zero", 0)
	k.If(k.AnyOfGroup(k.near.Not()), func() {
		a.at = map[ir.SlotID]build.Val{}
		for i, s := range k.p.EachSlot() {
			switch {
			case s.Kind == ir.InSlot:
				a.at[i] = k.Let("again", k.at[i].Plus(a.again0))
			case s.Kind == ir.OutSlot:
				a.at[i] = k.at[i]
			}
		}
		k.Rarely(a.body)
	})
}

// share decides how many lines a group has, and lays out shared memory.
func (k *kernel) share() error {
	at, across := k.layOut(), 0
	k.chooseLines(at)
	k.findColumns(at)
	if k.outer.columns {
		at, across = k.layOut(), 16 // what threads of a line exchange now goes by shared memory
	}
	k.pitch = recipe.Pitch(at, k.threads, k.lines, across)
	for k.lines > 1 && (k.pitch*k.lines > k.target.PoolBytes || k.lines*k.threads > k.target.GroupThreads()) {
		k.lines /= 2
		k.pitch = recipe.Pitch(at, k.threads, k.lines, across)
	}
	if k.pitch*k.lines > k.target.PoolBytes {
		return fmt.Errorf("kgen: lines: a line takes %d bytes on chip, a group has %d: %w", k.pitch, k.target.PoolBytes, device.ErrUnsupported)
	}
	k.outer.choose(k.lines)
	if k.outer.columns {
		k.outer.tile = k.columnDim
	}
	k.guard = newGuard(k.barrier)
	k.findTogether()
	k.chooseCarried()
	return nil
}
