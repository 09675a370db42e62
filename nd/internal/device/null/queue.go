package null

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// queue runs its work on a goroutine that lives while there is any.
type queue struct {
	dev *Device
	id  int

	mu      sync.Mutex
	work    []func()
	running bool
}

func (q *queue) add(f func()) {
	q.mu.Lock()
	q.work = append(q.work, f)
	if !q.running {
		q.running = true
		go q.run()
	}
	q.mu.Unlock()
}

func (q *queue) run() {
	for {
		q.mu.Lock()
		if len(q.work) == 0 {
			q.running = false
			q.mu.Unlock()
			return
		}
		f := q.work[0]
		q.work = q.work[1:]
		q.mu.Unlock()
		f()
	}
}

func (q *queue) Launch(l device.Launch) {
	id := func(b device.Buffer) int { return b.(*Buffer).ID }
	q.dev.note(Entry{Kind: Launched, Queue: q.id, Program: l.Kernel.Program(), Label: l.Label.Op, Adds: l.Adds,
		Reads: lists.Map(l.Reads, id), Writes: lists.Map(l.Writes, id)})
	q.add(func() { q.runLaunch(l) })
}

func (q *queue) runLaunch(l device.Launch) {
	if l.Timed != nil {
		begin := time.Now()
		defer func() { l.Timed(begin, time.Now()) }()
	}
	err := q.outcome(l)
	for _, b := range l.Writes {
		if w := b.(*Buffer); !l.Adds || w.Err() == nil {
			w.setErr(err)
		}
	}
}

// outcome is how a launch ends: with a mark it read, with its own failure, or
// well.
func (q *queue) outcome(l device.Launch) error {
	if k := l.Kernel.(kernel); len(l.Reads) != k.reads || len(l.Writes) != k.writes {
		return &device.LaunchError{Label: l.Label, Err: fmt.Errorf("null: %d and %d buffers for the %d and %d operands of a %s",
			len(l.Reads), len(l.Writes), k.reads, k.writes, k.program.Name())}
	}
	for _, b := range l.Reads {
		if err := b.Err(); err != nil {
			return err
		}
	}
	if l.Context != nil && l.Context.Err() != nil {
		return &device.Cancelled{Cause: context.Cause(l.Context)}
	}
	if q.dev.opt.Delay != nil {
		time.Sleep(q.dev.opt.Delay(l))
	}
	if q.dev.opt.Fail != nil {
		if err := q.dev.opt.Fail(l); err != nil {
			return &device.LaunchError{Label: l.Label, Err: err}
		}
	}
	return nil
}

func (q *queue) Write(dst device.Buffer, src []byte) {
	b := dst.(*Buffer)
	q.dev.note(Entry{Kind: Wrote, Queue: q.id, Writes: []int{b.ID}, Bytes: len(src)})
	q.add(func() { b.setErr(nil) })
}

// Read leaves dst as it is: there are no elements to copy.
func (q *queue) Read(ctx context.Context, _ []byte, src device.Buffer) error {
	b := src.(*Buffer)
	q.dev.note(Entry{Kind: Read, Queue: q.id, Reads: []int{b.ID}})
	if err := q.event().WaitFor(ctx, 0); err != nil {
		return err
	}
	return b.Err()
}

// CopyFrom takes the other device's buffer for one with elements.
func (q *queue) CopyFrom(dst, src device.Buffer, _ int) bool {
	b, ok := dst.(*Buffer)
	if !ok || !q.dev.opt.Peers {
		return false
	}
	q.dev.note(Entry{Kind: Copied, Queue: q.id, Reads: []int{src.(*Buffer).ID}, Writes: []int{b.ID}})
	q.add(func() { b.setErr(nil) })
	return true
}

func (q *queue) event() *Event {
	e := &Event{Queue: q.id, done: make(chan struct{})}
	q.add(e.happen)
	return e
}

func (q *queue) Record() device.Event {
	e := q.event()
	q.dev.note(Entry{Kind: Recorded, Queue: q.id, Event: e})
	return device.Event{Clock: e}
}

func (q *queue) Wait(e device.Event) {
	ours, _ := e.Clock.(*Event)
	q.dev.note(Entry{Kind: Waited, Queue: q.id, Event: ours})
	q.add(func() { _ = e.Wait(context.Background()) })
}

func (q *queue) Flush() {}

func (q *queue) Close() error {
	return q.event().WaitFor(context.Background(), 0)
}

// Event is a clock that strikes once, so that tests can tell events apart.
type Event struct {
	Queue int
	done  chan struct{}

	mu    sync.Mutex
	thens []func()
}

func (e *Event) happen() {
	e.mu.Lock()
	close(e.done)
	thens := e.thens
	e.thens = nil
	e.mu.Unlock()
	for _, f := range thens {
		f()
	}
}

// WaitFor returns when the event has happened.
func (e *Event) WaitFor(ctx context.Context, _ uint64) error {
	if e.Reached(0) {
		return nil
	}
	select {
	case <-e.done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Reached reports whether the event has happened.
func (e *Event) Reached(uint64) bool {
	select {
	case <-e.done:
		return true
	default:
		return false
	}
}

// Call calls f when the event happens.
func (e *Event) Call(_ uint64, f func()) {
	e.mu.Lock()
	if !e.Reached(0) {
		e.thens = append(e.thens, f)
		e.mu.Unlock()
		return
	}
	e.mu.Unlock()
	f()
}
