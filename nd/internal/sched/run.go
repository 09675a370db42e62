package sched

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// Run is an evaluation under way: the nodes asked for and the values they are
// about to have.
type Run struct {
	engine *Engine
	nodes  []*graph.Node
	values []*Value // each with a reference to its block until the run is settled
	frame  *frame
	dev    *Device
	lanes  []int // streams that were given work

	// borrowed says that something comes from a run that was not over. One
	// launch of that run may have made it together with what failed.
	borrowed bool

	mu      sync.Mutex
	settled bool
	err     error

	fewNodes  [2]*graph.Node
	fewValues [2]*Value
}

// frame is what launches refer to until they have run.
type frame struct {
	buffers []device.Buffer
	args    []scalar.Arg
	table   []device.Buffer // by buffer of the plan
	blocks  []*device.Block // by slot
	events  []device.Event
	final   []device.Event // by lane
	queues  []device.Queue // by lane
}

func (f *frame) reset() {
	clear(f.buffers)
	clear(f.table)
	clear(f.blocks)
	clear(f.events)
	clear(f.final)
	clear(f.queues)
}

// resize gives a slice n elements, keeping its memory.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
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
	if err := w.addAll(ctx, stands); err != nil {
		return nil, err
	}
	r := &Run{engine: e, dev: d}
	r.nodes = append(r.fewNodes[:0], nodes...)
	r.values = r.fewValues[:0]
	for _, l := range w.leaves {
		r.borrowed = r.borrowed || w.values[l].run.Load() != nil
	}
	if len(w.leaves) == len(w.nodes) {
		for _, n := range stands {
			r.hold(w.values[w.pos[n]])
		}
		return r, nil
	}
	s, err := e.scheduleFor(w, stands)
	if err != nil {
		return nil, err
	}
	if err := r.launch(ctx, w, s, stands); err != nil {
		return nil, err
	}
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
	s, err := w.dev.schedule(w, nodes)
	if err == nil {
		e.plans.put(w.key, s)
	}
	return s, err
}

// hold takes note of a value, with a reference of its own.
func (r *Run) hold(v *Value) {
	v.block.Retain()
	r.values = append(r.values, v)
}

// launch gives the schedule memory and queues all of it, or fails and leaves
// no trace.
func (r *Run) launch(ctx context.Context, w *walker, s *schedule, stands []*graph.Node) error {
	e, d := r.engine, r.dev
	f := e.frames.Get().(*frame)
	f.queues = resize(f.queues, len(s.lanes))
	for i, stream := range s.lanes {
		st, err := d.stream(stream)
		if err != nil {
			return err
		}
		f.queues[i] = st.queue
	}
	e.fences = e.fences[:0]
	if err := r.allocate(ctx, w, s, f); err != nil {
		return err
	}
	r.frame, r.lanes = f, s.lanes

	f.table = resize(f.table, len(s.slotOf))
	for b, at := range s.slotOf {
		switch {
		case at >= 0:
			f.table[b] = f.blocks[at].Buffer
		case b < len(w.leaves):
			f.table[b] = w.values[w.leaves[b]].block.Buffer
		}
	}
	f.buffers = resize(f.buffers, len(s.refs))
	for i, b := range s.refs {
		f.buffers[i] = f.table[b]
	}
	f.args = resize(f.args, len(s.args))
	for i, a := range s.args {
		f.args[i] = w.nodes[a.Node].Args[a.Index]
	}
	for _, rd := range s.reads {
		v := w.values[w.leaves[rd.leaf]]
		if v.stream != s.lanes[rd.lane] && !v.happened() {
			f.queues[rd.lane].Wait(v.event)
		}
	}
	for _, fe := range e.fences {
		f.queues[fe.lane].Wait(fe.event)
	}
	s.queue(ctx, f)
	r.publish(w, s, f, stands)
	return nil
}

