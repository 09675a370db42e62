package graph

import (
	"encoding/binary"
	"sync/atomic"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/caller"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// Def says what a node is.
type Def struct {
	Op     Op
	Attr   Attr // nil where the operation needs none
	In     []*Node
	Type   elem.Type
	Shape  []int
	Args   []scalar.Arg // run-time constants, not part of the key
	Device int          // index of the device in the engine; all inputs share it
	Stream int          // index of the stream on that device
}

// Node is one operation applied to its inputs. Its definition never changes,
// so any number of goroutines may read it; the two things that an evaluation
// changes, the held value and the cut from the inputs, are atomic.
type Node struct {
	Op   Op
	Type elem.Type
	// Computed is how often the node was computed without being kept. The engine counts,
	// one evaluation at a time.
	Computed uint32
	Attr     Attr
	Shape    []int
	Args     []scalar.Arg
	Device   int
	Stream   int

	serial uint64         // counts nodes in the order they are made
	in     unsafe.Pointer // *inputs; set before anybody else has the node, from then on atomic
	held   atomic.Pointer[any]
	few    [1]scalar.Arg // room for Args, so that a constant is one allocation
}

// inputs is a list of nodes with room for the usual few, so that it is one
// allocation.
type inputs struct {
	list []*Node
	few  [3]*Node
}

// serials counts nodes.
var serials atomic.Uint64

// New makes a node. It checks nothing: the constructors of this package, one per
// operation, check the rules and then call New. The lists of inputs and arguments
// are copied, shapes and attributes are kept.
func New(d Def) *Node { return newNode(&d, d.In, d.Args) }

// newNode is New with the inputs and arguments apart, those of d being
// disregarded: a list that is only copied can stay on its caller's stack.
func newNode(d *Def, in []*Node, args []scalar.Arg) *Node {
	n := &Node{Op: d.Op, Attr: d.Attr, Type: d.Type, Shape: d.Shape,
		Device: d.Device, Stream: d.Stream, serial: serials.Add(1)}
	if len(args) > 0 {
		n.Args = append(n.few[:0:1], args...)
	}
	if len(in) > 0 {
		own := new(inputs)
		own.list = append(own.few[:0], in...)
		n.in = unsafe.Pointer(own)
	}
	return n
}

// Again is another node of the same definition, with the inputs that n has.
func (n *Node) Again() *Node {
	return newNode(&Def{Op: n.Op, Attr: n.Attr, Type: n.Type, Shape: n.Shape, Device: n.Device, Stream: n.Stream}, n.In(), n.Args)
}

// In is the node's inputs; empty for a source and after Detach.
func (n *Node) In() []*Node {
	if p := (*inputs)(atomic.LoadPointer(&n.in)); p != nil {
		return p.list
	}
	return nil
}

// Detach lets go of the inputs, so that an evaluated result does not keep the
// whole history of its computation alive. Only a node that holds a value is
// detached, and the scheduler does both under its lock.
func (n *Node) Detach() {
	atomic.StorePointer(&n.in, nil)
	if a, ok := n.Attr.(DetourAttr); ok {
		a.way.Store(nil)
	}
}

// AppendKey writes everything about the node but its device, its inputs, its
// constants and its held value. No key is the beginning of another.
func (n *Node) AppendKey(b []byte) []byte {
	b = append(b, byte(n.Op), byte(n.Type), byte(len(n.Args)))
	b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(n.Stream)), uint64(len(n.Shape)))
	for _, d := range n.Shape {
		b = binary.AppendUvarint(b, uint64(d))
	}
	at := len(b)
	b = append(b, 0)
	if n.Attr != nil {
		if b = n.Attr.AppendKey(b); len(b) > at+1 {
			b[at] = 1
		}
	}
	return b
}

// Held is what an evaluation left on the node, or nil. Its type is the
// scheduler's business.
func (n *Node) Held() any {
	if p := n.held.Load(); p != nil {
		return *p
	}
	return nil
}

// Hold puts v on the node; nil takes it away.
func (n *Node) Hold(v any) {
	if v == nil {
		n.held.Store(nil)
		return
	}
	n.held.Store(&v)
}

// HoldRef puts *v on the node, which never changes: Hold without an allocation.
func (n *Node) HoldRef(v *any) { n.held.Store(v) }

// Unhold takes *v away if it is what HoldRef put on the node.
func (n *Node) Unhold(v *any) bool { return n.held.CompareAndSwap(v, nil) }

// Holds reports whether *v is what HoldRef put on the node.
func (n *Node) Holds(v *any) bool { return n.held.Load() == v }

// From is the call to blame for an error of the node while it runs; nil for operations that
// have none of their own.
func (n *Node) From() *caller.Call {
	switch a := n.Attr.(type) {
	case IndexAttr:
		return a.From
	case CustomAttr:
		return a.Launch.From
	}
	return nil
}

// Len is the number of elements.
func (n *Node) Len() int { return lists.Product(n.Shape) }
