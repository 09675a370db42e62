package fft

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// task is work cut into numbered pieces that may run at the same time.
type task interface{ piece(i int) }

// taskFunc makes a function a task without allocating.
type taskFunc func(i int)

func (f taskFunc) piece(i int) { f(i) }

// job is a task being worked on by several goroutines, each taking the next
// piece that nobody has taken.
type job struct {
	task    task
	pieces  int64
	next    atomic.Int64
	helpers sync.WaitGroup
}

func (j *job) work() {
	for i := j.next.Add(1) - 1; i < j.pieces; i = j.next.Add(1) - 1 {
		j.task.piece(int(i))
	}
}

var (
	jobs     = sync.Pool{New: func() any { return new(job) }}
	offers   = make(chan *job) // unbuffered: only an idle helper takes an offer
	helpers  atomic.Int64
	helperMu sync.Mutex
)

// share runs the pieces of t on up to threads goroutines, the calling one
// among them. Helpers that are busy elsewhere are not waited for, so calls may
// nest and many may run at once.
func share(threads, pieces int, t task) {
	threads = min(threads, pieces)
	if threads <= 1 {
		for i := range pieces {
			t.piece(i)
		}
		return
	}
	hire(threads - 1)
	j := jobs.Get().(*job)
	j.task, j.pieces = t, int64(pieces)
	j.next.Store(0)
	for range threads - 1 {
		j.helpers.Add(1)
		select {
		case offers <- j:
		default:
			j.helpers.Done()
		}
	}
	j.work()
	j.helpers.Wait()
	j.task = nil
	jobs.Put(j)
}

// hire makes sure that there are count helpers. They stay for good, parked
// when idle; there are never more than the processors can run.
func hire(count int) {
	count = min(count, runtime.GOMAXPROCS(0)-1)
	if helpers.Load() >= int64(count) {
		return
	}
	helperMu.Lock()
	defer helperMu.Unlock()
	for ; helpers.Load() < int64(count); helpers.Add(1) {
		ready := make(chan struct{})
		go func() {
			close(ready)
			for j := range offers {
				j.work()
				j.helpers.Done()
			}
		}()
		<-ready
	}
}
