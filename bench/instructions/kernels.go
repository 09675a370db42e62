package main

import (
	"fmt"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/butterfly"
)

// Kernels of passes, leads and turns by themselves: what they take per vector of
// elements is what recipes are priced by.

// rectangle is how many rows and columns the kernels get.
const rectangle = 64

// kernel is the work of one kernel over a rectangle: pass and a radix, lead, turn
// or short and a length.
func kernel[R butterfly.Float](kind string, n int) (func(), error) {
	level := simd.Active()
	size := int(unsafe.Sizeof(R(0)))
	lanes := butterfly.Lanes(level, 8*size)
	p := butterfly.Pass{Rows: rectangle, Cols: rectangle}
	var run butterfly.Kernel
	switch kind {
	case "pass":
		run = butterfly.Select[R](level, n, butterfly.Split, butterfly.Split, rectangle)
		p.InRow, p.OutRow, p.InLeg, p.OutLeg = rectangle, rectangle, rectangle*rectangle, rectangle*rectangle
	case "lead":
		n, p.Rows = lanes, 1
		p.Cols = rectangle * rectangle
		run, _ = butterfly.Lead[R](level, butterfly.LeadKind{Radix: lanes})
		p.InLeg = p.Cols
	case "turn":
		n = 1
		run = butterfly.Turn[R](level, false)
		p.InLeg, p.OutLeg, p.InRow, p.OutRow = rectangle, rectangle, rectangle, rectangle
	case "short":
		run = butterfly.Short[R](level, n)
		p.InRow, p.OutRow = n, n
	default:
		return nil, fmt.Errorf("instructions: no kernel %q", kind)
	}
	elements := n * rectangle * rectangle
	if kind == "short" {
		elements = 2 * n * rectangle
	}
	src, dst := make([]R, 2*elements), make([]R, 2*elements)
	table := make([]R, 4*elements+4*n*rectangle)
	if kind != "short" {
		p.Twiddle = unsafe.Pointer(&table[0])
	}
	at := func(x []R, plane int) unsafe.Pointer {
		if kind == "short" {
			return unsafe.Pointer(&x[plane])
		}
		return unsafe.Pointer(&x[plane*elements])
	}
	return func() { run(&p, at(dst, 0), at(dst, 1), at(src, 0), at(src, 1), 1) }, nil
}
