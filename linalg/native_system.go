package linalg

import (
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// Whole systems of equations, one matrix after the other: elimination with exchanges of rows, the
// right sides beside the matrix, all in float64.

var (
	solveKernel    = onlyNative("solve", []string{"a", "b"}, []string{"x", "fault"}, nativeSolve)
	detKernel      = onlyNative("det", []string{"a"}, []string{"det", "sign", "log"}, nativeDet)
	choleskyKernel = onlyNative("cholesky", []string{"a"}, []string{"l", "fault"}, nativeCholesky)
)

// wholeMost is the greatest side of a single matrix that is factored as a whole, by one core: of
// larger ones products take most of the time, which all cores share. The choice does not depend on
// their number, so neither do bits.
const wholeMost = 512

// takesWhole reports whether a, square matrices, is for these kernels.
func takesWhole(a *nd.Array) bool {
	return takesNative(a) && (a.Dim(1) <= wholeMost || a.Dim(0) >= 8)
}

// solveOf solves a x = b. fault, int64 (batch), is -1, or counts through the elements of a,
// those of b, and the pivots: the first that is not finite, or zero.
func solveOf(a, b *nd.Array) (x, fault *nd.Array) {
	batch, n, k := b.Dim(0), b.Dim(1), b.Dim(2)
	ops := float64(n+4) * float64(n+4) * float64(n+3*k+8)
	out := solveKernel.Call(eachMatrix(batch, ops, nd.Launch{Inputs: []*nd.Array{a, b}, Shapes: [][]int{{batch, n, k}, {batch}},
		DTypes: []nd.DType{a.DType(), nd.Int64}}))
	return out[0], out[1]
}

// solvable asks that fault, as solveOf gives it, is none.
func (c *calculation) solvable(fault *nd.Array, n, k int) {
	c.require(fault, func(matrix []int, place int) error {
		if place < n*n {
			return &NotFiniteError{Name: "a", Matrix: matrix, Row: place / n, Column: place % n}
		}
		if place -= n * n; place < n*k {
			return &NotFiniteError{Name: "b", Matrix: matrix, Row: place / k, Column: place % k}
		}
		return &SingularError{Matrix: matrix, Pivot: place - n*k}
	})
}

// detOf is determinants, and their signs and the logarithms of their moduli.
func detOf(a *nd.Array) (det, sign, log *nd.Array) {
	batch, n := a.Dim(0), a.Dim(1)
	out := detKernel.Call(eachMatrix(batch, math.Pow(float64(n+4), 3), nd.Launch{Inputs: []*nd.Array{a}, Shapes: [][]int{{batch}, {batch}, {batch}}}))
	return out[0], out[1], out[2]
}

// choleskyOf factors matrices of which the lower half is looked at. fault, int64 (batch), is -1, or
// counts through the elements and the pivots: the first that is not finite, or not positive.
func choleskyOf(a *nd.Array) (l, fault *nd.Array) {
	batch, n := a.Dim(0), a.Dim(1)
	out := choleskyKernel.Call(eachMatrix(batch, math.Pow(float64(n+4), 3)/2, nd.Launch{Inputs: []*nd.Array{a}, Shapes: [][]int{a.Shape(), {batch}},
		DTypes: []nd.DType{a.DType(), nd.Int64}}))
	return out[0], out[1]
}

// load copies a matrix of rows of a width to a column on; fault is the place of the first number
// that is not finite, or -1.
func load[T float32 | float64](s *system64, from []T, width, column int) (fault int) {
	for i := range s.n {
		widen(s.row(i)[column:][:width], from[i*width:][:width])
	}
	if finite(s, from) {
		return -1
	}
	return notFinite(from)
}

// finite reports whether all numbers are.
func finite[T float32 | float64](s *system64, list []T) bool {
	same, ok := any(list).([]float64)
	if !ok || len(list) < len(s.check) {
		return notFinite(list) < 0
	}
	// Zero times what is not finite is not a number.
	clear(s.check[:])
	for len(same) > 0 {
		n := min(len(same), len(s.check))
		rowOps.AddScaled(s.check[:n], same[:n], 0)
		same = same[n:]
	}
	return notFinite(s.check[:]) < 0
}

// notFinite is the place of the first number that is not finite, or -1.
func notFinite[T float32 | float64](list []T) int {
	for i, v := range list {
		if v-v != 0 {
			return i
		}
	}
	return -1
}

func nativeSolve(g *nd.Group) {
	if g.Inputs[0].Type == nd.Float64 {
		solveSystems[float64](g)
		return
	}
	solveSystems[float32](g)
}

func solveSystems[T float32 | float64](g *nd.Group) {
	n, k := g.Inputs[1].Shape[1], g.Inputs[1].Shape[2]
	s := systems.Get().(*system64)
	defer systems.Put(s)
	each(g, func(m int) {
		x, fault := matrixOf[T](g.Outputs[0], m, n*k), &nd.Elements[int64](g.Outputs[1])[m]
		s.prepare(n, n+k)
		*fault = int64(load(s, matrixOf[T](g.Inputs[0], m, n*n), n, 0))
		if place := load(s, matrixOf[T](g.Inputs[1], m, n*k), k, n); *fault < 0 && place >= 0 {
			*fault = int64(n*n + place)
		}
		if *fault >= 0 {
			return
		}
		s.eliminate()
		for i := range n {
			if s.v[i*s.length+i] == 0 {
				*fault = int64(n*n + n*k + i)
				return
			}
		}
		s.back()
		for i := range n {
			for j, v := range s.v[i*s.length+n:][:k] {
				x[i*k+j] = T(v)
			}
		}
	})
}

func nativeDet(g *nd.Group) {
	if g.Inputs[0].Type == nd.Float64 {
		determinants[float64](g)
		return
	}
	determinants[float32](g)
}

func determinants[T float32 | float64](g *nd.Group) {
	n := g.Inputs[0].Shape[1]
	det, signs, logs := nd.Elements[T](g.Outputs[0]), nd.Elements[T](g.Outputs[1]), nd.Elements[T](g.Outputs[2])
	s := systems.Get().(*system64)
	defer systems.Put(s)
	each(g, func(m int) {
		s.prepare(n, n)
		load(s, matrixOf[T](g.Inputs[0], m, n*n), n, 0)
		s.eliminate()
		product, sign := 1.0, 1.0
		if s.swaps%2 != 0 {
			product, sign = -1, -1
		}
		// A number and a power of two: products on the way neither overflow nor vanish.
		power := 0
		for i := range n {
			d := s.v[i*s.length+i]
			f, e := math.Frexp(d)
			product, power = product*f, power+e
			if math.Abs(product) < 0x1p-500 {
				product, e = math.Frexp(product)
				power += e
			}
			switch {
			case d < 0:
				sign = -sign
			case !(d > 0):
				sign *= d // zero, or not a number
			}
		}
		whole := math.Ldexp(product, power)
		log := math.Log(math.Abs(whole))
		if size := math.Abs(whole); product != 0 && !(size >= 0x1p-1022 && size <= math.MaxFloat64) {
			log = math.Log(math.Abs(product)) + float64(power)*math.Ln2
		}
		det[m], signs[m], logs[m] = T(whole), T(sign), T(log)
	})
}
