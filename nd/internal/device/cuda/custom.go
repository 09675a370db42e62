package cuda

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/kernc"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/printer"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// fillText sets memory to a pattern of 16 bytes. Buffers start at multiples of
// more than that.
const fillText = `
extern "C" __global__ void tw_fill(unsigned char* p, long long bytes, unsigned long long lo, unsigned long long hi) {
  const long long all = bytes / 16, step = (long long)gridDim.x * blockDim.x;
  const long long first = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  for (long long i = first; i < all; i += step) ((ulonglong2*)p)[i] = make_ulonglong2(lo, hi);
  if (first < bytes % 16) p[all * 16 + first] = (unsigned char)((first < 8 ? lo : hi) >> (first % 8 * 8));
}
`

// generateCustom launches a user's kernel: first what sets outputs to their
// initial value, then the kernel with the parameters that printer.CUDA
// documents. A kernel given as CUDA text has those of a rendered one without
// metadata, of which it may declare fewer.
func generateCustom(c *ir.Custom, card emit.Card) (*emit.Module, error) {
	u := c.Unit
	if u.Program == nil && u.CUDA == "" {
		return nil, fmt.Errorf("cuda: %s: %w: %w", u.Name, kernc.ErrNoBody, device.ErrUnsupported)
	}
	if c.Limit > 0 {
		return nil, fmt.Errorf("cuda: %s: loops are only limited on the CPU: %w", u.Name, device.ErrUnsupported)
	}
	m := &emit.Module{}
	for i, o := range c.Out {
		if c.Check || !c.Written[i] {
			m.Steps = append(m.Steps, fill(i, c.InitBytes(o.Type), ir.Count(c.OutShapes[i])*o.Type.Size(), card))
		}
	}
	step := emit.Step{Entry: u.Name, Block: c.Threadgroup}
	for i := range 3 {
		step.Grid[i] = (c.Grid[i] + c.Threadgroup[i] - 1) / c.Threadgroup[i]
		if int64(c.Grid[i]) >= 1<<32 {
			return nil, fmt.Errorf("cuda: %s: a grid of %v threads: %w", u.Name, c.Grid, device.ErrUnsupported)
		}
	}
	add := func(list ...kgen.Param) { step.Params = append(step.Params, list...) }
	var lengths []kgen.Param
	for i, o := range c.In {
		p := emit.Read(i)
		p.Value = int64(o.Offset * o.Type.Size())
		add(p)
		lengths = append(lengths, emit.Int(c.Reach(o, c.InShapes[i])))
	}
	for i, o := range c.Out {
		add(emit.Write(i))
		lengths = append(lengths, emit.Int(c.Reach(o, c.OutShapes[i])))
	}
	rendered := u.Program != nil && u.CUDA == ""
	checked := c.Check && rendered
	if rendered {
		step.Entry = printer.CUDAEntry(u.Program)
		for _, v := range u.Program.Metas {
			if p, n := meta(m, v, c); n >= 0 {
				add(p)
				lengths = append(lengths, emit.Int(n))
			} else {
				add(p)
			}
		}
	}
	for _, n := range c.Grid {
		add(emit.Int(n))
	}
	switch {
	case checked:
		var accesses []printer.Access
		m.Text, accesses = printer.CUDAChecked(u.Program, c.Threadgroup)
		add(lengths...)
		add(emit.Fault())
		m.Fault = func(words [4]uint64) error {
			if e, thread, ok := printer.Fault(u.Program, accesses, words, c.Grid); ok {
				return &kernc.Fault{At: *e, Thread: thread}
			}
			return nil
		}
	case rendered:
		t := turns(c, card)
		m.Text = printer.CUDA(u.Program, c.Threadgroup, t)
		step.Grid[0] = (step.Grid[0] + t - 1) / t
	default:
		m.Text = u.CUDA
	}
	if step.Grid[1] > mostAcross || step.Grid[2] > mostAcross {
		if u.CUDA != "" {
			return nil, fmt.Errorf("cuda: %s: %v threadgroups: CUDA has at most %d in y and z: %w", u.Name, step.Grid, mostAcross, device.ErrUnsupported)
		}
		m.Text, step.Grid = folded(m.Text, step.Grid)
	}
	if len(m.Steps) > 0 {
		m.Text += fillText
	}
	m.Steps = append(m.Steps, step)
	return m, nil
}

// turns is how many positions a thread takes: as many as the kernel allows, or
// half, or a quarter of it, so that lines are long enough and every processor has
// more threads than it holds.
func turns(c *ir.Custom, card emit.Card) int {
	const held = 2048 // threads on a processor
	t := printer.Turns(c.Unit.Program)
	for ; t > 1; t /= 2 {
		wide := c.Threadgroup[0] * t
		if c.Grid[0] >= wide && int64(c.Grid[0]+wide) < 1<<32 && c.Grid[0]*c.Grid[1]*c.Grid[2] >= 2*held*card.Processors*t {
			break
		}
	}
	return t
}

// mostAcross is how many threadgroups a launch has in y or z.
const mostAcross = 65535

// folded is a rendered kernel for a launch with all threadgroups in x, where
// there is room for 2^31. Bodies cannot name blockIdx themselves.
func folded(text string, groups [3]int) (string, [3]int) {
	text = strings.NewReplacer("blockIdx.x", "tw_group_x", "blockIdx.y", "tw_group_y", "blockIdx.z", "tw_group_z").Replace(text)
	return fmt.Sprintf("#define tw_group_x (blockIdx.x %% %du)\n#define tw_group_y (blockIdx.x / %du %% %du)\n#define tw_group_z (blockIdx.x / %du)\n",
		groups[0], groups[0], groups[1], groups[0]*groups[1]) + text, [3]int{groups[0] * groups[1] * groups[2], 1, 1}
}

// fillThreads is a whole number of warps that fits every GPU several times.
const fillThreads = 256

// fill is the step that sets an output.
func fill(output int, one []byte, bytes int, card emit.Card) emit.Step {
	var pattern [16]byte
	for at := 0; at < len(pattern) && len(one) > 0; at += len(one) {
		copy(pattern[at:], one)
	}
	blocks := min((bytes/16+fillThreads-1)/fillThreads, 8*card.Processors)
	return emit.Step{Entry: "tw_fill", Grid: [3]int{max(blocks, 1), 1, 1}, Block: [3]int{fillThreads, 1, 1}, Params: []kgen.Param{
		emit.Write(output), emit.Int(bytes),
		{Kind: kgen.Number, Value: int64(binary.LittleEndian.Uint64(pattern[:8]))},
		{Kind: kgen.Number, Value: int64(binary.LittleEndian.Uint64(pattern[8:]))},
	}}
}

// meta is the parameter for what a kernel asks about an input, and how many
// elements it points to; -1 if it is a number.
func meta(m *emit.Module, v *ktree.Var, c *ir.Custom) (kgen.Param, int) {
	dims := c.InShapes[v.Index]
	var data []byte
	switch v.What {
	case "ndim":
		return emit.Int(len(dims)), -1
	case "shape":
		list := lists.Map(dims, func(d int) int32 { return int32(d) })
		data = elem.Bytes(list)
	default:
		list := make([]int64, len(dims))
		for i, s := range c.In[v.Index].Strides {
			list[i] = int64(s)
		}
		data = elem.Bytes(list)
	}
	m.Tables = append(m.Tables, kgen.Table{Key: fmt.Sprintf("custom %s %v", v.What, data), Data: func() []byte { return data }})
	return emit.TableOf(len(m.Tables) - 1), len(dims)
}
