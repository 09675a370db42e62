package nd

import (
	"context"
	"errors"
	"fmt"
	"iter"
)

// maxPrefetch bounds the batches that are ready at once; few have memory for more.
const maxPrefetch = 1 << 16

// Prefetch returns the arrays of batches in their order, computed, and keeps up to depth
// of the next ones ready or under way while the caller works with the current one. Batches
// built on a separate stream are computed at the same time as the caller's work.
//
// Batches that begin on the host reach a GPU fastest if the sequence fills one Pinned
// slice after the other and yields the results of Upload: the copy then needs no core, and
// overlaps with the work on earlier batches. One slice is enough, because Upload returns
// when it has been read.
//
// The sequence runs on a goroutine, which ends when the caller stops ranging. An error of
// the sequence, or of evaluating a batch, is yielded in its place, and later batches still
// follow. A panic of the sequence is its last error.
func Prefetch(batches iter.Seq2[*Array, error], depth int) iter.Seq2[*Array, error] {
	return prefetch(batches, depth, func(a *Array) []*Array { return []*Array{a} })
}

// PrefetchAll is Prefetch for batches of several arrays, such as examples and labels:
// the arrays of a batch are computed together.
//
//	for batch, err := range nd.PrefetchAll(batches, 2) {
//		x, labels := batch[0], batch[1]
//	}
func PrefetchAll(batches iter.Seq2[[]*Array, error], depth int) iter.Seq2[[]*Array, error] {
	return prefetch(batches, depth, func(list []*Array) []*Array { return list })
}

// prefetch computes what a batch has ahead of the caller.
func prefetch[B any](batches iter.Seq2[B, error], depth int, arrays func(B) []*Array) iter.Seq2[B, error] {
	var bad error
	switch {
	case depth < 1 || depth > maxPrefetch:
		bad = fmt.Errorf("nd: prefetch: depth %d, want 1 to %d", depth, maxPrefetch)
	case batches == nil:
		bad = errors.New("nd: prefetch: no batches")
	}
	if bad != nil {
		return func(yield func(B, error) bool) { yield(*new(B), bad) }
	}
	return func(yield func(B, error) bool) {
		ctx, stop := context.WithCancel(context.Background())
		ready := make(chan prefetched[B], depth-1) // one more waits in the goroutine's hand
		done := make(chan struct{})
		go func() {
			defer close(done)
			defer close(ready)
			defer func() {
				if r := recover(); r != nil { // nobody else could
					select {
					case ready <- prefetched[B]{err: fmt.Errorf("nd: prefetch: the batches panicked: %v", r)}:
					case <-ctx.Done():
					}
				}
			}()
			for b, err := range batches {
				p := prefetched[B]{batch: b, err: err}
				if err == nil {
					p.pending = Async(arrays(b)...)
				}
				select {
				case ready <- p:
				case <-ctx.Done():
					return
				}
			}
		}()
		defer func() {
			stop()
			<-done // nobody pulls from batches once Prefetch is over
		}()
		for p := range ready {
			if p.pending != nil {
				p.err = p.pending.Wait(context.Background())
			}
			if !yield(p.batch, p.err) {
				return
			}
		}
	}
}

// prefetched is a batch on its way.
type prefetched[B any] struct {
	batch   B
	err     error
	pending *Pending
}
