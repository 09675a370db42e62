// Package parallel shares work out over goroutines.
package parallel

import (
	"context"
	"sync"
	"sync/atomic"
)

// Each calls f for each number below n, in so many goroutines at most. Each of them has
// its own state, which done takes back if it is not nil. The first error ends all.
func Each[S any](ctx context.Context, workers, n int, state func() S, done func(s S), f func(s S, i int) error) error {
	var next atomic.Int64
	var wait sync.WaitGroup
	errs := make(chan error, 1)
	for range min(n, workers) {
		wait.Go(func() {
			s := state()
			if done != nil {
				defer done(s)
			}
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				err := ctx.Err()
				if err == nil {
					err = f(s, i)
				}
				if err != nil {
					next.Store(int64(n))
					select {
					case errs <- err:
					default:
					}
					return
				}
			}
		})
	}
	wait.Wait()
	select {
	case err := <-errs:
		return err
	default:
		return nil
	}
}
