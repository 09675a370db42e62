// Command chain writes the assembly of internal/simd/chain, from the folder
// above this one:
//
//	go run ./chain
package main

import (
	"flag"

	"github.com/twiddle-go/twiddle/internal/simd/_gen/files"
)

func main() {
	flag.Parse()
	files.Write("chain", "chain", "go run ./chain", func() {
		for _, i := range []isa{avx2, avx512} {
			for _, f := range []float{f32, f64} {
				for _, bank := range i.banks {
					machine{isa: i, float: f}.generate(bank)
				}
			}
		}
	}, nil)
}
