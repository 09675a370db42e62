package cuda

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/internal/cuda/driver"
	"github.com/twiddle-go/twiddle/nd/internal/device"
)

func numbered(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*7 + i>>9)
	}
	return b
}

// What is pinned is copied by the GPU, from any part of it; the rest through pieces.
func TestPinnedIsCopiedDirectly(t *testing.T) {
	d, s := openSim(t)
	defer d.Close()
	b := newBench(t, d)
	host := numbered(3 * smallPiece)
	mem, other := host[:2*smallPiece], host[2*smallPiece:]
	if err := d.Pin(mem); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	for name, tt := range map[string]struct {
		part   []byte
		direct bool
	}{
		"all":      {mem, true},
		"a middle": {mem[5:77], true},
		"the end":  {mem[smallPiece:], true},
		"across":   {host[smallPiece : 2*smallPiece+1], false},
		"another":  {other, false},
		"none":     {mem[:0], false},
	} {
		x, err := d.Alloc(len(tt.part))
		if err != nil {
			t.Fatal(err)
		}
		want := bytes.Clone(tt.part)
		before := s.pins.direct.Load()
		b.q.Write(x, tt.part)
		clear(tt.part) // which Write is done with
		got := make([]byte, len(want))
		if err := b.q.Read(ctx, got, x); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: written wrongly, %v", name, err)
		}
		if err := b.q.Read(ctx, tt.part, x); err != nil || !bytes.Equal(tt.part, want) {
			t.Errorf("%s: read wrongly, %v", name, err)
		}
		if n := s.pins.direct.Load() - before; (n > 0) != tt.direct || n > 0 && n != int64(2*len(want)) {
			t.Errorf("%s: %d of %d bytes were copied directly", name, n, 2*len(want))
		}
		d.Free(x)
	}
	d.Unpin(mem)
	d.Unpin(mem)
	d.Unpin(other)
	before := s.pins.direct.Load()
	x, err := d.Alloc(len(mem))
	if err != nil {
		t.Fatal(err)
	}
	b.q.Write(x, mem)
	if err := b.q.Read(ctx, mem, x); err != nil || s.pins.direct.Load() != before {
		t.Errorf("after Unpin: %v, %d bytes directly", err, s.pins.direct.Load()-before)
	}
}

// A reader that gives up leaves nothing behind that writes to its memory.
func TestPinnedReadIsCancelled(t *testing.T) {
	d, s := openSim(t)
	defer d.Close()
	b := newBench(t, d)
	x, y := b.floats(1), b.floats(0)
	mem := make([]byte, 4)
	if err := d.Pin(mem); err != nil {
		t.Fatal(err)
	}
	hold := make(chan struct{})
	s.slow = func() { <-hold }
	b.run(b.kernel(copyProgram(1)), "slow", x, y)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if err := b.q.Read(ctx, mem, y); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("read: %v", err)
	}
	close(hold)
	b.wait()
	if !bytes.Equal(mem, make([]byte, 4)) || s.pins.direct.Load() != 0 {
		t.Error("memory was written to after its reader gave up")
	}
}

func TestPinningFails(t *testing.T) {
	d, s := openSim(t)
	b := newBench(t, d)
	mem := make([]byte, 64)
	s.pins.refuse = driver.OutOfMemory
	if err := d.Pin(mem); !errors.Is(err, driver.OutOfMemory) {
		t.Errorf("refused: %v", err)
	}
	s.pins.refuse = driver.Success
	if err := d.Pin(mem); err != nil {
		t.Fatal(err)
	}
	// A lost GPU is not waited for.
	x := b.floats(1, 2, 3, 4)
	s.fault()
	b.q.Write(x, mem[:16])
	var lost *LostError
	if err := b.q.Read(context.Background(), mem[:16], x); !errors.As(err, &lost) {
		t.Errorf("lost: %v", err)
	}
	if err := d.Pin(mem[:0]); err != nil {
		t.Errorf("nothing: %v", err)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	if err := d.Pin(mem); !errors.Is(err, device.ErrClosed) {
		t.Errorf("closed: %v", err)
	}
	d.Unpin(mem)
}

// Pinned memory comes and goes while others copy.
func TestPinnedFromManyGoroutines(t *testing.T) {
	d, _ := openSim(t)
	defer d.Close()
	var wg sync.WaitGroup
	for i := range 8 {
		q, err := d.NewQueue()
		if err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			data := numbered(smallPiece + i)
			for range 20 {
				mem := bytes.Clone(data)
				if err := d.Pin(mem); err != nil {
					t.Error(err)
					return
				}
				x, err := d.Alloc(len(mem))
				if err != nil {
					t.Error(err)
					return
				}
				q.Write(x, mem)
				clear(mem)
				if err := q.Read(context.Background(), mem, x); err != nil || !bytes.Equal(mem, data) {
					t.Errorf("copied wrongly: %v", err)
				}
				d.Free(x)
				d.Unpin(mem)
			}
		})
	}
	wg.Wait()
}
