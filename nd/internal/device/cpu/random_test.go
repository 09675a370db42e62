package cpu_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cpu"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/reference"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// Random programs are built from operations that have one right answer in
// every bit, so that results are compared exactly. Their data are small
// integers, and where they are added up they stay so: sums are then exact in
// any order.

// maker builds random programs from a seed.
type maker struct {
	*rand.Rand
	args  []scalar.Arg
	small bool // values stay small integers
}

func newMaker(seed uint64) *maker {
	return &maker{Rand: rand.New(rand.NewPCG(seed, 99)), args: []scalar.Arg{
		scalar.ArgOf(elem.Float32, 2), scalar.IntArg(3), {0x1234, 0}, {0xfffffffffffffffd, 9},
	}}
}

func (m *maker) dims() []int {
	switch m.IntN(8) {
	case 0:
		return []int{}
	case 1:
		return []int{1 + m.IntN(9000)}
	case 2:
		return []int{1 + m.IntN(5), 256 + m.IntN(3000)}
	case 3:
		return []int{200 + m.IntN(300), 1 + m.IntN(40)}
	}
	dims := make([]int, 1+m.IntN(4))
	for i := range dims {
		dims[i] = 1 + m.IntN(9)
	}
	if m.IntN(20) == 0 {
		dims[m.IntN(len(dims))] = 0
	}
	return dims
}

// layout gives an operand over dims; one that is written repeats nothing.
func (m *maker) layout(t elem.Type, dims []int, written bool) ir.Operand {
	o := ir.Operand{Type: t, Offset: m.IntN(3), Strides: make([]int, len(dims))}
	order := m.Perm(len(dims))
	if m.IntN(2) == 0 {
		slices.Sort(order)
		slices.Reverse(order) // row-major
	}
	gaps := m.IntN(4) == 0
	n := 1
	for _, i := range order {
		o.Strides[i] = n
		if gaps {
			n += m.IntN(3)
		}
		n *= max(dims[i], 1)
	}
	for i := range dims {
		switch m.IntN(8) {
		case 0:
			o.Offset += o.Strides[i] * max(dims[i]-1, 0)
			o.Strides[i] = -o.Strides[i]
		case 1:
			if !written {
				o.Strides[i] = 0
			}
		case 2:
			if i > 0 && !written && o.Strides[i] > 0 && o.Strides[i-1] > 0 { // a window that slides
				o.Strides[i-1], o.Strides[i] = 1, 1+m.IntN(2)
			}
		}
	}
	return o
}

// repeats reports an operand that may read an element at more than one point.
func repeats(o ir.Operand, dims []int) bool {
	order := lists.Make(len(dims), func(i int) int { return i })
	stride := func(i int) int { return max(o.Strides[i], -o.Strides[i]) }
	slices.SortFunc(order, func(i, j int) int { return stride(i) - stride(j) })
	next := 1 // behind what the dimensions so far touch
	for _, i := range order {
		if dims[i] > 1 {
			if stride(i) < next {
				return true
			}
			next += stride(i) * (dims[i] - 1)
		}
	}
	return false
}

// data fills a buffer for o with small integers.
func (m *maker) data(o ir.Operand, dims []int) []byte {
	_, hi := o.Span(dims)
	buf := make([]byte, (hi+3)*o.Type.Size())
	for i := range hi + 3 {
		v := reference.Cast(o.Type, reference.Integer(elem.Int64, int64(m.IntN(9)-3)))
		reference.Store(v, buf, i)
	}
	return buf
}

