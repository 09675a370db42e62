package reference

import (
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

func runGather(g *ir.Gather, data, index, write []byte) error {
	var failed error
	points(g.Dims, func(at []int) {
		i, err := resolve("gather", load(g.Index, index, at).Int, g.AxisLen)
		if err != nil {
			if failed == nil {
				failed = err
			}
			return
		}
		store(Load(g.Data.Type, data, position(g.Data, at)+i*g.AxisStride), g.Out, write, at)
	})
	return failed
}

func runScatter(s *ir.Scatter, updates, index, write []byte) error {
	var failed error
	points(s.Dims, func(at []int) {
		i, err := resolve("scatter", load(s.Index, index, at).Int, s.AxisLen)
		if err != nil {
			if failed == nil {
				failed = err
			}
			return
		}
		p := position(s.Out, at) + i*s.AxisStride
		old := Load(s.Out.Type, write, p)
		Store(Apply(scalar.Add, s.Out.Type, old, load(s.Updates, updates, at)), write, p)
	})
	return failed
}

// resolve counts a negative index from the end of an axis.
func resolve(op string, index int64, length int) (int, error) {
	i := index
	if i < 0 {
		i += int64(length)
	}
	if i < 0 || i >= int64(length) {
		return 0, &ir.IndexError{Op: op, Index: index, Len: length}
	}
	return int(i), nil
}
