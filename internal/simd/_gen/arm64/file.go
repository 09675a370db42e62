package arm64

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/pass"
)

// take notes that a table is needed in memory as it is.
func (p *pool) take(name string) {
	if !slices.Contains(p.taken, name) {
		p.taken = append(p.taken, name)
	}
}

// Translate gives the functions of a file registers and returns them as assembly
// of arm64.
func Translate(f *ir.File) (text string, err error) {
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(failed)
			if !ok {
				panic(r)
			}
			err = fmt.Errorf("arm64: %w", e.error)
		}
	}()
	if err := pass.Compile.Execute(f); err != nil {
		return "", err
	}
	p := newPool(f)
	var functions strings.Builder
	for _, fn := range f.Functions() {
		functions.WriteString("\n" + (&function{Function: fn, pool: p}).translate())
	}
	return "\n#include \"textflag.h\"\n\n" + p.data() + strings.TrimPrefix(functions.String(), "\n"), nil
}