var (
	exactUnary = []scalar.Op{
		scalar.Copy, scalar.Neg, scalar.Abs, scalar.Sign, scalar.Sqrt, scalar.Floor, scalar.Ceil, scalar.Round, scalar.Not,
		scalar.IsNaN, scalar.IsInf, scalar.Real, scalar.Imag, scalar.Conj, scalar.AbsSquared, scalar.Cast,
	}
	exactBinary = []scalar.Op{
		scalar.Add, scalar.Sub, scalar.Mul, scalar.Div, scalar.Maximum, scalar.Minimum, scalar.Equal, scalar.NotEqual,
		scalar.Less, scalar.LessEqual, scalar.Greater, scalar.GreaterEqual, scalar.And, scalar.Or, scalar.Xor,
		scalar.MakeComplex, scalar.Rem, scalar.Pow,
	}
)

// isExact leaves out what may be rounded in more than one way, and what leads
// out of the small integers where it must not.
func (m *maker) isExact(op scalar.Op, t elem.Type) bool {
	switch op {
	case scalar.Mul, scalar.Div, scalar.Sqrt, scalar.Pow, scalar.AbsSquared, scalar.RandUniform, scalar.RandBits:
		if m.small {
			return false
		}
	}
	switch op {
	case scalar.Pow:
		return t.IsInteger()
	case scalar.Sqrt:
		return !t.IsComplex()
	case scalar.Mul, scalar.Div, scalar.Abs, scalar.AbsSquared, scalar.Sign:
		return !t.IsComplex()
	}
	return true
}

// code makes random instructions over dims.
func (m *maker) code(dims []int, acc elem.Type) ir.Code {
	var c ir.Code
	if acc.Valid() {
		c.Instrs = append(c.Instrs, ir.Instr{Kind: ir.Acc, Type: acc})
	}
	// A few types only, so that operands match often.
	types := []elem.Type{elem.Bool, elem.All[m.IntN(len(elem.All))], elem.All[m.IntN(len(elem.All))], elem.Float32}
	for range 1 + m.IntN(3) {
		t := types[m.IntN(len(types))]
		c.In = append(c.In, m.layout(t, dims, false))
		c.Instrs = append(c.Instrs, ir.Instr{Kind: ir.Load, Type: t, Slot: len(c.In) - 1})
	}
	for range m.IntN(25) {
		if i, ok := m.instruction(&c, dims, types); ok {
			c.Instrs = append(c.Instrs, i)
		}
	}
	return c
}

func (m *maker) instruction(c *ir.Code, dims []int, types []elem.Type) (ir.Instr, bool) {
	pick := func() ir.ValueID { return ir.ValueID(m.IntN(len(c.Instrs))) }
	switch m.IntN(12) {
	case 0:
		t := types[m.IntN(len(types))]
		slot := 1
		if t.IsFloat() || t.IsComplex() {
			slot = 0
		}
		return ir.Instr{Kind: ir.Const, Type: t, Slot: slot}, true
	case 1:
		c.Positions = append(c.Positions, m.layout(elem.Int64, dims, false))
		return ir.Instr{Kind: ir.Index, Type: elem.Int64, Slot: len(c.Positions) - 1}, !m.small
	case 2:
		a := pick()
		if c.Instrs[a].Type != elem.Int64 {
			return ir.Instr{}, false
		}
		i := []ir.Instr{
			{Kind: ir.Apply, Op: scalar.RandInt, Type: elem.Int32, A: a, Slot: 2},
			{Kind: ir.Apply, Op: scalar.RandUniform, Type: elem.Float32, A: a, Slot: 2},
			{Kind: ir.Apply, Op: scalar.RandBits, Type: elem.Uint32, A: a, Slot: 2},
		}[m.IntN(3)]
		return i, m.isExact(i.Op, i.Type)
	case 3:
		i := ir.Instr{Kind: ir.Apply, Op: scalar.Where, A: pick(), B: pick(), C: pick()}
		var err error
		i.Type, err = i.Op.Result(c.Instrs[i.A].Type, c.Instrs[i.B].Type, c.Instrs[i.C].Type)
		return i, err == nil
	case 4, 5, 6:
		i := ir.Instr{Kind: ir.Apply, Op: exactUnary[m.IntN(len(exactUnary))], A: pick()}
		t := c.Instrs[i.A].Type
		if i.Op == scalar.Cast {
			i.Type = types[m.IntN(len(types))]
			return i, true
		}
		var err error
		i.Type, err = i.Op.Result(t)
		return i, err == nil && m.isExact(i.Op, t)
	}
	i := ir.Instr{Kind: ir.Apply, Op: exactBinary[m.IntN(len(exactBinary))], A: pick(), B: pick()}
	var err error
	i.Type, err = i.Op.Result(c.Instrs[i.A].Type, c.Instrs[i.B].Type)
	return i, err == nil && m.isExact(i.Op, c.Instrs[i.A].Type)
}

