package webgpu

import (
	"encoding/binary"
	"fmt"

	"github.com/twiddle-go/twiddle/internal/kernc"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/flat"
	"github.com/twiddle-go/twiddle/internal/ktree/printer"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// loadCustom makes the steps of a user's kernel: those that set outputs to their
// first value, and the kernel.
func (k *kernel) loadCustom(c *ir.Custom) error {
	u := c.Unit
	if c.Limit > 0 {
		return fmt.Errorf("%s: loops are only limited on the CPU: %w", u.Name, device.ErrUnsupported)
	}
	program, err := u.Flat()
	if err != nil {
		return fmt.Errorf("%s: %w: %w", u.Name, err, device.ErrUnsupported)
	}
	for i, o := range c.Out {
		if c.Check || !c.Written[i] {
			if err := k.fill(i, c.InitBytes(o.Type)); err != nil {
				return err
			}
		}
	}
	group, err := k.dev.group(c)
	if err != nil {
		return fmt.Errorf("%s: %w", u.Name, err)
	}
	params := lists.Make(len(c.In), func(i int) kgen.Param { return kgen.Param{Kind: kgen.ReadPointer, Index: i} })
	params = append(params, lists.Make(len(c.Out), func(i int) kgen.Param { return kgen.Param{Kind: kgen.WritePointer, Index: i} })...)
	options := printer.ShaderOptions{Group: group, Check: c.Check}
	options.Dims = lists.Map(c.InShapes, func(shape []int) int { return len(shape) })
	for _, p := range partsOf(c.Grid, group, u.Program.UsesBarrier || u.Program.UsesSimd) {
		s := &step{flat: program, from: p.from, groups: p.groups, params: params, options: options}
		s.options.Extent = p.extent
		s.numbers = func(shader *printer.Shader, words []uint32) { customWords(words, shader, c) }
		f, err := k.add(s)
		if err != nil {
			return err
		}
		if c.Check {
			k.fault = func(words [4]uint64) error {
				words[0] &= 1<<32 - 1 // the rest says that someone was first
				if e, thread, ok := printer.Fault(u.Program, f.shader.Accesses, words, c.Grid); ok {
					return &kernc.Fault{At: *e, Thread: thread}
				}
				return nil
			}
		}
	}
	return nil
}

// customWords sets what a user's kernel is given by value.
func customWords(words []uint32, s *printer.Shader, c *ir.Custom) {
	for i, n := range c.Grid {
		words[s.Grid+i] = uint32(n)
	}
	for i, o := range c.In {
		words[s.Starts[i]] = uint32(o.Offset)
	}
	if c.Check {
		for i, o := range c.In {
			words[s.Lens[i]] = uint32(c.Reach(o, c.InShapes[i]))
		}
		for i, o := range c.Out {
			words[s.Lens[len(c.In)+i]] = uint32(c.Reach(o, c.OutShapes[i]))
		}
	}
	for i, v := range c.Unit.Program.Metas {
		at, dims := s.Metas[i], c.InShapes[v.Index]
		switch v.What {
		case "ndim":
			words[at] = uint32(len(dims))
		case "shape":
			for j, n := range dims {
				words[at+j] = uint32(n)
			}
		default:
			for j, n := range c.In[v.Index].Strides {
				words[at+2*j], words[at+2*j+1] = uint32(n), uint32(int64(n)>>32)
			}
		}
	}
}

// group is how the threads of a user's kernel are grouped: as was said, or smaller
// where that is more than the adapter has and the kernel cannot tell.
func (d *Device) group(c *ir.Custom) ([3]int, error) {
	l := d.limits
	fits := func(g [3]int) bool {
		return g[0]*g[1]*g[2] <= int(l.GroupThreads) && g[0] <= int(l.GroupSize[0]) && g[1] <= int(l.GroupSize[1]) && g[2] <= int(l.GroupSize[2])
	}
	g := c.Threadgroup
	for i := range g {
		if int64(c.Grid[i]) > 1<<31-1-int64(g[i]) {
			return g, fmt.Errorf("a grid of %v threads: %w", c.Grid, device.ErrUnsupported)
		}
		if g[i] > c.Grid[i] && !seesGroups(c.Unit.Program) {
			g[i] = c.Grid[i]
		}
	}
	if fits(g) {
		return g, nil
	}
	if seesGroups(c.Unit.Program) {
		return g, fmt.Errorf("threadgroups of %v threads, the adapter has at most %d, %v: %w", g, l.GroupThreads, l.GroupSize, device.ErrUnsupported)
	}
	for !fits(g) {
		widest := 2
		for i, n := range g {
			if n > int(l.GroupSize[i]) || n > g[widest] && g[widest] <= int(l.GroupSize[widest]) {
				widest = i
			}
		}
		g[widest] = (g[widest] + 1) / 2
	}
	return g, nil
}

// seesGroups reports a kernel for which it matters how its threads are grouped.
func seesGroups(p *ktree.Program) bool {
	for g, v := range p.Builtins {
		if v != nil && ktree.Grid(g) != ktree.ThreadPositionInGrid && ktree.Grid(g) != ktree.ThreadsPerGrid {
			return true
		}
	}
	return p.UsesBarrier || p.UsesSimd || len(p.Groups) > 0
}

// part is groups of a grid that have equally many threads.
type part struct{ from, groups, extent [3]int }

// partsOf cuts a grid. Groups at its edges have fewer threads; where threads meet,
// as whole groups must, those are launches of their own.
func partsOf(grid, group [3]int, meet bool) []part {
	if !meet {
		var all part
		for i := range grid {
			all.groups[i] = (grid[i] + group[i] - 1) / group[i]
		}
		return []part{all}
	}
	parts := []part{{}}
	for i := range grid {
		var next []part
		for _, p := range parts {
			full, rest := grid[i]/group[i], grid[i]%group[i]
			if full > 0 {
				q := p
				q.groups[i], q.extent[i] = full, group[i]
				next = append(next, q)
			}
			if rest > 0 {
				q := p
				q.from[i], q.groups[i], q.extent[i] = full, 1, rest
				next = append(next, q)
			}
		}
		parts = next
	}
	return parts
}

// fill adds the step that sets an output to copies of an element, of whole words: what
// follows an output in its last word belongs to nobody.
func (k *kernel) fill(output int, element []byte) error {
	var pattern [8]byte
	for at := 0; at < len(pattern) && len(element) > 0; at += len(element) {
		copy(pattern[at:], element)
	}
	words := rounded(k.need[len(ir.Reads(k.program))+output]) / 4
	f, err := flat.Flatten(kgen.Fill())
	if err != nil {
		return err
	}
	s := &step{flat: f, groups: [3]int{(words + kgen.FillThreads - 1) / kgen.FillThreads, 1, 1}, params: []kgen.Param{
		{Kind: kgen.WritePointer, Index: output}, {Kind: kgen.Number}, {Kind: kgen.Number}, {Kind: kgen.Number},
	}}
	s.numbers = func(shader *printer.Shader, list []uint32) {
		for i, v := range []uint32{uint32(words), binary.LittleEndian.Uint32(pattern[:]), binary.LittleEndian.Uint32(pattern[4:])} {
			list[shader.Numbers[i+1]] = v
		}
	}
	_, err = k.add(s)
	return err
}
