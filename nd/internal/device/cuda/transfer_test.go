package cuda

import (
	"context"
	"encoding/binary"
	"errors"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/internal/cuda/driver"
	"github.com/twiddle-go/twiddle/nd/internal/device"
)

// Long transfers go through pinned memory in parts, and more of them than it
// holds wait for one another.
func TestLongTransfers(t *testing.T) {
	d, s := openSim(t)
	defer d.Close()
	d.staging.most = 4 * largePiece
	b := newBench(t, d)
	for _, n := range []int{largePiece - 4, largePiece, largePiece + 4, 5*largePiece + 12} {
		data := make([]byte, n)
		for i := 0; i < n; i += 4 {
			binary.LittleEndian.PutUint32(data[i:], uint32(i)*2654435761)
		}
		x, err := d.Alloc(n)
		if err != nil {
			t.Fatal(err)
		}
		b.q.Write(x, data)
		clear(data[:n/2])
		got := make([]byte, n)
		if err := b.q.Read(context.Background(), got, x); err != nil {
			t.Fatal(err)
		}
		for i := 0; i < n; i += 4 {
			if binary.LittleEndian.Uint32(got[i:]) != uint32(i)*2654435761 {
				t.Fatalf("%d bytes: wrong at %d", n, i)
			}
		}
		d.Free(x)
	}
	// With the stream held up, writes fill the pinned memory and then wait.
	hold := make(chan struct{})
	s.slow = func() { <-hold }
	x, y := b.floats(1), b.floats(0)
	big, err := d.Alloc(2 * largePiece)
	if err != nil {
		t.Fatal(err)
	}
	b.run(b.kernel(copyProgram(1)), "slow", x, y)
	done := make(chan struct{})
	go func() {
		for range 3 {
			b.q.Write(big, make([]byte, 2*largePiece))
		}
		close(done)
	}()
	select {
	case <-done:
		t.Error("writes of more than the pinned memory did not wait")
	case <-time.After(300 * time.Millisecond):
	}
	close(hold)
	select {
	case <-done:
	case <-time.After(patience):
		t.Fatal("writes hang")
	}
}

