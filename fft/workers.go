package fft

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/twiddle-go/twiddle/internal/handoff"
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
		wake = now-lastShort.Swap(now) < int64(handoff.SpinTime)
	}
	j := jobs.Get().(*job)
	j.task, j.pieces = t, uint64(pieces)
	j.taken.Store(0)
	j.left.Store(int64(threads))
	j.end.Store(endOpen)
	j.ask(threads-1, wake)
	j.work(fromFront)
	j.join()
	j.task = nil
	jobs.Put(j)
}

// callers are the goroutines in calls that may share their work.
var callers crowd

type crowd struct{ count atomic.Int64 }

// enter reports whether a call should ask helpers. One that finds as many callers as it may keep
// busy runs on its own goroutine, and so do theirs from then on: helpers would only take processors
// from the others. It leaves in either case.
func (c *crowd) enter(threads int) bool { return c.count.Add(1) < int64(threads) }

func (c *crowd) leave() { c.count.Add(-1) }

// onThreads runs parts of a line on up to threads goroutines.
func onThreads(threads int) transform.Parallel {
	return transform.Parallel{Threads: threads, Run: func(tasks int, run func(int)) { share(threads, tasks, false, taskFunc(run)) }}
}

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
	left   atomic.Int64  // helpers that were asked, plus one until the caller joins
	end    atomic.Int64
	ended  chan struct{}
	asked  []offer
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

// ask offers the job to up to count helpers.
func (j *job) ask(count int, wake bool) {
	woken := false
	for _, h := range staff(count) {
		if len(j.asked) == count {
			break
		}
		if h.box.CompareAndSwap(looking, j) {
			j.asked = append(j.asked, offer{h, looking})
		} else if wake && h.box.CompareAndSwap(asleep, j) {
			j.asked = append(j.asked, offer{h, asleep})
			select {
			case h.wake <- struct{}{}:
			default: // it is waking up, for an offer that was withdrawn
			}
			woken = true
		}
	}
	if woken {
		handoff.Push()
	}
	j.left.Add(int64(len(j.asked) - count))
}

// offer is a helper that was asked, and what it was doing then.
type offer struct {
	helper *helper
	before *job
}

// leave is a helper's last touch of the job.
func (j *job) leave() {
	if j.left.Add(-1) == 0 && j.end.Swap(endReached) == endAwaited {
		j.ended <- struct{}{}
	}
}

// join returns when all helpers that came have left. The others are not waited for: on a busy
// machine it may take many milliseconds until one of them runs.
func (j *job) join() {
	gone := int64(1)
	for _, o := range j.asked {
		if o.helper.box.CompareAndSwap(j, o.before) {
			gone++
		}
	}
	j.asked = j.asked[:0]
	if j.left.Add(-gone) == 0 {
		return
	}
	if handoff.Spin(func() bool { return j.end.Load() == endReached }) {
		return
	}
	if j.end.CompareAndSwap(endOpen, endAwaited) {
		<-j.ended
	}
}

// helper is a goroutine that works on others' jobs.
type helper struct {
	from uint64              // the side it takes pieces from
	box  atomic.Pointer[job] // what it is offered, or looking or asleep, or nil when it is busy
	wake chan struct{}
}

// What is in the box of a helper that may be offered a job. A caller replaces them by the job, and
// puts them back if the helper has not taken it by the time that all pieces are.
var looking, asleep = new(job), new(job)

// run is a helper's life.
func (h *helper) run() {
	offered := func() bool { j := h.box.Load(); return j != looking && j != asleep }
	for {
		for !handoff.Spin(offered) {
			if h.box.CompareAndSwap(looking, asleep) {
				<-h.wake
			}
			h.box.CompareAndSwap(asleep, looking) // woken for an offer that was withdrawn
		}
		if j := h.box.Swap(nil); j != looking && j != asleep { // it may be withdrawn at the last moment
			j.work(h.from)
			j.leave()
		}
		h.box.Store(looking)
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
		h.box.Store(asleep) // the call that hires it may ask it
		go h.run()
		all = append(all, h)
	}
	hired.Store(&all)
	return all
}
