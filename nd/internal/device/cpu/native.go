package cpu

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/kernc"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// nativeWork runs the native form of a user's kernel.
type nativeWork struct{ program *ir.Custom }

// nativeOf is nil where the body, if there is one, has to run: where there is no native
// form, or the launch asks for what only the machine can do.
func nativeOf(p *ir.Custom) work {
	if p.Unit.Native == nil || p.Unit.Program != nil && (p.Check || p.Limit > 0) || p.Strided || p.Unit.Atomic {
		return nil
	}
	return &nativeWork{p}
}

func (w *nativeWork) run(l *launch) error {
	p := w.program
	ctx := l.ctx
	if ctx == nil {
		ctx = context.Background()
	}
	inputs, outputs := make([]kernc.Values, len(p.In)), make([]kernc.Values, len(p.Out))
	for i, o := range p.In {
		size := o.Type.Size()
		inputs[i] = kernc.Values{Shape: p.InShapes[i], Type: o.Type,
			Data: slice[byte](unsafe.Add(l.mem[i], o.Offset*size), ir.Count(p.InShapes[i])*size)}
	}
	for i, o := range p.Out {
		data := slice[byte](l.mem[len(p.In)+i], ir.Count(p.OutShapes[i])*o.Type.Size())
		outputs[i] = kernc.Values{Shape: p.OutShapes[i], Type: o.Type, Data: data}
		if !p.Written[i] {
			if err := fillInitial(p, l, data, o.Type); err != nil {
				return err
			}
		}
	}
	var count [3]int
	for i := range count {
		count[i] = (p.Grid[i] + p.Threadgroup[i] - 1) / p.Threadgroup[i]
	}
	return l.team.do(count[0]*count[1]*count[2], l.s, func(at int, _ *scratch) error {
		if ctx.Err() != nil {
			return &device.Cancelled{Cause: context.Cause(ctx)}
		}
		err := runNative(p.Unit.Native, &kernc.Group{Inputs: inputs, Outputs: outputs, Template: p.Unit.Template, Context: ctx,
			Position: [3]int{at % count[0], at / count[0] % count[1], at / count[0] / count[1]}})
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return &device.Cancelled{Cause: context.Cause(ctx)}
		}
		return nil
	})
}

// runNative runs a group. A panic of the function is not the engine's: the error has its frames, and
// not those that called it.
func runNative(n *kernc.Native, g *kernc.Group) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("its native form panicked: %v%s", p, nativeFrames())
		}
	}()
	n.Run(g)
	return nil
}

// nativeFrames is the frames of a panic up to the native form, a line each.
func nativeFrames() string {
	var pcs [64]uintptr
	var b strings.Builder
	panicked := false
	for frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])]); ; {
		f, more := frames.Next()
		switch {
		case f.Function == "runtime.gopanic":
			panicked = true
		case strings.HasSuffix(f.Function, "kernc.(*Native).Run"):
			return b.String()
		case panicked && !strings.HasPrefix(f.Function, "runtime."):
			fmt.Fprintf(&b, "\n\t%s:%d: %s", f.File, f.Line, f.Function)
		}
		if !more {
			return b.String()
		}
	}
}

// fillInitial sets an output to the initial value.
func fillInitial(p *ir.Custom, l *launch, data []byte, t elem.Type) error {
	one := p.InitBytes(t)
	const part = 1 << 20 // bytes, a multiple of every element
	return l.team.do((len(data)+part-1)/part, l.s, func(i int, _ *scratch) error {
		d := data[i*part : min((i+1)*part, len(data))]
		if one == nil {
			clear(d)
			return nil
		}
		for n := copy(d, one); n < len(d); {
			n += copy(d[n:], d[:n])
		}
		return nil
	})
}
