package cpu

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// addOne is x + 1 in place over n int32.
func addOne(t testing.TB, d *Device, n int) device.Kernel {
	t.Helper()
	o := ir.Contiguous(elem.Int32, []int{n})
	k, err := d.Compile(&ir.Map{
		Dims: []int{n},
		Code: ir.Code{In: []ir.Operand{o}, Instrs: []ir.Instr{
			{Kind: ir.Load, Type: elem.Int32}, {Kind: ir.Const, Type: elem.Int32},
			{Kind: ir.Apply, Op: scalar.Add, Type: elem.Int32, A: 0, B: 1},
		}},
		Out: []ir.Operand{o}, Value: []ir.ValueID{2},
	})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func open(t testing.TB, o Options) *Device {
	d := Open(o)
	t.Cleanup(func() { d.Close() })
	return d
}

func newBuffer(t testing.TB, d *Device, bytes int) device.Buffer {
	t.Helper()
	b, err := d.Alloc(bytes)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func queueOf(t testing.TB, d *Device) *queue {
	t.Helper()
	q, err := d.NewQueue()
	if err != nil {
		t.Fatal(err)
	}
	return q.(*queue)
}

func within(t testing.TB, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(2 * time.Minute):
		t.Fatalf("%s: still waiting", what)
	}
}

// A buffer goes around many queues, each launch fenced behind the last. Some
// queues are flushed, some drained by waiters, and many goroutines wait at
// once: every increment must be there at the end, and nobody may hang.
func TestFencesAcrossQueues(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		d := open(t, Options{Workers: 1 + r.IntN(3)})
		n := []int{1, 100, 70_000}[r.IntN(3)]
		k := addOne(t, d, n)
		b := newBuffer(t, d, 4*n)
		queues := make([]*queue, 1+r.IntN(5))
		for i := range queues {
			queues[i] = queueOf(t, d)
		}
		start := make([]int32, n)
		queues[0].Write(b, elem.Bytes(start))
		last := queues[0].Record()
		var waiters sync.WaitGroup
		const launches = 200
		l := device.Launch{Kernel: k, Reads: []device.Buffer{b}, Writes: []device.Buffer{b}, Args: []scalar.Arg{scalar.IntArg(1)}}
		for range launches {
			q := queues[r.IntN(len(queues))]
			q.Wait(last)
			q.Launch(l)
			last = q.Record()
			switch r.IntN(6) {
			case 0:
				q.Flush()
			case 1:
				e := last
				waiters.Go(func() { _ = e.Wait(context.Background()) })
			case 2:
				e := last
				waiters.Go(func() {
					ctx, cancel := context.WithTimeout(context.Background(), time.Duration(seed)*time.Microsecond)
					defer cancel()
					_ = e.Wait(ctx)
				})
			}
		}
		within(t, "fences", func() {
			if err := last.Wait(context.Background()); err != nil {
				t.Error(err)
			}
			waiters.Wait()
		})
		got := make([]int32, n)
		if err := queues[0].Read(context.Background(), elem.Bytes(got), b); err != nil {
			t.Fatal(err)
		}
		if got[0] != launches || got[n-1] != launches {
			t.Fatalf("seed %d: %d and %d after %d launches", seed, got[0], got[n-1], launches)
		}
	}
}

func TestThenRunsOnceInTime(t *testing.T) {
	d := open(t, Options{})
	q := queueOf(t, d)
	k := addOne(t, d, 8)
	b := newBuffer(t, d, 32)
	var mu sync.Mutex
	calls := map[int]int{}
	var called sync.WaitGroup // a call may come a little later than who waits for its event
	called.Add(50)
	for i := range 50 {
		q.Launch(device.Launch{Kernel: k, Reads: []device.Buffer{b}, Writes: []device.Buffer{b}, Args: []scalar.Arg{{1}}})
		e := q.Record()
		e.Then(func() {
			if !e.Happened() {
				t.Error("called before the event")
			}
			mu.Lock()
			calls[i]++
			mu.Unlock()
			called.Done()
		})
	}
	if len(calls) != 0 {
		t.Fatalf("%d calls before anything ran", len(calls))
	}
	q.Flush()
	within(t, "flush", func() {
		_ = q.Record().Wait(context.Background())
		called.Wait()
	})
	mu.Lock()
	defer mu.Unlock()
	if len(calls) != 50 {
		t.Fatalf("%d of 50 calls", len(calls))
	}
	for i, n := range calls {
		if n != 1 {
			t.Errorf("call %d came %d times", i, n)
		}
	}
}

