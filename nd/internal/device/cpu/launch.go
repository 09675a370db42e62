package cpu

import (
	"context"
	"fmt"
	"time"
	"unsafe"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// kernel is a compiled program.
type kernel struct {
	program ir.Program
	need    []int // bytes of each buffer, reads first
	work    work
}

// work is what the program kinds have in common.
type work interface {
	run(l *launch) error
}

// launch is work bound to memory. Operand i of the program is at mem[i],
// reads first.
type launch struct {
	team *team
	s    *scratch
	mem  []unsafe.Pointer
	args []scalar.Arg
	ctx  context.Context // of the launch; nil never ends
}

func (k *kernel) Program() ir.Program { return k.program }

// Compile makes a program ready to run.
func (d *Device) Compile(p ir.Program) (device.Kernel, error) {
	d.mu.Lock()
	closed := d.closed
	d.mu.Unlock()
	if closed {
		return nil, device.ErrClosed
	}
	if err := p.Verify(); err != nil {
		return nil, err
	}
	k := &kernel{program: p}
	// Tables are on Go's heap, where too much ends the process.
	if n := k.Bytes(); n < 0 || n > d.limit/2 {
		d.mu.Lock()
		defer d.mu.Unlock()
		return nil, d.outOfMemory(n)
	}
	var err error
	if k.need, err = ir.Bytes(p); err != nil {
		return nil, fmt.Errorf("cpu: %w", err)
	}
	if k.work, err = d.compileWork(p); err != nil {
		return nil, err
	}
	return k, nil
}

func (d *Device) compileWork(p ir.Program) (work, error) {
	switch p := p.(type) {
	case *ir.Map:
		return d.compileMap(p)
	case *ir.Reduce:
		return d.compileReduce(p)
	case *ir.Scan:
		return d.compileScan(p)
	case *ir.Sort:
		return d.compileSort(p)
	case *ir.Gather:
		return d.compileGather(p)
	case *ir.Scatter:
		return d.compileScatter(p)
	case *ir.Gemm:
		return d.compileGemm(p)
	case *ir.FFT:
		return d.compileFFT(p)
	case *ir.Butterfly:
		return d.compileButterfly(p)
	case *ir.Overlap:
		return d.compileOverlap(p)
	case *ir.Line:
		return d.compileLine(p)
	case *ir.Custom:
		return d.compileCustom(p)
	}
	return nil, unsupported(p, "an unknown kind of program")
}

func unsupported(p ir.Program, what string) error {
	return fmt.Errorf("cpu: %s: %s: %w", p.Name(), what, device.ErrUnsupported)
}

// run binds the kernel and runs it; panics become errors.
func (k *kernel) run(d *Device, l *device.Launch, s *scratch) (err error) {
	defer recovered(&err)
	if len(l.Reads)+len(l.Writes) != len(k.need) {
		return fmt.Errorf("cpu: %d buffers for %d operands", len(l.Reads)+len(l.Writes), len(k.need))
	}
	s.reset()
	b := &s.launch
	b.team, b.s, b.args, b.mem, b.ctx = d.team, s, l.Args, b.mem[:0], l.Context
	for i, r := range l.Reads {
		if err := b.bind(r, k.need[i]); err != nil {
			return err
		}
	}
	for i, w := range l.Writes {
		if err := b.bind(w, k.need[len(l.Reads)+i]); err != nil {
			return err
		}
	}
	return k.work.run(b)
}

func (l *launch) bind(b device.Buffer, need int) error {
	c := b.(*buffer)
	if len(c.mem) < need {
		return fmt.Errorf("cpu: %w: %d bytes, need %d", device.ErrSize, len(c.mem), need)
	}
	l.mem = append(l.mem, c.base())
	return nil
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

// write copies from the host.
func (b *buffer) write(src []byte) {
	if len(src) > b.bytes {
		b.setErr(fmt.Errorf("cpu: write: %d bytes into a buffer of %d", len(src), b.bytes))
		return
	}
	b.dev.team.copy(b.mem[:len(src)], src)
	b.setErr(nil)
}

// read copies to the host.
func (b *buffer) read(dst []byte) error {
	if err := b.Err(); err != nil {
		return err
	}
	if len(dst) > b.bytes {
		return fmt.Errorf("cpu: read: %d bytes from a buffer of %d", len(dst), b.bytes)
	}
	b.dev.team.copy(dst, b.mem[:len(dst)])
	return nil
}
