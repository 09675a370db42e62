//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/twiddle-go/twiddle/nd"
)

// crowd lets 16 goroutines share arrays and streams while some of them cancel,
// release, trim and set limits. Results are right or errors that say why, and
// everybody comes home.
func (t *torture) crowd() (string, []string) {
	span := min(t.span, time.Minute)
	if t.quick {
		span /= 10
	}
	d := nd.CPU()
	defer d.SetMemoryLimit(d.Memory().Limit)
	shared := nd.Arange[float32](0, 4096, 1).Reshape(4, 1024)
	var right, cancelled, released, short atomic.Int64
	var mu sync.Mutex
	var failures []string
	fail := func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		if len(failures) < 20 {
			failures = append(failures, fmt.Sprintf(format, args...))
		}
	}
	end := time.Now().Add(span)
	var home sync.WaitGroup
	for g := range 16 {
		home.Go(func() {
			rng := rand.New(rand.NewPCG(t.seed, uint64(g)))
			for time.Now().Before(end) {
				err := one(rng, d, shared)
				var oom *nd.OutOfMemoryError
				switch {
				case err == nil:
					right.Add(1)
				case errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
					cancelled.Add(1)
				case errors.Is(err, nd.ErrReleased):
					released.Add(1)
				case errors.As(err, &oom):
					short.Add(1)
				default:
					fail("goroutine %d: %v", g, err)
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { home.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(span + time.Minute):
		fail("somebody did not come home within a minute")
	}
	return fmt.Sprintf("16 goroutines for %s: %d right, %d cancelled, %d released, %d out of memory", span, right.Load(), cancelled.Load(), released.Load(), short.Load()), failures
}

// one is a piece of work with a known result, or with an end in the middle.
func one(rng *rand.Rand, d *nd.Device, shared *nd.Array) error {
	ctx := context.Background()
	x := shared
	switch rng.IntN(8) {
	case 0:
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(rng.IntN(300))*time.Microsecond)
		defer cancel()
	case 1:
		d.SetMemoryLimit(1<<20 + rng.IntN(8<<20))
		// More than that, unless somebody lifts the limit meanwhile.
		if err := nd.Eval(ctx, nd.Ones(nd.Float32, 4<<20).AddScalar(1)); err != nil {
			return err
		}
	case 2:
		d.SetMemoryLimit(0)
	case 3:
		d.Trim()
	case 4, 5:
		s, err := d.NewStream()
		if err != nil {
			return err
		}
		defer func() { _ = s.Close() }()
		x = x.On(s)
	}
	n := 1 + rng.IntN(1000)
	y := x.SliceAxis(-1, nd.Range{Stop: n}).AddScalar(1).Sum(-1)
	z := x.MulScalar(2).RFFT().AbsSquared()
	if rng.IntN(6) == 0 {
		go z.Release()
	}
	if rng.IntN(3) == 0 {
		p := nd.Async(z)
		if err := p.Wait(ctx); err != nil {
			return err
		}
	} else if err := nd.Eval(ctx, z); err != nil {
		return err
	}
	got, err := nd.Slice[float32](ctx, y)
	if err != nil {
		return err
	}
	for i, v := range got {
		// Whole numbers below 2^24: exact in any order.
		want := float32(n) + float32(n)*float32(i*1024) + float32(n*(n-1)/2)
		if v != want {
			return fmt.Errorf("row %d of %d columns adds up to %v, want %v", i, n, v, want)
		}
	}
	return nil
}
