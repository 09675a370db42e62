package nd

import (
	"context"
	"errors"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
	"github.com/twiddle-go/twiddle/nd/internal/sched"
)

// Compiled is a function of arrays whose graph is built once for each kind of
// inputs and then used again: a call costs what launching it costs, however many
// operations and gradients it is made of. It is safe for use from any number of
// goroutines.
type Compiled struct {
	f        func(in ...*Array) []*Array
	recorder sched.Recorder
}

// Compile makes a Compiled of f. Whenever it is called with shapes, types, layouts
// or streams that it does not know, it calls f with arrays that stand for the
// inputs, and keeps what f builds. So f is not called every time: what it does
// besides building a graph is not repeated, arrays that it uses and was not given
// stay as they are, a random key that is not an input gives the same numbers in
// every call, and the elements of inputs cannot be read in it.
//
// What no input reaches is computed once and kept: windows, filters and their
// spectra, whether f makes them or captures them, lazy or not.
//
//	step := nd.Compile(func(in ...*nd.Array) []*nd.Array {
//		value, g := nd.ValueAndGrad(loss(in[0], in[1]), in[0])
//		return []*nd.Array{value, in[0].Sub(g[0].MulScalar(0.1))}
//	})
//	out, err := step.Call(ctx, w, x)
func Compile(f func(in ...*Array) []*Array) *Compiled { return &Compiled{f: f} }

// Call computes the function and returns when the results are there. They have no
// gradients by anything: what is to be differentiated is differentiated in the
// function. Inputs that were donated may be overwritten, as by Eval.
//
// A function of arrays of several devices, or of none, is built anew every time.
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
