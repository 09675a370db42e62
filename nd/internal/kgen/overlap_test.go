package kgen_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/order"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/simulate"
)

// Frames are added in the order of order.FrameGroup, however they lie: that is what
// line programs keep to.
func TestFramesAreAddedInOrder(t *testing.T) {
	for _, c := range []struct{ turns, phases, size, hop int }{{300, 1, 40, 1}, {40, 8, 40, 1}, {30, 1, 70, 3}, {12, 4, 9, 10}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(5, 6))
			frames := c.turns * c.phases
			o := &ir.Overlap{Turns: c.turns, Phases: c.phases, Size: c.size, Count: frames - 1, Hop: c.hop, Skip: 2, Length: frames*c.hop + c.size,
				In: operand(elem.Float32, 0, c.size, c.turns*c.size, 1), Out: operand(elem.Float32, 0, 1)}
			x, got := make([]float32, frames*c.size), make([]float32, o.Length)
			for i := range x {
				x[i] = rng.Float32() - 0.4
			}
			m, err := kgen.Generate(o, few)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := simulate.Run(m, [][]byte{elem.Bytes(x)}, [][]byte{elem.Bytes(got)}, nil, true); err != nil {
				t.Fatal(err)
			}
			for s := range got {
				first, end := o.Frames(s)
				var list []float32
				for f := first; f < end; f++ {
					list = append(list, x[(f%c.phases*c.turns+f/c.phases)*c.size+s+o.Skip-f*c.hop])
				}
				if want := order.SumOfFrames(list, first, order.FrameGroup(c.size, c.hop)); got[s] != want {
					t.Fatalf("sample %d: %v, want %v", s, got[s], want)
				}
			}
		})
	}
}