func (m *maker) mapProgram() *ir.Map {
	p := &ir.Map{Dims: m.dims()}
	p.Code = m.code(p.Dims, elem.Invalid)
	for range 1 + m.IntN(3) {
		v := p.Last()
		if m.IntN(3) == 0 {
			v = ir.ValueID(m.IntN(len(p.Instrs)))
		}
		p.Value = append(p.Value, v)
		p.Out = append(p.Out, m.layout(p.Instrs[v].Type, p.Dims, true))
	}
	return p
}

func (m *maker) reduceProgram() (*ir.Reduce, bool) {
	p := &ir.Reduce{Dims: m.dims(), Op: ir.ReduceOp(m.IntN(int(ir.ArgMin) + 1))}
	if len(p.Dims) == 0 {
		return nil, false
	}
	p.Inner = 1 + m.IntN(len(p.Dims))
	m.small = p.Op == ir.Sum
	p.Code = m.code(p.Dims, elem.Invalid)
	p.Value = p.Last()
	if m.IntN(3) == 0 {
		p.Value = 0
	}
	t := p.Instrs[p.Value].Type
	empty := ir.Count(p.Dims[len(p.Dims)-p.Inner:]) == 0
	switch p.Op {
	case ir.Sum:
		if t == elem.Bool {
			return nil, false
		}
	case ir.Prod: // exact in integers only
		if !t.IsInteger() {
			return nil, false
		}
	case ir.All, ir.Any:
		if t != elem.Bool {
			return nil, false
		}
	case ir.ArgMax, ir.ArgMin:
		if empty || t.IsComplex() {
			return nil, false
		}
		t = elem.Int64
	default:
		if t.IsComplex() {
			return nil, false
		}
	}
	m.small = false
	p.Post = m.code(p.Outer(), t)
	p.Out = m.layout(p.Post.Instrs[len(p.Post.Instrs)-1].Type, p.Outer(), true)
	return p, true
}

// buffers makes the data of a launch; spaces is the index space of each
// operand.
func (m *maker) buffers(p ir.Program, spaces func(i int) []int) (reads, writes [][]byte) {
	for i, o := range ir.Reads(p) {
		reads = append(reads, m.data(o, spaces(i)))
	}
	for i, o := range ir.Writes(p) {
		_, hi := o.Span(spaces(len(reads) + i))
		writes = append(writes, bytes.Repeat([]byte{0xa5}, (hi+3)*o.Type.Size()))
	}
	return reads, writes
}

// runOn runs p on a device, on copies of the buffers. over is the read that
// the first write goes to, -1 if it has its own buffer.
func runOn(t *testing.T, dev device.Device, p ir.Program, reads, writes [][]byte, args []scalar.Arg, over int) [][]byte {
	t.Helper()
	k, err := dev.Compile(p)
	if err != nil {
		t.Fatalf("compile %+v: %v", p, err)
	}
	q, err := dev.NewQueue()
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	l := device.Launch{Kernel: k, Args: args, Label: device.Label{Op: p.Name()}}
	alloc := func(data []byte) device.Buffer {
		b, err := dev.Alloc(len(data))
		if err != nil {
			t.Fatal(err)
		}
		q.Write(b, data)
		return b
	}
	for _, r := range reads {
		l.Reads = append(l.Reads, alloc(r))
	}
	for i, w := range writes {
		if i == 0 && over >= 0 {
			l.Writes = append(l.Writes, l.Reads[over])
			continue
		}
		l.Writes = append(l.Writes, alloc(w))
	}
	q.Launch(l)
	out := make([][]byte, len(writes))
	for i, w := range l.Writes {
		out[i] = make([]byte, len(writes[i]))
		if err := q.Read(context.Background(), out[i], w); err != nil {
			t.Fatalf("%+v: %v", p, err)
		}
	}
	for _, b := range append(l.Reads, l.Writes...) {
		dev.Free(b)
	}
	return out
}

