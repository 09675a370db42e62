package reference

import (
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

func runGather(g *ir.Gather, data, index, write []byte) error {
	return indexed("gather", g.Dims, g.Index, index, g.AxisLen, func(at []int, i int) {
		store(Load(g.Data.Type, data, position(g.Data, at)+i*g.AxisStride), g.Out, write, at)
	})
}

func runScatter(s *ir.Scatter, updates, index, write []byte) error {
	return indexed("scatter", s.Dims, s.Index, index, s.AxisLen, func(at []int, i int) {
		p := position(s.Out, at) + i*s.AxisStride
		old := Load(s.Out.Type, write, p)
		Store(Apply(scalar.Add, s.Out.Type, old, load(s.Updates, updates, at)), write, p)
	})
}

// indexed calls f at every point whose index there is, and gives the error of the first
// that there is not.
func indexed(op string, dims []int, index ir.Operand, data []byte, length int, f func(at []int, i int)) (failed error) {
	points(dims, func(at []int) {
		i, err := resolve(op, load(index, data, at).Int, length)
		switch {
		case err == nil:
			f(at, i)
		case failed == nil:
			failed = err
		}
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
