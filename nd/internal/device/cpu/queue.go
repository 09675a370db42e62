package cpu

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/twiddle-go/twiddle/nd/internal/device"
)

// queue is a ring of commands. At most one goroutine runs it at a time: a
// waiter that found it idle, or one started by Flush. Commands are numbered
// from 1 in the order they came.
type queue struct {
	dev *Device

	mu        sync.Mutex
	ring      []command // a power of two
	head      int
	count     int // commands not yet taken by the runner
	submitted uint64
	running   bool
	closed    bool
	flushTo   uint64 // commands up to here are run even if nobody waits
	waiters   device.Waiters
	wakeAt    uint64   // the least count that one of them waits for
	calls     []func() // scratch of the runner
	all       func()   // q.drainAll

	finished atomic.Uint64 // changes under mu
}

type commandKind uint8

const (
	commandLaunch commandKind = iota
	commandWrite
	commandRead
	commandWait
)

// command is one entry of the ring.
type command struct {
	kind   commandKind
	launch device.Launch
	buf    *buffer
	data   []byte       // commandWrite
	read   *readRequest // commandRead
	event  device.Event // commandWait
}

// readRequest is a host read; it is claimed by the runner that copies or by a
// reader that gives up.
type readRequest struct {
	dst     []byte
	claimed atomic.Bool
	err     error
}

func newQueue(d *Device) *queue {
	q := &queue{dev: d, ring: make([]command, 16), wakeAt: device.Never}
	q.all = q.drainAll
	return q
}

// put appends a command, unless the queue is closed.
func (q *queue) put(c command) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false
	}
	if q.count == len(q.ring) {
		bigger := make([]command, 2*len(q.ring))
		n := copy(bigger, q.ring[q.head:])
		copy(bigger[n:], q.ring[:q.head])
		q.ring, q.head = bigger, 0
	}
	q.ring[(q.head+q.count)&(len(q.ring)-1)] = c
	q.count++
	q.submitted++
	return true
}

func (q *queue) Launch(l device.Launch) {
	if !q.put(command{kind: commandLaunch, launch: l}) {
		for _, w := range l.Writes {
			w.(*buffer).setErr(device.ErrClosed)
		}
	}
}

func (q *queue) Write(dst device.Buffer, src []byte) {
	b := dst.(*buffer)
	if q.claimIdle() {
		b.write(src)
		q.release()
		return
	}
	if !q.put(command{kind: commandWrite, buf: b, data: append([]byte(nil), src...)}) {
		b.setErr(device.ErrClosed)
	}
}

func (q *queue) Read(ctx context.Context, dst []byte, src device.Buffer) error {
	b := src.(*buffer)
	if q.claimIdle() {
		defer q.release()
		return b.read(dst)
	}
	r := &readRequest{dst: dst}
	if !q.put(command{kind: commandRead, buf: b, read: r}) {
		return device.ErrClosed
	}
	e := q.Record()
	if err := e.Wait(ctx); err != nil {
		if r.claimed.CompareAndSwap(false, true) {
			return err
		}
		// The runner is copying into dst; it must not outlive this call.
		if err := e.Wait(context.Background()); err != nil {
			return err
		}
	}
	return r.err
}

// Record gives the event of everything put so far.
func (q *queue) Record() device.Event {
	q.mu.Lock()
	defer q.mu.Unlock()
	return device.Event{Clock: q, N: q.submitted}
}

func (q *queue) Wait(e device.Event) {
	if e.Clock == device.Clock(q) || e.Happened() { // its own are in order anyway
		return
	}
	q.put(command{kind: commandWait, event: e})
}

func (q *queue) Flush() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.flushLocked()
}

func (q *queue) flushLocked() {
	q.flushTo = q.submitted
	if !q.running && q.count > 0 {
		q.running = true
		go q.all()
	}
}

// Close refuses further commands and waits for those there are.
func (q *queue) Close() error {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	err := q.Record().Wait(context.Background())
	// A reader or writer that found the queue idle may still be copying.
	for q.isRunning() {
		runtime.Gosched()
	}
	q.dev.mu.Lock()
	delete(q.dev.queues, q)
	q.dev.mu.Unlock()
	return err
}

