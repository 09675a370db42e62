package sched

import (
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// kernels are the compiled programs of a device. A kernel is kept as long as a
// cached schedule has it: the tables of a transform are much larger than the
// plan that needs them. The engine's lock guards them.
type kernels struct {
	byKey map[string]*keptKernel
	of    map[device.Kernel]*keptKernel
	bytes int
	fresh []*keptKernel // compiled since the last sweep
	key   []byte        // scratch
}

type keptKernel struct {
	key    string
	kernel device.Kernel
	bytes  int
	steps  int // of cached schedules
}

// kernelBytes is what a kernel takes beside its tables.
const kernelBytes = 2 << 10

func newKernels() kernels {
	return kernels{byKey: map[string]*keptKernel{}, of: map[device.Kernel]*keptKernel{}}
}

// get is the kernel of a program, or nil. The key is in k.key then.
func (k *kernels) get(p ir.Program) device.Kernel {
	k.key = ir.AppendKey(k.key[:0], p)
	if have := k.byKey[string(k.key)]; have != nil {
		return have.kernel
	}
	return nil
}

// put adds the kernel that get did not find.
func (k *kernels) put(kernel device.Kernel) {
	kept := &keptKernel{key: string(k.key), kernel: kernel, bytes: kernelBytes}
	if s, ok := kernel.(device.Sized); ok {
		kept.bytes += s.Bytes()
	}
	k.byKey[kept.key], k.of[kernel] = kept, kept
	k.bytes += kept.bytes
	k.fresh = append(k.fresh, kept)
}

func (k *kernels) remove(kept *keptKernel) {
	delete(k.byKey, kept.key)
	delete(k.of, kept.kernel)
	k.bytes -= kept.bytes
}

// sweep forgets new kernels that no cached schedule has.
func (k *kernels) sweep() {
	for _, kept := range k.fresh {
		if kept.steps == 0 && k.byKey[kept.key] == kept {
			k.remove(kept)
		}
	}
	clear(k.fresh)
	k.fresh = k.fresh[:0]
}

// retain says that a schedule is cached, and gives the bytes of its kernels.
func (s *schedule) retain() (bytes int) {
	for i := range s.steps {
		if kept := s.dev.kernels.of[s.steps[i].kernel]; kept != nil {
			kept.steps++
			bytes += kept.bytes
		}
	}
	return bytes
}

// drop says that a schedule is cached no longer.
func (s *schedule) drop() {
	k := &s.dev.kernels
	for i := range s.steps {
		kept := k.of[s.steps[i].kernel]
		if kept == nil {
			continue
		}
		if kept.steps--; kept.steps == 0 {
			k.remove(kept)
		}
	}
}

// kernel compiles a program, once.
func (d *Device) kernel(p ir.Program) (device.Kernel, error) {
	if k := d.kernels.get(p); k != nil {
		return k, nil
	}
	k, err := d.dev.Compile(p)
	if err != nil {
		return nil, err
	}
	d.kernels.get(p) // compiling may have compiled others
	d.kernels.put(k)
	return k, nil
}

// CompiledBytes is what schedules and kernels of the device take.
func (d *Device) CompiledBytes() int {
	d.engine.mu.Lock()
	defer d.engine.mu.Unlock()
	return d.kernels.bytes + d.engine.plans.ofDevice(d)
}

// forgetCompiled drops them. Work that is queued keeps its own.
func (d *Device) forgetCompiled() {
	d.engine.mu.Lock()
	defer d.engine.mu.Unlock()
	d.engine.plans.dropDevice(d)
	d.kernels.sweep()
	d.dropGraphs()
}