// allocate gives every slot a block. Donated blocks are taken last, when
// little can fail any more.
func (r *Run) allocate(ctx context.Context, w *walker, s *schedule, f *frame) error {
	f.blocks = resize(f.blocks, len(s.slots))
	clear(f.blocks)
	for _, donated := range [...]bool{false, true} {
		for i := range s.slots {
			if donated != (s.slots[i].leaf >= 0) {
				continue
			}
			var err error
			if f.blocks[i], err = r.block(ctx, w, s, &s.slots[i]); err != nil {
				for _, b := range f.blocks {
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
		if v := w.values[w.leaves[sl.leaf]]; v.give() {
			v.block.Fence(s.lanes[sl.lane], wait)
			return v.block, nil
		}
	}
	return r.dev.pool.Get(ctx, sl.bytes, s.lanes[sl.lane], wait)
}

// queue launches every step.
func (s *schedule) queue(ctx context.Context, f *frame) {
	if ctx != nil && ctx.Done() == nil {
		ctx = nil
	}
	f.events = resize(f.events, s.events)
	for i := range s.steps {
		st := &s.steps[i]
		q := f.queues[st.lane]
		for _, ev := range st.waits {
			q.Wait(f.events[ev])
		}
		q.Launch(device.Launch{
			Kernel: st.kernel, Adds: st.adds, Label: st.label, Context: ctx,
			Reads:  f.buffers[st.reads[0]:st.reads[1]],
			Writes: f.buffers[st.writes[0]:st.writes[1]],
			Args:   f.args[st.args[0]:st.args[1]],
		})
		if st.record >= 0 {
			f.events[st.record] = q.Record()
		}
	}
	for _, w := range s.ends {
		f.queues[w.lane].Wait(f.events[w.event])
	}
	f.final = resize(f.final, len(s.lanes))
	for i, q := range f.queues {
		f.final[i] = q.Record()
	}
}

// publish notes who uses which block until when, and puts values on the nodes.
func (r *Run) publish(w *walker, s *schedule, f *frame, stands []*graph.Node) {
	for i := range s.slots {
		for _, lane := range s.slots[i].lanes {
			f.blocks[i].Use(s.lanes[lane], f.final[lane])
		}
	}
	for _, rd := range s.reads {
		w.values[w.leaves[rd.leaf]].block.Use(s.lanes[rd.lane], f.final[rd.lane])
	}
	var past graph.Past
	var pasts []graph.Past
	if len(stands) == 1 {
		past = graph.PastOf(w.nodes)
	} else {
		pasts = graph.Pasts(w.nodes, w.pos, stands)
	}
	for i, n := range r.nodes {
		at := w.pos[stands[i]]
		if v := w.values[at]; v != nil { // a leaf, or asked for twice
			r.hold(v)
			continue
		}
		res := &s.plan.Results[i]
		var v *Value
		if slot := s.slotOf[res.Buffer]; slot >= 0 {
			lane := s.laneOf[res.Buffer]
			b := f.blocks[slot]
			b.Retain()
			v = newValue(r.dev, b, res.View, s.lanes[lane], f.final[lane])
		} else {
			leaf := w.values[w.leaves[res.Buffer]]
			leaf.block.Retain()
			v = newValue(r.dev, leaf.block, res.View, leaf.stream, leaf.event)
		}
		if v.past = past; pasts != nil {
			v.past = pasts[i]
		}
		v.run.Store(r)
		r.hold(v)
		w.values[at] = v
		n.Hold(v)
	}
	for _, b := range f.blocks {
		b.Release()
	}
}

// flush makes sure that the run's work is being done.
func (r *Run) flush() {
	if r.frame == nil {
		return
	}
	for _, lane := range r.lanes {
		if s, err := r.dev.stream(lane); err == nil {
			s.queue.Flush()
		}
	}
}

// Wait returns when the values are there, with the first failure, or when ctx
// is done.
func (r *Run) Wait(ctx context.Context) error {
	if len(r.lanes) > 1 {
		r.flush()
	}
	for _, v := range r.values {
		if err := v.event.Wait(ctx); err != nil {
			r.flush()
			r.Then(nil)
			return err
		}
	}
	return r.settle()
}

// Then settles the run when its last value is there and calls f with the
// outcome. It makes nothing run: flush does.
func (r *Run) Then(f func(error)) {
	left := new(atomic.Int32)
	left.Store(1)
	arrive := func() {
		if left.Add(-1) == 0 {
			err := r.settle()
			if f != nil {
				f(err)
			}
		}
	}
	for _, v := range r.values {
		if !v.happened() {
			left.Add(1)
			v.event.Then(arrive)
		}
	}
	arrive()
}

// settle finds out how the run ended; every value's event has happened. What
// launches referred to is free for another run.
func (r *Run) settle() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.settled {
		return r.err
	}
	r.settled = true
	for i, v := range r.values {
		if owner := v.run.Load(); owner == r {
			r.finish(i)
		} else if owner != nil {
			owner.settleValue(v)
		}
		if err := v.block.Err(); err != nil && r.err == nil {
			r.err = err
		}
		v.block.Release()
	}
	if r.frame != nil {
		r.frame.reset()
		r.engine.frames.Put(r.frame)
		r.frame = nil
	}
	return r.err
}

// settleValue finds out how one value of the run ended, which has happened,
// while others may still be on their way.
func (r *Run) settleValue(v *Value) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range r.values {
		if r.values[i] == v && v.run.Load() == r {
			r.finish(i)
		}
	}
}

// finish takes a value that failed off its node, so that the node can be
// evaluated again, and lets a node with a good one go of its inputs. r.mu is
// held.
func (r *Run) finish(i int) {
	v, n := r.values[i], r.nodes[i]
	switch {
	case v.block.Err() == nil:
		n.Detach()
	case !v.isReleased():
		if n.Held() == any(v) {
			n.Hold(nil)
		}
		v.release()
	}
	v.run.Store(nil)
}

// mayBeOthers reports whether a failure may be that of another evaluation: of
// its context, or of something that these nodes do not depend on.
func (r *Run) mayBeOthers(err error) bool {
	var c *device.Cancelled
	return err != nil && (r.borrowed || errors.As(err, &c))
}
