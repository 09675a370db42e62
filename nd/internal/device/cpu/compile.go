package cpu

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

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
	if ir.IsEmpty(p) {
		return nothing{}, nil
	}
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
		if p.Quarter() {
			return nil, unsupported(p, "bins a quarter lower")
		}
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
