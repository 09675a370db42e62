package sched

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// Run is an evaluation under way: the nodes asked for and the values they are
// about to have, and what launches refer to until they have run. Runs are used
// again: whoever waits for one, or gives it something to call, has no more to do
// with it afterwards.
type Run struct {
	engine *Engine
	dev    *Device
	lanes  []int // streams that were given work

	// borrowed says that something comes from a run that was not over. One
	// launch of that run may have made it together with what failed.
	borrowed bool

	// mu guards what others ask about who have a value of the run.
	mu     sync.Mutex
	nodes  []*graph.Node
	values []*Value // each with a reference to its block until the run is settled

	past    graph.Past   // of the only node, or of all
	pasts   []graph.Past // by node; nil if past is theirs
	buffers []device.Buffer
	args    []scalar.Arg
	table   []device.Buffer // by buffer of the plan
	blocks  []*device.Block // by slot
	events  []device.Event
	final   []device.Event // by lane
	queues  []device.Queue // by lane
	graph   *graphed       // of a recording; nil launches step by step

	left   atomic.Int32 // values to come, and one for Then itself
	then   Waiter
	arrive func() // r.arrived
}

// Waiter is told how an evaluation ended.
type Waiter interface{ Done(error) }

// newRun is a run of what was walked.
func (e *Engine) newRun(d *Device, w *walker) *Run {
	r := e.runs.Get().(*Run)
	r.dev = d
	for _, l := range w.leaves {
		r.borrowed = r.borrowed || w.values[l].run.Load() != nil
	}
	return r
}

func makeRun(e *Engine) *Run {
	r := &Run{engine: e}
	r.arrive = r.arrived
	return r
}

// free lets another evaluation have the run.
func (r *Run) free() {
	if len(r.values) > 0 {
		r.mu.Lock()
		r.drop()
		r.mu.Unlock()
	}
	clear(r.buffers)
	r.forget()
	r.dev, r.lanes, r.borrowed, r.then = nil, nil, false, nil
	r.engine.runs.Put(r)
}

// drop lets go of nodes and values. r.mu is held.
func (r *Run) drop() {
	clear(r.nodes)
	clear(r.values)
	r.nodes, r.values = r.nodes[:0], r.values[:0]
}

// forget lets go of what only launching needs. Buffers and arguments are not among that:
// queues look at them when they get there.
func (r *Run) forget() {
	clear(r.table)
	clear(r.blocks)
	clear(r.events)
	clear(r.final)
	clear(r.queues)
	r.table, r.blocks, r.events, r.final, r.queues = r.table[:0], r.blocks[:0], r.events[:0], r.final[:0], r.queues[:0]
	r.past, r.pasts, r.graph = r.past[:0], nil, nil
}

// resize gives a slice n elements, keeping its memory.
func resize[T any](s []T, n int) []T {
	return slices.Grow(s[:0], n)[:n]
}

// fence is an event that a lane waits for before it starts.
type fence struct {
	lane  int
	event device.Event
}

// submit launches what the nodes need, computing stands in their place. All
// nodes are on one device. Nodes that have values already, or are about to,
// are not computed again.
func (e *Engine) submit(ctx context.Context, nodes, stands []*graph.Node) (*Run, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	d, err := e.device(nodes[0].Device)
	if err != nil {
		return nil, err
	}
	w := &e.walk
	w.begin(d)
	defer w.done()
	w.inParts = !slices.Equal(nodes, stands)
	if err := w.addAll(ctx, stands); err != nil {
		return nil, err
	}
	r := e.newRun(d, w)
	if len(w.leaves) == len(w.nodes) {
		r.mu.Lock()
		defer r.mu.Unlock()
		for i, n := range stands {
			r.hold(nodes[i], w.values[w.at(n)])
		}
		return r, nil
	}
	s, err := e.scheduleFor(w, stands)
	if err == nil {
		err = r.launch(ctx, w, s, stands)
	}
	if err != nil {
		r.free()
		return nil, err
	}
	r.publish(w, s, nodes, stands)
	w.count()
	return r, nil
}

