package lines

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// outer is the lines of a program and how blocks share them. Blocks take tiles
// of neighbours along one dimension, or, where no dimension has whole tiles,
// whatever lines follow each other.
type outer struct {
	dims    []int   // collapsed, outermost first
	strides [][]int // by slot in a buffer, then dimension; nil for others
	margins [][]int // by slot with a margin: how it moves
	tile    int     // the dimension that tiles are along, -1 for all
	columns bool    // neighbouring lines are neighbours in memory: threads follow them
	turned  bool    // they do so only for the results
	names   []string
}

// outerOf drops dimensions of one line and joins those that every slot walks
// as one.
func outerOf(p *ir.Line) outer {
	o := outer{strides: make([][]int, len(p.Slots)), margins: make([][]int, len(p.Slots)), tile: -1}
	for d := len(p.Outer) - 1; d >= 0; d-- {
		n := p.Outer[d]
		if n == 1 {
			continue
		}
		if len(o.dims) > 0 && o.joins(p, d) {
			o.dims[0] *= n
			continue
		}
		o.dims = append([]int{n}, o.dims...)
		for i, s := range p.Slots {
			if s.Kind != ir.LocalSlot {
				o.strides[i] = append([]int{s.Strides[d]}, o.strides[i]...)
			}
			if s.Margin != nil {
				o.margins[i] = append([]int{s.Margin.Strides[d]}, o.margins[i]...)
			}
		}
	}
	if len(o.dims) == 0 {
		o.dims = []int{1}
		for i, s := range p.Slots {
			if s.Kind != ir.LocalSlot {
				o.strides[i] = []int{0}
			}
			if s.Margin != nil {
				o.margins[i] = []int{0}
			}
		}
	}
	return o
}

// joins reports whether dimension d continues the outermost one so far.
func (o *outer) joins(p *ir.Line, d int) bool {
	for i, s := range p.Slots {
		if s.Kind != ir.LocalSlot && s.Strides[d] != o.strides[i][0]*o.dims[0] {
			return false
		}
		if s.Margin != nil && s.Margin.Strides[d] != o.margins[i][0]*o.dims[0] {
			return false
		}
	}
	return true
}

// choose picks the dimension of tiles: the last, whose lines are neighbours in
// memory, unless a quarter of the threads would idle there. Lines that share an
// operand are elsewhere, but reading it once per tile saves less than lines far
// apart cost.
func (o *outer) choose(lines int) {
	n := o.dims[len(o.dims)-1]
	if tiles := (n + lines - 1) / lines; 4*n >= 3*tiles*lines {
		o.tile = len(o.dims) - 1
	}
}

// columnsOf is the dimension along which a transform's lines lie side by side,
// if its elements do not; -1 if there is none.
func (o *outer) columnsOf(slot, along int) int {
	if along == 1 || along == -1 {
		return -1
	}
	for d, n := range o.dims {
		if o.strides[slot][d] == 1 && n >= 4 {
			return d
		}
	}
	return -1
}

// begin writes which line a thread works on, and the pointers to it. Sizes and
// strides are parameters.
func (k *kernel) begin(params *params) {
	o := &k.outer
	across := fmt.Sprintf("threadIdx.x %% %d", k.lines)
	if o.columns {
		k.line("const int row = %s, t = threadIdx.x / %d;", across, k.lines)
	} else {
		k.line("const int row = threadIdx.x / %d, t = threadIdx.x %% %d;", k.threads, k.threads)
	}
	if o.tile >= 0 {
		n := params.number("n0", o.dims[o.tile])
		tiles := params.number("tiles", (o.dims[o.tile]+k.lines-1)/k.lines)
		k.line("u32 rest = blockIdx.x / (u32)%s;", tiles)
		k.line("const u32 first = blockIdx.x %% (u32)%s * %d, at = first + row;", tiles, k.lines)
		k.line("const bool live = at < (u32)%s;", n)
		k.line("const u32 x = live ? at : (u32)%s - 1;", n)
		if o.turned {
			k.line("const int row2 = %s, t2 = threadIdx.x / %d;", across, k.lines)
			k.line("const u32 at2 = first + row2;")
			k.line("const bool live2 = at2 < (u32)%s;", n)
			k.line("const u32 x2 = live2 ? at2 : (u32)%s - 1;", n)
		}
	} else {
		n := params.number("n", ir.Count(o.dims))
		k.line("const u32 at = blockIdx.x * %d + row;", k.lines)
		k.line("const bool live = at < (u32)%s;", n)
		k.line("u32 rest = live ? at : (u32)%s - 1;", n)
	}
	o.names = make([]string, len(o.dims))
	for d := len(o.dims) - 1; d >= 0; d-- { // the last is the fastest
		if d == o.tile {
			o.names[d] = "x"
			continue
		}
		o.names[d] = fmt.Sprintf("y%d", d)
		if d == 0 || d == 1 && o.tile == 0 {
			k.line("const u32 %s = rest;", o.names[d])
			continue
		}
		n := params.number(fmt.Sprintf("m%d", d), o.dims[d])
		k.line("const u32 %s = rest %% (u32)%s; rest /= (u32)%s;", o.names[d], n, n)
	}
	if k.pitch > 0 {
		k.line("extern __shared__ __align__(16) unsigned char shared[];")
	}
	k.pointers(params)
	if o.turned {
		k.line("unsigned char* const swap2 = shared + row2 * %d;", k.pitch)
	}
}

