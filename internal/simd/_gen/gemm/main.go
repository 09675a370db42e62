// Command gemm writes the matrix-product tiles of internal/simd/gemm, from the
// folder above this one:
//
//	go run ./gemm
package main

import (
	"fmt"
	"strings"

	"github.com/twiddle-go/twiddle/internal/simd/_gen/files"
)

func main() {
	var lists strings.Builder
	generate := func(isas ...isa) func() {
		return func() {
			lists.Reset()
			for _, f := range []float{f32, f64} {
				for _, i := range isas {
					fmt.Fprintf(&lists, "\n// tiles%s%s is indexed by rows-1, then vectors-1.\n", f.name, i.name)
					fmt.Fprintf(&lists, "var tiles%s%s = [][2]tile[%s]{\n", f.name, i.name, f.goType)
					for rows := 1; rows <= i.rows; rows++ {
						for vectors := 1; vectors <= 2; vectors++ {
							tile{i, f, rows, vectors}.generate()
						}
						fmt.Fprintf(&lists, "\t{%s, %s},\n", tile{i, f, rows, 1}.name(), tile{i, f, rows, 2}.name())
					}
					fmt.Fprintf(&lists, "}\n")
				}
			}
			for _, i := range isas {
				strip(i, 1)
				strip(i, 2)
				squeeze(i)
				patch(i)
			}
		}
	}
	withLists := func(declarations string) string { return declarations + lists.String() }
	files.Write("gemm", "tile", "go run ./gemm", generate(avx2, avx512), withLists)
	files.WriteNEON("gemm", "tile", "go run ./gemm", generate(neon), withLists)
}