// same compares elements; any NaN equals any other.
func same(t elem.Type, want, got []byte) error {
	size := t.Size()
	var errs []error
	for i := range len(want) / size {
		w, g := want[i*size:(i+1)*size], got[i*size:(i+1)*size]
		if bytes.Equal(w, g) {
			continue
		}
		a, b := reference.Load(t, want, i), reference.Load(t, got, i)
		both := func(x, y float64) bool { return x == y || math.IsNaN(x) && math.IsNaN(y) }
		if t.IsFloat() && both(a.Float64(), b.Float64()) ||
			t.IsComplex() && both(real(a.Num), real(b.Num)) && both(imag(a.Num), imag(b.Num)) {
			continue
		}
		errs = append(errs, fmt.Errorf("element %d: %v, want %v", i, b, a))
		if len(errs) == 3 {
			break
		}
	}
	return errors.Join(errs...)
}

// check compares a program's results with the reference's.
func check(t *testing.T, dev device.Device, p ir.Program, reads, writes [][]byte, args []scalar.Arg, over int) {
	t.Helper()
	want := make([][]byte, len(writes))
	for i := range writes {
		want[i] = bytes.Clone(writes[i])
	}
	if err := reference.Run(p, reads, want, args); err != nil {
		t.Fatal(err)
	}
	got := runOn(t, dev, p, reads, writes, args, over)
	for i, o := range ir.Writes(p) {
		if err := same(o.Type, want[i], got[i]); err != nil {
			t.Fatalf("output %d (over %d) of %+v: %v", i, over, p, err)
		}
	}
}

func checkMap(t *testing.T, dev device.Device, seed uint64) {
	m := newMaker(seed)
	p := m.mapProgram()
	reads, writes := m.buffers(p, func(int) []int { return p.Dims })
	// A result may be written over an operand that lies in the same way.
	over := slices.IndexFunc(p.In, func(in ir.Operand) bool {
		return in.Type.Size() == p.Out[0].Type.Size() && !repeats(in, p.Dims)
	})
	if over >= 0 {
		p.Out[0].Offset, p.Out[0].Strides = p.In[over].Offset, p.In[over].Strides
		writes[0] = bytes.Clone(reads[over])
	}
	check(t, dev, p, reads, writes, m.args, over)
}

func checkReduce(t *testing.T, dev device.Device, seed uint64) {
	m := newMaker(seed)
	p, ok := m.reduceProgram()
	if !ok {
		return
	}
	reads, writes := m.buffers(p, func(i int) []int {
		if i < len(p.In) {
			return p.Dims
		}
		return p.Outer()
	})
	check(t, dev, p, reads, writes, m.args, -1)
}

func FuzzMap(f *testing.F) {
	dev := cpu.Open(cpu.Options{Workers: 3})
	defer dev.Close()
	for seed := range uint64(400) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { checkMap(t, dev, seed) })
}

func FuzzReduce(f *testing.F) {
	dev := cpu.Open(cpu.Options{Workers: 3})
	defer dev.Close()
	for seed := range uint64(600) {
		f.Add(seed)
	}
	f.Add(uint64(8001452)) // the greatest of positions over windows
	f.Fuzz(func(t *testing.T, seed uint64) { checkReduce(t, dev, seed) })
}
