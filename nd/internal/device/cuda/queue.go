package cuda

import (
	"context"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/cuda/driver"
	"github.com/twiddle-go/twiddle/nd/internal/device"
)

// queue is a stream of the driver. What is put on it is submitted at once and
// numbered from 1. All fields but finished are guarded by the device's mu.
type queue struct {
	dev    *Device
	stream driver.Stream
	closed bool

	submitted uint64
	at        time.Time     // when the last was
	finished  atomic.Uint64 // as far as is known
	asked     uint64        // the last event that was given out
	recorded  []recorded    // in order, not known to have happened
	spare     []driver.Event

	// What is in flight, in order: names to blame, faults to look at, pinned
	// memory to take back.
	flights []flight
	faults  []*fault
	pieces  []piece
	graphs  []*graph // to be destroyed when they are over

	// The GPU writes how much of the queue is done to the bell, where it was last
	// asked to.
	bell cell
	rung uint64

	waiters  device.Waiters
	calls    []func() // scratch of the watcher
	watching bool

	scratch      driver.Pointer
	scratchBytes int
	words        []uint64 // parameters of the launch being made
	params       []unsafe.Pointer
}

// recorded is a driver event that happens when seq things are done.
type recorded struct {
	seq   uint64
	event driver.Event
}

type flight struct {
	seq    uint64
	label  device.Label
	custom bool
}

type piece struct {
	seq uint64
	mem []byte
}

// noteTime notes when something was submitted that takes its time. mu is held.
func (q *queue) noteTime() { q.at = time.Now() }

// usable is nil, or why the queue does no more work. mu is held.
func (q *queue) usable() error {
	if q.closed {
		return device.ErrClosed
	}
	return q.dev.usable()
}

// An event at the end of a queue needs no driver event: the queue is asked
// whether it has anything left to do. One is recorded when more is submitted,
// or when others have to wait for it.

// manyEvents is when to look for some that have happened, so that work that
// nobody waits for does not make ever more of them.
const manyEvents = 256

// keep makes sure of the last event that was given out, before more is
// submitted. mu is held.
func (q *queue) keep() {
	if q.asked == q.submitted {
		q.record()
	}
}

// record puts a driver event behind everything submitted so far. mu is held.
func (q *queue) record() {
	if n := len(q.recorded); n > 0 && q.recorded[n-1].seq == q.submitted || q.finished.Load() == q.submitted {
		return
	}
	if len(q.spare) == 0 && len(q.recorded) >= manyEvents {
		if q.poll(); q.finished.Load() == q.submitted {
			return
		}
	}
	d := q.dev
	var e driver.Event
	r := driver.Success
	if n := len(q.spare); n > 0 {
		e, q.spare = q.spare[n-1], q.spare[:n-1]
	} else {
		e, r = d.gpu.NewEvent(false)
	}
	if r == driver.Success {
		r = d.gpu.Record(e, q.stream)
	}
	if r != driver.Success {
		d.lose(r) // without events nothing can be ordered
		return
	}
	q.recorded = append(q.recorded, recorded{q.submitted, e})
}

// poll finds out how far the queue is. mu is held.
func (q *queue) poll() {
	d := q.dev
	n, ok := q.happened()
	if !ok {
		return
	}
	seq := q.finished.Load()
	if n > 0 {
		seq = q.recorded[n-1].seq
	}
	if n == len(q.recorded) && seq < q.submitted && q.stream != 0 {
		switch r := d.gpu.QueryStream(q.stream); r {
		case driver.Success:
			seq = q.submitted
		case driver.NotReady:
		default:
			d.lose(r)
			return
		}
	}
	if seq != q.finished.Load() {
		q.reached(n, seq)
	}
}

// reached notes that the first seq things are done, and so many of the recorded events
// have happened. mu is held.
func (q *queue) reached(events int, seq uint64) {
	for _, r := range q.recorded[:events] {
		q.spare = append(q.spare, r.event)
	}
	q.recorded = drop(q.recorded, events)
	q.settle(seq)
	q.finished.Store(seq)
}

// happened is how many of the recorded events have; false if the device is lost.
// They happen in order, so that few are asked: the first, the last, and in halves
// between. mu is held.
func (q *queue) happened() (int, bool) {
	from, to := 0, len(q.recorded)
	for asked := 0; from < to; asked++ {
		at := from + (to-from)/2
		switch asked {
		case 0:
			at = from
		case 1:
			at = to - 1
		}
		switch r := q.dev.gpu.Query(q.recorded[at].event); r {
		case driver.Success:
			from = at + 1
		case driver.NotReady:
			to = at
		default:
			q.dev.lose(r)
			return 0, false
		}
	}
	return from, true
}

