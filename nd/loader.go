package nd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/twiddle-go/twiddle/internal/counted"
)

// Loader reads examples with several goroutines and yields them in batches, computed,
// while the caller works with the batch before. Examples are in the order of their
// numbers, or in an order drawn from a key: it depends neither on Workers nor on how long
// an example takes.
//
//	files := nd.Loader{N: len(names), Batch: 16, Read: func(ctx context.Context, i int) ([]*nd.Array, error) {
//		x, _, err := audio.Load[float32](names[i])
//		return []*nd.Array{mel.Apply(x)}, err
//	}}
//	for batch, err := range files.Batches(ctx) { ... }
type Loader struct {
	// N is the number of examples, Read gives the arrays of one. It is called by
	// several goroutines at once.
	N    int
	Read func(ctx context.Context, i int) ([]*Array, error)
	// Batch is how many examples are stacked along a new first axis, the last
	// batch has what is left unless DropRest is set; 0 gives examples as they are.
	Batch    int
	DropRest bool
	// Shuffle draws the order from Key: another key for every epoch.
	Shuffle bool
	Key     Key
	// Workers is how many examples are read at a time; 0 is one for each core.
	Workers int
	// Ahead is the number of batches that are ready or under way in addition to the caller's; 0
	// is 2.
	Ahead int
	// Stream is where batches are computed; nil is where their arrays are.
	Stream *Stream
}

const (
	maxBatch    = 1 << 24 // examples that are stacked
	maxShuffled = 1 << 28 // examples whose order is kept in memory
)

// batch is one on its way.
type batch struct {
	examples [][]*Array
	err      error
	mu       sync.Mutex   // guards err
	missing  atomic.Int64 // examples
	arrays   []*Array
	pending  *Pending
	done     chan struct{} // closed when arrays and err are there
}

// job is an example to read.
type job struct {
	to      *batch
	at      int // in the batch
	example int
}

// Batches reads all examples once. An error of an example, a panic of Read and
// an error of evaluating a batch stand in the place of that batch, and what
// follows still comes. A ctx that is done is the last error. No goroutine is
// left when ranging is over.
func (l Loader) Batches(ctx context.Context) iter.Seq2[[]*Array, error] {
	if err := l.check(ctx); err != nil {
		return func(yield func([]*Array, error) bool) { yield(nil, fmt.Errorf("nd: loader: %w", err)) }
	}
	return func(yield func([]*Array, error) bool) {
		inner, stop := context.WithCancel(ctx)
		var running sync.WaitGroup
		defer running.Wait()
		defer stop()
		ahead, workers := l.Ahead, l.Workers
		ahead = cmp.Or(ahead, 2)
		if workers == 0 {
			workers = runtime.GOMAXPROCS(0)
		}
		order := make(chan *batch, ahead-1) // one more waits to get in
		jobs := make(chan job)
		running.Go(func() {
			defer close(order)
			defer close(jobs)
			l.deal(inner, order, jobs)
		})
		for range workers {
			running.Go(func() {
				for j := range jobs {
					l.read(inner, j)
				}
			})
		}
		for b := range order {
			select {
			case <-b.done:
			case <-ctx.Done():
			}
			if ctx.Err() != nil {
				break
			}
			if b.err == nil {
				b.err = b.pending.Wait(ctx)
			}
			if b.err != nil {
				b.arrays = nil
			}
			if !yield(b.arrays, b.err) {
				return
			}
		}
		if ctx.Err() != nil {
			yield(nil, fmt.Errorf("nd: loader: %w", context.Cause(ctx)))
		}
	}
}

func (l Loader) check(ctx context.Context) error {
	switch {
	case ctx == nil:
		return errors.New("the context is nil")
	case l.Read == nil:
		return errors.New("there is no Read")
	case l.N < 0 || l.Batch < 0 || l.Workers < 0 || l.Ahead < 0:
		return fmt.Errorf("want no number below 0: N %d, Batch %d, Workers %d, Ahead %d", l.N, l.Batch, l.Workers, l.Ahead)
	case l.Batch > maxBatch:
		return fmt.Errorf("want a Batch of at most %d, got %d", maxBatch, l.Batch)
	case l.Shuffle && l.N > maxShuffled:
		return fmt.Errorf("want at most %d examples to shuffle, got %d", maxShuffled, l.N)
	case l.Workers > maxPrefetch || l.Ahead > maxPrefetch:
		return fmt.Errorf("want at most %d: Workers %d, Ahead %d", maxPrefetch, l.Workers, l.Ahead)
	}
	return nil
}

// deal hands out the examples of one batch after the other.
func (l Loader) deal(ctx context.Context, order chan<- *batch, jobs chan<- job) {
	example := func(i int) int { return i }
	if l.Shuffle {
		shuffled := rand.New(rand.NewPCG(uint64(l.Key), 0)).Perm(l.N)
		example = func(i int) int { return shuffled[i] }
	}
	size := max(l.Batch, 1)
	for start := 0; start < l.N; start += size {
		count := min(size, l.N-start)
		if l.DropRest && count < size {
			return
		}
		b := &batch{examples: make([][]*Array, count), done: make(chan struct{})}
		b.missing.Store(int64(count))
		select {
		case order <- b:
		case <-ctx.Done():
			return
		}
		for at := range count {
			select {
			case jobs <- job{b, at, example(start + at)}:
			case <-ctx.Done():
				return
			}
		}
	}
}

// read reads an example, and makes a batch of it and the others if it is the last.
func (l Loader) read(ctx context.Context, j job) {
	b := j.to
	arrays, err := l.example(ctx, j.example)
	if err != nil {
		b.mu.Lock()
		b.err = errors.Join(b.err, fmt.Errorf("nd: loader: example %d: %w", j.example, err))
		b.mu.Unlock()
	}
	b.examples[j.at] = arrays
	if b.missing.Add(-1) > 0 {
		return
	}
	defer close(b.done)
	if b.err == nil {
		b.arrays, b.err = l.join(b.examples)
	}
	if b.err == nil {
		b.pending = Async(b.arrays...)
	}
}

// example is what Read gives for one; its panic is an error.
func (l Loader) example(ctx context.Context, i int) (arrays []*Array, err error) {
	defer func() {
		if r := recover(); r != nil { // nobody else could
			err = fmt.Errorf("reading it panicked: %v", r)
		}
	}()
	return l.Read(ctx, i)
}

// join stacks the examples of a batch.
func (l Loader) join(examples [][]*Array) ([]*Array, error) {
	out := examples[0]
	if l.Batch > 0 {
		out = make([]*Array, len(examples[0]))
	}
	for k := range out {
		column := make([]*Array, len(examples))
		for i, e := range examples {
			if len(e) != len(out) {
				return nil, fmt.Errorf("nd: loader: an example has %s, another of its batch %d", counted.Of(len(e), "array"), len(out))
			}
			column[i] = e[k]
		}
		if l.Batch > 0 {
			out[k] = Stack(0, column...)
		}
		if l.Stream != nil {
			out[k] = out[k].On(l.Stream)
		}
	}
	return out, nil
}
