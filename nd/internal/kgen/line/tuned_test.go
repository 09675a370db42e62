package line

import (
	"fmt"
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// Recipes that were measured for a few lengths only are right: padded primes, real lines
// with threads of their own when nothing is fused with them, and long ones.
func TestTunedLengths(t *testing.T) {
	for _, c := range []struct {
		n       int
		kind    ir.FFTKind
		inverse bool
	}{
		{4099, ir.FFTComplex, false}, {4999, ir.FFTComplex, true}, {10007, ir.FFTComplex, false},
		{64, ir.FFTRealForward, false}, {64, ir.FFTRealInverse, false}, {128, ir.FFTRealForward, false}, {128, ir.FFTRealInverse, false},
		{44100, ir.FFTRealForward, false}, {44100, ir.FFTRealInverse, false}, {131072, ir.FFTRealForward, false},
	} {
		t.Run(fmt.Sprintf("%d/%d/%v", c.n, c.kind, c.inverse), func(t *testing.T) {
			t.Parallel()
			f := transformOf(c.n, 2, c.kind, c.inverse, elem.Complex64)
			m, err := Generate(f, h200)
			if err != nil {
				t.Fatal(err)
			}
			off := compareModule(t, m, f, [][]byte{random(f.In.Type, 2*f.InLen)}, [][]byte{make([]byte, 2*f.OutLen()*f.Out.Type.Size())})
			if limit := 6 * math.Sqrt(1+math.Log2(float64(c.n))); !(off <= limit) {
				t.Errorf("off by %.3g units, allowed %.3g", off, limit)
			}
		})
	}
}