// settle takes back what was in flight up to seq. mu is held.
func (q *queue) settle(seq uint64) {
	n := 0
	for n < len(q.faults) && q.faults[n].seq <= seq {
		q.faults[n].settle()
		n++
	}
	q.faults = drop(q.faults, n)
	for n = 0; n < len(q.pieces) && q.pieces[n].seq <= seq; n++ {
		q.dev.staging.put(q.pieces[n].mem)
	}
	q.pieces = drop(q.pieces, n)
	for n = 0; n < len(q.graphs) && q.graphs[n].seq <= seq; n++ {
		q.graphs[n].destroy()
	}
	q.graphs = drop(q.graphs, n)
	for n = 0; n < len(q.flights) && q.flights[n].seq <= seq; n++ {
	}
	q.flights = drop(q.flights, n)
}

// drop removes the first n elements in place, so that the memory is used again.
func drop[T any](list []T, n int) []T {
	if n == 0 {
		return list
	}
	kept := copy(list, list[n:])
	clear(list[kept:])
	return list[:kept]
}

// Record gives the event of everything submitted so far.
func (q *queue) Record() device.Event {
	q.dev.mu.Lock()
	defer q.dev.mu.Unlock()
	return q.eventNow()
}

// eventNow is Record; mu is held.
func (q *queue) eventNow() device.Event {
	q.asked = q.submitted
	return device.Event{Clock: q, N: q.submitted}
}

// Wait makes later work wait for an event, which may be another GPU's: the driver
// orders streams of different GPUs. An event of another kind of device is waited
// for here and now.
func (q *queue) Wait(e device.Event) {
	if e.Clock == device.Clock(q) || e.Happened() { // its own are in order anyway
		return
	}
	other, ok := e.Clock.(*queue)
	switch {
	case ok && other.dev == q.dev:
		q.waitBeside(other, e.N)
	case !ok || !q.waitAcross(other, e.N):
		_ = e.Wait(context.Background())
	}
}

// waitBeside is Wait for another queue of the GPU.
func (q *queue) waitBeside(other *queue, n uint64) {
	d := q.dev
	if d.enter() != nil {
		return
	}
	defer d.leave()
	if q.usable() != nil {
		return
	}
	if mark := other.marker(n); mark != 0 {
		if r := q.waitFor(mark); r != driver.Success {
			d.lose(r)
		}
	}
}

// waitAcross is Wait for another GPU; false if the host has to do it. The two are
// not locked at once. Meanwhile the driver's event may be recorded anew: that is
// later than it needs to be, but nothing it can depend on comes after this wait.
func (q *queue) waitAcross(other *queue, n uint64) bool {
	if other.dev.enter() != nil {
		return false
	}
	mark := other.marker(n)
	other.dev.leave()
	if mark == 0 { // it has happened, or its GPU is lost
		return other.known(n)
	}
	d := q.dev
	if d.enter() != nil {
		return false
	}
	defer d.leave()
	return q.usable() != nil || q.waitFor(mark) == driver.Success
}

// marker is a driver event behind the first n things, 0 if they are done. mu is
// held.
func (q *queue) marker(n uint64) driver.Event {
	q.keep()
	for _, r := range q.recorded {
		if r.seq >= n {
			return r.event
		}
	}
	return 0
}

// waitFor makes later work wait for an event of the driver. mu is held.
func (q *queue) waitFor(mark driver.Event) driver.Result {
	q.keep()
	r := q.dev.gpu.WaitEvent(q.stream, mark)
	if r == driver.Success {
		q.submitted++
	}
	return r
}

// Flush has nothing to do: work is submitted at once.
func (q *queue) Flush() {}

// Close refuses further work, waits for what there is, and ends the stream.
func (q *queue) Close() error {
	d := q.dev
	if err := d.enter(); err != nil {
		return err
	}
	again := q.closed
	e := q.eventNow()
	q.closed = true
	d.leave()
	err := e.Wait(context.Background())
	if again {
		return err
	}
	q.waitForWatcher()
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	_ = d.giveBack(q.scratch, q.stream)
	d.held -= q.scratchBytes
	q.scratch, q.scratchBytes = 0, 0
	if q.bell.words != nil && d.gpu.SyncStream(q.stream) == driver.Success { // it may be about to be written
		d.cells.put(q.bell)
		q.bell = cell{}
	}
	for _, e := range q.spare {
		_ = d.gpu.DestroyEvent(e)
	}
	q.spare = nil
	for _, r := range q.recorded { // only of a lost device
		_ = d.gpu.DestroyEvent(r.event)
	}
	q.recorded = nil
	_ = d.gpu.DestroyStream(q.stream)
	q.stream = 0
	delete(d.queues, q)
	return err
}
