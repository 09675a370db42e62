package machine_test

import (
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/nd/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/kernc/cudatest"
	"github.com/twiddle-go/twiddle/nd/internal/kernc/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kernc/machine"
	"github.com/twiddle-go/twiddle/nd/internal/kernc/render"
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
			text := render.CUDA(p)
			ptx, err := nvrtc.PTX(text, gpu.Arch)
			if err != nil {
				t.Fatal(err)
			}
			got := j.launch(p, 7)
			if err := launchCUDA(gpu, ptx, p, got); err != nil {
				t.Fatal(err)
			}
			_, own, _ := strings.Cut(text, "}  // namespace tw\n")
			compareOutputs(t, p, got, want, own)
		})
	}
}

func launchCUDA(gpu *cudatest.GPU, ptx []byte, p *ir.Program, l machine.Launch) error {
	var args []any
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
			args = append(args, elem.Bytes([]int32{int32(in.Shape[0]), int32(in.Shape[1])}))
		case "strides":
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
	return gpu.Run(ptx, p.Name, blocks, l.Group, args...)
}

func compareOutputs(t *testing.T, p *ir.Program, got, want machine.Launch, text string) {
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
