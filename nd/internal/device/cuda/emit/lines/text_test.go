package lines

import (
	"fmt"
	"testing"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// A long text has names of all numbers; none of them hides a type.
func TestNamesAreNoTypes(t *testing.T) {
	for _, name := range []string{"u8", "u16", "i32", "u32", "i64", "u64", "c64", "c128"} {
		if !emit.IsType(name) {
			t.Errorf("%s is no type", name)
		}
	}
	for _, prefix := range []string{"c", "i", "u"} {
		var x text
		for range 200 {
			if n := x.name(prefix); emit.IsType(n) {
				t.Errorf("a variable %s", n)
			}
		}
	}
}

// Every short length has a way on chip, packed or not.
func TestShortLengthsSplit(t *testing.T) {
	for _, c := range []elem.Type{elem.Complex64, elem.Complex128} {
		for n := 1; n <= 400; n++ {
			for _, f := range []*ir.FFT{
				{Kind: ir.FFTComplex, In: ir.Operand{Type: c}, Out: ir.Operand{Type: c}},
				{Kind: ir.FFTRealForward, In: ir.Operand{Type: c.Real()}, Out: ir.Operand{Type: c}},
				{Kind: ir.FFTRealInverse, In: ir.Operand{Type: c}, Out: ir.Operand{Type: c.Real()}},
			} {
				f.N = n
				if _, err := newTransform(f, h200); err != nil {
					t.Error(fmt.Sprint(c, " ", n, ", kind ", f.Kind, ": ", err))
				}
			}
		}
	}
}