func (w *walker) addAll(ctx context.Context, nodes []*graph.Node) error {
	for _, n := range nodes {
		if err := w.add(ctx, n); err != nil {
			return err
		}
	}
	if len(w.transfers) > 0 && !w.planning {
		return &needsTransfer{append([]*graph.Node(nil), w.transfers...)}
	}
	return nil
}

func (e *Engine) scheduleFor(w *walker, nodes []*graph.Node) (*schedule, error) {
	w.finishKey(nodes)
	if s := e.plans.get(w.key); s != nil {
		return s, nil
	}
	begin := time.Now()
	s, err := w.dev.schedule(w, nodes)
	if err == nil {
		e.plans.put(w.key, s)
		e.tracedPlan(s, begin)
	}
	return s, err
}

// hold takes note of a value, with a reference of its own. r.mu is held.
func (r *Run) hold(n *graph.Node, v *Value) {
	v.block.Retain()
	r.nodes = append(r.nodes, n)
	r.values = append(r.values, v)
}

// launch gives the schedule memory and queues all of it, or fails and leaves
// no trace. What can be done once the device is at work is left to publish.
func (r *Run) launch(ctx context.Context, w *walker, s *schedule, stands []*graph.Node) error {
	e, d := r.engine, r.dev
	r.queues = resize(r.queues, len(s.lanes))
	for i, stream := range s.lanes {
		st, err := d.stream(stream)
		if err != nil {
			return err
		}
		r.queues[i] = st.queue
	}
	// Donated leaves have pasts themselves, and allocate lets them go. Without
	// any, the device need not wait for it.
	if slices.ContainsFunc(s.slots, func(sl slot) bool { return sl.leaf >= 0 }) {
		r.remember(w, stands)
	}
	e.fences = e.fences[:0]
	if err := r.allocate(ctx, w, s); err != nil {
		return err
	}
	r.lanes = s.lanes

	r.table = resize(r.table, len(s.slotOf))
	for b, at := range s.slotOf {
		switch {
		case at >= 0:
			r.table[b] = r.blocks[at].Buffer
		case b < len(w.leaves):
			r.table[b] = w.values[w.leaves[b]].block.Buffer
		}
	}
	r.buffers = resize(r.buffers, len(s.refs))
	for i, b := range s.refs {
		r.buffers[i] = r.table[b]
	}
	r.args = resize(r.args, len(s.args))
	for i, a := range s.args {
		r.args[i] = w.nodes[a.Node].Args[a.Index]
	}
	for _, rd := range s.reads {
		v := w.values[w.leaves[rd.leaf]]
		if v.stream != s.lanes[rd.lane] && !v.happened() {
			r.queues[rd.lane].Wait(v.event)
		}
	}
	for _, fe := range e.fences {
		r.queues[fe.lane].Wait(fe.event)
	}
	r.queue(ctx, w, s)
	return nil
}

// remember notes what the results are computed from, once.
func (r *Run) remember(w *walker, stands []*graph.Node) {
	switch {
	case r.pasts != nil || len(r.past) > 0:
	case w.recorded:
		r.past = append(r.past, graph.Anything...)
	case len(stands) == 1:
		r.past = graph.AppendPast(r.past, w.nodes)
	default:
		r.pasts = w.pasts.Of(w.nodes, &w.pos, stands)
	}
}

// allocate gives every slot a block. Donated blocks are taken last, when
// little can fail any more.
func (r *Run) allocate(ctx context.Context, w *walker, s *schedule) error {
	r.blocks = resize(r.blocks, len(s.slots))
	clear(r.blocks)
	for _, donated := range [...]bool{false, true} {
		for i := range s.slots {
			if donated != (s.slots[i].leaf >= 0) {
				continue
			}
			if g := r.graph; g != nil && g.blocks != nil && g.blocks[i] != nil {
				r.blocks[i] = g.blocks[i]
				r.blocks[i].Retain()
				continue
			}
			var err error
			if r.blocks[i], err = r.block(ctx, w, s, &s.slots[i]); err != nil {
				for _, b := range r.blocks {
					if b != nil {
						b.Release()
					}
				}
				return err
			}
		}
	}
	return nil
}

