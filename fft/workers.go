package fft

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/twiddle-go/twiddle/internal/transform"
)

// task is work cut into numbered pieces that may run at the same time.
type task interface{ piece(i int) }

// taskFunc makes a function a task without allocating.
type taskFunc func(i int)

func (f taskFunc) piece(i int) { f(i) }

// share runs the pieces of t on up to threads goroutines, the calling one
// among them. Helpers that are busy elsewhere are not waited for, so calls may
// nest and many may run at once. Short work is not worth waking a helper that
// sleeps, unless calls come in such quick succession that it will not sleep
// again soon.
func share(threads, pieces int, short bool, t task) {
	threads = min(threads, pieces)
	if threads <= 1 {
		for i := range pieces {
			t.piece(i)
		}
		return
	}
	wake := true
	if short {
		now := int64(time.Since(started))
		wake = now-lastShort.Swap(now) < int64(spinTime)
	}
	j := jobs.Get().(*job)
	j.task, j.pieces = t, uint64(pieces)
	j.taken.Store(0)
	j.left.Store(1)
	j.end.Store(endOpen)
	asked := 0
	for _, h := range staff(threads - 1) {
		if asked == threads-1 {
			break
		}
		if h.offer(j, wake) {
			asked++
		}
	}
	j.work(fromFront)
	j.join()
	j.task = nil
	jobs.Put(j)
}

// onThreads runs parts of a line on up to threads goroutines.
func onThreads(threads int) transform.Parallel {
	return transform.Parallel{Threads: threads, Run: func(tasks int, run func(int)) { share(threads, tasks, false, taskFunc(run)) }}
}

// spinTime is about how long a helper looks out for more work before it goes
// to sleep: ten times what it takes to wake it.
const spinTime = 50 * time.Microsecond

var (
	jobs      = sync.Pool{New: func() any { return &job{ended: make(chan struct{}, 1)} }}
	started   = time.Now()
	lastShort atomic.Int64 // when short work was last shared, since started
)

// job is a task being worked on by several goroutines, each taking the next
// piece that nobody has taken: the caller from the front, helpers in turns from
// the end and the front. So most pieces of a task that comes again, and of the
// next sweep over the same line, are done where their data is in a cache.
type job struct {
	task   task
	pieces uint64
	taken  atomic.Uint64 // pieces taken from the front, and times 2^32 those from the end
	left   atomic.Int64  // helpers at work, plus one until the caller joins
	end    atomic.Int64
	ended  chan struct{}
}

// States of a job's end: the last helper and the caller meet here.
const (
	endOpen    = iota
	endAwaited // the caller sleeps until something comes through ended
	endReached
)

// What taking a piece adds to taken.
const (
	fromFront = 1
	fromEnd   = 1 << 32
)

func (j *job) work(from uint64) {
	for {
		taken := j.taken.Add(from)
		front, end := taken%fromEnd, taken/fromEnd
		switch {
		case front+end > j.pieces:
			return
		case from == fromFront:
			j.task.piece(int(front - 1))
		default:
			j.task.piece(int(j.pieces - end))
		}
	}
}

// leave is a helper's last touch of the job.
func (j *job) leave() {
	if j.left.Add(-1) == 0 && j.end.Swap(endReached) == endAwaited {
		j.ended <- struct{}{}
	}
}

// join returns when all helpers have left.
func (j *job) join() {
	if j.left.Add(-1) == 0 {
		return
	}
	if spin(func() bool { return j.end.Load() == endReached }) {
		return
	}
	if j.end.CompareAndSwap(endOpen, endAwaited) {
		<-j.ended
	}
}

// spin asks again and again, for about spinTime, letting others run every 2 us or so: that
// takes the scheduler's lock, and starts threads that look for work. Every 0.1 us it made
// sweeps of two threads 5 to 8% slower.
func spin(done func() bool) bool {
	for deadline := time.Now().Add(spinTime); ; {
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

// helper is a goroutine that works on others' jobs.
type helper struct {
	from  uint64 // the side it takes pieces from
	state atomic.Int64
	box   atomic.Pointer[job] // the offer it took
	wake  chan struct{}
}

// States of a helper. Only who moves it out of looking or asleep may put
// something in its box.
const (
	helperBusy = iota
	helperLooking
	helperAsleep
)

// offer hands j to the helper, if it is free or may be woken.
func (h *helper) offer(j *job, wake bool) bool {
	switch {
	case h.state.CompareAndSwap(helperLooking, helperBusy):
		j.left.Add(1)
		h.box.Store(j)
	case wake && h.state.CompareAndSwap(helperAsleep, helperBusy):
		j.left.Add(1)
		h.box.Store(j)
		h.wake <- struct{}{}
	default:
		return false
	}
	return true
}

// run is a helper's life.
func (h *helper) run() {
	for {
		h.state.Store(helperLooking)
		if !spin(func() bool { return h.box.Load() != nil }) && h.state.CompareAndSwap(helperLooking, helperAsleep) {
			<-h.wake
		}
		for h.box.Load() == nil {
			runtime.Gosched() // an offer is on its way into the box
		}
		j := h.box.Swap(nil)
		j.work(h.from)
		j.leave()
	}
}

var (
	hired   atomic.Pointer[[]*helper]
	hiredMu sync.Mutex
)

// staff are the helpers there are, at least count of them. They stay for good,
// asleep when there is nothing to do.
func staff(count int) []*helper {
	if all := hired.Load(); all != nil && len(*all) >= count {
		return *all
	}
	hiredMu.Lock()
	defer hiredMu.Unlock()
	var all []*helper
	if now := hired.Load(); now != nil {
		all = append(all, *now...)
	}
	for len(all) < count {
		h := &helper{from: fromEnd, wake: make(chan struct{}, 1)}
		if len(all)%2 == 1 {
			h.from = fromFront
		}
		go h.run()
		all = append(all, h)
	}
	hired.Store(&all)
	return all
}
