// Command pair writes the kernels of internal/simd/pair, from the folder above
// this one:
//
//	go run ./pair
package main

import (
	"flag"
	"fmt"
	"strings"

	"github.com/twiddle-go/twiddle/internal/simd/_gen/files"
)

func main() {
	flag.Parse()
	var tables strings.Builder
	files.Write("pair", "pair", "go run ./pair", func() {
		for _, set := range []isa{avx2, avx512} {
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
	}, func(declarations string) string {
		return strings.NewReplacer("p uintptr", "p *Pairs", "r uintptr", "r *Rows").Replace(declarations) + tables.String()
	})
}
