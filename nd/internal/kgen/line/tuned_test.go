package line

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/ktree"
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
		{4099, ir.FFTComplex, false}, {4099, ir.FFTRealForward, false}, {4097, ir.FFTComplex, true}, {2053, ir.FFTComplex, false}, {2053, ir.FFTRealInverse, false}, {4093, ir.FFTComplex, false},
		{4999, ir.FFTComplex, true}, {10007, ir.FFTComplex, false}, {10007, ir.FFTComplex, true}, {10007, ir.FFTRealForward, false}, {9973, ir.FFTRealInverse, false},
		{64, ir.FFTRealForward, false}, {64, ir.FFTRealInverse, false}, {128, ir.FFTRealForward, false}, {128, ir.FFTRealInverse, false},
		{44100, ir.FFTRealForward, false}, {44100, ir.FFTRealInverse, false}, {131072, ir.FFTRealForward, false}, {1 << 20, ir.FFTComplex, false},
	} {
		testTuned(t, c.n, c.kind, c.inverse, elem.Complex64)
	}
	for _, n := range []int{64, 8192, 1 << 20} {
		testTuned(t, n, ir.FFTComplex, n == 8192, elem.Complex128)
	}
}

func testTuned(t *testing.T, n int, kind ir.FFTKind, inverse bool, typ elem.Type) {
	t.Run(fmt.Sprintf("%v/%d/%d/%v", typ, n, kind, inverse), func(t *testing.T) {
		t.Parallel()
		f := transformOf(n, 2, kind, inverse, typ)
		m, err := Generate(f, h200)
		if err != nil {
			t.Fatal(err)
		}
		off := compareModule(t, m, f, [][]byte{random(f.In.Type, 2*f.InLen)}, [][]byte{make([]byte, 2*f.OutLen()*f.Out.Type.Size())})
		if limit := 6 * math.Sqrt(1+math.Log2(float64(n))); !(off <= limit) {
			t.Errorf("off by %.3g units, allowed %.3g", off, limit)
		}
	})
}

// Blocks of real lines that ask for those of blocks behind them ask for nothing that is
// not there, and some ask.
func TestLookAhead(t *testing.T) {
	target := h200
	target.Cluster = 16
	for n, groups := range map[int]int{1024: 1, 8192: 1, 16384: 1, 65536: 4} {
		target.Processors = groups
		f := transformOf(n, 4, ir.FFTRealForward, false, elem.Complex64)
		m, err := Generate(f, target)
		if err != nil {
			t.Fatal(err)
		}
		found := slices.ContainsFunc(m.Kernels[0].Body, func(s ktree.Stmt) bool {
			branch, ok := s.(*ktree.If)
			return ok && slices.ContainsFunc(branch.Then, func(s ktree.Stmt) bool {
				p, ok := s.(*ktree.Prefetch)
				return ok && p.Count == n/groups
			})
		})
		if !found {
			t.Errorf("%d: no line is asked for", n)
		}
		compareModule(t, m, f, [][]byte{random(f.In.Type, 4*f.InLen)}, [][]byte{make([]byte, 4*f.OutLen()*f.Out.Type.Size())})
	}
}
