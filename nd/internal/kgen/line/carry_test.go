package line

import (
	"fmt"
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// Short lines that follow each other are carried, whatever their number, length and place; others are not.
func TestCarriedLines(t *testing.T) {
	target := h200
	target.Processors = 1
	for _, c := range []struct {
		kind             ir.FFTKind
		n, planes, lines int
		offset, apart    int // of the results: where they begin, and how far lines are apart beyond their length
		in, out          bool
	}{
		{ir.FFTComplex, 5, 1, 200, 0, 0, true, true}, {ir.FFTComplex, 8, 1, 128, 0, 0, true, true}, {ir.FFTComplex, 12, 1, 1, 0, 0, false, false},
		{ir.FFTComplex, 20, 3, 37, 1, 0, true, true}, {ir.FFTComplex, 100, 1, 33, 0, 0, true, true}, {ir.FFTComplex, 15, 1, 130, 0, 1, true, false},
		{ir.FFTComplex, 19, 2, 61, 0, 0, true, true}, {ir.FFTComplex, 19, 2, 65, 0, 0, false, false}, {ir.FFTComplex, 97, 1, 9, 0, 0, false, false}, {ir.FFTComplex, 125, 1, 9, 0, 0, false, false},
		{ir.FFTRealForward, 6, 1, 131, 0, 0, true, true}, {ir.FFTRealForward, 9, 1, 131, 0, 0, true, true}, {ir.FFTRealForward, 48, 2, 63, 1, 0, true, true},
		{ir.FFTRealForward, 32, 1, 67, 0, 0, true, false}, {ir.FFTRealForward, 96, 1, 67, 0, 0, false, false},
		{ir.FFTRealInverse, 10, 1, 131, 0, 0, true, true}, {ir.FFTRealInverse, 9, 1, 131, 0, 0, true, true}, {ir.FFTRealInverse, 48, 1, 67, 0, 0, true, true},
	} {
		for _, kind := range []elem.Type{elem.Complex64, elem.Complex128} {
			t.Run(fmt.Sprintf("%v %+v", kind, c), func(t *testing.T) {
				f := transformOf(c.n, c.planes*c.lines, c.kind, false, kind)
				in, out := f.In.Strides[0], f.Out.Strides[0]+c.apart
				f.Outer = []int{c.planes, c.lines}
				f.In.Strides = []int{c.lines*in + 3, in, 1} // planes are apart
				f.Out.Offset, f.Out.Strides = c.offset, []int{c.lines*out + 5, out, 1}
				k := newUnit(target).kernel(f.Alone())
				if err := k.plan(); err != nil {
					t.Fatal(err)
				}
				if err := k.share(); err != nil || kind == elem.Complex64 && (k.carried[0] != c.in || k.carried[1] != c.out) {
					t.Errorf("%v, carried: %v", err, k.carried)
				}
				read := random(f.In.Type, c.planes*f.In.Strides[0])
				write := make([]byte, f.Out.Type.Size()*(c.offset+c.planes*f.Out.Strides[0]))
				off := compare(t, f, [][]byte{read}, [][]byte{write})
				if limit := 6 * math.Sqrt(1+math.Log2(float64(c.n))); !(off <= limit) {
					t.Errorf("off by %.3g units, allowed %.3g", off, limit)
				}
			})
		}
	}
}
