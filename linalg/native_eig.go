package linalg

import (
	"math"
	"math/cmplx"

	"github.com/twiddle-go/twiddle/internal/simd/gemm"
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

// triangularReal makes the Schur form of a matrix over a power of two; by times and is that. It is nil, with a fault, where
// that is not possible.
func triangularReal(a []float64, n int, vectors, balanced bool, fault *int64) (g *general, by, and float64) {
	if *fault = int64(notFinite(a)); *fault >= 0 {
		return nil, 0, 0
	}
	most := 0.0
	for _, v := range a {
		most = max(most, math.Abs(v))
	}
	g = newGeneral(a, n, vectors)
	by, and = scaledBy(most)
	for _, row := range g.t {
		for j := range row {
			row[j] = row[j] * by * and
		}
	}
	if balanced {
		g.balance()
	}
	g.hessenberg()
	if !g.schur() {
		*fault = int64(n * n)
		return nil, 0, 0
	}
	return g, by, and
}

func triangularComplex(a []complex128, n int, vectors, balanced bool, fault *int64) (g *generalComplex, by, and float64) {
	most := 0.0
	for i, v := range a {
		if cmplx.IsNaN(v) || cmplx.IsInf(v) {
			*fault = int64(i)
			return nil, 0, 0
		}
		most = max(most, math.Abs(real(v)), math.Abs(imag(v)))
	}
	*fault = -1
	g = newGeneralComplex(a, n, vectors)
	by, and = scaledBy(most)
	for _, row := range g.t {
		for j, v := range row {
			row[j] = complex(real(v)*by*and, imag(v)*by*and)
		}
	}
	if balanced {
		g.balance()
	}
	g.hessenberg()
	if !g.schur() {
		*fault = int64(n * n)
		return nil, 0, 0
	}
	return g, by, and
}

func nativeSchur(k *nd.Group) {
	n := k.Inputs[0].Shape[1]
	faults := nd.Elements[int64](k.Outputs[2])
	each(k, func(m int) {
		if k.Inputs[0].Type == nd.Complex128 {
			g, by, and := triangularComplex(matrixOf[complex128](k.Inputs[0], m, n*n), n, true, false, &faults[m])
			if g == nil {
				return
			}
			t, z := matrixOf[complex128](k.Outputs[0], m, n*n), matrixOf[complex128](k.Outputs[1], m, n*n)
			for i := range n {
				for j := range n {
					v := g.t[i][j]
					t[i*n+j], z[i*n+j] = complex(real(v)/by/and, imag(v)/by/and), cmplx.Conj(g.zh[j][i])
				}
			}
			return
		}
		g, by, and := triangularReal(matrixOf[float64](k.Inputs[0], m, n*n), n, true, false, &faults[m])
		if g == nil {
			return
		}
		t, z := matrixOf[float64](k.Outputs[0], m, n*n), matrixOf[float64](k.Outputs[1], m, n*n)
		for i := range n {
			for j := range n {
				t[i*n+j], z[i*n+j] = g.t[i][j]/by/and, g.zt[j][i]
			}
		}
	})
}

func nativeEig(k *nd.Group) {
	n, vectors := k.Inputs[0].Shape[1], k.Constant("VECTORS") != 0
	faults := nd.Elements[int64](k.Outputs[2])
	if !vectors && k.Position[2] == 0 {
		clear(nd.Elements[complex128](k.Outputs[1]))
	}
	each(k, func(m int) {
		w := matrixOf[complex128](k.Outputs[0], m, n)
		var rows [][]complex128
		var scales []float64
		var by, and float64
		if k.Inputs[0].Type == nd.Complex128 {
			var g *generalComplex
			if g, by, and = triangularComplex(matrixOf[complex128](k.Inputs[0], m, n*n), n, vectors, true, &faults[m]); g == nil {
				return
			}
			for i := range w {
				w[i] = g.t[i][i]
			}
			if vectors {
				rows, scales = g.vectors(), g.scales
			}
		} else {
			var g *general
			if g, by, and = triangularReal(matrixOf[float64](k.Inputs[0], m, n*n), n, vectors, true, &faults[m]); g == nil {
				return
			}
			g.values(w)
			if vectors {
				rows, scales = g.vectors(w), g.scales
			}
		}
		for i, v := range w {
			w[i] = complex(real(v)/by/and, imag(v)/by/and)
		}
		if !vectors {
			return
		}
		v := matrixOf[complex128](k.Outputs[1], m, n*n)
		for j, row := range rows {
			standing(row, scales)
			for i, x := range row {
				v[i*n+j] = x
			}
		}
	})
}

// standing undoes the balance of a vector, gives it length 1, and turns its largest element to be real.
func standing(x []complex128, scales []float64) {
	most, largest := 0.0, complex(1, 0)
	for i, v := range x {
		x[i] = complex(real(v)*scales[i], imag(v)*scales[i])
		if size := cmplx.Abs(x[i]); size > most {
			most, largest = size, x[i]
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

// values are the eigenvalues of a quasi-triangle; of a pair the one with the positive imaginary part comes first.
func (g *general) values(w []complex128) {
	for k := 0; k < g.n; k++ {
		if k+1 < g.n && g.t[k+1][k] != 0 {
			im := math.Sqrt(math.Abs(g.t[k][k+1])) * math.Sqrt(math.Abs(g.t[k+1][k]))
			w[k], w[k+1] = complex(g.t[k][k], im), complex(g.t[k][k], -im)
			k++
			continue
		}
		w[k] = complex(g.t[k][k], 0)
	}
}

// Elements of a vector beyond largeVector are scaled down, all of them.
const largeVector = 1e100

// nothing is what stands for a difference of eigenvalues that is zero, in matrices with a largest element of about most.
func nothing(most float64) float64 { return max(0x1p-53*most, 0x1p-500) }

// vectors are the eigenvectors, as rows.
func (g *general) vectors(w []complex128) [][]complex128 {
	n, most := g.n, 0.0
	for _, row := range g.t {
		for _, v := range row {
			most = max(most, math.Abs(v))
		}
	}
	// Of the quasi-triangle first: real parts, and imaginary parts of complex ones, row by row.
	re, im := make([]float64, n*n), make([]float64, n*n)
	for k := 0; k < n; k++ {
		pair := imag(w[k]) != 0
		g.solveBack(k, pair, w[k], nothing(most), re[k*n:][:n], im[k*n:][:n])
		if pair {
			k++
		}
	}
	z := gemm.Matrix[float64]{Data: make([]float64, n*n), Row: n, Col: 1}
	for i, row := range g.zt {
		copy(z.Data[i*n:], row)
	}
	times := func(x []float64) []float64 {
		out := make([]float64, n*n)
		gemm.Mul(n, n, n, gemm.Matrix[float64]{Data: out, Row: n, Col: 1}, gemm.Matrix[float64]{Data: x, Row: n, Col: 1}, z, nil)
		return out
	}
	re, im = times(re), times(im)
	rows := rowsOf64[complex128](n)
	for k := 0; k < n; k++ {
		for i := range n {
			rows[k][i] = complex(re[k*n+i], im[k*n+i])
		}
		if imag(w[k]) != 0 {
			for i, v := range rows[k] {
				rows[k+1][i] = cmplx.Conj(v)
			}
			k++
		}
	}
	return rows
}

// solveBack finds the vector of the eigenvalue in row k, or of the one of the pair in rows k and k+1 that has the positive
// imaginary part.
func (g *general) solveBack(k int, pair bool, w complex128, least float64, re, im []float64) {
	last := k
	re[k] = 1
	if pair {
		last = k + 1
		if b, c := g.t[k][k+1], g.t[k+1][k]; math.Abs(b) >= math.Abs(c) {
			im[k+1] = imag(w) / b
		} else {
			re[k], re[k+1], im[k] = 0, 1, imag(w)/c
		}
	}
	rest := func(i, from int) complex128 {
		row := g.t[i][from : last+1]
		_, x, _ := rowOps.Products(row, re[from:last+1])
		if !pair {
			return complex(-x, 0)
		}
		_, y, _ := rowOps.Products(row, im[from:last+1])
		return complex(-x, -y)
	}
	over := func(x, d complex128) complex128 {
		if modulus1(d) < least {
			d = complex(least, 0)
		}
		if imag(d) == 0 && imag(x) == 0 {
			return complex(real(x)/real(d), 0)
		}
		return x / d
	}
	for i := k - 1; i >= 0; i-- {
		if i > 0 && g.t[i][i-1] != 0 {
			// Two rows at once, eliminated from the larger element.
			p, q := rest(i-1, i+1), rest(i, i+1)
			a, b := complex(g.t[i-1][i-1], 0)-w, complex(g.t[i-1][i], 0)
			c, d := complex(g.t[i][i-1], 0), complex(g.t[i][i], 0)-w
			if modulus1(c) > modulus1(a) {
				a, b, p, c, d, q = c, d, q, a, b, p
			}
			f := over(c, a)
			y := over(q-f*p, d-f*b)
			x := over(p-b*y, a)
			re[i-1], im[i-1], re[i], im[i] = real(x), imag(x), real(y), imag(y)
			i--
		} else {
			x := over(rest(i, i+1), complex(g.t[i][i], 0)-w)
			re[i], im[i] = real(x), imag(x)
		}
		if most := max(math.Abs(re[i]), math.Abs(im[i]), math.Abs(re[i+1]), math.Abs(im[i+1])); most > largeVector {
			for j := i; j <= last; j++ {
				re[j], im[j] = re[j]/most, im[j]/most
			}
		}
	}
}

// vectors are the eigenvectors, as rows.
func (g *generalComplex) vectors() [][]complex128 {
	n, most := g.n, 0.0
	for _, row := range g.t {
		for _, v := range row {
			most = max(most, modulus1(v))
		}
	}
	rows, x := rowsOf64[complex128](n), make([]complex128, n)
	for k := range n {
		clear(x)
		x[k] = 1
		for i := k - 1; i >= 0; i-- {
			var sum complex128
			for j, v := range g.t[i][i+1 : k+1] {
				sum -= v * x[i+1+j]
			}
			d := g.t[i][i] - g.t[k][k]
			if modulus1(d) < nothing(most) {
				d = complex(nothing(most), 0)
			}
			x[i] = sum / d
			if size := modulus1(x[i]); size > largeVector {
				for j := i; j <= k; j++ {
					x[j] = complex(real(x[j])/size, imag(x[j])/size)
				}
			}
		}
		for j, c := range x[:k+1] {
			for i, v := range g.zh[j] {
				rows[k][i] += c * cmplx.Conj(v)
			}
		}
	}
	return rows
}
