package null

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// Options say how the device misbehaves; the zero value does not.
type Options struct {
	// MemoryBytes bounds what Alloc gives; 0 is no bound.
	MemoryBytes int
	// Fail, if set, is asked before every launch that would run; its error
	// fails the launch. It is called from queue goroutines.
	Fail func(device.Launch) error
	// Delay, if set, is how long a launch takes.
	Delay func(device.Launch) time.Duration
	// Batches is what Info says of them.
	Batches bool
	// Figures, if set, are what Info says of its speed.
	Figures device.Figures
	// Peers lets it copy from other null devices without the host.
	Peers bool
	// Info, if set, is what Info says: plans are then those of another device.
	Info *device.Info
	// Refuse, if set, is the error of Compile.
	Refuse func(ir.Program) error
}

// Device implements device.Device.
type Device struct {
	opt    Options
	closed atomic.Bool
	buffer atomic.Int64 // number of the last buffer

	mu     sync.Mutex
	held   int // bytes
	queues []*queue
	log    []Entry
}

// New makes a device.
func New(opt Options) *Device { return &Device{opt: opt} }

// EntryKind is what a queue was asked to do.
type EntryKind uint8

const (
	Launched EntryKind = iota
	Wrote
	Read
	Recorded
	Waited
	Copied // from another device
)

// Entry is one thing a queue was asked to do, in the order of asking.
type Entry struct {
	Kind    EntryKind
	Queue   int
	Program ir.Program // Launched
	Label   string
	Adds    bool
	Reads   []int // buffers by number
	Writes  []int
	Bytes   int    // Wrote
	Event   *Event // Recorded, Waited
}

// Info says that everything is supported; the figures are round numbers that
// make predictions easy to check by hand.
func (d *Device) Info() device.Info {
	if d.opt.Info != nil {
		return *d.opt.Info
	}
	figures := d.opt.Figures
	if figures == (device.Figures{}) {
		figures = device.Figures{CopyBytesPerNs: 10, OpsPerNs: 10, GemmOpsPerNs: 100, LaunchNs: 1000, SyncNs: 1000}
	}
	return device.Info{
		Name: "null", Description: "computes nothing, records launches", Workers: 1, Types: elem.All[:],
		MemoryBytes: d.opt.MemoryBytes, LineBytes: 1 << 20, Batches: d.opt.Batches,
		Figures: figures,
	}
}

// Log is everything asked so far.
func (d *Device) Log() []Entry {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]Entry(nil), d.log...)
}

// Launches is the launches of Log.
func (d *Device) Launches() []Entry {
	return lists.Filter(d.Log(), func(e Entry) bool { return e.Kind == Launched })
}

// ResetLog forgets what was asked so far.
func (d *Device) ResetLog() {
	d.mu.Lock()
	d.log = nil
	d.mu.Unlock()
}

func (d *Device) note(e Entry) {
	d.mu.Lock()
	d.log = append(d.log, e)
	d.mu.Unlock()
}

// Buffer is memory that is not there.
type Buffer struct {
	ID    int
	bytes int
	mark  atomic.Pointer[error]
}

func (b *Buffer) Bytes() int { return b.bytes }

func (b *Buffer) Err() error {
	if p := b.mark.Load(); p != nil {
		return *p
	}
	return nil
}

func (b *Buffer) setErr(err error) {
	if err == nil {
		b.mark.Store(nil)
		return
	}
	b.mark.Store(&err)
}

// Alloc counts bytes against Options.MemoryBytes.
func (d *Device) Alloc(bytes int) (device.Buffer, error) {
	if d.closed.Load() {
		return nil, device.ErrClosed
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.opt.MemoryBytes > 0 && bytes > d.opt.MemoryBytes-d.held {
		return nil, &device.OutOfMemoryError{Device: "null", Asked: bytes, Held: d.held, Free: d.opt.MemoryBytes - d.held}
	}
	d.held += bytes
	return &Buffer{ID: int(d.buffer.Add(1)), bytes: bytes}, nil
}

func (d *Device) Free(b device.Buffer) {
	d.mu.Lock()
	d.held -= b.Bytes()
	d.mu.Unlock()
}

// Held is the bytes allocated and not freed.
func (d *Device) Held() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.held
}

type kernel struct {
	program       ir.Program
	reads, writes int // operands
}

func (k kernel) Program() ir.Program { return k.program }

// Compile verifies the program.
func (d *Device) Compile(p ir.Program) (device.Kernel, error) {
	if d.closed.Load() {
		return nil, device.ErrClosed
	}
	if err := p.Verify(); err != nil {
		return nil, err
	}
	if d.opt.Refuse != nil {
		if err := d.opt.Refuse(p); err != nil {
			return nil, err
		}
	}
	return kernel{p, len(ir.Reads(p)), len(ir.Writes(p))}, nil
}

func (d *Device) NewQueue() (device.Queue, error) {
	if d.closed.Load() {
		return nil, device.ErrClosed
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	q := &queue{dev: d, id: len(d.queues)}
	d.queues = append(d.queues, q)
	return q, nil
}

// Close waits for every queue.
func (d *Device) Close() error {
	d.closed.Store(true)
	d.mu.Lock()
	queues := append([]*queue(nil), d.queues...)
	d.mu.Unlock()
	for _, q := range queues {
		q.Close()
	}
	return nil
}
