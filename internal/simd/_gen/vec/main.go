// Command vec writes the assembly of internal/simd/vec, one family a run, from
// the folder above this one:
//
//	go run ./vec real
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/twiddle-go/twiddle/internal/simd/_gen/files"
)

var families = map[string]func(isa){
	"real":       realKernels,
	"rows":       rowsKernels,
	"diagonals":  diagonalKernels,
	"transpose":  transposeKernels,
	"reduce":     reduceKernels,
	"move":       moveKernels,
	"complex":    complexKernels,
	"convert":    convertKernels,
	"elementary": elementaryKernels,
}

func main() {
	flag.Parse()
	family := flag.Arg(0)
	generate, ok := families[family]
	if !ok || flag.NArg() != 1 {
		fmt.Fprintf(os.Stderr, "vec: no family %q\n", family)
		os.Exit(2)
	}
	files.Write("vec", family, "go run ./vec "+family, func() {
		for _, i := range []isa{avx2, avx512} {
			generate(i)
		}
	}, nil)
	clear(constants)
	border = nil
	files.WriteNEON("vec", family, "go run ./vec "+family, func() { generate(neon) }, nil)
}
