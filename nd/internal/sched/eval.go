package sched

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// Start launches what the nodes need, which are all on one device. Elements
// that come from other devices are waited for and copied first. What does not
// fit into the device's memory is computed in parts, one after the other.
func (e *Engine) Start(ctx context.Context, nodes []*graph.Node) (*Run, error) {
	stands, parts := nodes, 1
	var short error // the first time memory ran out
	for {
		r, err := e.submit(ctx, nodes, stands)
		if err == nil {
			return r, nil
		}
		var need *needsTransfer
		switch {
		case errors.As(err, &need):
			e.startSources(ctx, need.nodes)
			for _, n := range need.nodes {
				if err := e.transfer(ctx, n); err != nil {
					return nil, err
				}
			}
		case device.IsOutOfMemory(err) && e.dropGraphsOf(nodes[0].Device): // and try again
		case device.IsOutOfMemory(err):
			if short == nil {
				short = err
			}
			parts *= 2
			if stands = e.inParts(nodes, parts); stands == nil {
				return nil, short
			}
		default:
			return nil, err
		}
	}
}

// mostParts bounds how finely a computation is cut.
const mostParts = 256

// inParts is what to compute in place of nodes, so that less is needed at one
// time; nil if there is no way.
func (e *Engine) inParts(nodes []*graph.Node, parts int) []*graph.Node {
	if parts > mostParts {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	stands := slices.Clone(nodes)
	found := false
	for i, n := range nodes {
		if first := slices.Index(nodes, n); first < i {
			stands[i] = stands[first]
		} else if n.Held() == nil {
			if p := graph.InParts(n, parts); p != nil {
				stands[i], found = p, true
			}
		}
	}
	if !found {
		return nil
	}
	return stands
}

// ErrNilContext is the error of evaluations with no context.
var ErrNilContext = errors.New("the context is nil")

// Eval computes the nodes and waits for them. Where somebody else's
// evaluation computes one of them and fails, Eval starts again.
func (e *Engine) Eval(ctx context.Context, nodes []*graph.Node) error {
	if ctx == nil {
		return ErrNilContext
	}
	if e.verifying.Load() && e.verifier.choose() {
		return e.evalVerified(ctx, nodes)
	}
	return e.eval(ctx, nodes)
}

func (e *Engine) eval(ctx context.Context, nodes []*graph.Node) error {
	for {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		r, err := e.Start(ctx, nodes)
		if err != nil {
			return err
		}
		borrowed := r.borrowed
		if err = r.Wait(ctx); err == nil || !mayBeOthers(err, borrowed) {
			return err // what may be another's is not told, not even if time is up
		}
	}
}

// Async starts computing the nodes and tells w the outcome, from any goroutine.
func (e *Engine) Async(nodes []*graph.Node, w Waiter) {
	r, err := e.submit(context.Background(), nodes, nodes)
	switch {
	case err == nil:
		r.flush()
		r.Then(w)
	case isTransfer(err) || device.IsOutOfMemory(err):
		go e.again(slices.Clone(nodes), w)
	default:
		w.Done(err)
	}
}

// again evaluates what could not be computed without waiting.
func (e *Engine) again(nodes []*graph.Node, w Waiter) { w.Done(e.Eval(context.Background(), nodes)) }

// Read computes a node and copies its elements, in row-major order, to dst.
func (e *Engine) Read(ctx context.Context, n *graph.Node, dst []byte) error {
	if err := e.Eval(ctx, []*graph.Node{n}); err != nil {
		return err
	}
	return e.read(ctx, n, dst)
}

// read is Read that is never verified.
func (e *Engine) read(ctx context.Context, n *graph.Node, dst []byte) error {
	if err := e.eval(ctx, []*graph.Node{n}); err != nil {
		return err
	}
	v, err := e.held(n)
	if err != nil {
		return err
	}
	defer v.block.Release()
	if len(dst) == 0 {
		return v.block.Err()
	}
	if v.view.Offset != 0 || !v.view.IsContiguous() {
		dense, err := graph.NewMap(scalar.Copy, n)
		if err != nil {
			return err
		}
		return e.read(ctx, dense, dst)
	}
	if v.dev.closed.Load() {
		return v.dev.closedError()
	}
	if err := v.event.Wait(ctx); err != nil {
		return err
	}
	return v.dev.back.Read(ctx, dst, v.block.Buffer)
}

// held is the value of an evaluated node, with a reference to its block.
func (e *Engine) held(n *graph.Node) (*Value, error) {
	for {
		v, ok := n.Held().(*Value)
		switch {
		case !ok:
			return nil, fmt.Errorf("array lost its value") // a failure came in between
		case v == releasedValue:
			return nil, ErrReleased
		case !v.acquire(): // it is about to be taken off the node
		case n.Holds(&v.self):
			return v, nil
		default: // it was, and may be another node's by now
			v.block.Release()
		}
	}
}
