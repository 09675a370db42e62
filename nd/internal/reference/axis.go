package reference

import (
	"slices"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

func runScan(s *ir.Scan, read, write []byte) {
	last := len(s.Dims) - 1
	points(s.Dims[:last], func(at []int) {
		for i, v := range scan(s.Op, loadLine(s.In, read, at, s.Dims[last])) {
			store(v, s.Out, write, along(at, i))
		}
	})
}

func runSort(s *ir.Sort, read []byte, writes [][]byte) {
	last := len(s.Dims) - 1
	points(s.Dims[:last], func(at []int) {
		values := loadLine(s.In, read, at, s.Dims[last])
		for i, from := range sorted(values, s.Descending)[:s.Keep] {
			to := along(at, i)
			if s.Values != nil {
				store(values[from], *s.Values, writes[0], to)
			}
			if s.Places != nil {
				store(Integer(elem.Int64, int64(from)), *s.Places, writes[len(writes)-1], to)
			}
		}
	})
}

func loadLine(o ir.Operand, buf []byte, at []int, n int) []Value {
	return lists.Make(n, func(i int) Value { return load(o, buf, along(at, i)) })
}

// scan folds every prefix.
func scan(op ir.ReduceOp, values []Value) []Value {
	return lists.Make(len(values), func(i int) Value { return fold(op, values[i].Type, values[:i+1]) })
}

// sorted is the stable order of values, as positions, NaN last either way.
func sorted(values []Value, descending bool) []int {
	order := lists.Make(len(values), func(i int) int { return i })
	slices.SortStableFunc(order, func(i, j int) int {
		v, w := values[i], values[j]
		if isNaN(v) || isNaN(w) {
			return rank(isNaN(v)) - rank(isNaN(w))
		}
		if descending {
			v, w = w, v
		}
		return rank(less(w, v)) - rank(less(v, w))
	})
	return order
}

func rank(b bool) int {
	if b {
		return 1
	}
	return 0
}
