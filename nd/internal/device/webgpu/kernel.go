package webgpu

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/ktree/flat"
	"github.com/twiddle-go/twiddle/internal/ktree/printer"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/webgpu/driver"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/line"
)

// kernel is a program made ready.
type kernel struct {
	dev     *Device
	program ir.Program
	need    []int // bytes of each buffer, reads first
	args    int   // arguments a launch must have
	steps   []*step
	tables  []*table
	scratch []int
	fault   func([4]uint64) error
}

// step is a dispatch with everything but its buffers.
type step struct {
	flat    *flat.Program
	from    [3]int // the first group
	groups  [3]int
	params  []kgen.Param // of buffers and numbers; of a user's kernel only buffers
	buffers []int        // the parameters that are buffers
	bytes   []int        // of each buffer
	options printer.ShaderOptions
	// numbers sets the words of a form of it that are known.
	numbers func(shader *printer.Shader, words []uint32)
	forms   map[string]*form
}

// form is a step's kernel for launches in which the same buffers are the same.
type form struct {
	shader   *printer.Shader
	words    []uint32 // with the numbers that are known; each shader has them elsewhere
	pipeline driver.Pipeline
	same     []int
	bytes    []int  // of each buffer: the most that is asked of any that are the same
	written  []bool // for each buffer
	pieces   []int  // for each buffer; nil if each is one
	// pieceBytes is how large pieces are.
	pieceBytes int
}

func (k *kernel) Program() ir.Program { return k.program }

// instead has the types that WebGPU has no numbers for, and what to use for them.
var instead = map[elem.Type]elem.Type{elem.Float64: elem.Float32, elem.Complex128: elem.Complex64}

