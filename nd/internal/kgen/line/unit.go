package line

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
)

// unit is a module in the making: kernels that share tables.
type unit struct {
	kgen.Module
	target kgen.Target
	tables map[string]int // by key
}

func newUnit(target kgen.Target) *unit { return &unit{target: target, tables: map[string]int{}} }

// entry is what a kernel is made of: its statements and its parameters.
type entry struct {
	*build.Kernel
	*unit
	params  []kgen.Param
	numbers map[string]build.Val
	buffers map[string]build.Val
	args    map[int]build.Val
	consts  map[kgen.ConstKey]kgen.Num
	views   map[ktree.Type]build.Val
	rooms   map[roomKey]build.Val
}

// start forgets the parameters of another kernel.
func (e *entry) start() {
	e.numbers, e.args, e.consts = map[string]build.Val{}, map[int]build.Val{}, map[kgen.ConstKey]kgen.Num{}
	e.views, e.rooms, e.buffers = map[ktree.Type]build.Val{}, map[roomKey]build.Val{}, map[string]build.Val{}
}

// buffer is a parameter that points to elements. Nobody else points there.
func (e *entry) buffer(name string, t ktree.Type, p kgen.Param, written bool) build.Val {
	if b, ok := e.buffers[name]; ok {
		return b
	}
	e.params = append(e.params, p)
	e.buffers[name] = e.Buffer(name, t, written)
	return e.buffers[name]
}

// positions is the kind of positions in buffers, and sizes that without signs.
func (e *entry) positions() ktree.Kind {
	if e.target.Wide {
		return ktree.Long
	}
	return ktree.Int
}

func (e *entry) sizes() ktree.Kind {
	if e.target.Wide {
		return ktree.Ulong
	}
	return ktree.Uint
}

// number is a parameter that is a whole number, once for each name.
func (e *entry) number(name string, v int) build.Val {
	if n, ok := e.numbers[name]; ok {
		return n
	}
	e.params = append(e.params, kgen.Param{Kind: kgen.Number, Value: int64(v)})
	e.numbers[name] = e.Number(name, ktree.Scalar(e.positions()))
	return e.numbers[name]
}

// argument is a launch argument: two words.
func (e *entry) argument(slot int) build.Val {
	if n, ok := e.args[slot]; ok {
		return n
	}
	e.params = append(e.params, kgen.Param{Kind: kgen.Argument, Index: slot})
	e.args[slot] = e.Number(fmt.Sprintf("arg%d", slot), ktree.Vector(ktree.Ulong, 2))
	return e.args[slot]
}

// roomKey is a part of a line's shared memory.
type roomKey struct {
	t      ktree.Type
	offset int // bytes
	turned bool
}
