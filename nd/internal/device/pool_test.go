package device_test

import (
	"context"
	"errors"
	"math"
	"runtime"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/null"
)

// event is a clock that strikes when the test says so.
type event struct{ done chan struct{} }

func newEvent() *event { return &event{make(chan struct{})} }

// at is the moment it strikes.
func at(e *event) device.Event { return device.Event{Clock: e} }

func (e *event) happen() { close(e.done) }
func (e *event) WaitFor(ctx context.Context, _ uint64) error {
	select {
	case <-e.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
func (e *event) Reached(uint64) bool {
	select {
	case <-e.done:
		return true
	default:
		return false
	}
}
func (e *event) Call(_ uint64, f func()) { go func() { <-e.done; f() }() }

func get(t *testing.T, p *device.Pool, bytes, queue int, fence func(device.Event)) *device.Block {
	t.Helper()
	if fence == nil {
		fence = func(device.Event) { t.Error("fenced") }
	}
	b, err := p.Get(context.Background(), bytes, queue, fence)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestPoolCountsBytes(t *testing.T) {
	p := device.NewPool(null.New(null.Options{}))
	a, b := get(t, p, 1000, 0, nil), get(t, p, 100, 0, nil)
	if a.Bytes() < 1000 || a.Bytes() > 1125 || b.Bytes() < 100 {
		t.Errorf("blocks of %d and %d bytes for 1000 and 100", a.Bytes(), b.Bytes())
	}
	all := a.Bytes() + b.Bytes()
	if u := p.Usage(); u.Active != all || u.Peak != all || u.Cached != 0 {
		t.Errorf("%+v with %d bytes out", u, all)
	}
	a.Retain()
	a.Release()
	if u := p.Usage(); u.Active != all {
		t.Errorf("%+v: a block with a reference left went back", u)
	}
	a.Release()
	b.Release()
	if u := p.Usage(); u.Active != 0 || u.Cached != all || u.Peak != all {
		t.Errorf("%+v with nothing out", u)
	}
	p.ResetPeak()
	p.Trim()
	if u := p.Usage(); u != (device.Usage{}) {
		t.Errorf("%+v after trimming", u)
	}
}

func TestPoolReusesInQueueOrder(t *testing.T) {
	p := device.NewPool(null.New(null.Options{}))
	b := get(t, p, 64, 1, nil)
	busy := newEvent()
	b.Use(1, at(busy))
	b.Release()
	if other := get(t, p, 64, 2, nil); other == b {
		t.Error("queue 2 was given what queue 1 is using")
	}
	same := get(t, p, 64, 1, nil)
	if same != b {
		t.Error("queue 1 was not given its own block again")
	}
	// Given back unused: what queue 1 did with it before is still going on.
	same.Release()
	if other := get(t, p, 64, 2, nil); other == b {
		t.Error("an unused turn made the pool forget the use before")
	}
	busy.happen()
	if after := get(t, p, 64, 2, nil); after != b {
		t.Error("queue 2 was not given the block that queue 1 is done with")
	}
}

func TestPoolFencesWhenShort(t *testing.T) {
	p := device.NewPool(null.New(null.Options{}))
	p.SetLimit(64)
	b := get(t, p, 64, 1, nil)
	busy := newEvent()
	b.Use(1, at(busy))
	b.Release()
	var fences []device.Event
	if got := get(t, p, 64, 2, func(e device.Event) { fences = append(fences, e) }); got != b {
		t.Error("the only block there can be was not given")
	}
	if len(fences) != 1 || fences[0] != at(busy) {
		t.Errorf("fences %v", fences)
	}
}

func TestPoolOutOfMemory(t *testing.T) {
	for name, p := range map[string]*device.Pool{
		"limit":  device.NewPool(null.New(null.Options{})),
		"device": device.NewPool(null.New(null.Options{MemoryBytes: 4096})),
	} {
		t.Run(name, func(t *testing.T) {
			p.SetLimit(4096)
			if name == "device" {
				p.SetLimit(0)
			}
			b := get(t, p, 3000, 0, nil)
			_, err := p.Get(context.Background(), 2000, 0, nil)
			var oom *device.OutOfMemoryError
			if !errors.As(err, &oom) {
				t.Fatalf("error %v", err)
			}
			if oom.Asked != 2000 || oom.Held != b.Bytes() || oom.Free != 4096-b.Bytes() {
				t.Errorf("%+v with %d bytes held", oom, b.Bytes())
			}
			b.Release()
			get(t, p, 2000, 0, nil).Release() // of another size: the cached block makes room
			if _, err := p.Get(context.Background(), math.MaxInt, 0, nil); !errors.As(err, &oom) {
				t.Errorf("asking for everything: %v", err)
			}
		})
	}
}

func TestPoolWaitsForQueuedWorkBeforeFailing(t *testing.T) {
	p := device.NewPool(null.New(null.Options{}))
	p.SetLimit(4096)
	b := get(t, p, 4096, 1, nil)
	busy := newEvent()
	b.Use(1, at(busy))
	b.Release()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := p.Get(ctx, 512, 2, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that is done: %v", err)
	}
	go busy.happen()
	get(t, p, 512, 2, nil)
}

// Memory that dead objects hold is not missing, however late their cleanups run.
func TestPoolWaitsForCleanupsBeforeFailing(t *testing.T) {
	p := device.NewPool(null.New(null.Options{}))
	const size, count = 1 << 10, 20
	p.SetLimit(count * size)
	type owner struct{ list []int }
	for range count {
		runtime.AddCleanup(&owner{make([]int, 8)}, func(b *device.Block) {
			time.Sleep(time.Millisecond)
			b.Release()
		}, get(t, p, size, 0, nil))
	}
	get(t, p, count*size, 0, nil).Release()
}

func TestPoolCacheLimit(t *testing.T) {
	dev := null.New(null.Options{})
	p := device.NewPool(dev)
	p.SetCacheLimit(0)
	get(t, p, 4096, 0, nil).Release()
	if u := p.Usage(); u.Cached != 0 || dev.Held() != 0 {
		t.Errorf("%+v, device holds %d, keeping nothing", u, dev.Held())
	}
	p.SetCacheLimit(1 << 20)
	b := get(t, p, 4096, 0, nil)
	b.Release()
	if u := p.Usage(); u.Cached != b.Bytes() {
		t.Errorf("%+v, keeping everything", u)
	}
	p.SetCacheLimit(0)
	if dev.Held() != 0 {
		t.Errorf("device holds %d after the limit was lowered", dev.Held())
	}
}

// A loop over results of about the input's size, and a small one, allocates in its first
// turn only.
func TestPoolKeepsWhatLoopsUse(t *testing.T) {
	p := device.NewPool(null.New(null.Options{}))
	input := get(t, p, 256<<20, 0, nil)
	defer input.Release()
	first := map[int]*device.Block{}
	for turn := range 3 {
		for _, bytes := range []int{4, 260 << 20, 256 << 20} {
			b := get(t, p, bytes, 0, nil)
			if turn == 0 {
				first[bytes] = b
			} else if first[bytes] != b {
				t.Errorf("turn %d has a new block of %d bytes", turn, bytes)
			}
			b.Release()
		}
	}
}

func TestPoolClosed(t *testing.T) {
	p := device.NewPool(null.New(null.Options{}))
	b := get(t, p, 64, 0, nil)
	p.Close()
	if _, err := p.Get(context.Background(), 64, 0, nil); !errors.Is(err, device.ErrClosed) {
		t.Errorf("error %v", err)
	}
	b.Release()
	if u := p.Usage(); u.Active != 0 || u.Cached != 0 {
		t.Errorf("%+v after the last block came back", u)
	}
}
