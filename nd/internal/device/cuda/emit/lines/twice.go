package lines

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/line"
)

// hasNear reports a program whose roots and quotients have short ways. Between
// segments a line keeps what cannot be computed once more.
func (k *kernel) hasNear() bool {
	return k.p.Segments == 1 && slices.ContainsFunc(k.p.Stages, func(s line.Stage) bool {
		c := codeOf(s)
		return c != nil && emit.HasNear(c)
	})
}

// twice writes all stages with short ways to roots and quotients, which have no
// branches, so that the loads and the arithmetic of many elements run side by
// side; and, for blocks where those were not good enough, once more without.
// Nobody else reads what a block writes.
func (k *kernel) twice(params *params) error {
	again := k.unit.kernel(k.p)
	if err := again.plan(); err != nil {
		return err
	}
	if err := again.share(); err != nil {
		return err
	}
	again.outer, again.bound, again.args = k.outer, k.bound, k.args
	again.text.depth = 3
	k.near = "near"
	k.line("bool near = true;")
	k.body(params)
	again.body(params)
	// Behind pointers that the compiler does not know to be the same, nothing of
	// the first time is kept in registers for the second.
	zero := params.number("zero", 0)
	k.open("if (__syncthreads_or(!near))")
	var names []string
	for i, s := range k.p.Slots {
		if s.Kind == line.In {
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
	k.WriteString(again.String())
	k.close()
	k.close()
	return nil
}
