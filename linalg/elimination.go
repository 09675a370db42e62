package linalg

import "github.com/twiddle-go/twiddle/nd"

// Elimination on a GPU: a launch for a few columns or rows, and one for what they change everywhere else.
// Halves with products between them would have more launches than a GPU takes time for up to
// some hundred columns: 1793 for a system of 1024.

var (
	luColumns       = kernel("lu_columns", []string{"q", "swaps"}, []string{"p", "order", "swapped"})
	substituteFew   = kernel("substitute_few", []string{"t", "b"}, []string{"x"})
	solveSmall      = kernel("solve_small", []string{"a", "b"}, []string{"x", "pivots"})
	luRest          = kernel("lu_rest", []string{"w", "p", "order", "whole"}, []string{"v", "next", "done"})
	substituteRows  = kernel("substitute_rows", []string{"l", "b", "from"}, []string{"x"})
	choleskySmall   = kernel("cholesky_small", []string{"w"}, []string{"v", "missed"})
	choleskyColumns = kernel("cholesky_columns", []string{"w", "from", "lost"}, []string{"v", "missed"})
)

const (
	// luCount is how many columns are eliminated at once, if registers hold them: luRegisters of 4 bytes, half of
	// those of a multiprocessor. luThreads keep up to luRows rows of these columns, four each where there are enough.
	luCount, luRegisters, luThreads, luRows = 16, 1 << 15, 512, 4096
	// luWhole is up to how many columns are eliminated this way before products of halves take over, and
	// luHalf how many then.
	luWhole, luHalf = 1024, 512
	// choleskyCount is how many columns of a Cholesky factor are made at once, and choleskyWhole up to how many before
	// products of halves take over.
	choleskyCount, choleskyWhole = 16, 1024
	// solveCount is how many rows of a triangle are solved at once.
	solveCount = 32
	// solveHalf is up to how many rows are solved this way before products of halves take over, of many
	// right sides.
	solveHalf = 512
)

// Many small matrices fill a GPU by panels, and their launches are hidden: on an H200 4096 systems of 32 take
// 0.76 ms so, and 1.13 ms by columns.
const manyMatrices, smallRows = 512, 64

// inSteps reports whether a GPU takes real matrices a few columns or rows at a time.
func inSteps(a *nd.Array) bool {
	small := a.Dim(1) <= smallRows && a.Dim(0) >= manyMatrices
	return !onCPU(a) && !a.DType().IsComplex() && !small
}

// eliminates reports whether a GPU eliminates the columns of a so.
func eliminates(a *nd.Array) bool { return !onCPU(a) && !a.DType().IsComplex() && a.Dim(1) <= luRows }

// place is a number that kernels read, on the device of a: as a template constant it would have one kernel for each.
func place(i int, a *nd.Array) *nd.Array { return nd.From([]int32{int32(i)}).Beside(a) }

// panelOf is how many columns of m rows and n columns are eliminated at once: all of a small matrix, else what registers hold.
func panelOf(m, n int, t nd.DType) int {
	if m <= smallRows {
		return roundUp(n, luCount)
	}
	return min(luCount, luRegisters/(t.Size()/4*powerFrom(m)))
}

// powerFrom is the least power of two from n, and the threads of a simdgroup, on.
func powerFrom(n int) int {
	p := 32
	for p < n {
		p *= 2
	}
	return p
}

// luByColumns factors square or tall matrices by a few columns at a time.
func luByColumns(a *nd.Array) lu {
	batch, m, n := a.Dim(0), a.Dim(1), a.Dim(2)
	count := panelOf(m, n, a.DType())
	f := lu{packed: a, order: nd.Arange[int32](0, int32(m), 1).Beside(a).BroadcastTo(batch, m), swaps: nd.Zeros(nd.Int32, batch).Beside(a)}
	next := transposed(columns(a, 0, min(count, n)))
	for k := 0; k < n; k += count {
		own, rows := min(count, n-k), m-k
		threads := min(max(powerFrom(rows)/4, 32), luThreads)
		if count > luCount {
			threads = powerFrom(rows)
		}
		kept := nd.Float64
		if 2*count*powerFrom(rows) > luRegisters {
			kept = a.DType()
		}
		out := luColumns.Call(nd.Launch{
			Inputs: []*nd.Array{next, f.swaps}, Whole: true, Ops: 2 * float64(batch*rows*own*own),
			Shapes: [][]int{{batch, own, rows}, {batch, rows}, {batch}}, DTypes: []nd.DType{a.DType(), nd.Int32, nd.Int32},
			Grid: [3]int{threads, 1, batch}, Threadgroup: [3]int{threads, 1, 1},
			Template: map[string]any{"T": a.DType(), "S": kept, "COUNT": count, "GROUPS": threads / 32, "EACH": (powerFrom(rows) + threads - 1) / threads},
		})
		f.swaps = out[2]
		if own == n {
			f.packed, f.order = transposed(out[0]), out[1]
			break
		}
		follow := []int{batch, min(count, n-k-own), rows - own}
		if k+own == n {
			follow = []int{batch, 1, 1}
		}
		rest := luRest.Call(nd.Launch{
			Inputs: []*nd.Array{f.packed, out[0], out[1], f.order}, Whole: true, Ops: 2 * float64(batch*rows*n*own),
			Shapes: [][]int{{batch, m, n}, follow, {batch, m}}, DTypes: []nd.DType{a.DType(), a.DType(), nd.Int32},
			Grid: [3]int{256 * ((n + 63) / 64), (m + 63) / 64, batch}, Threadgroup: [3]int{256, 1, 1},
			Template: map[string]any{"T": a.DType(), "COUNT": count},
		})
		f.packed, next, f.order = rest[0], rest[1], rest[2]
	}
	f.order = f.order.Cast(nd.Int64)
	return f
}

