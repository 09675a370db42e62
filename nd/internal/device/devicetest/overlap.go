package devicetest

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

func testOverlap(s *suite) {
	for _, t := range s.having(elem.Float32, elem.Float64, elem.Complex64, elem.Complex128) {
		for _, o := range []ir.Overlap{
			{Turns: 5, Size: 4, Hop: 2, Length: 12},
			{Turns: 5, Size: 4, Hop: 1, Skip: 3, Length: 5},
			{Turns: 5, Size: 3, Hop: 7, Length: 40},
			{Turns: 4, Size: 5, Hop: 3, Skip: 2, Length: 9},
			{Turns: 1, Size: 1, Hop: 1, Length: 1},
			{Turns: 0, Size: 3, Hop: 2, Length: 6},
			{Turns: 3, Size: 0, Hop: 2, Length: 6},
			{Turns: 3, Size: 2, Hop: 2, Length: 0},
			{Turns: 3, Size: 2, Hop: 2, Skip: 50, Length: 4},
			{Turns: 40, Phases: 16, Size: 16, Hop: 1, Skip: 15, Length: 630, Count: 630},
			{Turns: 300, Phases: 4, Size: 31, Hop: 8, Skip: 30, Length: 9600, Count: 1199},
			{Turns: 7, Phases: 3, Size: 5, Hop: 2, Length: 60, Count: 20},
		} {
			o.Phases = max(o.Phases, 1)
			if o.Count == 0 {
				o.Count = o.Turns
			}
			for _, outer := range [][]int{{}, {3}, {0}, {2, 2}} {
				o.Outer = outer
				for i, l := range layouts(o.InDims()) {
					if o.Count > 100 && (i > 2 || len(outer) > 1) {
						continue
					}
					to := layouts(o.OutDims())
					o.In, o.Out = l.operand(t), to[(3*i+1)%len(to)].operand(t)
					s.sub(fmt.Sprintf("%s/%d of %d by %d x %v/%s", t, o.Count, o.Size, o.Hop, outer, l.name), func(s *suite) {
						p := o
						reads := s.inputs(p.InDims(), []ir.Operand{p.In})
						n := float64((p.Size + p.Hop - 1) / p.Hop) // frames that meet
						s.check(&p, reads, nil, nil, tolerance{anyZero: true, slack: func(int, int) float64 { return 256 * n * n * unit(t) }})
					})
				}
			}
		}
	}
}
