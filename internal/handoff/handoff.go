// Package handoff passes work between goroutines in about a microsecond where the other one is
// awake, and in about ten where its thread sleeps.
package handoff

import (
	"runtime"
	"sync"
	"time"
)

// SpinTime is about how long Spin asks: a few times what it takes to wake a thread.
const SpinTime = 50 * time.Microsecond

// Spin asks again and again, for about SpinTime, letting others run every 2 us or so: that
// takes the scheduler's lock, and starts threads that look for work. Every 0.1 us it made
// sweeps of two threads 5 to 8% slower.
func Spin(done func() bool) bool {
	for deadline := time.Now().Add(SpinTime); ; {
		for range 2000 {
			if done() {
				return true
			}
		}
		if time.Now().After(deadline) {
			return false
		}
		runtime.Gosched()
	}
}

// Push lets another thread run a goroutine that the caller has just woken.
//
// Go's scheduler keeps the goroutine that was woken last for the thread that woke it, which is
// expected to block soon. Other threads may take it only after a sleep of 3 us, for which Linux
// takes 60. One that was woken before it may be taken at once. So Push wakes one that has
// nothing to do: on a virtual machine with two processors another thread begins after 10 us
// instead of 80.
func Push() {
	start()
	select {
	case last <- struct{}{}:
	default: // none has run since it was woken
	}
}

// idlers have nothing to do. There are several because one that was woken may wait for its turn
// for as long as the caller does not block.
const idlers = 4

var (
	last  = make(chan struct{})
	start = sync.OnceFunc(func() {
		for range idlers {
			go func() {
				for range last {
				}
			}()
		}
	})
)