// fewSides is how many right sides a threadgroup solves for, and fewRoom how many numbers of them it has memory for.
const fewSides, fewRoom = 4, 2048

// solvesAtOnce reports whether a GPU solves for b in one launch.
func solvesAtOnce(b *nd.Array) bool {
	k := b.Dim(2)
	large := inSteps(b) || !onCPU(b) && !b.DType().IsComplex() && b.Dim(1) > smallSystem
	return large && k > 0 && k <= fewSides && b.Dim(1)*k <= fewRoom
}

// substitutedAtOnce solves t x = b for a few right sides.
func substitutedAtOnce(t, b *nd.Array, upper, unit bool) *nd.Array {
	batch, n, k := b.Dim(0), b.Dim(1), b.Dim(2)
	groups := 32
	if d, err := b.Device(); err == nil && !d.Has(nd.Float64) {
		groups = 8 // WebGPU promises threadgroups of 256
	}
	return substituteFew.Call(nd.Launch{
		Inputs: []*nd.Array{t, b}, Shapes: [][]int{{batch, n, k}}, Whole: true, Ops: float64(batch*n) * float64(n*k),
		Grid: [3]int{32 * groups, 1, batch}, Threadgroup: [3]int{32 * groups, 1, 1},
		Template: map[string]any{"T": b.DType(), "COUNT": k, "GROUPS": groups, "MOST": fewRoom / k, "UPPER": upper, "UNIT": unit},
	})[0]
}

// smallSystem is how many equations a simdgroup of a GPU solves in registers.
const smallSystem = 32

// takesSmall reports whether a GPU solves systems of few equations in one launch.
func takesSmall(a, b *nd.Array) bool {
	return !onCPU(a) && !a.DType().IsComplex() && a.Dim(1) <= smallSystem && b.Dim(2) <= fewSides
}

// solvedSmall solves systems of few equations.
func solvedSmall(a, b *nd.Array) (x, pivots *nd.Array) {
	batch, n, k := b.Dim(0), b.Dim(1), b.Dim(2)
	const groups = 4
	out := solveSmall.Call(nd.Launch{
		Inputs: []*nd.Array{a, b}, Shapes: [][]int{{batch, n, k}, {batch, n}}, Whole: true, Ops: float64(batch*n*n) * float64(n+k),
		Grid: [3]int{32 * groups * ((batch + groups - 1) / groups), 1, 1}, Threadgroup: [3]int{32 * groups, 1, 1},
		Template: map[string]any{"T": b.DType(), "N": n, "COUNT": k, "GROUPS": groups},
	})
	return out[0], out[1]
}

// substitutedByRows solves l x = b by a few rows at a time.
func substitutedByRows(l, b *nd.Array, unit bool) *nd.Array {
	batch, n, k := b.Dim(0), b.Dim(1), b.Dim(2)
	const rows = 64
	width := 64
	for width >= 2*k && width > 4 {
		width /= 2
	}
	for at := 0; at < n; at += solveCount {
		b = substituteRows.Call(nd.Launch{
			Inputs: []*nd.Array{l, b, place(at, b)}, Shapes: [][]int{{batch, n, k}}, Whole: true, Ops: 2 * float64(batch*(n-at)*k*solveCount),
			Grid: [3]int{256 * ((k + width - 1) / width), (n + rows - 1) / rows, batch}, Threadgroup: [3]int{256, 1, 1},
			Template: map[string]any{"T": b.DType(), "COUNT": solveCount, "WIDTH": width, "ROWS": rows, "UNIT": unit},
		})[0]
	}
	return b
}

// choleskyByColumns factors the lower triangles of matrices. lost, (batch, n), is 1 where a pivot is not positive.
func choleskyByColumns(a *nd.Array) (l, lost *nd.Array) {
	batch, n := a.Dim(0), a.Dim(1)
	if count := powerFrom(n); n <= smallRows {
		out := choleskySmall.Call(nd.Launch{
			Inputs: []*nd.Array{a}, Shapes: [][]int{{batch, n, n}, {batch, n}}, Whole: true, Ops: float64(batch*n*n) * float64(n) / 3,
			Grid: [3]int{count * batch, 1, 1}, Threadgroup: [3]int{count, 1, 1}, Template: map[string]any{"T": a.DType(), "COUNT": count},
		})
		return out[0], out[1]
	}
	lost = nd.Zeros(a.DType(), batch, n).Beside(a)
	tiles := (n + 63) / 64
	for k := -choleskyCount; k+choleskyCount < n; k += choleskyCount {
		rest := float64(n - k)
		out := choleskyColumns.Call(nd.Launch{
			Inputs: []*nd.Array{a, place(k, a), lost}, Shapes: [][]int{{batch, n, n}, {batch, n}}, Whole: true, Ops: float64(batch) * rest * rest * choleskyCount,
			Grid: [3]int{256 * tiles, tiles + 1, batch}, Threadgroup: [3]int{256, 1, 1},
			Template: map[string]any{"T": a.DType(), "COUNT": choleskyCount},
		})
		a, lost = out[0], out[1]
	}
	return a, lost
}
