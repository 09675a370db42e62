package sched

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/twiddle-go/twiddle/nd/internal/cost"
	"github.com/twiddle-go/twiddle/nd/internal/device"
)

// Span is something that took time: a launch, or on the host the making of a
// plan.
type Span struct {
	Device     string // Host for what no device did
	Stream     int
	Evaluation uint64 // launches of one evaluation have the same
	Step       int    // of its plan
	Program    string
	Label      string
	Dims       []int
	Bytes      int
	Ops        float64
	Ns         float64 // predicted; 0 if nothing was
	Begin      time.Time
	Duration   time.Duration
}

// Host is the device of spans of the host.
const Host = "host"

// tracer tells one observer of spans.
type tracer struct {
	mu   sync.Mutex // held while f runs
	done bool
	f    func(Span)

	queues  map[device.Queue]*origin // guarded by the engine's lock
	pending sync.WaitGroup           // spans whose stamps are waited for
}

// origin is the moment that a device's clock is counted from.
type origin struct {
	stamp device.Stamp
	host  func() (time.Time, error)
	mu    sync.Mutex
	late  time.Duration // by which host is known to be too late
}

// Trace calls f for every span from now on, one after the other, until stop is
// called, which first waits for what was launched. f must not use the engine.
func (e *Engine) Trace(f func(Span)) (stop func()) {
	t := &tracer{f: f, queues: map[device.Queue]*origin{}}
	e.changeTracers(func(list []*tracer) []*tracer { return append(list, t) })
	return sync.OnceFunc(func() {
		e.changeTracers(func(list []*tracer) []*tracer {
			return slices.DeleteFunc(list, func(o *tracer) bool { return o == t })
		})
		for q := range t.queues {
			q.Flush()
			// An error is that of a device that was closed: it has no more spans.
			_ = q.Record().Wait(context.Background())
		}
		t.pending.Wait()
		t.mu.Lock()
		t.done = true
		t.mu.Unlock()
	})
}

// changeTracers replaces the list of tracers. Launches see the old one or the
// new one, whole.
func (e *Engine) changeTracers(change func([]*tracer) []*tracer) {
	e.mu.Lock()
	defer e.mu.Unlock()
	var list []*tracer
	if now := e.tracers.Load(); now != nil {
		list = slices.Clone(*now)
	}
	if list = change(list); len(list) == 0 {
		e.tracers.Store(nil)
		return
	}
	e.tracers.Store(&list)
}

func (t *tracer) tell(s Span) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.done {
		t.f(s)
	}
}

// traced launches step i and tells tracers when it has run. The engine's lock
// is held.
func (s *schedule) traced(list []*tracer, i int, q device.Queue, l device.Launch, evaluation uint64) {
	p := &s.plan.Steps[i]
	span := Span{Device: s.dev.info.Name, Stream: p.Stream, Evaluation: evaluation, Step: i, Program: p.Program.Name(), Label: p.Label,
		Dims: p.Program.Extent(), Bytes: cost.Traffic(p.Program), Ops: p.Program.Ops(), Ns: cost.Ns(p.Program, s.dev.info.Figures)}
	timer, ok := q.(device.Timer)
	if !ok {
		for _, t := range list {
			t.queues[q] = nil // to be waited for
		}
		l.Timed = func(begin, end time.Time) {
			span := span
			span.Begin, span.Duration = begin, end.Sub(begin)
			for _, t := range list {
				t.tell(span)
			}
		}
		q.Launch(l)
		return
	}
	for _, t := range list {
		if t.queues[q] == nil {
			t.queues[q] = newOrigin(timer)
		}
	}
	begin := timer.Stamp()
	q.Launch(l)
	end := timer.Stamp()
	for _, t := range list {
		o := t.queues[q]
		t.pending.Go(func() {
			if span, err := o.place(span, begin, end); err == nil {
				t.tell(span)
			}
		})
	}
}

// newOrigin ties a device's clock to the host's: the host notes the time when
// it sees the stamp happen. That is late by some 10 us, and by more on a busy host.
func newOrigin(timer device.Timer) *origin {
	o := &origin{stamp: timer.Stamp()}
	o.host = sync.OnceValues(func() (time.Time, error) {
		_, err := o.stamp.Since(context.Background(), o.stamp)
		return time.Now(), err
	})
	go o.host()
	return o
}

// place waits for the stamps around a launch and gives its span their times.
func (o *origin) place(s Span, begin, end device.Stamp) (Span, error) {
	host, err := o.host()
	if err != nil {
		return s, err
	}
	from, err := begin.Since(context.Background(), o.stamp)
	if err != nil {
		return s, err
	}
	s.Begin = host.Add(from)
	s.Duration, err = end.Since(context.Background(), begin)
	// It is over by now.
	o.mu.Lock()
	defer o.mu.Unlock()
	o.late = max(o.late, time.Until(s.Begin.Add(s.Duration)))
	s.Begin = s.Begin.Add(-o.late)
	return s, err
}

// tracedPlan tells of a plan that was made. The engine's lock is held.
func (e *Engine) tracedPlan(s *schedule, begin time.Time) {
	list := e.tracers.Load()
	if list == nil {
		return
	}
	span := Span{Device: Host, Program: "plan", Label: fmt.Sprintf("plan of %d steps for %s", len(s.steps), s.dev.info.Name),
		Begin: begin, Duration: time.Since(begin)}
	for _, t := range *list {
		t.tell(span)
	}
}

// HostSpan begins a span of the host that the caller names; end tells tracers that
// were there at its beginning. Spans at the same time have streams of their own, from
// 1 on: 0 has the plans.
func (e *Engine) HostSpan(label string) (end func()) {
	list := e.tracers.Load()
	if list == nil {
		return func() {}
	}
	row := e.hostRows.take()
	begin := time.Now()
	return sync.OnceFunc(func() {
		span := Span{Device: Host, Stream: 1 + row, Program: "host", Label: label, Begin: begin, Duration: time.Since(begin)}
		e.hostRows.put(row)
		for _, t := range *list {
			t.tell(span)
		}
	})
}

// rows hands out the least number that nobody has.
type rows struct {
	mu    sync.Mutex
	taken []bool
}

func (r *rows) take() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.Index(r.taken, false)
	if i < 0 {
		i = len(r.taken)
		r.taken = append(r.taken, false)
	}
	r.taken[i] = true
	return i
}

func (r *rows) put(i int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.taken[i] = false
}
