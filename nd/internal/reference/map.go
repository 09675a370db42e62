package reference

import (
	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

func runMap(m *ir.Map, reads, writes [][]byte, args []scalar.Arg) {
	points(m.Dims, func(at []int) {
		values := runCode(m.Code, at, reads, args, Value{})
		for i, o := range m.Out {
			store(values[m.Value[i]], o, writes[i], at)
		}
	})
}

// runCode computes every value of the code at one point. acc is what an Acc
// instruction gives.
func runCode(c ir.Code, at []int, reads [][]byte, args []scalar.Arg, acc Value) []Value {
	values := make([]Value, len(c.Instrs))
	for i, in := range c.Instrs {
		switch in.Kind {
		case ir.Load:
			values[i] = load(c.In[in.Slot], reads[in.Slot], at)
		case ir.Index:
			values[i] = Integer(elem.Int64, int64(position(c.Positions[in.Slot], at)))
		case ir.Const:
			values[i] = Argument(in.Type, args[in.Slot])
		case ir.Acc:
			values[i] = acc
		case ir.Apply:
			if in.Op.IsRandom() {
				values[i] = Draw(in.Op, in.Type, values[in.A].Int, args[in.Slot:])
				continue
			}
			operands := lists.Map(in.Args(), func(a *ir.ValueID) Value { return values[*a] })
			values[i] = Apply(in.Op, in.Type, operands...)
		}
	}
	return values
}
