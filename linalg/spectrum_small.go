package linalg

import "github.com/twiddle-go/twiddle/nd"

// Eigenvalues and singular values of small matrices on a GPU: lanes of a simdgroup keep rows in registers, and rotate them until they are
// orthogonal.

var (
	eighSmall = spectral("eigh_small", []string{"a"}, []string{"w", "v", "fault"})
	svdSmall  = spectral("svd_small", []string{"a"}, []string{"u", "s", "v", "fault"})
)

// spectral is a kernel that is the same for real and complex matrices, but for what a number is.
func spectral(name string, inputs, outputs []string) map[bool]*nd.Kernel {
	forms := map[bool]*nd.Kernel{}
	for isComplex, number := range map[bool]string{false: "real", true: "complex"} {
		k := kernel(name, inputs, outputs)
		k.Name += "_" + number
		k.Header = text("jacobi_small.header") + text(number+".header") + text("turns.header")
		forms[isComplex] = k
	}
	return forms
}

const (
	// smallSpectrum is up to how many rows and columns a GPU keeps a matrix in registers.
	smallSpectrum = 32
	// smallSpectrumSweeps bounds the iteration. Matrices of 8 columns take 6 sweeps, those of 32 up to 11.
	smallSpectrumSweeps = 30
	// smallAtOnce is up to how many numbers of a row threads exchange at once. More would not fit a threadgroup's memory, and go in two parts. Of 96
	// in float64 or more some are spilled: SVD of 513 complex matrices of 24 columns takes an H200 0.54 ms all the same, of 32 columns 1.96, where
	// the way through memory took 1.2 for 16 columns and 3.9 for 32.
	smallAtOnce = 96
)

// partsIn is how many real numbers one of a is.
func partsIn(a *nd.Array) int {
	if a.DType().IsComplex() {
		return 2
	}
	return 1
}

// inRegisters reports whether a GPU rotates the rows of a in registers.
func inRegisters(a *nd.Array) bool {
	return a.Err() == nil && !onCPU(a) && max(a.Dim(1), a.Dim(2)) <= smallSpectrum
}

// rotation is a launch that rotates rows, with count numbers each, in registers; as many as a has columns. They are exchanged span at a time.
func rotation(a *nd.Array, count, span int, vectors bool) nd.Launch {
	batch, n, width := a.Dim(0), a.Dim(2), 2
	for width < n {
		width *= 2
	}
	t := map[string]any{"T": a.DType(), "S": nd.Float64, "PARTS": partsIn(a), "N": n, "Q": roundUp(n, 2) - 1, "WIDTH": width,
		"MOST": smallSpectrumSweeps, "EARLY": true, "SQUARINGS": 3, "DIGITS": 32, "LEN": partsIn(a)*(span+1) | 1, "VECTORS": vectors}
	if a.DType().Real() == nd.Float64 {
		t["DIGITS"] = 52
	}
	if d, err := a.Device(); err == nil && !d.Has(nd.Float64) {
		// Without float64 a device may be one where threads must not leave loops by what they found: it makes all sweeps.
		t["S"], t["SQUARINGS"], t["DIGITS"], t["EARLY"], t["MOST"] = nd.Float32, 0, 23, false, 8+n/4
	}
	each := 32 / width
	return nd.Launch{Inputs: []*nd.Array{a}, Whole: true, Ops: jacobiOps(2.5, batch, n, count),
		Grid: [3]int{32 * ((batch + each - 1) / each), 1, 1}, Threadgroup: [3]int{32, 1, 1}, Template: t}
}

// eighInRegisters is eighOf for small matrices.
func eighInRegisters(a *nd.Array, vectors bool) (w, v, fault *nd.Array) {
	batch, n := a.Dim(0), a.Dim(1)
	l := rotation(a, n, n, vectors)
	t := a.DType()
	l.Template["V"], l.Template["R"], l.Template["EXACT"] = t, t.Real(), l.Template["S"] == t.Real()
	l.Shapes = [][]int{{batch, n}, ifWanted(vectors, batch, n, n), {batch}}
	l.DTypes = []nd.DType{t.Real(), t, nd.Int64}
	out := eighSmall[a.DType().IsComplex()].Call(l)
	return out[0], out[1], out[2]
}

// svdInRegisters is svdOf for small matrices with no more columns than rows: in float64 or complex128 where the GPU has them.
func (c *calculation) svdInRegisters(a *nd.Array, vectors bool) (u, s, v *nd.Array) {
	batch, m, n := a.Dim(0), a.Dim(1), a.Dim(2)
	count := m
	if vectors {
		count += n
	}
	span := count
	if partsIn(a)*count > smallAtOnce {
		span = m
	}
	l := rotation(a, count, span, vectors)
	t := widest(a.DType())
	l.Template["M"], l.Template["LONG"], l.Template["SPAN"], l.Template["LEAST"] = m, count, span, 200
	if l.Template["S"] == nd.Float32 {
		t, l.Template["LEAST"] = a.DType(), 60
	}
	l.Template["V"], l.Template["R"] = t, t.Real()
	l.Shapes = [][]int{ifWanted(vectors, batch, m, n), {batch, n}, ifWanted(vectors, batch, n, n), {batch}}
	l.DTypes = []nd.DType{t, t.Real(), t, nd.Int64}
	out := svdSmall[a.DType().IsComplex()].Call(l)
	c.require(out[3], func(matrix []int, _ int) error {
		return &ConvergenceError{Matrix: matrix, Iterations: smallSpectrumSweeps}
	})
	return out[0], out[1], out[2]
}

// ifWanted is the shape of a result, or of one number.
func ifWanted(is bool, shape ...int) []int {
	if is {
		return shape
	}
	return []int{1, 1, 1}
}
