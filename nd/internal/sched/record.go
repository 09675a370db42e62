package sched

import (
	"context"
	"errors"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

var (
	// ErrNotRecorded says that nothing is known of inputs such as these.
	ErrNotRecorded = errors.New("not recorded")
	// ErrPlain says that the graph has to be built and evaluated as any other.
	ErrPlain = errors.New("cannot be recorded")
)

// Recorder keeps the graphs of a function of nodes, walked and scheduled: one
// for every kind of inputs. Using one again costs no more than launching it.
type Recorder struct {
	byKey map[string]*recording // nil for those that cannot be recorded; guarded by the engine's lock
}

// maxRecordings bounds the kinds of inputs that a Recorder knows: a function
// that is called with ever new shapes gains nothing from being recorded.
const maxRecordings = 64

// recording is a walk that is kept. Between calls it has no values.
type recording struct {
	w       walker
	s       *schedule
	params  []int         // by leaf: the input that stands for it, or -1
	nodes   []*graph.Node // by leaf: the node that was walked
	views   []shape.View  // by leaf: how its elements lay
	stands  []*graph.Node // what is computed
	copies  []*graph.Node // nodes such as results are, by stand
	results []recordedResult
	graph   graphed
}

// recordedResult is where a result is found: among what is computed, among the
// inputs, or it is a node that was there before.
type recordedResult struct {
	stand, input int // -1 if it is not there
	node         *graph.Node
}

// Function is a graph to be recorded.
type Function struct {
	Inputs  []*graph.Node // such as those that it is recorded for; they have values
	Params  []*graph.Node // data nodes without elements that stand for them
	Outputs []*graph.Node
	// Invariants are nodes that no param reaches, and Computed has their values.
	Invariants, Computed []*graph.Node
}

// Record keeps the graph of a function.
func (e *Engine) Record(ctx context.Context, rec *Recorder, f Function) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	kind, values, err := e.inputKey(ctx, nil, f.Inputs)
	if err != nil {
		return err
	}
	key := string(kind)
	if r, known := rec.byKey[key]; known { // another caller was first
		if r == nil {
			err = ErrPlain
		}
		return releaseAll(values, err)
	}
	// While the graph is walked, nodes hold the values that stand for them.
	nodes := slices.Concat(f.Params, f.Invariants)
	for _, n := range f.Computed {
		v, err := values[0].dev.valueOf(ctx, n)
		if err == nil && v == nil {
			err = ErrPlain // it failed since
		}
		if err != nil {
			return releaseAll(values, err)
		}
		values = append(values, v)
	}
	held := make([]bool, len(values))
	defer func() {
		for i, v := range values {
			if held[i] {
				nodes[i].Unhold(&v.self)
			}
			v.block.Release()
		}
	}()
	r := &recording{w: walker{recorded: true, there: f.Invariants}}
	r.w.begin(values[0].dev)
	for i, v := range values {
		if held[i] = nodes[i].Held() == nil; held[i] {
			nodes[i].HoldRef(&v.self)
		}
	}
	if err = r.w.addAll(ctx, f.Outputs); err == nil {
		r.sort(f)
		if err = r.copyStands(); err == nil {
			r.s, err = e.scheduleFor(&r.w, r.stands)
		}
	}
	r.w.there = nil // the graph is not kept alive
	r.letGo()
	if isTransfer(err) {
		err = ErrPlain
	}
	switch {
	case err == ErrPlain:
		r = nil
	case err != nil:
		return err
	}
	if rec.byKey == nil || len(rec.byKey) == maxRecordings {
		rec.byKey = map[string]*recording{}
	}
	rec.byKey[key] = r
	return err
}

// sort tells inputs from other leaves, and results from both.
func (r *recording) sort(f Function) {
	w := &r.w
	for _, l := range w.leaves {
		n := w.nodes[l]
		r.params = append(r.params, slices.Index(f.Params, n))
		if i := slices.Index(f.Invariants, n); i >= 0 {
			n = f.Computed[i]
		}
		r.nodes = append(r.nodes, n)
		r.views = append(r.views, w.values[l].view)
	}
	for _, n := range f.Outputs {
		res := recordedResult{stand: -1, input: slices.Index(f.Params, n), node: n}
		if w.values[w.at(n)] == nil {
			if res.stand = slices.Index(r.stands, n); res.stand < 0 {
				res.stand = len(r.stands)
				r.stands = append(r.stands, n)
			}
		}
		r.results = append(r.results, res)
	}
}