// block is the memory for a slot.
func (r *Run) block(ctx context.Context, w *walker, s *schedule, sl *slot) (*device.Block, error) {
	e := r.engine
	wait := func(ev device.Event) { e.fences = append(e.fences, fence{sl.lane, ev}) }
	if sl.leaf >= 0 {
		at := w.leaves[sl.leaf]
		if v := w.values[at]; v.give() {
			w.nodes[at].HoldRef(&releasedValue.self)
			v.block.Leave(&v.self)
			v.block.Fence(s.lanes[sl.lane], wait)
			return v.block, nil
		}
	}
	return r.dev.pool.Get(ctx, sl.bytes, s.lanes[sl.lane], wait)
}

// queue launches every step.
func (r *Run) queue(ctx context.Context, w *walker, s *schedule) {
	if ctx != nil && ctx.Done() == nil {
		ctx = nil
	}
	r.events = resize(r.events, s.events)
	r.engine.launches++
	tracers := r.engine.tracers.Load()
	for i := range s.steps {
		st := &s.steps[i]
		q := r.queues[st.lane]
		for _, ev := range st.waits {
			q.Wait(r.events[ev])
		}
		l := device.Launch{
			Kernel: st.kernel, Adds: st.adds, Label: device.Label{Op: st.label}, Context: ctx,
			Reads:  r.buffers[st.reads[0]:st.reads[1]],
			Writes: r.buffers[st.writes[0]:st.writes[1]],
			Args:   r.args[st.args[0]:st.args[1]],
		}
		if st.blamed >= 0 {
			l.Label.From = w.nodes[st.blamed].From()
		}
		if r.graph != nil {
			r.graph.launches = append(r.graph.launches, l)
		} else if tracers == nil {
			q.Launch(l)
		} else {
			s.traced(*tracers, i, q, l, r.engine.launches)
		}
		if st.record >= 0 {
			r.events[st.record] = q.Record()
		}
	}
	if r.graph != nil {
		r.graph.keep(s, r.blocks)
		r.graph.launch(r.queues[0])
	}
	for _, w := range s.ends {
		r.queues[w.lane].Wait(r.events[w.event])
	}
	r.final = resize(r.final, len(s.lanes))
	for i, q := range r.queues {
		r.final[i] = q.Record()
	}
}

// publish notes until when each block is used, and by which launch, and puts values on the nodes.
func (r *Run) publish(w *walker, s *schedule, nodes, stands []*graph.Node) {
	r.remember(w, stands)
	for i := range s.slots {
		for _, lane := range s.slots[i].lanes {
			r.blocks[i].Use(s.lanes[lane], r.final[lane])
		}
	}
	for _, rd := range s.reads {
		w.values[w.leaves[rd.leaf]].block.Use(s.lanes[rd.lane], r.final[rd.lane])
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, n := range nodes {
		at := w.at(stands[i])
		if v := w.values[at]; v != nil { // a leaf, or asked for twice
			r.hold(n, v)
			continue
		}
		res := &s.plan.Results[i]
		var v *Value
		if slot := s.slotOf[res.Buffer]; slot >= 0 {
			lane := s.laneOf[res.Buffer]
			b := r.blocks[slot]
			b.Retain()
			v = newValue(r.dev, b, res.View, s.lanes[lane], r.final[lane], true)
		} else {
			leaf := w.values[w.leaves[res.Buffer]]
			leaf.block.Retain()
			v = newValue(r.dev, leaf.block, res.View, leaf.stream, leaf.event, false)
		}
		if r.pasts != nil {
			v.past = r.pasts[i]
		} else {
			v.own = append(v.own[:0], r.past...)
			v.past = v.own
		}
		v.run.Store(r)
		r.hold(n, v)
		w.values[at] = v
		n.HoldRef(&v.self)
	}
	for _, b := range r.blocks {
		b.Release()
	}
	r.forget() // while the device computes
}
