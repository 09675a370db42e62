package plain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// entry is a kernel in the making: its parameters and its text.
type entry struct {
	name    string
	threads int  // of a block
	beside  int  // blocks that a multiprocessor should hold at once, if not 0
	wide    bool // points and positions have 64 bits
	apart   bool // no buffer is read and written
	loose   bool // all strides are parameters: fewer texts where addresses cost little

	decls  []string
	params []emit.Param
	arrays []string // in shared memory
	text   strings.Builder
}

func (e *entry) f(format string, a ...any) { fmt.Fprintf(&e.text, format, a...) }

// share declares an array in shared memory.
func (e *entry) share(format string, a ...any) {
	array := fmt.Sprintf(format, a...)
	e.arrays = append(e.arrays, array)
	e.f("__shared__ %s;\n", array)
}

func (e *entry) param(decl string, p emit.Param) {
	e.decls = append(e.decls, decl)
	e.params = append(e.params, p)
}

// number is a parameter that is a whole number. What is written twice has it once.
func (e *entry) number(name string, v int) string {
	if decl := "const i64 " + name; !slices.Contains(e.decls, decl) {
		e.param(decl, emit.Int(v))
	}
	return name
}

// pointer is a parameter that is a buffer, already at the operand's offset.
func (e *entry) pointer(name string, o ir.Operand, p emit.Param) string {
	qualifier := ""
	if p.Kind == emit.ReadPointer {
		qualifier = "const "
	}
	restrict := ""
	if e.apart {
		restrict = "__restrict__ "
	}
	e.param(fmt.Sprintf("%s%s* %s%s", qualifier, emit.Memory(o.Type), restrict, name), p)
	if o.Offset != 0 {
		e.f("%s += %s;\n", name, e.number(name+"_from", o.Offset))
	}
	return name
}

// args are the launch arguments that codes use.
func (e *entry) args(codes ...*ir.Code) {
	for _, slot := range emit.ArgSlots(codes...) {
		e.param("const arg "+emit.ArgName(slot), emit.Arg(slot))
	}
}

// index is the type of a point's number, at that of a position in an operand.
func (e *entry) index() string {
	if e.wide {
		return "i64"
	}
	return "u32"
}

func (e *entry) at() string {
	if e.wide {
		return "i64"
	}
	return "i32"
}

// quotient is i divided by a parameter of this name.
func (e *entry) quotient(i, name string, by int) string {
	if e.wide {
		return fmt.Sprintf("(i64)%s / %s", i, name)
	}
	return fmt.Sprintf("quotient(%s, %s)", i, e.number(name+"_d", emit.Divisor(by)))
}

// point declares the coordinates of point number i of a space as
// name0, name1, ..., and returns the names.
func (e *entry) point(name, i string, dims []int) []string {
	coords := make([]string, len(dims))
	rest := i
	for d := len(dims) - 1; d > 0; d-- {
		coords[d] = fmt.Sprintf("%s%d", name, d)
		size := e.number(fmt.Sprintf("%s_n%d", name, d), dims[d])
		q := fmt.Sprintf("%s_q%d", name, d)
		e.f("const %s %s = %s, %s = %s - %s * (%s)%s;\n",
			e.index(), q, e.quotient(rest, size, dims[d]), coords[d], rest, q, e.index(), size)
		rest = q
	}
	if len(dims) > 0 {
		coords[0] = fmt.Sprintf("%s0", name)
		e.f("const %s %s = %s;\n", e.index(), coords[0], rest)
	}
	return coords
}

// position is where an operand has a point, from its offset on. Strides other
// than 0 and 1 are parameters called after name.
func (e *entry) position(name string, coords []string, strides []int) string {
	var terms []string
	for d, s := range strides {
		switch {
		case s == 0 && !e.loose:
		case s == 1 && !e.loose:
			terms = append(terms, fmt.Sprintf("(%s)%s", e.at(), coords[d]))
		default:
			terms = append(terms, fmt.Sprintf("(%s)%s * (%s)%s", e.at(), coords[d], e.at(), e.number(fmt.Sprintf("%s_s%d", name, d), s)))
		}
	}
	if terms == nil {
		return "0"
	}
	return strings.Join(terms, " + ")
}

// starts declares a function of this name that tells where line number l
// starts in an operand.
func (e *entry) starts(name string, dims, strides []int) {
	e.f("auto %s = [&](i64 l) -> i64 {\n", name)
	at := e.position(name, e.point(name+"_c", "l", dims), strides)
	e.f("return %s;\n};\n", at)
}

// source is the kernel's definition.
func (e *entry) source() string {
	bounds := fmt.Sprint(e.threads)
	if e.beside > 0 {
		bounds += fmt.Sprintf(", %d", e.beside)
	}
	return fmt.Sprintf("extern \"C\" __global__ void __launch_bounds__(%s) %s(%s) {\n%s}\n",
		bounds, e.name, strings.Join(e.decls, ", "), e.text.String())
}

// step launches the kernel.
func (e *entry) step(blocks int) emit.Step {
	return emit.Step{Entry: e.name, Grid: [3]int{blocks, 1, 1}, Block: [3]int{e.threads, 1, 1}, Params: e.params}
}

// module puts entries together, behind what they share.
func module(u *emit.Uses, shared string, entries ...*entry) (*emit.Module, error) {
	var body strings.Builder
	body.WriteString(shared)
	for _, e := range entries {
		if err := e.fits(); err != nil {
			return nil, err
		}
		body.WriteString(e.source())
	}
	return &emit.Module{Text: u.Unit(body.String())}, nil
}

// fits is nil if the kernel can take its parameters.
func (e *entry) fits() error {
	// 4096 bytes are what a kernel may take on every card; an argument has two
	// words.
	if bytes := 16 * len(e.params); bytes > 4096 {
		return fmt.Errorf("cuda: %s: %d parameters: %w", e.name, len(e.params), device.ErrUnsupported)
	}
	return nil
}

// kernels is the entries of a program before they are a module.
type kernels struct {
	uses    *emit.Uses
	shared  string // text before the entries
	entries []*entry
	blocks  []int // of each entry
	scratch []int
}

func (k *kernels) module() (*emit.Module, error) {
	m, err := module(k.uses, k.shared, k.entries...)
	if err != nil {
		return nil, err
	}
	for i, e := range k.entries {
		m.Steps = append(m.Steps, e.step(k.blocks[i]))
	}
	m.Scratch = k.scratch
	return m, nil
}
