package cpu

import (
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/hostmem"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/philox"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
	"github.com/twiddle-go/twiddle/nd/internal/device"
)

// Options say how to open the device. The zero value is the usual choice.
type Options struct {
	// Workers is how many parts of a step run at once; 0 is GOMAXPROCS.
	Workers int
	// Limit is the most bytes of buffers there may be; 0 is the memory of the
	// machine.
	Limit int
	// Level is the instruction set of the vector kernels; Portable, the zero
	// value, is the best the machine has unless PortableOnly.
	Level        simd.Level
	PortableOnly bool
}

// Device computes on the processor.
type Device struct {
	name    string
	workers int
	level   simd.Level
	vec     *vec.Table
	f32     floatOps[float32]
	f64     floatOps[float64]
	philox  philox.Kernels
	team    *team
	solo    *team // of one worker, for what runs inside a part
	memory  int   // the machine's, 0 if unknown

	machines machines

	mu      sync.Mutex
	closed  bool
	limit   int
	limited bool // limit was asked for
	held    int  // bytes of buffers
	buffers map[*buffer]struct{}
	queues  map[*queue]struct{}
}

// unknownLimit is the limit where the machine's memory is not known: the Go
// heap ends the process when it cannot grow, so there has to be one.
const unknownLimit = min(16<<30, math.MaxInt/2)

// Open starts the device.
func Open(o Options) *Device {
	d := &Device{
		name:    "cpu",
		workers: o.Workers,
		level:   o.Level,
		limit:   o.Limit,
		limited: o.Limit > 0,
		buffers: map[*buffer]struct{}{},
		queues:  map[*queue]struct{}{},
	}
	if d.workers <= 0 {
		d.workers = runtime.GOMAXPROCS(0)
	}
	if d.level == simd.Portable && !o.PortableOnly {
		d.level = simd.Active()
	}
	d.memory = hostmem.Bytes()
	switch {
	case d.limited:
	case d.memory > 0:
		d.limit = d.memory
	default:
		d.limit = unknownLimit
	}
	d.vec = vec.For(d.level)
	d.f32, d.f64 = floatOpsOf(&d.vec.F32), floatOpsOf(&d.vec.F64)
	d.philox = philox.For(d.level)
	d.team, d.solo = newTeam(d.workers), newTeam(1)
	return d
}

// lineBytes is how long a line may be to stay in the second-level cache of
// one core next to its scratch: a quarter of the 2 MiB of current server
// parts, half of the 1 MiB of older ones.
const lineBytes = 512 << 10

// Info describes the device.
func (d *Device) Info() device.Info {
	return device.Info{
		Name:        d.name,
		Description: fmt.Sprintf("%s/%s, %d workers, %s", runtime.GOOS, runtime.GOARCH, d.workers, d.level),
		Model:       d.model(),
		Family:      fmt.Sprintf("%s %s", runtime.GOARCH, d.level),
		Workers:     d.workers,
		Types:       elem.All[:],
		MemoryBytes: d.memory,
		LineBytes:   lineBytes,
		Margins:     true,
		LongLines:   true,
		Overlaps:    true,
		WholeBins:   wholeBins,
		Over:        overColumns,
		Figures:     d.figures(),
	}
}

// NewQueue gives an empty queue.
func (d *Device) NewQueue() (device.Queue, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, device.ErrClosed
	}
	q := newQueue(d)
	d.queues[q] = struct{}{}
	return q, nil
}

// Close lets queued work finish, then gives all memory back. Closing twice
// does nothing.
func (d *Device) Close() error {
	d.mu.Lock()
	if d.closed {
		d.mu.Unlock()
		return nil
	}
	d.closed = true
	queues := slices.Collect(maps.Keys(d.queues))
	d.mu.Unlock()

	for _, q := range queues {
		_ = q.Close()
	}
	d.team.stop()
	d.team.pile.trim()

	d.mu.Lock()
	defer d.mu.Unlock()
	for b := range d.buffers {
		b.release()
		b.setErr(device.ErrClosed)
	}
	clear(d.buffers)
	d.held = 0
	return nil
}
