package nd

import (
	"context"
	"errors"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
	"github.com/twiddle-go/twiddle/nd/internal/sched"
)

// Compiled is a function of arrays whose graph is built once for each kind of inputs and
// then reused: a call costs only its launches, however many operations and gradients the
// function has. It is safe for use from any number of goroutines.
type Compiled struct {
	f        func(in ...*Array) []*Array
	recorder sched.Recorder
}

// Compile returns a Compiled for f. When it is called with new shapes, types, layouts or
// streams, it calls f with arrays that stand for the inputs, and keeps the graph that f
// builds. Later calls do not run f. So side effects of f are not repeated, captured arrays
// keep their values, a random key that is not an input gives the same numbers in every
// call, and f cannot read elements of its inputs.
//
// Nodes that depend on no input are computed once and kept: windows, filters and their
// spectra, whether f makes them or captures them.
//
//	step := nd.Compile(func(in ...*nd.Array) []*nd.Array {
//		value, g := nd.ValueAndGrad(loss(in[0], in[1]), in[0])
//		return []*nd.Array{value, in[0].Sub(g[0].MulScalar(0.1))}
//	})
//	out, err := step.Call(ctx, w, x)
func Compile(f func(in ...*Array) []*Array) *Compiled { return &Compiled{f: f} }

// Call computes the function and returns when the results are there. Results have no
// gradients: call Grad inside the function. Inputs that were donated may be overwritten,
// as by Eval.
//
// If the function's arrays are on several devices, or if it has no inputs, its graph is
// built in every call.
func (c *Compiled) Call(ctx context.Context, in ...*Array) ([]*Array, error) {
	switch {
	case ctx == nil:
		return nil, evalError("call", sched.ErrNilContext)
	case c.f == nil:
		return nil, errors.New("nd: call: no function was compiled")
	}
	var few [8]*graph.Node
	nodes, err := toEvaluate(few[:0], in)
	if err != nil {
		return nil, err
	}
	run, out, err := engine.Recall(ctx, &c.recorder, nodes)
	if errors.Is(err, sched.ErrNotRecorded) {
		// Inputs that had to be computed first may be of a kind that is known.
		if err := Eval(ctx, in...); err != nil {
			return nil, err
		}
		run, out, err = engine.Recall(ctx, &c.recorder, nodes)
	}
	if errors.Is(err, sched.ErrNotRecorded) {
		if err = c.record(ctx, slices.Clone(nodes)); err == nil {
			run, out, err = engine.Recall(ctx, &c.recorder, nodes)
		}
		var bad *OpError
		if errors.As(err, &bad) {
			return nil, err
		}
	}
	if err == nil {
		arrays := arraysOf(out) // while the device computes them
		if err = run.Wait(ctx); err == nil {
			return arrays, nil
		}
	}
	if ctx.Err() != nil {
		return nil, evalError("call", err)
	}
	// What it takes to compute it otherwise, such as parts where memory is short,
	// Eval knows; and if there is no way, why.
	arrays := c.f(in...)
	if err := Eval(ctx, arrays...); err != nil {
		return nil, err
	}
	return arrays, nil
}

// record lets the function build its graph on inputs without elements.
func (c *Compiled) record(ctx context.Context, nodes []*graph.Node) error {
	params := make([]*graph.Node, len(nodes))
	for i, n := range nodes {
		var err error
		if params[i], err = graph.NewData(graph.Place{Device: n.Device, Stream: n.Stream}, n.Type, n.Shape); err != nil {
			return err
		}
	}
	outputs, err := toEvaluate(nil, c.f(arraysOf(params)...))
	if err != nil {
		return err
	}
	invariants := graph.Invariants(outputs, params)
	copies := make([]*graph.Node, len(invariants))
	for i, n := range invariants {
		// Copies, so that captured arrays keep their history.
		if copies[i], err = graph.NewMap(scalar.Copy, n); err != nil {
			return err
		}
	}
	if err := Eval(ctx, arraysOf(copies)...); err != nil {
		return err
	}
	return engine.Record(ctx, &c.recorder, sched.Function{
		Inputs: nodes, Params: params, Outputs: outputs, Invariants: invariants, Computed: copies})
}

func arraysOf(nodes []*graph.Node) []*Array {
	out := make([]*Array, len(nodes))
	for i, n := range nodes {
		out[i] = &Array{node: n}
	}
	return out
}
