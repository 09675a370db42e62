package cuda

import (
	"context"
	"sync"
	"testing"
	"time"
)

// Who waits for what was just submitted is told by the GPU, where it can write to the
// host's memory, and by the driver where it cannot.
func TestWaitersAreRung(t *testing.T) {
	for _, silent := range []bool{false, true} {
		d, s := openSim(t)
		d.rings = !silent
		x := newBench(t, d)
		q := x.q.(*queue)
		ctx := context.Background()
		_, launches := x.chain(3, 1, 2, 3)
		for range 20 {
			var wg sync.WaitGroup
			for i := range launches {
				x.q.Launch(launches[i])
				e := x.q.Record()
				wg.Go(func() { // others are submitted behind it meanwhile, or not
					if err := e.Wait(ctx); err != nil || !e.Happened() {
						t.Errorf("waited: %v, happened %v", err, e.Happened())
					}
				})
			}
			wg.Wait()
		}
		if rung := q.rung > 0; rung == silent {
			t.Errorf("silent %v, rung %v", silent, rung)
		}
		if n := len(q.flights) + len(q.recorded); n > 0 {
			t.Errorf("%d launches or events are left of a queue that is done", n)
		}
		s.slow = func() { time.Sleep(3 * time.Millisecond) } // longer than anyone spins
		x.q.Launch(launches[0])
		if err := x.q.Record().Wait(ctx); err != nil {
			t.Error(err)
		}
		if err := x.q.Close(); err != nil {
			t.Error(err)
		}
		d.Close()
	}
}