// A reader that gives up leaves its copies to finish, and their memory comes
// back.
func TestAbandonedRead(t *testing.T) {
	d, s := openSim(t)
	defer d.Close()
	b := newBench(t, d)
	x, y := b.floats(1), b.floats(0)
	k := b.kernel(copyProgram(1))
	hold := make(chan struct{})
	s.slow = func() { <-hold }
	b.run(k, "slow", x, y)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if err := b.q.Read(ctx, make([]byte, 4), y); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("read: %v", err)
	}
	close(hold)
	if got, err := b.read(y); err != nil || got[0] != 1 {
		t.Errorf("%v, %v", got, err)
	}
	if err := b.q.Record().Wait(context.Background()); err != nil {
		t.Fatal(err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if n := len(b.q.(*queue).pieces); n != 0 {
		t.Errorf("%d pieces did not come back", n)
	}
}

// Out of memory says what was asked for, held and free, and leaves the device
// working.
func TestOutOfMemory(t *testing.T) {
	d, _ := openSim(t)
	defer d.Close()
	b := newBench(t, d)
	first, err := d.Alloc(simMemory / 2)
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.Alloc(simMemory/2 + 64)
	var oom *device.OutOfMemoryError
	if !errors.As(err, &oom) || oom.Asked != simMemory/2+64 || oom.Held != simMemory/2 || oom.Free != simMemory/2 {
		t.Errorf("%+v, %v", oom, err)
	}
	d.Free(first)
	second, err := d.Alloc(simMemory - 4096)
	if err != nil {
		t.Errorf("after freeing: %v", err)
	}
	d.Free(second)
	x := b.floats(3)
	if got, err := b.read(x); err != nil || got[0] != 3 {
		t.Errorf("%v, %v", got, err)
	}
}

// Scratch memory grows with the launches of a queue and is shared by them.
func TestScratch(t *testing.T) {
	d, s := openSim(t)
	b := newBench(t, d)
	q := b.q.(*queue)
	if err := d.enter(); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{100, 5000, 300} {
		if err := q.reserve(n); err != nil {
			t.Error(err)
		}
	}
	if q.scratchBytes != 5000 || d.held != 5000 {
		t.Errorf("%d bytes of scratch, %d held", q.scratchBytes, d.held)
	}
	d.leave()
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	// Streams that were destroyed finish by themselves.
	for start := time.Now(); ; time.Sleep(time.Millisecond) {
		s.mu.Lock()
		used := s.used
		s.mu.Unlock()
		if used == 0 {
			return
		}
		if time.Since(start) > patience {
			t.Fatalf("%d bytes were not given back", used)
		}
	}
}

// Time between stamps is the GPU's.
func TestStamps(t *testing.T) {
	d, s := openSim(t)
	defer d.Close()
	b := newBench(t, d)
	k, x, y := b.kernel(copyProgram(1)), b.floats(1), b.floats(0)
	s.slow = func() { time.Sleep(20 * time.Millisecond) }
	from := device.StampOf(b.q)
	b.run(k, "slow", x, y)
	to := device.StampOf(b.q)
	if got, err := to.Since(context.Background(), from); err != nil || got < 20*time.Millisecond {
		t.Errorf("%v, %v", got, err)
	}
}

// Work that nobody waits for does not make ever more events.
func TestEventsAreReused(t *testing.T) {
	d, s := openSim(t)
	defer d.Close()
	b := newBench(t, d)
	k, x, y := b.kernel(copyProgram(1)), b.floats(1), b.floats(0)
	for range 40 * manyEvents {
		b.run(k, "step", x, y)
		b.q.Record()
	}
	if got, err := b.read(y); err != nil || got[0] != 1 {
		t.Errorf("%v, %v", got, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.events); n > 16*manyEvents {
		t.Errorf("%d events for %d launches", n, 40*manyEvents)
	}
}

// Events happen in order: to find out how far a queue is, few are asked.
func TestFewEventsAreAsked(t *testing.T) {
	d, s := openSim(t)
	defer d.Close()
	b := newBench(t, d)
	const steps, open = 100, 37
	gate := make(chan struct{}, steps)
	s.slow = func() { <-gate }
	k, x, y := b.kernel(copyProgram(1)), b.floats(1), b.floats(0)
	var events []device.Event
	for range steps {
		b.run(k, "step", x, y)
		events = append(events, b.q.Record())
	}
	for range open {
		gate <- struct{}{}
	}
	if err := events[open-1].Wait(context.Background()); err != nil {
		t.Fatal(err)
	}
	before := s.queries.Load()
	if events[open].Happened() {
		t.Error("a step is over that has not begun")
	}
	if n := s.queries.Load() - before; n > 3 {
		t.Errorf("%d events were asked to see that nothing happened", n)
	}
	before = s.queries.Load()
	for range steps - open {
		gate <- struct{}{}
	}
	s.Enter()
	for s.QueryStream(b.q.(*queue).stream) == driver.NotReady {
		time.Sleep(time.Millisecond)
	}
	s.Leave()
	if err := events[steps-1].Wait(context.Background()); err != nil {
		t.Fatal(err)
	}
	if n := s.queries.Load() - before; n > 3 {
		t.Errorf("%d events were asked to see that %d steps are over", n, steps-open)
	}
}

// Many long reads share little pinned memory, and none waits forever.
func TestReadsShareMemory(t *testing.T) {
	d, _ := openSim(t)
	defer d.Close()
	d.staging.most = 4 * largePiece
	x, err := d.Alloc(3*largePiece + 4)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	writer := newBench(t, d).q
	writer.Write(x, make([]byte, x.Bytes()))
	if err := writer.Record().Wait(ctx); err != nil { // the readers' queues do not wait for this one
		t.Fatal(err)
	}
	errs := make(chan error)
	const readers = 12
	for range readers {
		q, err := d.NewQueue()
		if err != nil {
			t.Fatal(err)
		}
		go func() { errs <- q.Read(ctx, make([]byte, x.Bytes()), x) }()
	}
	for range readers {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

// Two GPUs of one driver wait for each other without the host: Wait returns while
// the other GPU is still at work, and what comes after it runs later.
func TestWaitAcrossGPUs(t *testing.T) {
	first, s := openSim(t)
	defer first.Close()
	second, err := open("cuda:1", "simulated", s, s, s.generate, openCache(""))
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	a, b := newBench(t, first), newBench(t, second)
	x, y := a.floats(1), a.floats(0)
	u, v := b.floats(2), b.floats(0)
	ka, kb := a.kernel(copyProgram(1)), b.kernel(copyProgram(1))
	if _, err := a.read(x); err != nil {
		t.Fatal(err)
	}
	if _, err := b.read(u); err != nil {
		t.Fatal(err)
	}

	hold := make(chan struct{})
	s.slow = func() { <-hold }
	a.run(ka, "slow", x, y)
	event := a.q.Record()
	returned := make(chan struct{})
	go func() {
		b.q.Wait(event)
		b.run(kb, "after", u, v)
		close(returned)
	}()
	select {
	case <-returned:
	case <-time.After(patience):
		t.Fatal("waiting for another GPU blocks the host")
	}
	after := b.q.Record()
	if event.Happened() || after.Happened() {
		t.Error("it is over before it began")
	}
	close(hold)
	if err := after.Wait(context.Background()); err != nil || !event.Happened() {
		t.Errorf("what waits is done, what it waits for happened %t: %v", event.Happened(), err)
	}
	if got, err := b.read(v); err != nil || got[0] != 2 {
		t.Errorf("%v, %v", got, err)
	}
	b.q.Wait(event) // which has happened
}
