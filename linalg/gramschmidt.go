package linalg

import (
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// gramSchmidtQR factors a by two passes of Gram-Schmidt in one threadgroup for
// each matrix.
func gramSchmidtQR(a *nd.Array) (q, r *nd.Array) {
	batch, m, n := a.Dim(0), a.Dim(1), a.Dim(2)
	groups := min(max(m, n, 32)/32, 32)
	threads := 32 * groups
	length, count := roundUp(m, threads), roundUp(n, threads)
	least := 1e-7
	if a.DType() == nd.Float64 {
		least = 1e-15
	}
	at := transposed(a)
	if length > m {
		at = at.PadAxis(2, nd.Margin{After: length - m}, nd.Pad{})
	}
	// The kernel reads rows ahead of those it has, a few at a time.
	if extra := roundUp(n, groups) - n; extra > 0 {
		at = at.PadAxis(1, nd.Margin{After: extra}, nd.Pad{})
	}
	out := gramSchmidt.Call(nd.Launch{
		Inputs: []*nd.Array{at, nd.From([]float64{least}).Beside(a), nd.From([]int32{int32(m), int32(n)}).Beside(a)},
		Shapes: [][]int{at.Shape(), {batch, n, count}}, DTypes: []nd.DType{a.DType()},
		Grid: [3]int{32, groups, batch}, Threadgroup: [3]int{32, groups, 1},
		Template: map[string]any{"T": a.DType(), "COUNT": count, "GROUPS": groups},
	})
	return transposed(out[0].Slice(nd.All, nd.Range{Stop: n}, nd.Range{Stop: m})), transposed(columns(out[1], 0, n))
}

// roundUp is the least multiple of to that holds n.
func roundUp(n, to int) int { return (n + to - 1) / to * to }

// Figures of the choice between methods, measured on the CPU device: nativeNs is
// one number of a row in one step of Gram-Schmidt, columnNs the rest of a
// column; a panel of the others takes panelNs for each matrix and passNs for each
// of its numbers, and their products run at smallGemm operations in a nanosecond.
const (
	nativeNs  = 0.5
	columnNs  = 500.0
	panelNs   = 50e3
	passNs    = 8.0
	smallGemm = 35.0
)

// Figures of kernels in lockstep, for devices without native forms: a step costs
// stepNs, and laneNs for every thread of its group; a panel takes panelLaunches.
const (
	stepNs        = 60.0
	laneNs        = 0.5
	panelLaunches = 24
)

// prefersGramSchmidt predicts which method is faster: one kernel of many steps,
// or many launches with large products.
func prefersGramSchmidt(a *nd.Array) bool {
	d, err := a.Device()
	if err != nil {
		return false
	}
	batch, m, n := float64(a.Dim(0)), float64(a.Dim(1)), float64(a.Dim(2))
	side := min(n, panel)
	panels := math.Ceil(n / panel)
	if onCPU(a) {
		// As if for one core: a choice by their number would be one of bits.
		one := batch * n * (columnNs + nativeNs*n*m)
		many := panels*((1+batch)*panelNs+batch*m*side*passNs) + batch*4*m*n*n/smallGemm
		return one < many
	}
	turns := math.Ceil(batch / float64(max(d.Info().Workers, 1)))
	groups := float64(min(max(a.Dim(1), a.Dim(2), 32)/32, 32))
	length := roundUp(a.Dim(1), int(32*groups))
	perColumn := 40 + 2*4*n/2*float64(length)/32/groups*2
	one := turns * n * perColumn * (stepNs + laneNs*32*groups)
	steps := (2*6*side/2 + 7*side) * side
	launch, gemm := d.Tuned("launch_ns"), max(d.Tuned("gemm_ops_per_ns"), 1)
	many := panels*(panelLaunches*launch+turns*steps*(stepNs+laneNs*side)) + batch*4*m*n*n/gemm
	return one < many
}
