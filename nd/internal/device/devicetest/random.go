package devicetest

import (
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// testRandom asks for the very bits: a key names the same numbers everywhere.
func testRandom(s *suite) {
	draws := []struct {
		op    scalar.Op
		types []elem.Type
	}{
		{scalar.RandBits, []elem.Type{elem.Uint32}},
		{scalar.RandUniform, []elem.Type{elem.Float16, elem.BFloat16, elem.Float32, elem.Float64}},
		{scalar.RandNormal, []elem.Type{elem.Float16, elem.BFloat16, elem.Float32, elem.Float64}},
		{scalar.RandInt, []elem.Type{elem.Uint8, elem.Int8, elem.Int16, elem.Int32, elem.Int64, elem.Uint32}},
	}
	dims := []int{3, 43}
	bounds := scalar.Arg{uint64(math.MaxUint64 - 4), 200} // [-5, 200)
	for _, d := range draws {
		for _, t := range s.having(d.types...) {
			s.sub(fmt.Sprintf("%s/%s", d.op, t), func(s *suite) {
				for _, l := range readLayouts(dims) {
					for _, key := range []uint64{0, 1, 0x0123456789abcdef, math.MaxUint64} {
						var c code
						at := c.index(l.operand(elem.Int64))
						v := c.add(ir.Instr{Kind: ir.Apply, Op: d.op, Type: t, A: at, Slot: 1})
						p := &ir.Map{Dims: dims, Code: c.Code, Out: []ir.Operand{ir.Contiguous(t, dims)}, Value: []ir.ValueID{v}}
						s.check(p, nil, nil, []scalar.Arg{{}, {key}, bounds}, exact)
					}
				}
			})
		}
	}
}