// Flush alone makes work happen.
func TestFlushNeedsNoWaiter(t *testing.T) {
	d := open(t, Options{})
	q := queueOf(t, d)
	b := newBuffer(t, d, 32)
	k := addOne(t, d, 8)
	q.Launch(device.Launch{Kernel: k, Reads: []device.Buffer{b}, Writes: []device.Buffer{b}, Args: []scalar.Arg{{1}}})
	e := q.Record()
	q.Flush()
	within(t, "flush", func() {
		for !e.Happened() {
			time.Sleep(time.Millisecond)
		}
	})
}

// slow is work that takes until it is told to stop.
type slow struct{ until chan struct{} }

func (s slow) run(*launch) error { <-s.until; return nil }

// A waiter whose context ends gives up although the queue is busy, and what
// is queued still happens.
func TestWaitGivesUp(t *testing.T) {
	d := open(t, Options{})
	q := queueOf(t, d)
	until := make(chan struct{})
	q.Launch(device.Launch{Kernel: &kernel{work: slow{until}}})
	q.Flush()
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(5*time.Millisecond, cancel)
	e := q.Record()
	within(t, "cancelled wait", func() {
		if err := e.Wait(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("wait: %v", err)
		}
		b := newBuffer(t, d, 4)
		if err := q.Read(ctx, make([]byte, 4), b); !errors.Is(err, context.Canceled) {
			t.Errorf("read: %v", err)
		}
	})
	close(until)
	within(t, "the rest", func() { _ = e.Wait(context.Background()) })
}

// broken panics, on the runner and on helpers.
type broken struct{ parts int }

func (b broken) run(l *launch) error {
	return l.team.do(b.parts, l.s, func(part int, _ *scratch) error {
		var none []int
		return fmt.Errorf("%d", none[part])
	})
}

func TestPanicsBecomeMarks(t *testing.T) {
	d := open(t, Options{Workers: 3})
	q := queueOf(t, d)
	b := newBuffer(t, d, 4)
	for _, parts := range []int{1, 100} {
		q.Launch(device.Launch{Kernel: &kernel{work: broken{parts}, need: []int{4}}, Writes: []device.Buffer{b}, Label: device.Label{Op: "bad"}})
		within(t, "panic", func() { _ = q.Record().Wait(context.Background()) })
		var e *device.LaunchError
		if !errors.As(b.Err(), &e) || e.Label.Op != "bad" || !strings.Contains(e.Error(), "index out of range") {
			t.Errorf("%d parts: mark %v", parts, b.Err())
		}
	}
}

func TestLaunchChecksItsBuffers(t *testing.T) {
	d := open(t, Options{})
	q := queueOf(t, d)
	b := newBuffer(t, d, 4)
	q.Launch(device.Launch{Kernel: addOne(t, d, 100_000), Reads: []device.Buffer{b}, Writes: []device.Buffer{b}, Args: []scalar.Arg{{1}}})
	_ = q.Record().Wait(context.Background())
	if err := b.Err(); !errors.Is(err, device.ErrSize) {
		t.Errorf("mark %v, want %v", err, device.ErrSize)
	}
}

func TestMemory(t *testing.T) {
	d := open(t, Options{Limit: 8 << 20})
	var held []device.Buffer
	for {
		b, err := d.Alloc(3 << 20)
		var oom *device.OutOfMemoryError
		if errors.As(err, &oom) {
			if len(held) != 2 || oom.Held != 6<<20 || oom.Asked != 3<<20 || oom.Free != 2<<20 || oom.Limit != 8<<20 {
				t.Errorf("after %d buffers: %+v", len(held), oom)
			}
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if p := uintptr(b.(*buffer).base()); p%alignment != 0 {
			t.Errorf("buffer at %#x", p)
		}
		held = append(held, b)
	}
	for _, b := range held {
		d.Free(b)
		d.Free(b)
	}
	if d.held != 0 {
		t.Errorf("%d bytes held after everything was freed", d.held)
	}
	for _, bytes := range []int{-1, math.MaxInt/2 + 1} {
		var oom *device.OutOfMemoryError
		if _, err := d.Alloc(bytes); !errors.As(err, &oom) {
			t.Errorf("alloc of %d bytes: %v", bytes, err)
		}
	}
}

// Closing the device while others read and write ends in errors, not in
// faults.
func TestCloseWhileInUse(t *testing.T) {
	for range 20 {
		d := Open(Options{})
		var users sync.WaitGroup
		for range 3 {
			q, b := queueOf(t, d), newBuffer(t, d, 4<<20)
			users.Go(func() {
				data := make([]byte, 4<<20)
				for q.Read(context.Background(), data, b) == nil {
					q.Write(b, data)
				}
			})
		}
		time.Sleep(time.Millisecond)
		within(t, "close", func() {
			d.Close()
			users.Wait()
		})
		if _, err := d.Alloc(1); !errors.Is(err, device.ErrClosed) {
			t.Fatalf("alloc: %v", err)
		}
	}
}
