package emit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/driver"
	"github.com/twiddle-go/twiddle/nd/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// unit is a kernel that stores every wanted value of a code at one point.
func unit(c *ir.Code, wanted ...int) string {
	var u Uses
	s := u.Code(c, Spelling{
		Prefix: "v",
		Load:   func(slot int) string { return u.Get(c.In[slot].Type, fmt.Sprintf("in%d[0]", slot)) },
		Index:  func(int) string { return "threadIdx.x" },
	}, wanted...)
	var params, stores []string
	for i, o := range c.In {
		params = append(params, fmt.Sprintf("const %s* in%d", Memory(o.Type), i))
	}
	for _, w := range wanted {
		t := c.Instrs[w].Type
		params = append(params, fmt.Sprintf("%s* out%d", Memory(t), w))
		stores = append(stores, fmt.Sprintf("out%d[0] = %s;\n", w, u.Put(t, s.Names[w])))
	}
	for _, slot := range ArgSlots(c) {
		params = append(params, "const arg "+ArgName(slot))
	}
	return u.Unit(fmt.Sprintf("extern \"C\" __global__ void k(%s) {\n%s%s%s}\n",
		strings.Join(params, ", "), s.Head, s.Body, strings.Join(stores, "")))
}

// Every operation on every type that it takes is text that compiles.
func TestEveryOperationCompiles(t *testing.T) {
	nvrtc, err := driver.OpenCompiler(80, 0)
	if err != nil {
		t.Skip(err)
	}
	for _, typ := range elem.All {
		var c ir.Code
		var wanted []int
		add := func(in ir.Instr) { c.Instrs = append(c.Instrs, in); wanted = append(wanted, len(c.Instrs)-1) }
		load := func(t elem.Type) {
			c.In = append(c.In, ir.Operand{Type: t})
			c.Instrs = append(c.Instrs, ir.Instr{Kind: ir.Load, Type: t, Slot: len(c.In) - 1})
		}
		load(typ)
		load(typ)
		load(elem.Bool)
		add(ir.Instr{Kind: ir.Const, Type: typ, Slot: 4})
		add(ir.Instr{Kind: ir.Index, Type: elem.Int64})
		index := len(c.Instrs) - 1
		for _, op := range scalar.Ops() {
			switch {
			case op.IsRandom():
				if drawn(op, typ) {
					add(ir.Instr{Kind: ir.Apply, Op: op, Type: typ, A: index, Slot: 1})
				}
			case op == scalar.Cast:
				for _, to := range elem.All {
					add(ir.Instr{Kind: ir.Apply, Op: op, Type: to})
				}
			case op == scalar.Where:
				add(ir.Instr{Kind: ir.Apply, Op: op, Type: typ, A: 2, B: 0, C: 1})
			default:
				if out, err := op.Result([]elem.Type{typ, typ}[:op.Arity()]...); err == nil {
					add(ir.Instr{Kind: ir.Apply, Op: op, Type: out, A: 0, B: 1})
				}
			}
		}
		t.Run(typ.String(), func(t *testing.T) {
			t.Parallel()
			if _, _, err := nvrtc.Compile(typ.String(), unit(&c, wanted...), driver.Options(80)...); err != nil {
				t.Error(err)
			}
		})
	}
}

// drawn reports which types a draw may have.
func drawn(op scalar.Op, t elem.Type) bool {
	switch op {
	case scalar.RandBits:
		return t == elem.Uint32
	case scalar.RandInt:
		return t.IsInteger()
	}
	return t.IsFloat()
}

// Only what the wanted values depend on is computed, and constants are apart.
func TestCodeIsWhatIsWanted(t *testing.T) {
	c := &ir.Code{
		In: []ir.Operand{{Type: elem.Float32}, {Type: elem.Float32}},
		Instrs: []ir.Instr{
			{Kind: ir.Load, Type: elem.Float32},
			{Kind: ir.Load, Type: elem.Float32, Slot: 1},
			{Kind: ir.Const, Type: elem.Float32, Slot: 3},
			{Kind: ir.Apply, Op: scalar.Exp, Type: elem.Float32, A: 0},
			{Kind: ir.Apply, Op: scalar.Mul, Type: elem.Float32, A: 1, B: 2},
		},
	}
	var u Uses
	s := u.Code(c, Spelling{Prefix: "v", Load: func(slot int) string { return fmt.Sprintf("x%d", slot) }}, 4)
	if want := "const float v2 = (float)__longlong_as_double((i64)arg3.a);\n"; s.Head != want {
		t.Errorf("head %q, want %q", s.Head, want)
	}
	if want := "const float v1 = x1;\nconst float v4 = v1 * v2;\n"; s.Body != want {
		t.Errorf("body %q, want %q", s.Body, want)
	}
	if got := fmt.Sprint(Needed(c, 4), ArgSlots(c)); got != "[1] [3]" {
		t.Errorf("needs and arguments %s", got)
	}
}
