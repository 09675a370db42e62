package cpu

import (
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// Bytes is about what the tables of the kernel's transforms take. A test holds it
// against the heap.
func (k *kernel) Bytes() int { return tableBytes(k.program) }

func tableBytes(p ir.Program) int {
	switch p := p.(type) {
	case *ir.FFT:
		return transformBytes(p)
	case *ir.Line:
		return lists.Sum(p.Stages, func(s ir.Stage) int { return tableBytes(s.Program) })
	case *ir.Butterfly:
		return 8 * p.N // the orders it reads and writes in
	}
	return 0
}

// transformBytes is about the twiddle factors of a transform: all of them for
// each of two levels; where a factor is a large prime, also a chirp and its
// spectrum, of the next convenient length past twice the line, with tables of
// their own.
func transformBytes(p *ir.FFT) int {
	element := max(p.In.Type.Size(), p.Out.Type.Size())
	if p.In.Type.IsComplex() != p.Out.Type.IsComplex() {
		element = max(element, 8)
	}
	times := 3
	if !isSmooth(p.N) {
		times = 10
	}
	if !p.Plain() {
		times *= 4 // several words for each number
	}
	return times * p.N * element
}

// isSmooth reports that no prime factor is above 31, the largest with a butterfly
// of its own.
func isSmooth(n int) bool {
	for _, f := range []int{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31} {
		for n > 1 && n%f == 0 {
			n /= f
		}
	}
	return n == 1
}
