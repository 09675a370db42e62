package lines

import (
	"fmt"
	"slices"
	"strings"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// A kernel may have its stages more than once, for blocks that can take a shorter
// way than others.

// hasNear reports a program whose roots and quotients have short ways. Between
// segments a line keeps what cannot be computed once more.
func (k *kernel) hasNear() bool {
	return k.p.Segments == 1 && slices.ContainsFunc(k.p.Stages, func(s ir.Stage) bool {
		c := codeOf(s)
		return c != nil && emit.HasNear(c)
	})
}

// inside is the condition that all of a line is there; empty if no slot has a
// margin.
func (k *kernel) inside() string {
	var list []string
	for i, s := range k.p.Slots {
		if s.Margin != nil {
			list = append(list, fmt.Sprintf("run%d >= 0 && run%d + %d <= length%d", i, i, s.Len, i))
		}
	}
	return strings.Join(list, " && ")
}

// ways writes all stages: without margins for blocks whose lines are all there,
// and with short ways to roots and quotients, which have no branches, so that the
// loads and the arithmetic of many elements run side by side; and for blocks where
// those were not good enough, once more without. Nobody else reads what a block
// writes.
func (k *kernel) ways(params *params) error {
	again, err := k.another()
	if err != nil {
		return err
	}
	inside, near := k.inside(), k.hasNear()
	if near {
		k.near = "near"
		k.line("bool near = true;")
	}
	if inside == "" {
		k.body(params)
		k.again(again, params)
		return nil
	}
	k.open("if (!__syncthreads_or(!(%s)))", inside)
	k.whole = true
	k.body(params)
	k.close()
	if near {
		k.line("else near = false;")
		k.again(again, params)
		return nil
	}
	k.open("else")
	again.body(params)
	k.WriteString(again.String())
	k.close()
	return nil
}

// another writes the same stages elsewhere in the text.
func (k *kernel) another() (*kernel, error) {
	a := k.unit.kernel(k.p)
	if err := a.plan(); err != nil {
		return nil, err
	}
	if err := a.share(); err != nil {
		return nil, err
	}
	a.outer, a.bound, a.args = k.outer, k.bound, k.args
	a.text.depth = 3
	return a, nil
}

// again writes the stages of a for blocks where short ways were not good enough.
func (k *kernel) again(a *kernel, params *params) {
	a.body(params)
	// Behind pointers that the compiler does not know to be the same, nothing of
	// the first time is kept in registers for the second.
	zero := params.number("zero", 0)
	k.open("if (__syncthreads_or(!near))")
	var names []string
	for i, s := range k.p.Slots {
		if s.Kind == ir.InSlot {
			names = append(names, fmt.Sprintf("s%d", i))
		}
	}
	for i := range k.Tables {
		names = append(names, fmt.Sprintf("table%d", i))
	}
	for _, n := range names {
		k.line("const auto again_%s = (decltype(%s))((const char*)%s + %s);", n, n, n, zero)
	}
	k.open("")
	for _, n := range names {
		k.line("const auto %s = again_%s;", n, n)
	}
	k.WriteString(a.String())
	k.close()
	k.close()
}
