package devicetest

import (
	"bytes"
	"context"
	"math"
	"sync"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/reference"
)

// host is the simplest device there can be: every launch runs at once, in the
// caller, through the reference. With a fault it does one thing wrong.
type host struct {
	fault   string
	flushes bool // says that it takes subnormal numbers for zeros
	mu      sync.Mutex
	gone    bool
}

// hostBytes is more than any test asks for but those that want it refused.
const hostBytes = min(1<<40, math.MaxInt/2)

func (h *host) Info() device.Info {
	return device.Info{Name: "host", Workers: 1, Types: elem.All[:], MemoryBytes: hostBytes, Margins: true, Overlaps: true, Batches: true, Flushes: h.flushes}
}

type hostBuffer struct {
	data []byte
	size int
	mark error
}

func (b *hostBuffer) Bytes() int { return b.size }
func (b *hostBuffer) Err() error { return b.mark }

func (h *host) closed() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.gone
}

func (h *host) Alloc(n int) (device.Buffer, error) {
	if h.closed() {
		return nil, device.ErrClosed
	}
	if n > hostBytes {
		if h.fault == "untyped out of memory" {
			return nil, device.ErrUnsupported
		}
		return nil, &device.OutOfMemoryError{Device: "host", Asked: n, Free: -1}
	}
	b := &hostBuffer{size: n}
	if n < 1<<30 {
		b.data = make([]byte, n)
	}
	return b, nil
}

func (h *host) Free(device.Buffer) {}

type hostKernel struct{ p ir.Program }

func (k hostKernel) Program() ir.Program { return k.p }

func (h *host) Compile(p ir.Program) (device.Kernel, error) {
	if h.closed() {
		return nil, device.ErrClosed
	}
	return hostKernel{p}, p.Verify()
}

func (h *host) NewQueue() (device.Queue, error) {
	if h.closed() {
		return nil, device.ErrClosed
	}
	return &hostQueue{h}, nil
}

func (h *host) Close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.gone = true
	return nil
}

type hostQueue struct{ h *host }

func (q *hostQueue) Launch(l device.Launch) {
	if q.h.closed() {
		return
	}
	err := q.run(l)
	for _, w := range l.Writes {
		if b := w.(*hostBuffer); !l.Adds || b.mark == nil || q.h.fault == "adding clears marks" {
			b.mark = err
		}
	}
}

func (q *hostQueue) run(l device.Launch) error {
	var reads, writes [][]byte
	for _, r := range l.Reads {
		if err := r.Err(); err != nil && q.h.fault != "marks do not spread" {
			return err
		}
		reads = append(reads, r.(*hostBuffer).data)
	}
	q.flush(ir.Reads(l.Kernel.Program()), reads)
	if l.Context != nil && l.Context.Err() != nil && q.h.fault != "deaf to contexts" {
		return &device.Cancelled{Cause: context.Cause(l.Context)}
	}
	for _, w := range l.Writes {
		writes = append(writes, w.(*hostBuffer).data)
	}
	if err := reference.Run(l.Kernel.Program(), reads, writes, l.Args); err != nil {
		if q.h.fault == "indices are not checked" {
			return nil
		}
		return &device.LaunchError{Label: l.Label, Err: err}
	}
	q.flush(ir.Writes(l.Kernel.Program()), writes)
	q.spoil(l.Kernel.Program(), reads, writes)
	return nil
}

// flush makes subnormal numbers zeros, if that is the fault.
func (q *hostQueue) flush(operands []ir.Operand, data [][]byte) {
	if q.h.fault != "takes subnormals for zeros" {
		return
	}
	for i, o := range operands {
		if o.Type != elem.Float32 {
			continue
		}
		for k, x := range elem.Slice[float32](data[i]) {
			if math.Abs(float64(x)) < leastNormal {
				elem.Slice[float32](data[i])[k] = float32(math.Copysign(0, float64(x)))
			}
		}
	}
}

// spoil damages results as the fault says.
func (q *hostQueue) spoil(p ir.Program, reads, writes [][]byte) {
	out := ir.Writes(p)[0]
	size := out.Type.Size()
	n := len(writes[0]) / size
	_, scatters := p.(*ir.Scatter)
	if n <= margin || scatters {
		return
	}
	last := writes[0][(n-margin-1)*size : (n-margin)*size]
	switch q.h.fault {
	case "one wrong bit":
		last[0] ^= 1
	case "one wrong bit in the sign":
		last[size-1] ^= 0x80
	case "writes past the end":
		writes[0][(n-margin)*size] ^= 1
	case "a last element is not written":
		copy(last, bytes.Repeat([]byte{0xa5}, size))
	case "plain sums":
		r, ok := p.(*ir.Reduce)
		if !ok || r.Op != ir.Sum || out.Type != elem.Float32 || len(r.Dims) != 1 || len(r.Instrs) != 1 {
			return
		}
		var s float32
		for _, x := range elem.Slice[float32](reads[0])[:r.Dims[0]] {
			s += x
		}
		reference.Store(reference.Float(elem.Float32, float64(s)), writes[0], 0)
	case "conjugated":
		if f, ok := p.(*ir.FFT); ok && f.Kind == ir.FFTComplex {
			g := *f
			g.Inverse = !g.Inverse
			_ = reference.Run(&g, reads, writes, nil)
		}
	}
}

func (q *hostQueue) Write(dst device.Buffer, src []byte) {
	b := dst.(*hostBuffer)
	copy(b.data, src)
	b.mark = nil
}

func (q *hostQueue) Read(_ context.Context, dst []byte, src device.Buffer) error {
	b := src.(*hostBuffer)
	if q.h.closed() {
		return device.ErrClosed
	}
	copy(dst, b.data)
	return b.mark
}

func (q *hostQueue) Record() device.Event { return device.Event{Clock: hostClock{q.h}} }
func (q *hostQueue) Wait(device.Event)    {}
func (q *hostQueue) Flush()               {}
func (q *hostQueue) Close() error         { return nil }

type hostClock struct{ h *host }

func (hostClock) WaitFor(context.Context, uint64) error { return nil }
func (hostClock) Reached(uint64) bool                   { return true }
func (e hostClock) Call(_ uint64, f func()) {
	f()
	if e.h.fault == "calls back twice" {
		f()
	}
}
