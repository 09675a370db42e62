package cpu

import (
	"context"
	"fmt"
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

// parted is work on points, lines or whatever it counts, any run of which is a part.
type parted interface {
	part(l *launch, s *scratch, from, end int) error
}

// share runs the first n of w in parts of per. One part is run here, with nothing
// allocated: that is the common case inside a line program.
func (l *launch) share(w parted, n, per int) error {
	if n <= per {
		return w.part(l, l.s, 0, n)
	}
	return l.team.do((n+per-1)/per, l.s, func(i int, s *scratch) error {
		return w.part(l, s, i*per, min((i+1)*per, n))
	})
}

// parallel lets the workers share tasks of others, which need no scratch. It leaves
// the first failure in failed.
func (l *launch) parallel(failed *error) func(tasks int, run func(task int)) {
	return func(tasks int, run func(task int)) {
		s := l.team.take() // the launch's is in use
		defer l.team.put(s)
		err := l.team.do(tasks, s, func(task int, _ *scratch) error { run(task); return nil })
		if *failed == nil {
			*failed = err
		}
	}
}

func (k *kernel) Program() ir.Program { return k.program }

func unsupported(p ir.Program, what string) error {
	return fmt.Errorf("cpu: %s: %s: %w", p.Name(), what, device.ErrUnsupported)
}

// run binds the kernel and runs it; panics become errors.
func (k *kernel) run(d *Device, l *device.Launch, s *scratch) (err error) {
	defer recovered(&err)
	if err := l.Fits("cpu", k.need, 0, bytesOf); err != nil {
		return err
	}
	s.reset()
	b := &s.launch
	b.team, b.s, b.args, b.mem, b.ctx = d.team, s, l.Args, b.mem[:0], l.Context
	for _, list := range [2][]device.Buffer{l.Reads, l.Writes} {
		for _, c := range list {
			b.mem = append(b.mem, c.(*buffer).base())
		}
	}
	return k.work.run(b)
}

// bytesOf is none once a buffer was freed.
func bytesOf(b device.Buffer) (int, error) { return len(b.(*buffer).mem), nil }

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
