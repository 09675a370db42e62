package fft

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/internal/handoff"
)

// processors lets a test use more threads than the machine would.
func processors(t *testing.T, n int) {
	before := runtime.GOMAXPROCS(n)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

// Many goroutines use one plan, some of them sharing work among helpers.
func TestPlansAreShared(t *testing.T) {
	processors(t, 4)
	rounds := 20
	if testing.Short() {
		rounds = 2
	}
	for _, threads := range []int{1, 3} {
		const n, count = 360, 64
		p, err := NewPlan[complex128](n, Options{Threads: threads})
		if err != nil {
			t.Fatal(err)
		}
		r, err := NewRealPlan[float64, complex128](n, Options{Threads: threads})
		if err != nil {
			t.Fatal(err)
		}
		x := uniform(n * count)
		want, wantReal := make([]complex128, n*count), make([]complex128, (n/2+1)*count)
		if err := p.ForwardBatch(want, x, Batch{Count: count}); err != nil {
			t.Fatal(err)
		}
		if err := r.ForwardBatch(wantReal, realPart[float64](x), Batch{Count: count}); err != nil {
			t.Fatal(err)
		}
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				y, z := make([]complex128, n*count), make([]complex128, len(wantReal))
				samples := realPart[float64](x)
				for range rounds {
					if err := p.ForwardBatch(y, x, Batch{Count: count}); err != nil {
						t.Error(err)
					}
					if err := r.ForwardBatch(z, samples, Batch{Count: count}); err != nil {
						t.Error(err)
					}
					for i := range want {
						if y[i] != want[i] {
							t.Errorf("element %d is %v, want %v", i, y[i], want[i])
							return
						}
					}
					for i := range wantReal {
						if z[i] != wantReal[i] {
							t.Errorf("bin %d is %v, want %v", i, z[i], wantReal[i])
							return
						}
					}
				}
			})
		}
		group.Wait()
	}
}

// pieceCounter counts how often each piece ran, and nests.
type pieceCounter struct {
	mu     sync.Mutex
	counts []int
	inner  int
}

func (c *pieceCounter) piece(i int) {
	if c.inner > 0 {
		deeper := &pieceCounter{counts: make([]int, c.inner)}
		share(3, c.inner, i%2 == 0, deeper)
		for _, n := range deeper.counts {
			if n != 1 {
				i = -1 // shows as an index out of range
			}
		}
	}
	c.mu.Lock()
	c.counts[i]++
	c.mu.Unlock()
}

func TestShareRunsEveryPieceOnce(t *testing.T) {
	processors(t, 8)
	for _, pieces := range []int{0, 1, 2, 7, 100} {
		for _, threads := range []int{1, 2, 5} {
			c := &pieceCounter{counts: make([]int, pieces), inner: 5}
			share(threads, pieces, false, c)
			for i, n := range c.counts {
				if n != 1 {
					t.Errorf("%d pieces on %d threads: piece %d ran %d times", pieces, threads, i, n)
				}
			}
		}
	}
}

func TestCutCoversEveryLine(t *testing.T) {
	for _, outer := range []int{1, 2, 5} {
		for _, inner := range []int{1, 15, 16, 17, 64, 1000} {
			for _, threads := range []int{2, 3, 8} {
				c := newCut(lines{outer: outer, inner: inner}, threads)
				seen := make([]int, outer*inner)
				for i := range c.pieces {
					group, first, count := c.piece(i, inner)
					if first%tile != 0 {
						t.Errorf("a piece starts at line %d, inside a tile", first)
					}
					for l := first; l < first+count; l++ {
						seen[group*inner+l]++
					}
				}
				for l, n := range seen {
					if n != 1 {
						t.Fatalf("%d x %d lines, %d threads: line %d is in %d pieces", outer, inner, threads, l, n)
					}
				}
			}
		}
	}
}

// Helpers fall asleep between calls, look out for more after one, and never
// lose an offer in between.
func TestHelpersAtEveryPause(t *testing.T) {
	processors(t, 3)
	for pause := time.Duration(0); pause < 3*handoff.SpinTime; pause += handoff.SpinTime / 16 {
		for range 20 {
			c := &pieceCounter{counts: make([]int, 6)}
			share(3, len(c.counts), pause%(handoff.SpinTime/8) == 0, c)
			for i, n := range c.counts {
				if n != 1 {
					t.Fatalf("after a pause of %v: piece %d ran %d times", pause, i, n)
				}
			}
			for start := time.Now(); time.Since(start) < pause; {
				runtime.Gosched()
			}
		}
	}
}

// With one processor no helper runs before the caller has done all pieces: every offer is withdrawn,
// to a helper that sleeps, looks out, or is about to.
func TestOffersAreWithdrawn(t *testing.T) {
	processors(t, 1)
	for i := range 200 {
		c := &pieceCounter{counts: make([]int, 6)}
		share(3, len(c.counts), false, c)
		for i, n := range c.counts {
			if n != 1 {
				t.Fatalf("piece %d ran %d times", i, n)
			}
		}
		if i%3 > 0 {
			runtime.Gosched()
		}
		if i%50 == 0 {
			time.Sleep(2 * handoff.SpinTime)
		}
	}
}

// The first call of a program has helpers, though they have only just been hired.
func TestHelpersComeToTheFirstCall(t *testing.T) {
	processors(t, 2)
	before := hired.Swap(nil)
	defer hired.Store(before)
	both := make(chan struct{})
	var come atomic.Int64
	share(2, 2, false, taskFunc(func(int) {
		if come.Add(1) == 2 {
			close(both)
		}
		select {
		case <-both:
		case <-time.After(time.Minute):
			t.Error("one goroutine has both pieces")
		}
	}))
}