// copyStands makes the nodes that results are made after.
func (r *recording) copyStands() error {
	if len(r.stands) == 0 {
		return ErrPlain
	}
	for _, n := range r.stands {
		// No data node: those never had inputs, so that nothing leads to them.
		c, err := graph.NewMap(scalar.Copy, n)
		if err != nil {
			return err
		}
		r.copies = append(r.copies, c)
	}
	return nil
}

// inputKey describes the kind of inputs, until it is asked again, and appends their values
// with references to their blocks to an empty list.
func (e *Engine) inputKey(ctx context.Context, values []*Value, inputs []*graph.Node) ([]byte, []*Value, error) {
	if len(inputs) == 0 {
		return nil, nil, ErrPlain
	}
	d, err := e.device(inputs[0].Device)
	if err != nil {
		return nil, nil, err
	}
	e.kind = e.kind[:0]
	for _, n := range inputs {
		var v *Value
		if n.Device != d.index {
			err = ErrPlain
		} else if v, err = d.valueOf(ctx, n); err == nil && v == nil {
			err = ErrNotRecorded
		}
		if err != nil {
			return nil, nil, releaseAll(values, err)
		}
		values = append(values, v)
		e.kind = appendLeaf(e.kind, n, v)
	}
	return e.kind, values, nil
}

// releaseAll gives references back because of an error, which it returns.
func releaseAll(values []*Value, err error) error {
	for _, v := range values {
		v.block.Release()
	}
	return err
}

// Recall starts what was recorded for inputs such as these. It fails with
// ErrNotRecorded if nothing was.
func (e *Engine) Recall(ctx context.Context, rec *Recorder, inputs []*graph.Node) (*Run, []*graph.Node, error) {
	if ctx == nil {
		return nil, nil, ErrNilContext
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	var few [8]*Value
	key, values, err := e.inputKey(ctx, few[:0], inputs)
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		for _, v := range values {
			if v != nil {
				v.block.Release()
			}
		}
	}()
	r, known := rec.byKey[string(key)]
	switch {
	case !known:
		return nil, nil, ErrNotRecorded
	case r == nil:
		return nil, nil, ErrPlain
	case r.w.dev != values[0].dev: // the device was opened again
		delete(rec.byKey, string(key))
		return nil, nil, ErrNotRecorded
	}
	defer r.letGo()
	if err := r.bind(ctx, inputs, values); err != nil {
		return nil, nil, err
	}
	run := e.newRun(r.w.dev, &r.w)
	run.graph = r.graphOf()
	if err := run.launch(ctx, &r.w, r.s, r.stands); err != nil {
		run.free()
		return nil, nil, err
	}
	fresh := make([]*graph.Node, len(r.copies))
	for i, n := range r.copies {
		fresh[i] = n.Again()
	}
	run.publish(&r.w, r.s, fresh, r.stands)
	outputs := make([]*graph.Node, len(r.results))
	for i, res := range r.results {
		switch {
		case res.stand >= 0:
			outputs[i] = fresh[res.stand]
		case res.input >= 0:
			outputs[i] = inputs[res.input]
		default:
			outputs[i] = res.node
		}
	}
	return run, outputs, nil
}

// bind gives every leaf its value, with a reference to its block. It takes over
// those of inputs that are used: an input that is given away must have no others.
func (r *recording) bind(ctx context.Context, inputs []*graph.Node, values []*Value) error {
	w := &r.w
	for i, l := range w.leaves {
		if p := r.params[i]; p >= 0 {
			w.nodes[l], w.values[l] = inputs[p], values[p]
			values[p] = nil
			continue
		}
		v, err := w.dev.valueOf(ctx, r.nodes[i])
		if err != nil {
			return err
		}
		if w.values[l] = v; v == nil || v.view.Offset != r.views[i].Offset || !slices.Equal(v.view.Strides, r.views[i].Strides) {
			return ErrPlain // it failed since, and was computed anew, or is to be
		}
	}
	return nil
}

// letGo gives back the values of a call, and keeps none of its inputs alive.
func (r *recording) letGo() {
	w := &r.w
	for i, l := range w.leaves {
		if v := w.values[l]; v != nil {
			v.block.Release()
		}
		if i < len(r.nodes) {
			w.nodes[l] = r.nodes[i]
		}
	}
	clear(w.values)
}
