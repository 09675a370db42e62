package kgen

import (
	"fmt"
	"math/bits"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// entry is a kernel in the making: its parameters and its statements.
type entry struct {
	*build.Kernel
	wide  bool // points and positions have 64 bits
	apart bool // no buffer is read and written
	loose bool // all strides are parameters: fewer kernels where addresses cost little

	params  []Param
	numbers map[string]build.Val
}

// newEntry is an entry of a kernel that computes no functions.
func newEntry(name string, threads int, wide bool) *entry {
	return Target{Wide: true}.newEntry(name, threads, wide)
}

func (t Target) newEntry(name string, threads int, wide bool) *entry {
	e := &entry{Kernel: build.NewKernel(name, threads), wide: wide, numbers: map[string]build.Val{}}
	e.NoDouble = !t.Wide
	return e
}

// index is the kind of a point's number, at that of a position in an operand.
func (e *entry) index() ktree.Kind { return e.orLong(ktree.Uint) }
func (e *entry) at() ktree.Kind    { return e.orLong(ktree.Int) }

func (e *entry) orLong(narrow ktree.Kind) ktree.Kind {
	if e.wide {
		return ktree.Long
	}
	return narrow
}

// number is a parameter that is a whole number, of kind at. What is asked for
// twice is there once.
func (e *entry) number(name string, v int) build.Val {
	return e.numberOf(name, v, e.at())
}

func (e *entry) numberOf(name string, v int, k ktree.Kind) build.Val {
	if n, ok := e.numbers[name]; ok {
		return n
	}
	n := e.Number(name, ktree.Scalar(k))
	e.params = append(e.params, Param{Kind: Number, Value: int64(v)})
	e.numbers[name] = n
	return n
}

// size is a number that counts points or elements, as an index.
func (e *entry) size(name string, v int) build.Val { return e.number(name, v).To(e.index()) }

// pointer is a parameter that is a buffer, already at the operand's offset.
func (e *entry) pointer(name string, o ir.Operand, p Param) build.Val {
	b := e.buffer(name, MemoryOf(o.Type), p)
	if o.Offset == 0 {
		return b
	}
	k := ktree.Int
	if e.wide || o.Offset > narrowMost {
		k = ktree.Long
	}
	return e.Let(name+"_at", b.Plus(e.numberOf(name+"_from", o.Offset, k)))
}

// buffer is a parameter that points to elements of type t.
func (e *entry) buffer(name string, t ktree.Type, p Param) build.Val {
	e.params = append(e.params, p)
	b := e.Buffer(name, t, p.Kind != ReadPointer)
	if !e.apart && (p.Kind == ReadPointer || p.Kind == WritePointer) {
		b.E.(*ktree.Ref).Var.Aliased = true
	}
	return b
}

// argument is a launch argument: two words.
func (e *entry) argument(slot int) build.Val {
	name := fmt.Sprintf("arg%d", slot)
	if n, ok := e.numbers[name]; ok {
		return n
	}
	n := e.Number(name, ktree.Vector(ktree.Ulong, 2))
	e.params = append(e.params, Param{Kind: Argument, Index: slot})
	e.numbers[name] = n
	return n
}

// Divisor encodes d, of 1 to 2^31, as a multiplier and a shift: multiplication
// by a reciprocal of 33 bits, of which the first is implied (Granlund and
// Montgomery, "Division by invariant integers", 1994).
func Divisor(d int) (multiplier, shift int) {
	shift = bits.Len(uint(d - 1))
	return int((uint64(1)<<shift-uint64(d))<<32/uint64(d) + 1), shift
}

// quotient is i, an index, divided by a parameter of this name. Numbers of 32 bits are below
// 2^31, so that the sum before the shift fits them.
func (e *entry) quotient(i build.Val, name string, by int) build.Val {
	if i.Kind() == ktree.Long {
		return i.Div(e.number(name, by))
	}
	m, s := Divisor(by)
	mul := e.numberOf(name+"_m", m, ktree.Uint)
	return build.Apply(ktree.MulHi, i, mul).Add(i).Shr(e.numberOf(name+"_s", s, ktree.Uint))
}

// point is the coordinates of point number i of a space.
func (e *entry) point(name string, i build.Val, dims []int) []build.Val {
	coords := make([]build.Val, len(dims))
	rest := i
	for d := len(dims) - 1; d > 0; d-- {
		size := fmt.Sprintf("%s_n%d", name, d)
		q := e.Let(fmt.Sprintf("%s_q%d", name, d), e.quotient(rest, size, dims[d]))
		coords[d] = e.Let(fmt.Sprintf("%s%d", name, d), rest.Sub(q.Mul(e.number(size, dims[d]).To(rest.Kind()))))
		rest = q
	}
	if len(dims) > 0 {
		coords[0] = e.Let(name+"0", rest)
	}
	return coords
}

// position is where an operand has a point, from its offset on, of kind at.
// Strides other than 0 and 1 are parameters called after name.
func (e *entry) position(name string, coords []build.Val, strides []int) build.Val {
	sum := build.Int(e.at(), 0)
	for d, s := range strides {
		switch {
		case s == 0 && !e.loose:
		case s == 1 && !e.loose:
			sum = sum.Add(coords[d].To(e.at()))
		default:
			sum = sum.Add(coords[d].To(e.at()).Mul(e.number(fmt.Sprintf("%s_s%d", name, d), s)))
		}
	}
	return sum
}

// first is the number of the group's first thread, each, and the thread's own
// behind it.
func (e *entry) first(each int) build.Val {
	return e.Let("first", e.Group().To(e.index()).Mul(e.Threads()*each).Add(e.Thread().To(e.index())))
}

// kernels is the entries of a program before they are a module.
type kernels struct {
	entries []*entry
	groups  []int // of each entry
	// like is the entry whose kernel a step launches with parameters of its own:
	// itself, or an earlier one that is the same but for numbers.
	like    []int
	scratch []int
	fault   func([4]uint64) error
}

func (k *kernels) add(e *entry, groups int) {
	k.entries = append(k.entries, e)
	k.groups = append(k.groups, groups)
	k.like = append(k.like, len(k.like))
}

// again launches the kernel of an earlier entry, which e is the same as but for
// numbers.
func (k *kernels) again(e *entry, groups, like int) {
	k.add(e, groups)
	k.like[len(k.like)-1] = like
}

func (k *kernels) module() (*Module, error) {
	m := &Module{Scratch: k.scratch, Fault: k.fault}
	kernel := make([]int, len(k.entries))
	for i, e := range k.entries {
		if err := e.fits(); err != nil {
			return nil, err
		}
		kernel[i] = kernel[k.like[i]]
		if k.like[i] == i {
			kernel[i] = len(m.Kernels)
			m.Kernels = append(m.Kernels, e.Program())
		}
		m.Steps = append(m.Steps, Step{Kernel: kernel[i], Groups: k.groups[i], Threads: e.Threads(), Params: e.params})
	}
	return m, nil
}

// mostParams is how many a kernel may have: 4096 bytes are what a kernel may take
// on every card, and an argument has two words.
const mostParams = 4096 / 16

// fits is nil if the kernel can take its parameters.
func (e *entry) fits() error {
	if len(e.params) > mostParams {
		return fmt.Errorf("kgen: %s: %d parameters: %w", e.Name(), len(e.params), device.ErrUnsupported)
	}
	return nil
}
