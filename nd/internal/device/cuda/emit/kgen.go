package emit

import (
	"github.com/twiddle-go/twiddle/internal/ktree/printer"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
)

// Target is the card as generators of package kgen know it.
func (c Card) Target() kgen.Target {
	return kgen.Target{Processors: c.Processors, SharedBytes: 48 << 10, Subgroup: 32, Wide: true, Tensor: c.Arch >= 80, Arch: c.Arch, PoolBytes: c.SharedBytes, Cluster: c.Cluster}
}

// Printed is a module of trees as CUDA C++.
func Printed(m *kgen.Module) *Module {
	out := &Module{Scratch: m.Scratch, Fault: m.Fault}
	for _, t := range m.Tables {
		out.Tables = append(out.Tables, Table{Key: t.Key, Data: t.Data})
	}
	if len(m.Kernels) > 0 {
		out.Text = printer.CUDAUnit(m.Kernels...)
	}
	for _, s := range m.Steps {
		step := Step{Entry: m.Kernels[s.Kernel].Name, Grid: [3]int{s.Groups, 1, 1}, Block: [3]int{s.Threads, 1, 1}, Shared: m.Kernels[s.Kernel].Pool, Cluster: m.Kernels[s.Kernel].Cluster}
		for _, p := range s.Params {
			step.Params = append(step.Params, Param{Kind: paramKinds[p.Kind], Index: p.Index, Value: p.Value})
		}
		out.Steps = append(out.Steps, step)
	}
	return out
}

var paramKinds = map[kgen.ParamKind]ParamKind{
	kgen.ReadPointer: ReadPointer, kgen.WritePointer: WritePointer, kgen.ScratchPointer: ScratchPointer,
	kgen.TablePointer: TablePointer, kgen.FaultCell: FaultCell, kgen.Number: Number, kgen.Argument: Argument,
}