// Compile makes the program's shaders ready.
func (d *Device) Compile(p ir.Program) (device.Kernel, error) {
	d.mu.Lock()
	err := d.usableNow()
	d.mu.Unlock()
	if err != nil {
		return nil, err
	}
	if err := p.Verify(); err != nil {
		return nil, err
	}
	for _, o := range append(ir.Reads(p), ir.Writes(p)...) {
		if other, missing := instead[o.Type]; missing {
			return nil, &device.DTypeError{Device: d.name, Type: o.Type, Instead: other}
		}
	}
	k := &kernel{dev: d, program: p}
	if k.need, err = ir.Bytes(p); err != nil {
		return nil, fmt.Errorf("%s: %w", d.name, err)
	}
	if c, ok := p.(*ir.Custom); ok {
		err = k.loadCustom(c)
	} else {
		var m *kgen.Module
		if m, err = line.Generate(p, d.target); err == nil {
			err = k.load(m)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", d.name, p.Name(), err)
	}
	return k, nil
}

// load makes the steps of a module, with no two buffers the same.
func (k *kernel) load(m *kgen.Module) error {
	k.scratch, k.fault = m.Scratch, m.Fault
	k.dev.mu.Lock()
	for _, t := range m.Tables {
		at, err := k.dev.table(t.Key, t.Data)
		if err != nil {
			k.dev.mu.Unlock()
			return err
		}
		k.tables = append(k.tables, at)
	}
	k.dev.mu.Unlock()
	flats := make([]*flat.Program, len(m.Kernels))
	for i := range m.Steps {
		s := &m.Steps[i]
		if s.Groups == 0 {
			continue
		}
		if flats[s.Kernel] == nil {
			f, err := flat.Flatten(m.Kernels[s.Kernel])
			if err != nil {
				return err
			}
			flats[s.Kernel] = f
		}
		st := &step{flat: flats[s.Kernel], groups: [3]int{s.Groups, 1, 1}, params: s.Params}
		st.numbers = func(shader *printer.Shader, words []uint32) {
			for i, p := range st.params {
				if p.Kind == kgen.Number {
					at := shader.Numbers[i]
					words[at] = uint32(p.Value)
					if st.flat.IR.Params[i].Type.Kind.Bits() == 64 {
						words[at+1] = uint32(p.Value >> 32)
					}
				}
			}
		}
		for _, p := range s.Params {
			if p.Kind == kgen.Argument {
				k.args = max(k.args, p.Index+1)
			}
		}
		if _, err := k.add(st); err != nil {
			return err
		}
	}
	return nil
}

// add adds a step and makes its kernel, with no two buffers the same.
func (k *kernel) add(s *step) (*form, error) {
	s.forms = map[string]*form{}
	for i, p := range s.params {
		if p.Kind != kgen.Number && p.Kind != kgen.Argument {
			s.buffers = append(s.buffers, i)
			s.bytes = append(s.bytes, k.bytesOf(p))
		}
	}
	f, err := k.dev.form(s, nil)
	if err != nil {
		return nil, err
	}
	k.steps = append(k.steps, s)
	return f, nil
}

// bytesOf is how much of a buffer a kernel sees, in whole words.
func (k *kernel) bytesOf(p kgen.Param) int {
	switch p.Kind {
	case kgen.ReadPointer:
		return whole(k.need[p.Index])
	case kgen.WritePointer:
		return whole(k.need[len(ir.Reads(k.program))+p.Index])
	case kgen.ScratchPointer:
		return whole(k.scratch[p.Index])
	case kgen.TablePointer:
		return whole(k.tables[p.Index].bytes)
	}
	return cellBytes
}

// form gives the step's kernel for launches in which buffer i is buffer same[i];
// nil if all differ.
func (d *Device) form(s *step, same []int) (*form, error) {
	key := fmt.Sprint(same)
	d.mu.Lock()
	f, ok := s.forms[key]
	d.mu.Unlock()
	if ok {
		return f, nil
	}
	options := s.options
	options.Same, options.Halves, options.Subgroup, options.Enable = same, d.halves, d.subgroup, d.gpu.IsDawn()
	options.Contracts = d.contracts
	written, bytes := s.written(same), s.extents(same)
	if err := d.spread(s, bytes, written, &options); err != nil {
		return nil, err
	}
	shader, err := printer.ShaderOf(s.flat, options)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", err, device.ErrUnsupported)
	}
	threads := s.flat.IR.Threads
	if threads == 0 {
		threads = options.Group[0] * options.Group[1] * options.Group[2]
	}
	if err := d.fits(shader, threads); err != nil {
		return nil, fmt.Errorf("%s: %w", shader.Entry, err)
	}
	words := make([]uint32, shader.Words)
	s.numbers(shader, words)
	f = &form{shader: shader, words: words, same: same, bytes: bytes, written: written, pieces: options.Pieces, pieceBytes: options.PieceBytes}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.usableNow(); err != nil {
		return nil, err
	}
	if f.pipeline, err = d.pipeline(shader); err != nil {
		return nil, err
	}
	s.forms[key] = f
	return f, nil
}

// fits checks a shader against the adapter's limits.
func (d *Device) fits(s *printer.Shader, threads int) error {
	l := d.limits
	switch {
	case len(s.Written) > d.mostBindings():
		return fmt.Errorf("%d bindings, the adapter has %d: %w", len(s.Written), d.mostBindings(), device.ErrUnsupported)
	case threads > int(l.GroupThreads):
		return fmt.Errorf("groups of %d threads, the adapter has %d: %w", threads, l.GroupThreads, device.ErrUnsupported)
	case s.GroupBytes > int(l.GroupStorage):
		return fmt.Errorf("%d bytes of workgroup memory, the adapter has %d: %w", s.GroupBytes, l.GroupStorage, device.ErrUnsupported)
	}
	return nil
}

// pipeline gives the compiled kernel of a shader, compiled once. mu is held.
func (d *Device) pipeline(s *printer.Shader) (driver.Pipeline, error) {
	if p, ok := d.pipelines[s.Text]; ok {
		return p, nil
	}
	p, err := d.gpu.Compile(s.Text, s.Entry, s.Written)
	d.check()
	if err == nil {
		err = d.lost.Err()
	}
	if err != nil {
		return driver.Pipeline{}, fmt.Errorf("shader %s: %w", s.Entry, err)
	}
	d.pipelines[s.Text] = p
	return p, nil
}
