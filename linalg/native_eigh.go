package linalg

import (
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// What the CPU computes by a whole algorithm, in one launch, has no body: a GPU takes other ways,
// or leaves a few matrices to the CPU.

// onlyNative is a kernel for the CPU alone.
func onlyNative(name string, inputs, outputs []string, run func(*nd.Group)) *nd.Kernel {
	return &nd.Kernel{Name: name, Inputs: inputs, Outputs: outputs, Native: nd.NewNative(run)}
}

var eighKernel = onlyNative("eigh", []string{"a"}, []string{"w", "v", "fault"}, nativeEigh)

// takesNative reports whether a is for native forms: real, and on the CPU.
func takesNative(a *nd.Array) bool { return !a.DType().IsComplex() && onCPU(a) }

// hostMatrices is up to how many matrices that are not small a GPU leaves to the CPU for eigenvalues and singular values.
// A threadgroup rotates the rows of one, and takes 15 times as long as one core by reflections
// (Eigh of 256 columns: 129 ms on an H200, 8.8 ms on a core). Groups of many matrices run at once. The number
// of cores has no say, since bits depend on the choice.
const hostMatrices = 8

// takesSpectrum reports whether eighOf and svdSquare are for a: on the CPU, or a few matrices.
func takesSpectrum(a *nd.Array) bool {
	few := !a.DType().IsComplex() && a.Err() == nil && a.Dim(0) <= hostMatrices
	return takesNative(a) || few && onCPU(nd.Zeros(a.DType(), 1))
}

// takesEigh reports whether eighOf is for a.
func takesEigh(a *nd.Array) bool { return takesSpectrum(a) || inRegisters(a) }

// onHostFor is a on the CPU, and what takes results to where a is.
func onHostFor(a *nd.Array) (x *nd.Array, home func(*nd.Array) *nd.Array) {
	if onCPU(a) {
		return a, func(r *nd.Array) *nd.Array { return r }
	}
	return copiedToHost(a), func(r *nd.Array) *nd.Array { return r.Beside(a) }
}

// copiedToHost is a on the CPU. What is copied is evaluated, so that is a view of a: a itself keeps its history for
// gradients.
func copiedToHost(a *nd.Array) *nd.Array { return apart([]*nd.Array{a})[0].On(nd.CPU().Stream()) }

// eachMatrix is a launch of a native form. ops is what a matrix takes: groups take as many as
// are worth handing over.
func eachMatrix(batch int, ops float64, l nd.Launch) nd.Launch {
	each := max(min(int(groupOps/ops), batch), 1)
	l.Whole, l.Ops = true, ops*float64(batch)
	l.Grid, l.Threadgroup = [3]int{1, 1, (batch + each - 1) / each}, [3]int{1, 1, 1}
	if l.Template == nil {
		l.Template = map[string]any{}
	}
	l.Template["EACH"] = each
	return l
}

// groupOps is about ten microseconds of operations.
const groupOps = 50e3

// each runs do for the matrices of a group.
func each(g *nd.Group, do func(i int)) {
	n, batch := g.Constant("EACH"), g.Inputs[0].Shape[0]
	for i := g.Position[2] * n; i < min((g.Position[2]+1)*n, batch) && g.Context.Err() == nil; i++ {
		do(i)
	}
}

// eighOf is the eigenvalues and vectors of matrices that takesEigh is for, of which the lower half is looked
// at. fault, int64 (batch), is -1, or the place of what is not finite, or
// the number of places where rotations took too long. v is one zero where vectors are not wanted.
func eighOf(a *nd.Array, vectors bool) (w, v, fault *nd.Array) {
	if inRegisters(a) {
		return eighInRegisters(a, vectors)
	}
	batch, n := a.Dim(0), a.Dim(1)
	a, home := onHostFor(a)
	out := eighKernel.Call(eachMatrix(batch, 9*math.Pow(float64(n+4), 3), nd.Launch{Inputs: []*nd.Array{a}, Shapes: [][]int{{batch, n}, ifWanted(vectors, batch, n, n), {batch}},
		DTypes: []nd.DType{a.DType(), a.DType(), nd.Int64}, Template: map[string]any{"VECTORS": vectors}}))
	return home(out[0]), home(out[1]), home(out[2])
}

// sound asks that fault, as eighOf gives it, is none, for matrices of a number of columns; a value has
// as many iterations as most.
func (c *calculation) sound(fault *nd.Array, n, most int) {
	c.require(fault, func(matrix []int, place int) error {
		if place == n*n {
			return &ConvergenceError{Matrix: matrix, Iterations: most}
		}
		return &NotFiniteError{Name: "a", Matrix: matrix, Row: place / n, Column: place % n}
	})
}

func nativeEigh(g *nd.Group) {
	if g.Inputs[0].Type == nd.Float64 {
		eighMatrices[float64](g)
		return
	}
	eighMatrices[float32](g)
}

func eighMatrices[T float32 | float64](g *nd.Group) {
	n, wanted := g.Inputs[0].Shape[1], g.Constant("VECTORS") != 0
	if !wanted && g.Position[2] == 0 {
		clear(nd.Elements[T](g.Outputs[1]))
	}
	s := newSymmetric(n)
	defer symmetrics.Put(s)
	each(g, func(i int) {
		a, w := matrixOf[T](g.Inputs[0], i, n*n), matrixOf[T](g.Outputs[0], i, n)
		fault := &nd.Elements[int64](g.Outputs[2])[i]
		most := 0.0
		*fault = -1
		for r := n - 1; r >= 0; r-- {
			for c := r; c >= 0; c-- {
				x := float64(a[r*n+c])
				s.row(r)[c], s.row(c)[r] = x, x
				most = max(most, math.Abs(x))
				if x-x != 0 {
					*fault = int64(r*n + c)
				}
			}
		}
		if *fault >= 0 {
			return
		}
		// A power of two brings squares into range, and rounds nothing that counts. It is two
		// factors, for it may be out of range itself.
		_, exponent := math.Frexp(most)
		by, and := math.Ldexp(1, -exponent/2), math.Ldexp(1, -exponent+exponent/2)
		for k := range s.v {
			s.v[k] *= by
			s.v[k] *= and
		}
		var vectors square
		ok := false
		if wanted {
			vectors, ok = s.eigenvectors()
		} else {
			ok = s.eigenvalues()
		}
		if !ok {
			*fault = int64(n * n)
			return
		}
		for r, x := range s.diagonal {
			w[r] = T(x / by / and)
		}
		if !wanted {
			return
		}
		v := matrixOf[T](g.Outputs[1], i, n*n)
		columnsOf(v, vectors, n)
	})
}
