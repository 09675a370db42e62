package signal

import (
	"slices"
	"sync"
	"testing"
)

// The cache gives what is computed, keeps no more than it may, and is used by many at once.
func TestPhaseCache(t *testing.T) {
	var c phaseCache
	var wait sync.WaitGroup
	for g := range 4 {
		wait.Go(func() {
			for i := range 300 {
				want := phases{count: 1 + (i*7+g)%50, n: 50, a: 0.5, factor: float64(i % 3)}
				if got := c.of(want); !slices.Equal(got, want.values()) {
					t.Errorf("%+v: %v", want, got)
				}
			}
		})
	}
	wait.Wait()
	first := phases{count: 10, n: 10, a: 1, factor: 1}
	kept := c.of(first)
	if again := c.of(first); &again[0] != &kept[0] {
		t.Error("phases that were just used are computed again")
	}
	for i := range 5 {
		c.of(phases{count: phasesKept / 2, n: 10 + i, a: 1, factor: 1})
	}
	c.of(phases{count: phasesKept + 1, n: 10, a: 1, factor: 1})
	total := 0
	for _, k := range c.kept {
		total += len(k.values)
	}
	if total > phasesKept || total != c.total || len(c.kept) == 0 {
		t.Errorf("%d elements are kept, counted as %d, want up to %d", total, c.total, phasesKept)
	}
	if c.find(first) != nil {
		t.Error("the oldest phases are still there")
	}
}
