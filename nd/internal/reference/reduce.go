package reference

import (
	"math"
	"slices"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

func runReduce(r *ir.Reduce, reads [][]byte, write []byte, args []scalar.Arg) {
	inner := r.Dims[len(r.Dims)-r.Inner:]
	t := r.Instrs[r.Value].Type
	points(r.Outer(), func(outer []int) {
		var values []Value
		points(inner, func(at []int) {
			at = append(append([]int(nil), outer...), at...)
			values = append(values, runCode(r.Code, at, reads[:len(r.In)], args, Value{})[r.Value])
		})
		acc := fold(r.Op, t, values)
		post := runCode(r.Post, outer, reads[len(r.In):], args, acc)
		store(post[len(post)-1], r.Out, write, outer)
	})
}

// fold combines values of type t.
func fold(op ir.ReduceOp, t elem.Type, values []Value) Value {
	switch op {
	case ir.Sum:
		return sum(t, values)
	case ir.Prod:
		return product(t, values)
	case ir.Max, ir.Min:
		if len(values) == 0 {
			return extremeOfNothing(op, t)
		}
		return values[extreme(op, values)]
	case ir.All:
		return Truth(!slices.ContainsFunc(values, func(v Value) bool { return !v.IsTrue() }))
	case ir.Any:
		return Truth(slices.ContainsFunc(values, Value.IsTrue))
	case ir.ArgMax:
		return Integer(elem.Int64, int64(extreme(ir.Max, values)))
	}
	return Integer(elem.Int64, int64(extreme(ir.Min, values)))
}

func sum(t elem.Type, values []Value) Value {
	switch {
	case t.IsComplex():
		var s complexTotal
		for _, v := range values {
			s.add(v.Num)
		}
		return Complex(t, s.value())
	case t.IsFloat():
		var s total
		for _, v := range values {
			s.add(v.Float64())
		}
		return Float(t, s.value())
	}
	return Integer(t, lists.Sum(values, func(v Value) int64 { return v.Int }))
}

func product(t elem.Type, values []Value) Value {
	switch {
	case t.IsComplex():
		p := complex(1, 0)
		for _, v := range values {
			p *= v.Num
		}
		return Complex(t, p)
	case t.IsFloat():
		p := 1.0
		for _, v := range values {
			p *= v.Float64()
		}
		return Float(t, p)
	}
	p := int64(1)
	for _, v := range values {
		p *= v.Int
	}
	return Integer(t, p)
}

// extreme is the position of the first greatest or least value, or of the
// first NaN.
func extreme(op ir.ReduceOp, values []Value) int {
	best := 0
	for i, v := range values {
		if isNaN(v) {
			return i
		}
		if op == ir.Max && less(values[best], v) || op == ir.Min && less(v, values[best]) {
			best = i
		}
	}
	return best
}

func isNaN(v Value) bool { return math.IsNaN(v.Float64()) }

// less orders reals; it is false where one is NaN.
func less(v, w Value) bool {
	if v.Type.IsFloat() {
		return v.Float64() < w.Float64()
	}
	return v.Int < w.Int
}

// extremeOfNothing is the identity of the operation.
func extremeOfNothing(op ir.ReduceOp, t elem.Type) Value {
	if t.IsFloat() {
		if op == ir.Max {
			return Float(t, math.Inf(-1))
		}
		return Float(t, math.Inf(1))
	}
	lo, hi := limits(t)
	if op == ir.Max {
		return Integer(t, lo)
	}
	return Integer(t, hi)
}
