package machine_test

import (
	"strings"
	"testing"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/cudatest"
	"github.com/twiddle-go/twiddle/internal/ktree/machine"
	"github.com/twiddle-go/twiddle/internal/ktree/printer"
)

// Where there is a GPU, every kernel of these tests means there what it means
// here.
func TestCUDAAgainstNaive(t *testing.T) {
	nvrtc, err := cudatest.OpenCompiler()
	if err != nil {
		t.Skip(err)
	}
	gpu, err := cudatest.OpenGPU()
	if err != nil {
		t.Skip(err)
	}
	all := jobs
	for seed := range uint64(40) {
		all = append(all, made(seed))
	}
	for _, j := range all {
		t.Run(j.name, func(t *testing.T) {
			if j.name == "atomic order" {
				t.Skip("a GPU promises no order")
			}
			p := j.compile(t)
			want := j.launch(p, 7)
			if err := runNaive(j.compile(t), want); err != nil {
				t.Fatal(err)
			}
			for turns := 1; turns <= printer.Turns(p); turns += 3 {
				text := printer.CUDA(p, want.Group, turns)
				ptx, err := nvrtc.PTX(text, gpu.Arch)
				if err != nil {
					t.Fatal(err)
				}
				got := j.launch(p, 7)
				if _, err := launchCUDA(gpu, ptx, p, got, turns, false); err != nil {
					t.Fatal(err)
				}
				_, own, _ := strings.Cut(text, "}  // namespace tw\n")
				compareOutputs(t, p, got, want, own)
			}

			text, accesses := printer.CUDAChecked(p, want.Group)
			ptx, err := nvrtc.PTX(text, gpu.Arch)
			if err != nil {
				t.Fatal(err)
			}
			got := j.launch(p, 7)
			words, err := launchCUDA(gpu, ptx, p, got, 1, true)
			if err != nil {
				t.Fatal(err)
			}
			if e, _, ok := printer.Fault(p, accesses, words, got.Grid); ok {
				t.Fatal(e)
			}
			compareOutputs(t, p, got, want, text)
		})
	}
}

// A checked kernel on a GPU finds what the CPU finds.
func TestCUDAFaults(t *testing.T) {
	nvrtc, err := cudatest.OpenCompiler()
	if err != nil {
		t.Skip(err)
	}
	gpu, err := cudatest.OpenGPU()
	if err != nil {
		t.Skip(err)
	}
	for _, c := range faults {
		if c.check || c.limit > 0 {
			continue // races and endless loops are found on the CPU only
		}
		t.Run(c.name, func(t *testing.T) {
			p := c.job.compile(t)
			l := c.job.launch(p, 3)
			text, accesses := printer.CUDAChecked(p, l.Group)
			ptx, err := nvrtc.PTX(text, gpu.Arch)
			if err != nil {
				t.Fatal(err)
			}
			words, err := launchCUDA(gpu, ptx, p, l, 1, true)
			if err != nil {
				t.Fatal(err)
			}
			e, thread, ok := printer.Fault(p, accesses, words, l.Grid)
			// The place must be the same. Which of several threads is first is up
			// to the GPU, and inside a function only the pointer's name is known.
			place, _, told := strings.Cut(c.want, ": index")
			if !ok || !strings.Contains(e.Error(), "is outside") || told && !strings.HasPrefix(e.Error(), place) {
				t.Errorf("got %v in thread %v, want %q", e, thread, c.want)
			}
		})
	}
}

// launchCUDA runs a kernel, checked or not, and gives what its fault cell holds.
func launchCUDA(gpu *cudatest.GPU, ptx []byte, p *ktree.Program, l machine.Launch, turns int, checked bool) (words [printer.FaultWords]uint64, err error) {
	var args, lengths []any
	for i, o := range l.Inputs {
		t := p.Inputs[i].Type
		lengths = append(lengths, uint64(len(o.Data)*8/t.Kind.Bits()/t.Comps()))
	}
	for i, o := range l.Outputs {
		t := p.Outputs[i].Type
		lengths = append(lengths, uint64(len(o.Data)*8/t.Kind.Bits()/t.Comps()))
	}
	for _, o := range l.Inputs {
		args = append(args, o.Data)
	}
	for _, o := range l.Outputs {
		args = append(args, o.Data)
	}
	for _, m := range p.Metas {
		in := l.Inputs[m.Index]
		switch m.What {
		case "shape":
			lengths = append(lengths, uint64(2))
			args = append(args, elem.Bytes([]int32{int32(in.Shape[0]), int32(in.Shape[1])}))
		case "strides":
			lengths = append(lengths, uint64(2))
			args = append(args, elem.Bytes([]int64{int64(in.Strides[0]), int64(in.Strides[1])}))
		default:
			args = append(args, int32(len(in.Shape)))
		}
	}
	var blocks [3]int
	for i := range 3 {
		args = append(args, uint32(l.Grid[i]))
		blocks[i] = (l.Grid[i] + l.Group[i] - 1) / l.Group[i]
	}
	blocks[0] = (blocks[0] + turns - 1) / turns
	if !checked {
		return words, gpu.Run(ptx, printer.CUDAEntry(p), blocks, l.Group, args...)
	}
	raw := unsafe.Slice((*byte)(unsafe.Pointer(&words)), len(words)*8)
	return words, gpu.Run(ptx, printer.CUDAEntry(p), blocks, l.Group, append(append(args, lengths...), raw)...)
}

func compareOutputs(t *testing.T, p *ktree.Program, got, want machine.Launch, text string) {
	t.Helper()
	for o, v := range p.Outputs {
		k := v.Type.Kind
		for i := range int64(len(got.Outputs[o].Data) * 8 / k.Bits()) {
			x, y := getScalar(got.Outputs[o].Data, k, i), getScalar(want.Outputs[o].Data, k, i)
			if x.I != y.I || !near(k, x.F, y.F) {
				t.Fatalf("%s scalar %d is %v, want %v\n%s", v.Name, i, x, y, text)
			}
		}
	}
}
