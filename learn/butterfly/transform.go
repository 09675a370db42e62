package butterfly

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
)

// Transform names a matrix to learn. None is scaled: a DFT has numbers of
// modulus 1.
type Transform string

const (
	DFT      Transform = "dft"      // exp(-2 pi i k j / n)
	DCT2     Transform = "dct2"     // cos(pi k (2j+1) / 2n)
	DST2     Transform = "dst2"     // sin(pi (k+1) (2j+1) / 2n)
	Hadamard Transform = "hadamard" // -1 to the number of ones that k and j share
	Hartley  Transform = "hartley"  // cos + sin of 2 pi k j / n
	Conv     Transform = "conv"     // the circular convolution with a filter drawn from a seed
)

// Transforms lists them.
var Transforms = []Transform{DFT, DCT2, DST2, Hadamard, Hartley, Conv}

// UnknownTransformError is a name that none of Transforms has.
type UnknownTransformError struct{ Name string }

func (e *UnknownTransformError) Error() string {
	names := make([]string, len(Transforms))
	for i, t := range Transforms {
		names[i] = string(t)
	}
	return fmt.Sprintf("butterfly: transform %q is none of %s", e.Name, strings.Join(names, ", "))
}

// ParseTransform is the transform of a name.
func ParseTransform(name string) (Transform, error) {
	if t := Transform(name); slices.Contains(Transforms, t) {
		return t, nil
	}
	return "", &UnknownTransformError{name}
}

// maxLen bounds dense matrices: one of this length takes 256 MiB.
const maxLen = 4096

// checkLen says what is wrong with a length.
func checkLen(n int) error {
	if n < 2 || n > maxLen || bits.OnesCount(uint(n)) != 1 {
		return fmt.Errorf("butterfly: n %d: want a power of two from 2 to %d", n, maxLen)
	}
	return nil
}

// Matrix is a square matrix, row by row.
type Matrix struct {
	N    int
	Data []complex128
}

// At is the element of a row and column.
func (m Matrix) At(row, col int) complex128 { return m.Data[row*m.N+col] }

func (m Matrix) isReal() bool {
	return !slices.ContainsFunc(m.Data, func(v complex128) bool { return imag(v) != 0 })
}

// Dense is the matrix of a transform. The seed draws the filter of Conv, and
// nothing else.
func (t Transform) Dense(n int, seed uint64) (Matrix, error) {
	if err := checkLen(n); err != nil {
		return Matrix{}, err
	}
	at, err := t.formula(n, seed)
	if err != nil {
		return Matrix{}, err
	}
	m := Matrix{n, make([]complex128, n*n)}
	for k := range n {
		for j := range n {
			m.Data[k*n+j] = at(k, j)
		}
	}
	return m, nil
}

// formula gives the elements. Angles are reduced in integers, so that long
// transforms are as exact as short ones.
func (t Transform) formula(n int, seed uint64) (func(k, j int) complex128, error) {
	turn := func(num, den int) (sin, cos float64) {
		return math.Sincos(2 * math.Pi * float64(num%den) / float64(den))
	}
	switch t {
	case DFT:
		return func(k, j int) complex128 { s, c := turn(k*j, n); return complex(c, -s) }, nil
	case DCT2:
		return func(k, j int) complex128 { _, c := turn(k*(2*j+1), 4*n); return complex(c, 0) }, nil
	case DST2:
		return func(k, j int) complex128 { s, _ := turn((k+1)*(2*j+1), 4*n); return complex(s, 0) }, nil
	case Hadamard:
		return func(k, j int) complex128 { return complex(1-2*float64(bits.OnesCount(uint(k&j))%2), 0) }, nil
	case Hartley:
		return func(k, j int) complex128 { s, c := turn(k*j, n); return complex(c+s, 0) }, nil
	case Conv:
		rng := rand.New(rand.NewPCG(seed, 0x636f6e76))
		filter := make([]float64, n)
		for i := range filter {
			filter[i] = rng.NormFloat64() / math.Sqrt(float64(n))
		}
		return func(k, j int) complex128 { return complex(filter[(k-j+n)%n], 0) }, nil
	}
	return nil, &UnknownTransformError{string(t)}
}
