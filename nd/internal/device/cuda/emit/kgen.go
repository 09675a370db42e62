package emit

import (
	"github.com/twiddle-go/twiddle/internal/ktree/printer"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
)

// Target is the card as generators of package kgen know it.
func (c Card) Target() kgen.Target {
	return kgen.Target{Processors: c.Processors, SharedBytes: 48 << 10, Subgroup: 32, Wide: true, Tensor: c.Arch >= 80, Arch: c.Arch, PoolBytes: c.SharedBytes, Cluster: c.Cluster, Maps: c.Maps && c.Arch >= 90, Tile: c.Tile}
}

// Printed is a module of trees as CUDA C++.
func Printed(m *kgen.Module) *Module {
	out := &Module{Scratch: m.Scratch, Fault: m.Fault, Tables: m.Tables, Maps: m.Maps}
	if len(m.Kernels) > 0 {
		out.Text = printer.CUDAUnit(m.Kernels...)
	}
	for _, s := range m.Steps {
		k := m.Kernels[s.Kernel]
		out.Steps = append(out.Steps, Step{Entry: k.Name, Grid: [3]int{s.Groups, 1, 1}, Block: [3]int{s.Threads, 1, 1}, Shared: k.Pool, Cluster: k.Cluster, Params: s.Params})
	}
	return out
}