// pointers declares where a line's slots are.
func (k *kernel) pointers(params *params) {
	for i, s := range k.p.Slots {
		if s.Kind != ir.LocalSlot && !k.isSum(i) {
			k.locate(i, s, params)
		}
	}
	if k.pitch > 0 {
		k.line("unsigned char* const own = shared + row * %d;", k.pitch)
	}
	if k.exchange > 0 {
		k.line("unsigned char* const swap = own;")
	}
	for i := range k.p.Slots {
		if h, ok := k.homes[i]; ok {
			k.line("%s* const %s = (%s*)(own + %d);", emit.Memory(k.p.Slots[i].Type), h.name, emit.Memory(k.p.Slots[i].Type), h.offset)
		}
	}
}

// locate writes the pointer to a slot's line.
func (k *kernel) locate(i int, s ir.Slot, params *params) {
	o := &k.outer
	qualifier := ""
	if s.Kind == ir.InSlot {
		qualifier = "const "
	}
	sum := params.number(fmt.Sprintf("o%d", i), s.Offset)
	for d, name := range o.names {
		if o.strides[i][d] == 0 {
			continue
		}
		if d == o.tile && o.turned && s.Kind == ir.OutSlot {
			name = "x2"
		}
		sum += fmt.Sprintf(" + (i64)%s * %s", name, params.number(fmt.Sprintf("q%d_%d", i, d), o.strides[i][d]))
	}
	k.line("%s%s* __restrict__ s%d = p%d + (%s);", qualifier, emit.Memory(s.Type), i, i, sum)
	if s.Margin == nil {
		return
	}
	sum = params.number(fmt.Sprintf("from%d", i), -s.Margin.From)
	for d, name := range o.names {
		if o.margins[i][d] != 0 {
			sum += fmt.Sprintf(" + (i64)%s * %s", name, params.number(fmt.Sprintf("r%d_%d", i, d), o.margins[i][d]))
		}
	}
	k.line("const i64 run%d = %s, length%d = %s;", i, sum, i, params.number(fmt.Sprintf("to%d", i), s.Margin.To-s.Margin.From))
	if s.Margin.Rule == ir.Constant {
		k.line("const %s fill%d = %s;", emit.Value(s.Type), i, k.argument(s.Type, s.Margin.Fill))
	}
}

// argument is a launch argument as a value.
func (k *kernel) argument(t elem.Type, slot int) string {
	c := &ir.Code{Instrs: []ir.Instr{{Kind: ir.Const, Type: t, Slot: slot}}}
	return k.code(c, nil, one(place{}), []int{0})[0][0]
}

// blocks is the size of the grid.
func (k *kernel) blocks() int {
	o := &k.outer
	if o.tile < 0 {
		return (ir.Count(o.dims) + k.lines - 1) / k.lines
	}
	return (o.dims[o.tile] + k.lines - 1) / k.lines * (ir.Count(o.dims) / o.dims[o.tile])
}

// params are the parameters of a kernel.
type params struct {
	declared []string
	list     []emit.Param
}

func (p *params) add(declaration string, v emit.Param) {
	p.declared = append(p.declared, declaration)
	p.list = append(p.list, v)
}

// number is the name of a number that is a parameter.
func (p *params) number(name string, v int) string {
	p.add("const i64 "+name, emit.Int(v))
	return name
}
