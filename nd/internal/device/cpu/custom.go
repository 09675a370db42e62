package cpu

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/kernc"
	"github.com/twiddle-go/twiddle/internal/ktree/flat"
	"github.com/twiddle-go/twiddle/internal/ktree/machine"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// machines is the code of kernels that a device has run.
type machines struct {
	sync.Mutex
	code map[*flat.Program]*machine.Code
}

// customWork runs a user's kernel on the lockstep machine.
type customWork struct {
	program *ir.Custom
	code    *machine.Code
}

func (d *Device) compileCustom(p *ir.Custom) (work, error) {
	if w := nativeOf(p); w != nil {
		return w, nil
	}
	code, err := d.machineCode(p.Unit)
	if errors.Is(err, kernc.ErrNoBody) {
		return nil, fmt.Errorf("cpu: %s: %w: %w", p.Unit.Name, err, device.ErrUnsupported)
	}
	if err != nil {
		return nil, err
	}
	return &customWork{program: p, code: code}, nil
}

// mostMachines bounds the kernels whose code a device keeps. A program launches a
// handful; only one that makes kernels up as it goes has more.
const mostMachines = 1024

// machineCode is a kernel for the machine, made at its first use: programs of
// other shapes share it.
func (d *Device) machineCode(u *kernc.Unit) (*machine.Code, error) {
	program, err := u.Flat()
	if err != nil {
		return nil, err
	}
	d.machines.Lock()
	defer d.machines.Unlock()
	code := d.machines.code[program]
	if code == nil {
		if d.machines.code == nil || len(d.machines.code) >= mostMachines {
			d.machines.code = map[*flat.Program]*machine.Code{}
		}
		code = machine.Compile(program, d.vec)
		d.machines.code[program] = code
	}
	return code, nil
}

func (w *customWork) run(l *launch) error {
	p := w.program
	run := machine.Launch{Grid: p.Grid, Group: p.Threadgroup, Check: p.Check, Whole: p.Written, Limit: p.Limit, Context: l.ctx,
		Inputs: make([]machine.Operand, len(p.In)), Outputs: make([]machine.Operand, len(p.Out))}
	for i, o := range p.In {
		_, hi := o.Span(p.InShapes[i])
		size := o.Type.Size()
		run.Inputs[i] = machine.Operand{Shape: p.InShapes[i], Strides: o.Strides,
			Data: slice[byte](unsafe.Add(l.mem[i], o.Offset*size), max(hi-o.Offset, 0)*size)}
	}
	for i, o := range p.Out {
		data := slice[byte](l.mem[len(p.In)+i], ir.Count(p.OutShapes[i])*o.Type.Size())
		run.Outputs[i] = machine.Operand{Data: data, Shape: p.OutShapes[i], Strides: o.Strides}
		if p.Check || !p.Written[i] {
			if err := fillInitial(p, l, data, o.Type); err != nil {
				return err
			}
		}
	}
	var failed error
	run.Parallel = l.parallel(&failed)
	err := w.code.Run(run)
	switch {
	case failed != nil:
		return failed
	case err != nil && l.ctx != nil && errors.Is(err, context.Cause(l.ctx)):
		return &device.Cancelled{Cause: err}
	}
	return err
}
