package linalg

import (
	"math"
	"math/cmplx"
	"slices"

	"github.com/twiddle-go/twiddle/nd"
)

var (
	eigKernel   = onlyNative("eig", []string{"a"}, []string{"w", "v", "fault"}, nativeEig)
	schurKernel = onlyNative("schur", []string{"a"}, []string{"t", "z", "fault"}, nativeSchur)
)

// eigOf is the eigenvalues and vectors of float64 or complex128 matrices, on the CPU: v is one zero where
// vectors are not wanted. fault is that of eighOf.
func eigOf(a *nd.Array, vectors bool) (w, v, fault *nd.Array) {
	batch, n := a.Dim(0), a.Dim(1)
	shape := a.Shape()
	if !vectors {
		shape = []int{1, 1, 1}
	}
	out := eigKernel.Call(eachMatrix(batch, 25*math.Pow(float64(n+4), 3), nd.Launch{Inputs: []*nd.Array{a}, Shapes: [][]int{{batch, n}, shape, {batch}},
		DTypes: []nd.DType{nd.Complex128, nd.Complex128, nd.Int64}, Template: map[string]any{"VECTORS": vectors}}))
	return out[0], out[1], out[2]
}

// schurOf is Schur forms of float64 or complex128 matrices, on the CPU.
func schurOf(a *nd.Array) (t, z, fault *nd.Array) {
	batch, n := a.Dim(0), a.Dim(1)
	out := schurKernel.Call(eachMatrix(batch, 25*math.Pow(float64(n+4), 3), nd.Launch{Inputs: []*nd.Array{a}, Shapes: [][]int{a.Shape(), a.Shape(), {batch}},
		DTypes: []nd.DType{a.DType(), a.DType(), nd.Int64}}))
	return out[0], out[1], out[2]
}

// triangularReal makes the Schur form of a matrix, balanced unless the form itself is wanted. It is nil, with a fault, where
// that is not possible.
func triangularReal(a []float64, n int, want wanted, fault *int64) *general {
	if *fault = int64(notFinite(a)); *fault >= 0 {
		return nil
	}
	g := newGeneral(a, n, want)
	g.hessenberg()
	if !g.schur() {
		*fault = int64(n * n)
		return nil
	}
	return g
}

func triangularComplex(a []complex128, n int, want wanted, fault *int64) *generalComplex {
	*fault = int64(slices.IndexFunc(a, func(v complex128) bool { return cmplx.IsNaN(v) || cmplx.IsInf(v) }))
	if *fault >= 0 {
		return nil
	}
	g := newGeneralComplex(a, n, want)
	g.hessenberg()
	if !g.schur() {
		*fault = int64(n * n)
		return nil
	}
	return g
}

func nativeSchur(k *nd.Group) {
	n := k.Inputs[0].Shape[1]
	faults := nd.Elements[int64](k.Outputs[2])
	each(k, func(m int) {
		if k.Inputs[0].Type == nd.Complex128 {
			g := triangularComplex(matrixOf[complex128](k.Inputs[0], m, n*n), n, asItIs, &faults[m])
			if g == nil {
				return
			}
			by, and := powerOfTwo(g.exponent)
			t, z := matrixOf[complex128](k.Outputs[0], m, n*n), matrixOf[complex128](k.Outputs[1], m, n*n)
			for i := range n {
				for j, v := range g.t[i] {
					t[i*n+j], z[i*n+j] = scaled(scaled(v, by), and), cmplx.Conj(g.zh[j][i])
				}
			}
			return
		}
		g := triangularReal(matrixOf[float64](k.Inputs[0], m, n*n), n, asItIs, &faults[m])
		if g == nil {
			return
		}
		by, and := powerOfTwo(g.exponent)
		t, z := matrixOf[float64](k.Outputs[0], m, n*n), matrixOf[float64](k.Outputs[1], m, n*n)
		for i := range n {
			for j, v := range g.t[i] {
				t[i*n+j], z[i*n+j] = v*by*and, g.zh[j][i]
			}
		}
	})
}

func nativeEig(k *nd.Group) {
	n, want := k.Inputs[0].Shape[1], onlyValues
	if k.Constant("VECTORS") != 0 {
		want = withVectors
	} else if k.Position[2] == 0 {
		clear(nd.Elements[complex128](k.Outputs[1]))
	}
	faults := nd.Elements[int64](k.Outputs[2])
	each(k, func(m int) {
		w := matrixOf[complex128](k.Outputs[0], m, n)
		var rows [][]complex128
		var b balance
		if k.Inputs[0].Type == nd.Complex128 {
			g := triangularComplex(matrixOf[complex128](k.Inputs[0], m, n*n), n, want, &faults[m])
			if g == nil {
				return
			}
			for i := range w {
				w[i] = g.t[i][i]
			}
			if b = g.balance; want == withVectors {
				rows = g.vectors()
			}
		} else {
			g := triangularReal(matrixOf[float64](k.Inputs[0], m, n*n), n, want, &faults[m])
			if g == nil {
				return
			}
			g.values(w)
			if b = g.balance; want == withVectors {
				rows = g.vectors(w)
			}
		}
		by, and := powerOfTwo(b.exponent)
		for i, v := range w {
			w[i] = scaled(scaled(v, by), and)
		}
		if want == onlyValues {
			return
		}
		v := matrixOf[complex128](k.Outputs[1], m, n*n)
		for j, row := range rows {
			b.stand(row)
			for i, x := range row {
				v[b.order[i]*n+j] = x
			}
		}
	})
}

// stand undoes the powers of a vector, gives it length 1, and turns its largest element to be real.
func (b *balance) stand(x []complex128) {
	most := 0.0
	for _, v := range x {
		most = max(most, modulus1(v))
	}
	for i, v := range x {
		by := math.Ldexp(1, b.powers[i]) / most
		x[i] = scaled(v, by)
	}
	most, largest := 0.0, complex(1, 0)
	for _, v := range x {
		if size := cmplx.Abs(v); size > most {
			most, largest = size, v
		}
	}
	sum := 0.0
	for _, v := range x {
		re, im := real(v)/most, imag(v)/most
		sum += re*re + im*im
	}
	length := most * math.Sqrt(sum)
	if imag(largest) == 0 {
		// Real already: vectors of real eigenvalues stay as they are.
		for i, v := range x {
			x[i] = complex(real(v)/length, imag(v)/length)
		}
		return
	}
	turn := complex(real(largest)/most, -imag(largest)/most)
	for i, v := range x {
		last := v == largest
		if v = turn * complex(real(v)/length, imag(v)/length); last {
			v = complex(real(v), 0)
		}
		x[i] = v
	}
}
