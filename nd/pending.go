package nd

import (
	"context"
	"fmt"
	"sync"

	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/sched"
)

// Pending is an evaluation under way.
type Pending struct {
	mu    sync.Mutex
	left  int
	err   error
	done  chan struct{} // nil until someone asks for it
	thens []func(error)
}

// Async starts computing the arrays and returns at once.
func Async(arrays ...*Array) *Pending {
	p := &Pending{left: 1}
	var few [8]*graph.Node
	nodes, err := toEvaluate(few[:0], arrays)
	if err != nil {
		p.arrive(err)
		return p
	}
	for len(nodes) > 0 {
		n := sameDevice(nodes)
		p.mu.Lock()
		p.left++
		p.mu.Unlock()
		engine.Async(nodes[:n], (*part)(p))
		nodes = nodes[n:]
	}
	p.arrive(nil)
	return p
}

// part is a Pending as the scheduler knows it.
type part Pending

// Done is the outcome of one device's share.
func (p *part) Done(err error) {
	if err != nil {
		err = evalError("async", err)
	}
	(*Pending)(p).arrive(err)
}

// arrive notes that a part is over; the first error counts.
func (p *Pending) arrive(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err == nil {
		p.err = err
	}
	if p.left--; p.left > 0 {
		return
	}
	if p.done != nil {
		close(p.done)
	}
	for _, f := range p.thens {
		go guarded("then", func() { f(p.err) })
	}
	p.thens = nil
}

// over is a channel of evaluations that were over before someone asked.
var over = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// Wait returns when the evaluation is over, with its outcome, or when ctx is
// done; the evaluation then goes on.
func (p *Pending) Wait(ctx context.Context) error {
	if ctx == nil {
		return evalError("wait", sched.ErrNilContext)
	}
	done := p.Done()
	select {
	case <-done:
		return p.err
	default:
	}
	select {
	case <-done:
		return p.err
	case <-ctx.Done():
		return fmt.Errorf("nd: wait: %w", context.Cause(ctx))
	}
}

// Done is closed when the evaluation is over.
func (p *Pending) Done() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done == nil {
		if p.done = over; p.left > 0 {
			p.done = make(chan struct{})
		}
	}
	return p.done
}

// Then calls f with the error, or nil, on a new goroutine, when the evaluation is done.
func (p *Pending) Then(f func(error)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.left == 0 {
		go f(p.err)
		return
	}
	p.thens = append(p.thens, f)
}
