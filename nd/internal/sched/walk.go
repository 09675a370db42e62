package sched

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/plan"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// walker lists what an evaluation needs, inputs first, and writes the key of
// its plan. It is reused, so that walking a graph again allocates nothing.
type walker struct {
	dev       *Device
	pos       graph.Places
	nodes     []*graph.Node
	values    []*Value // by node; nil for those to be computed
	leaves    []int32  // nodes whose values are there
	stack     []visit
	key       []byte
	transfers []*graph.Node // nodes that wait for a copy from another device
	planning  bool          // nothing will run: such nodes are leaves
	inParts   bool          // the graph computes parts of something, to need less memory
	recorded  bool          // results are of a graph that others use, too
	there     []*graph.Node // leaves whose values were waited for: they cannot fail any more
	pasts     graph.Pasts
}

// visit is a node whose inputs are being visited.
type visit struct {
	node *graph.Node
	in   []*graph.Node
	next int
}

// maxScratch is how many nodes the scratch of a walk keeps room for.
const maxScratch = 1 << 16

// begin starts a walk over nodes of a device. The walk before was ended by
// done.
func (w *walker) begin(d *Device) { w.dev = d }

// at is the place of a node that was walked.
func (w *walker) at(n *graph.Node) int {
	i, _ := w.pos.At(n)
	return i
}

// done gives back the references that the walk took and keeps nothing of the
// graph alive.
func (w *walker) done() {
	for _, l := range w.leaves {
		w.values[l].block.Release()
	}
	if w.pos.Len() > maxScratch {
		*w = walker{}
		return
	}
	w.pos.Clear()
	clear(w.nodes)
	clear(w.values)
	clear(w.stack)
	clear(w.transfers)
	w.dev, w.planning, w.inParts = nil, false, false
	w.nodes, w.values, w.leaves = w.nodes[:0], w.values[:0], w.leaves[:0]
	w.stack, w.key, w.transfers = w.stack[:0], w.key[:0], w.transfers[:0]
}

// add visits an output and everything it needs.
func (w *walker) add(ctx context.Context, out *graph.Node) error {
	if err := w.enter(ctx, out); err != nil {
		return err
	}
	for len(w.stack) > 0 {
		top := &w.stack[len(w.stack)-1]
		if top.next < len(top.in) {
			top.next++
			if err := w.enter(ctx, top.in[top.next-1]); err != nil {
				return err
			}
			continue
		}
		w.number(top.node, nil)
		w.key = top.node.AppendKey(append(w.key, keyNode))
		w.key = binary.AppendUvarint(w.key, uint64(len(top.in)))
		for _, in := range top.in {
			w.key = binary.AppendUvarint(w.key, uint64(w.at(in)))
		}
		*top = visit{}
		w.stack = w.stack[:len(w.stack)-1]
	}
	return nil
}

// What a piece of the key describes.
const (
	keyNode  = iota
	keyThere // of the leaf that follows
	keyLeaf
	keyLeafStrided
	keyLeafDonated
	keyOutput
	keyOutputInParts
	keyOutputApart
)

// seenMark is the position of a node that is being visited.
const seenMark = -1

func (w *walker) enter(ctx context.Context, n *graph.Node) error {
	if _, isNew := w.pos.Add(n, seenMark); !isNew {
		return nil
	}
	if n.Device != w.dev.index {
		return fmt.Errorf("operand on device %d, want %d", n.Device, w.dev.index)
	}
	v, err := w.dev.valueOf(ctx, n)
	if err != nil {
		return err
	}
	if v != nil {
		w.number(n, v)
		w.leaves = append(w.leaves, int32(len(w.nodes)-1))
		if slices.Contains(w.there, n) {
			w.key = append(w.key, keyThere)
		}
		w.key = appendLeaf(w.key, n, v)
		return nil
	}
	switch n.Op {
	case graph.Data:
		return fmt.Errorf("an input of shape %v of a compiled function has no elements while the function is read", n.Shape)
	case graph.Transfer:
		w.transfers = append(w.transfers, n)
		if w.planning { // as the value will be that the copy gives
			v = &Value{dev: w.dev, view: shape.Contiguous(n.Shape), stream: ioQueue}
			w.number(n, v)
			w.key = appendLeaf(w.key, n, v)
		}
		return nil
	}
	w.stack = append(w.stack, visit{node: n, in: n.In()})
	return nil
}

