package nd

import (
	"context"
	"fmt"
	"sync"

	"github.com/twiddle-go/twiddle/nd/internal/graph"
)

// Pending is an evaluation under way.
type Pending struct {
	done chan struct{}

	mu    sync.Mutex
	left  int
	err   error
	thens []func(error)
}

// Async starts computing the arrays and returns at once.
func Async(arrays ...*Array) *Pending {
	p := &Pending{done: make(chan struct{}), left: 1}
	nodes, err := toEvaluate(nil, arrays)
	if err != nil {
		p.arrive(err)
		return p
	}
	for len(nodes) > 0 {
		n := sameDevice(nodes)
		p.start(nodes[:n])
		nodes = nodes[n:]
	}
	p.arrive(nil)
	return p
}

func (p *Pending) start(nodes []*graph.Node) {
	p.mu.Lock()
	p.left++
	p.mu.Unlock()
	engine.Async(nodes, func(err error) {
		if err != nil {
			err = evalError("async", err)
		}
		p.arrive(err)
	})
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
	close(p.done)
	for _, f := range p.thens {
		go f(p.err)
	}
	p.thens = nil
}

// Wait returns when the evaluation is over, with its outcome, or when ctx is
// done; the evaluation then goes on.
func (p *Pending) Wait(ctx context.Context) error {
	select {
	case <-p.done:
		return p.err
	default:
	}
	select {
	case <-p.done:
		return p.err
	case <-ctx.Done():
		return fmt.Errorf("nd: wait: %w", context.Cause(ctx))
	}
}

// Done is closed when the evaluation is over.
func (p *Pending) Done() <-chan struct{} { return p.done }

// Then calls f with the outcome, on a goroutine of its own, when the
// evaluation is over.
func (p *Pending) Then(f func(error)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.left == 0 {
		go f(p.err)
		return
	}
	p.thens = append(p.thens, f)
}