func (q *queue) isRunning() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.running
}

// claim makes the caller the runner if there is none and there is work.
func (q *queue) claim() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.running || q.count == 0 {
		return false
	}
	q.running = true
	return true
}

// claimIdle makes the caller the runner of a queue that has nothing to run,
// so that it may touch buffers at once and still be in order.
func (q *queue) claimIdle() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.running || q.count > 0 || q.closed {
		return false
	}
	q.running = true
	return true
}

// release ends the caller's turn. Work that was flushed, or that someone is
// parked for, gets a new runner.
func (q *queue) release() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.running = false
	if q.count == 0 {
		return
	}
	if q.flushTo > q.finished.Load() || q.waiters.Parked() {
		q.running = true
		go q.all()
	}
}

func (q *queue) drainAll() { _ = q.drain(context.Background(), device.Never) }

// drain runs commands until seq of them are finished or none is left; the
// caller has claimed the queue. If ctx ends first, the rest goes to another
// goroutine, because events must happen.
func (q *queue) drain(ctx context.Context, seq uint64) error {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	s := q.dev.team.take()
	defer q.dev.team.put(s)
	defer q.release()
	c, ok := q.next(false)
	for ok && q.finished.Load() < seq {
		if ctx.Err() != nil {
			q.Flush()
			return context.Cause(ctx)
		}
		if c.kind == commandWait {
			if err := c.event.Wait(ctx); err != nil {
				q.Flush()
				return err
			}
		} else {
			c.run(q.dev, s)
		}
		c, ok = q.next(true)
	}
	return nil
}

// next removes the command that has run, if done, tells those who waited for
// it, and gives the one to run now. That one stays in the ring: the caller may
// have to leave it to another runner.
func (q *queue) next(done bool) (c command, ok bool) {
	q.mu.Lock()
	if done {
		q.ring[q.head] = command{}
		q.head = (q.head + 1) & (len(q.ring) - 1)
		q.count--
		if n := q.finished.Add(1); n >= q.wakeAt {
			q.calls, q.wakeAt = q.waiters.Tell(n, q.calls[:0])
			calls := q.calls // nobody else touches them: the caller is the runner
			q.mu.Unlock()
			for _, f := range calls {
				f()
			}
			clear(calls)
			q.mu.Lock()
		}
	}
	if ok = q.count > 0; ok {
		c = q.ring[q.head]
	}
	q.mu.Unlock()
	return c, ok
}

// run carries out a command; failures end up as marks.
func (c *command) run(d *Device, s *scratch) {
	switch c.kind {
	case commandLaunch:
		c.runLaunch(d, s)
	case commandWrite:
		c.buf.write(c.data)
	case commandRead:
		if c.read.claimed.CompareAndSwap(false, true) {
			c.read.err = c.buf.read(c.read.dst)
		}
	}
}

func (c *command) runLaunch(d *Device, s *scratch) {
	l := &c.launch
	if l.Timed != nil {
		begin := time.Now()
		defer func() { l.Timed(begin, time.Now()) }()
	}
	err := blocked(l)
	if err == nil {
		k, ok := l.Kernel.(*kernel)
		if ok {
			err = k.run(d, l, s)
		} else {
			err = fmt.Errorf("cpu: kernel %T is another device's", l.Kernel)
		}
		if err != nil {
			err = &device.LaunchError{Label: l.Label, Err: err}
		}
	}
	for _, w := range l.Writes {
		b := w.(*buffer)
		if l.Adds && (err == nil || b.Err() != nil) {
			continue // the first failure of a shared result stays
		}
		b.setErr(err)
	}
}

// blocked is why a launch must not run: a mark on what it reads or adds to,
// or a context that is done.
func blocked(l *device.Launch) error {
	for _, r := range l.Reads {
		if err := r.Err(); err != nil {
			return err
		}
	}
	if l.Adds {
		for _, w := range l.Writes {
			if err := w.Err(); err != nil {
				return err
			}
		}
	}
	if l.Context != nil && l.Context.Err() != nil {
		return &device.Cancelled{Cause: context.Cause(l.Context)}
	}
	return nil
}
