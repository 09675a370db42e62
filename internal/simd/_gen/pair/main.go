// Command pair writes the kernels of internal/simd/pair, from the folder above
// this one:
//
//	go run ./pair
package main

import (
	"fmt"
	"strings"

	"github.com/twiddle-go/twiddle/internal/simd/_gen/files"
)

func main() {
	var tables strings.Builder
	generate := func(sets ...isa) func() {
		return func() {
			tables.Reset()
			for _, set := range sets {
				fmt.Fprintf(&tables, "\nvar table%s = Table{\n", set.name)
				for _, e := range elements {
					k := kernel{set, e}
					k.far()
					names := []string{}
					for h := 1; h < k.lanes(); h *= 2 {
						k.near(h)
						names = append(names, k.nearName(h))
					}
					k.rows(1)
					k.rows(2)
					k.in()
					k.out()
					fmt.Fprintf(&tables, "\t%s: Kernel{%d, %s, []Factor{%s}, %d, [2]RowFactor{%s, %s}, %s, %s},\n", e.name, k.lanes(), k.farName(), strings.Join(names, ", "),
						k.beside(), k.rowsName(1), k.rowsName(2), k.inName(), k.outName())
				}
				fmt.Fprintf(&tables, "}\n")
			}
		}
	}
	edit := func(declarations string) string {
		return strings.NewReplacer("p uintptr", "p *Pairs", "r uintptr", "r *Rows").Replace(declarations) + tables.String()
	}
	files.Write("pair", "pair", "go run ./pair", generate(avx2, avx512), edit)
	files.Offsets("pair", "go run ./pair", append(pairsFields, rowsFields...))
	files.WriteNEON("pair", "pair", "go run ./pair", generate(neon), edit)
}