func (w *walker) number(n *graph.Node, v *Value) {
	w.pos.Set(n, len(w.nodes))
	w.nodes = append(w.nodes, n)
	w.values = append(w.values, v)
}

// appendLeaf adds the kind of a leaf to a key.
func appendLeaf(key []byte, n *graph.Node, v *Value) []byte {
	strided := v.view.Offset != 0 || !v.view.IsContiguous()
	switch {
	case strided:
		key = append(key, keyLeafStrided)
	case v.isDonated():
		key = append(key, keyLeafDonated)
	default:
		key = append(key, keyLeaf)
	}
	key = append(key, byte(n.Type))
	key = binary.AppendUvarint(key, uint64(n.Stream))
	key = binary.AppendUvarint(key, uint64(len(n.Shape)))
	for _, d := range n.Shape {
		key = binary.AppendUvarint(key, uint64(d))
	}
	if strided {
		key = binary.AppendVarint(key, int64(v.view.Offset))
		for _, s := range v.view.Strides {
			key = binary.AppendVarint(key, int64(s))
		}
	}
	return key
}

// valueOf is the value of a node with a reference to its block, or nil if the
// node is to be computed. Elements that only the host has are given a block.
func (d *Device) valueOf(ctx context.Context, n *graph.Node) (*Value, error) {
	for {
		switch h := n.Held().(type) {
		case nil:
			return nil, nil
		case *graph.Host:
			b, ev, err := d.upload(ctx, h.Bytes)
			if err != nil {
				return nil, err
			}
			n.HoldRef(&newValue(d, b, shape.Contiguous(n.Shape), ioQueue, ev, true).self)
		case *Value:
			if r := h.run.Load(); r != nil && h.happened() {
				r.settleValue(h)
			}
			if h == releasedValue {
				return nil, ErrReleased
			}
			if !n.Holds(&h.self) || !h.acquire() {
				continue // it had failed
			}
			if !n.Holds(&h.self) {
				h.block.Release()
				continue
			}
			if h.dev != d {
				h.block.Release()
				return nil, h.dev.closedError()
			}
			return h, nil
		default:
			return nil, fmt.Errorf("node holds a %T", h)
		}
	}
}

// lowerGraph restates the walk for lowering.
func (w *walker) lowerGraph(outputs []*graph.Node) *plan.Graph {
	g := &plan.Graph{Nodes: append([]*graph.Node(nil), w.nodes...), In: make([][]plan.NodeID, len(w.nodes)), Leaf: make([]int, len(w.nodes))}
	for i, n := range w.nodes {
		g.Leaf[i] = -1
		if v := w.values[i]; v != nil {
			g.Leaf[i] = len(g.Leaves)
			g.Leaves = append(g.Leaves, plan.Leaf{Node: plan.NodeID(i), View: v.view, There: slices.Contains(w.there, n)})
			continue
		}
		g.In[i] = lists.Map(n.In(), func(in *graph.Node) plan.NodeID { return plan.NodeID(w.at(in)) })
	}
	g.Outputs = lists.Map(outputs, func(out *graph.Node) plan.NodeID { return plan.NodeID(w.at(out)) })
	return g
}

// apart reports whether what is walked may become a graph of the device: results then
// have memory of their own, because it moves from call to call.
func (w *walker) apart() bool { return w.recorded && w.dev.grapher != nil }

// finishKey ends the key with what is asked for.
func (w *walker) finishKey(outputs []*graph.Node) {
	switch {
	case w.inParts:
		w.key = append(w.key, keyOutputInParts)
	case w.apart():
		w.key = append(w.key, keyOutputApart)
	default:
		w.key = append(w.key, keyOutput)
	}
	w.key = binary.AppendUvarint(w.key, uint64(w.dev.index))
	for _, n := range outputs {
		w.key = binary.AppendUvarint(w.key, uint64(w.at(n)))
	}
}
