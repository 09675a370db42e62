package cpu

import (
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/twiddle-go/twiddle/internal/handoff"
)

// team is the workers shared by all queues. The goroutine that has a step to
// run works on it too, and never waits for a helper that is busy elsewhere.
type team struct {
	size int
	jobs chan *job
	free sync.Pool // of *scratch, without large chunks
	pile stash     // of large chunks
	gone sync.WaitGroup

	asleep atomic.Int64 // helpers that wait for a job, and may have to be woken
}

// job is one step split into parts. The caller takes them from the front, helpers in turns from
// the end and the front: so most parts of the next step over the same rows go to the worker that
// has them in its cache.
type job struct {
	parts int
	run   func(part int, s *scratch) error

	taken    atomic.Uint64 // parts taken from the front, and times 2^32 those from the end
	finished atomic.Int64
	done     chan struct{} // closed after the last part

	mu     sync.Mutex
	err    error // of the first part that failed, in part order
	failed int
}

func newTeam(size int) *team {
	t := &team{size: size, jobs: make(chan *job, size)}
	t.free.New = func() any { return &scratch{stash: &t.pile} }
	for i := range size - 1 {
		from := uint64(fromEnd)
		if i%2 == 1 {
			from = fromFront
		}
		t.gone.Go(func() {
			// A fault in a kernel must not end the process: see guard.
			debug.SetPanicOnFault(true)
			for j := t.next(); j != nil; j = t.next() {
				// A helper that waits holds no scratch, so that the collector
				// gets what nobody has used for a while.
				s := t.take()
				j.work(from, s, s.idle)
				t.put(s)
			}
		})
	}
	return t
}

// next is the next job of a helper, which looks out for one before it sleeps, or nil if there will
// be no more.
func (t *team) next() (j *job) {
	if handoff.Spin(func() bool {
		select {
		case j = <-t.jobs:
			return true
		default:
			return false
		}
	}) {
		return j
	}
	t.asleep.Add(1)
	j = <-t.jobs
	t.asleep.Add(-1)
	return j
}

// stop ends the helpers. No job may be running.
func (t *team) stop() {
	close(t.jobs)
	t.gone.Wait()
}

func (t *team) take() *scratch { return t.free.Get().(*scratch) }
func (t *team) put(s *scratch) {
	s.idle()
	t.free.Put(s)
}

// do runs parts of a step and returns when all are done, with the error of
// the first part that failed. s is the caller's scratch.
func (t *team) do(parts int, s *scratch, run func(part int, s *scratch) error) error {
	if parts <= 1 || t.size <= 1 {
		for part := range parts {
			s.reset()
			if err := run(part, s); err != nil {
				return err
			}
		}
		return nil
	}
	j := &job{parts: parts, run: run, done: make(chan struct{})}
	for range min(parts, t.size) - 1 {
		select {
		case t.jobs <- j:
		default: // helpers have enough to do
		}
	}
	if t.asleep.Load() > 0 {
		handoff.Push()
	}
	j.work(fromFront, s, func() {})
	if !handoff.Spin(func() bool { return int(j.finished.Load()) == parts }) {
		<-j.done
	}
	return j.err
}

// copyFrom is the size from which a copy between host and device is shared.
const copyFrom = 8 << 20

// copy is Go's copy, by all workers if it is big. dst and src are as long as
// each other.
func (t *team) copy(dst, src []byte) {
	if len(src) < copyFrom || t.size <= 1 {
		copy(dst, src)
		return
	}
	const part = 2 << 20
	s := t.take()
	defer t.put(s)
	_ = t.do((len(src)+part-1)/part, s, func(p int, _ *scratch) error {
		copy(dst[p*part:], src[p*part:min((p+1)*part, len(src))])
		return nil
	})
}

// work takes parts until there are none left, and calls last before its own last one is
// finished: whoever waits for the job finds that a helper has left its large scratch.
func (j *job) work(from uint64, s *scratch, last func()) {
	for part, ok := j.take(from); ok; {
		s.reset()
		if err := j.guard(part, s); err != nil {
			j.fail(part, err)
		}
		if part, ok = j.take(from); !ok {
			last()
		}
		if int(j.finished.Add(1)) == j.parts {
			close(j.done)
		}
	}
}

// What taking a part adds to taken.
const (
	fromFront = 1
	fromEnd   = 1 << 32
)

// take is the next part from one side, if there is one left.
func (j *job) take(from uint64) (part int, ok bool) {
	taken := j.taken.Add(from)
	front, end := int(taken%fromEnd), int(taken/fromEnd)
	if from == fromEnd {
		return j.parts - end, front+end <= j.parts
	}
	return front - 1, front+end <= j.parts
}

// guard turns a panic, which is a bug in a kernel, into an error.
func (j *job) guard(part int, s *scratch) (err error) {
	defer recovered(&err)
	return j.run(part, s)
}

func (j *job) fail(part int, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.err == nil || part < j.failed {
		j.err, j.failed = err, part
	}
}

// recovered is deferred around kernels.
func recovered(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("cpu: internal error: %v\n%s", p, debug.Stack())
	}
}
