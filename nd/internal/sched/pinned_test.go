package sched

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/null"
)

// pinning is a device that counts what is pinned.
type pinning struct {
	device.Device
	bytes atomic.Int64
	wrong atomic.Bool
}

func (p *pinning) Pin(mem []byte) error {
	const least = 4096 // the smallest page there is
	if uintptr(unsafe.Pointer(&mem[0]))%least != 0 || len(mem)%least != 0 {
		p.wrong.Store(true)
	}
	p.bytes.Add(int64(len(mem)))
	return nil
}

func (p *pinning) Unpin(mem []byte) { p.bytes.Add(-int64(len(mem))) }

// Pinned memory is whole pages, and is pinned as long as some part of it is used.
func TestPinnedIsCollected(t *testing.T) {
	dev := &pinning{Device: null.New(null.Options{})}
	e := NewEngine()
	d, err := e.Open(e.Register("pinning", func() (device.Device, error) { return dev, nil }))
	if err != nil {
		t.Fatal(err)
	}
	mem, err := d.Pinned(100_000)
	if err != nil || len(mem) != 100_000 || cap(mem) != len(mem) || dev.wrong.Load() || dev.bytes.Load() < 100_000 {
		t.Fatalf("%d bytes, %d pinned, whole pages %t, %v", len(mem), dev.bytes.Load(), !dev.wrong.Load(), err)
	}
	for _, b := range mem {
		if b != 0 {
			t.Fatal("not cleared")
		}
	}
	part := mem[50_000:50_001]
	for range 3 {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	if dev.bytes.Load() == 0 {
		t.Error("unpinned while it is used")
	}
	runtime.KeepAlive(part)
	for start := time.Now(); dev.bytes.Load() != 0; time.Sleep(time.Millisecond) {
		runtime.GC()
		if time.Since(start) > patience {
			t.Fatalf("%d bytes stay pinned", dev.bytes.Load())
		}
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Pinned(1); err == nil {
		t.Error("pinned for a closed device")
	}
}
