// Command chain writes the assembly of internal/simd/chain, from the folder
// above this one:
//
//	go run ./chain
package main

import "github.com/twiddle-go/twiddle/internal/simd/_gen/files"

func main() {
	generate := func(isas ...isa) func() {
		return func() {
			for _, i := range isas {
				for _, f := range []float{f32, f64} {
					for _, bank := range i.banks {
						machine{isa: i, float: f}.generate(bank)
					}
				}
			}
		}
	}
	files.Write("chain", "chain", "go run ./chain", generate(avx2, avx512), nil)
	files.Offsets("chain", "go run ./chain", []files.Field{{Struct: "Instr", Name: "Op", Offset: instrOp}, {Struct: "Instr", Name: "Addr", Offset: instrAddr}})
	files.WriteNEON("chain", "chain", "go run ./chain", generate(neon), nil)
}
