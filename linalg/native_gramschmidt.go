package linalg

import (
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// nativeGramSchmidt is body/gram_schmidt.
func nativeGramSchmidt(g *nd.Group) {
	if g.Inputs[0].Type == nd.Float64 {
		gramSchmidtRows[float64](g)
		return
	}
	gramSchmidtRows[float32](g)
}

func gramSchmidtRows[T float32 | float64](g *nd.Group) {
	batch := g.Position[2]
	least := nd.Elements[float64](g.Inputs[1])[0]
	size := nd.Elements[int32](g.Inputs[2])
	length, n := int(size[0]), int(size[1])
	padded, stride, count := g.Inputs[0].Shape[1], g.Inputs[0].Shape[2], g.Constant("COUNT")
	at := matrixOf[T](g.Inputs[0], batch, padded*stride)
	qt, rt := matrixOf[T](g.Outputs[0], batch, padded*stride), matrixOf[T](g.Outputs[1], batch, n*count)
	b := basis{least: least * least, length: length, rowLength: rowLength(length)}
	b.rows = make([]float64, n*b.rowLength)
	row, coefficients := make([]float64, b.rowLength), make([]complex128, n)
	clear(qt)
	clear(rt)
	for k := range n {
		for i, v := range at[k*stride:][:length] {
			row[i] = float64(v)
		}
		b.extend(row, coefficients[:k+1])
		// What later rows are made orthogonal to is the row as it is stored.
		done := b.row(k)
		for i := range length {
			v := T(row[i])
			qt[k*stride+i], done[i] = v, float64(v)
		}
		for j, c := range coefficients[:k+1] {
			rt[k*count+j] = T(real(c))
		}
	}
}

// nativeGramSchmidtComplex is body/gram_schmidt_complex, on parted rows.
func nativeGramSchmidtComplex(g *nd.Group) {
	batch := g.Position[2]
	least := nd.Elements[float64](g.Inputs[1])[0]
	size := nd.Elements[int32](g.Inputs[2])
	length, n := int(size[0]), int(size[1])
	padded, stride, count := g.Inputs[0].Shape[1], g.Inputs[0].Shape[2], g.Constant("COUNT")
	zt := matrixOf[complex128](g.Inputs[0], batch, padded*stride)
	qt, rt := matrixOf[complex128](g.Outputs[0], batch, padded*stride), matrixOf[complex128](g.Outputs[1], batch, n*count)
	half := rowLength(length)
	b := basis{complex: true, least: least * least, length: length, rowLength: 2 * half, at: uint32(size[2])}
	b.rows = make([]float64, n*b.rowLength)
	clear(qt)
	clear(rt)
	for k := range n {
		row := b.row(k)
		for i, z := range zt[k*stride:][:length] {
			row[i], row[half+i] = real(z), imag(z)
		}
		b.extend(row, rt[k*count:][:k+1])
		for i := range length {
			qt[k*stride+i] = complex(row[i], row[half+i])
		}
	}
}

// basis is orthonormal rows so far, of a known number of elements each, and
// zeros up to rowLength.
type basis struct {
	complex           bool // rows are parted, each part with zeros of its own
	rows              []float64
	length, rowLength int
	least             float64 // of a row's square: less than that is nothing new
	at                uint32  // what tells directions of its own from those of other bases
}

func (b *basis) row(i int) []float64 { return b.rows[i*b.rowLength:][:b.rowLength] }

// extend makes row orthogonal to the rows before it, and of length 1. It was
// coefficients times those, and the last of them times what it is then. A row
// that they explain has a zero there, and becomes a direction of its own.
func (b *basis) extend(row []float64, coefficients []complex128) {
	k := len(coefficients) - 1
	clear(coefficients)
	before, _, _ := rowOps.Products(row, row)
	take := make([]complex128, k)
	for turn := range 3 {
		for range 2 {
			for j := range take {
				take[j] = b.along(j, row)
			}
			for j, c := range take {
				b.remove(j, row, c)
				if turn == 0 {
					coefficients[j] += c
				}
			}
		}
		after, _, _ := rowOps.Products(row, row)
		// Not a number is done: there is nothing to replace it with.
		if !(after <= before*b.least) {
			root := math.Sqrt(after)
			if turn == 0 {
				coefficients[k] = complex(root, 0)
			}
			for i := range row {
				row[i] /= root
			}
			return
		}
		before = float64(b.length) / 3
		clear(row)
		for i := range b.length {
			h := (uint32(i)*747796405 + ((b.at+uint32(k))*3+uint32(turn))*2891336453) ^ 277803737
			h = (h ^ h>>15) * 2246822519
			h = (h ^ h>>13) * 3266489917
			h ^= h >> 16
			row[i] = float64(h)*0x1p-31 - 1
		}
	}
}

// along is the product of row with the conjugate of row j.
func (b *basis) along(j int, row []float64) complex128 {
	_, re, _ := rowOps.Products(b.row(j), row)
	if !b.complex {
		return complex(re, 0)
	}
	return complex(re, crossed(row, b.row(j)))
}

// remove takes row j, c times, out of row.
func (b *basis) remove(j int, row []float64, c complex128) {
	if b.complex {
		takeParted(row, b.row(j), c)
		return
	}
	rowOps.AddScaled(row, b.row(j), -real(c))
}
