// Command vec writes the assembly of internal/simd/vec, and the family draws, which is that of
// internal/simd/philox, one family a run, from the folder above this one:
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
	"integer":    integerKernels,
	"cast":       castKernels,
	"quotient":   quotientKernels,
	"elementary": elementaryKernels,
	"draws":      drawKernels,
}

func main() {
	flag.Parse()
	family := flag.Arg(0)
	generate, ok := families[family]
	if !ok || flag.NArg() != 1 {
		fmt.Fprintf(os.Stderr, "vec: no family %q\n", family)
		os.Exit(2)
	}
	pkg := "vec"
	if family == "draws" {
		pkg = "philox"
	}
	files.Write(pkg, family, "go run ./vec "+family, func() {
		for _, i := range []isa{avx2, avx512} {
			generate(i)
		}
	}, nil)
	clear(constants)
	clear(pairs)
	border = nil
	files.WriteNEON(pkg, family, "go run ./vec "+family, func() { generate(neon) }, nil)
}
