package linalg

import (
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// nativeLUPanel is body/lu_panel.
func nativeLUPanel(g *nd.Group) {
	if g.Inputs[0].Type == nd.Float64 {
		eliminate[float64](g)
		return
	}
	eliminate[float32](g)
}

// eliminate takes one column after the other through all earlier steps, so that only what
// is read of those comes from beyond the nearest cache.
func eliminate[T float32 | float64](g *nd.Group) {
	batch, count, length := g.Position[2], g.Constant("COUNT"), g.Inputs[0].Shape[2]
	at, wt := matrixOf[T](g.Inputs[0], batch, count*length), matrixOf[T](g.Outputs[0], batch, count*length)
	order, swaps := matrixOf[int32](g.Outputs[1], batch, length), nd.Elements[int32](g.Outputs[2])[batch:]
	for i := range order {
		order[i] = int32(i)
	}
	swaps[0] = 0
	factors := make([]float64, count*length) // zero up to the pivot, so that whole vectors can be taken
	pivots := make([]int, count)
	column := make([]float64, length)
	for k := range count {
		widen(column, at[k*length:][:length])
		for j, pivot := range pivots[:k] {
			column[j], column[pivot] = column[pivot], column[j]
		}
		for j := range k {
			line, from := factors[j*length:][:length], j&^15
			if c := column[j]; c-c == 0 {
				rowOps.AddScaled(column[from:], line[from:], -c)
			} else { // times the zeros of line it would make NaN of what is above
				for i := j + 1; i < length; i++ {
					column[i] -= line[i] * c
				}
			}
		}
		pivot := largestFrom(column, k)
		if pivots[k] = pivot; pivot != k {
			swaps[0]++
			order[k], order[pivot] = order[pivot], order[k]
			column[k], column[pivot] = column[pivot], column[k]
			for j := range k {
				line := factors[j*length:][:length]
				line[k], line[pivot] = line[pivot], line[k]
			}
		}
		up, by := byPivot(column[k])
		line := factors[k*length:][:length]
		for i := k + 1; i < length; i++ {
			line[i] = column[i] * up * by
		}
		for i, v := range column[:k+1] {
			wt[k*length+i] = T(v)
		}
	}
	for k := range count {
		line, under := wt[k*length:][:length], factors[k*length:][:length]
		for i := k + 1; i < length; i++ {
			line[i] = T(under[i])
		}
	}
}

// byPivot is numbers to multiply by, one after the other, instead of dividing by a pivot. A
// subnormal one has a reciprocal that is infinite, so what is divided is scaled first. Nothing is
// divided by zero: all rows below have zeros, too.
func byPivot(pivot float64) (up, by float64) {
	switch d := math.Abs(pivot); {
	case d == 0:
		return 1, 0
	case d < 0x1p-1022:
		return 0x1p60, 1 / (pivot * 0x1p60)
	}
	return 1, 1 / pivot
}

// largestFrom is where the largest modulus of a column is first, from place k on;
// what is not a number counts as infinite. Moduli are compared by their bits, which are in
// the same order.
func largestFrom(column []float64, k int) int {
	infinite := math.Float64bits(math.Inf(1))
	best, place := uint64(0), k
	for i := k; i < len(column); i++ {
		if v := min(math.Float64bits(column[i])&^(1<<63), infinite); v > best {
			best, place = v, i
		}
	}
	return place
}

// nativeSubstitute is body/substitute.
func nativeSubstitute(g *nd.Group) {
	if g.Inputs[1].Type == nd.Float64 {
		substituteColumns[float64](g)
		return
	}
	substituteColumns[float32](g)
}

func substituteColumns[T float32 | float64](g *nd.Group) {
	batch, n, lanes, all := g.Position[2], g.Constant("SIDE"), g.Constant("LANES"), g.Inputs[1].Shape[2]
	l := matrixOf[T](g.Inputs[0], batch, n*n)
	first := g.Position[0] * lanes
	b, x := matrixOf[T](g.Inputs[1], batch, n*all)[first:], matrixOf[T](g.Outputs[0], batch, n*all)[first:]
	if lanes <= 4 { // fewer than a vector has
		substituteDots(l, b, x, n, lanes, all, g.Constant("UNIT") != 0)
		return
	}
	length := rowLength(lanes)
	w := make([]float64, n*length)
	for i := range n {
		for j, v := range b[i*all:][:lanes] {
			w[i*length+j] = float64(v)
		}
	}
	unit := g.Constant("UNIT") != 0
	for k := range n {
		found := w[k*length:][:length]
		for i, c := range l[k*n:][:k] {
			rowOps.AddScaled(found, w[i*length:][:length], -float64(c))
		}
		d := float64(l[k*n+k])
		for j := range lanes {
			if !unit {
				found[j] /= d
			}
			x[k*all+j] = T(found[j])
		}
	}
}

// substituteDots finds a few columns of x as sums along rows of l. What is behind k of a row
// stays zero, so that sums take whole vectors.
func substituteDots[T float32 | float64](l, b, x []T, n, lanes, all int, unit bool) {
	length := rowLength(n)
	found, line := make([]float64, lanes*length), make([]float64, length)
	for k := range n {
		widen(line[:k], l[k*n:][:k])
		d := float64(l[k*n+k])
		for j := range lanes {
			column := found[j*length:][:length]
			_, sum, _ := rowOps.Products(line[:rowLength(k)], column[:rowLength(k)])
			v := float64(b[k*all+j]) - sum
			if !unit {
				v /= d
			}
			column[k], x[k*all+j] = v, T(v)
		}
	}
}

// widen copies src, as float64.
func widen[T float32 | float64](dst []float64, src []T) {
	if same, ok := any(src).([]float64); ok {
		copy(dst, same)
		return
	}
	for i, v := range src {
		dst[i] = float64(v)
	}
}

// nativeLUPanelComplex is body/lu_panel_complex, on parted columns.
func nativeLUPanelComplex(g *nd.Group) {
	batch, count, length := g.Position[2], g.Constant("COUNT"), g.Inputs[0].Shape[2]
	zt, wt := matrixOf[complex128](g.Inputs[0], batch, count*length), matrixOf[complex128](g.Outputs[0], batch, count*length)
	order, swaps := matrixOf[int32](g.Outputs[1], batch, length), nd.Elements[int32](g.Outputs[2])[batch:]
	w := make([][]float64, count)
	for j := range w {
		w[j] = parted(zt[j*length:][:length])
	}
	for i := range order {
		order[i] = int32(i)
	}
	swaps[0] = 0
	factors, sizes := make([]float64, 2*length), make([]float64, length)
	for k, column := range w {
		re, im := column[:length], column[length:]
		for i := range sizes {
			sizes[i] = math.Abs(re[i]) + math.Abs(im[i])
		}
		if pivot := largestFrom(sizes, k); pivot != k {
			swaps[0]++
			order[k], order[pivot] = order[pivot], order[k]
			for _, line := range w {
				line[k], line[pivot] = line[pivot], line[k]
				line[length+k], line[length+pivot] = line[length+pivot], line[length+k]
			}
		}
		d := complex(re[k], im[k])
		factors[k], factors[length+k] = 0, 0
		for i := k + 1; i < length; i++ {
			var f complex128
			if d != 0 {
				f = complex(re[i], im[i]) / d
			}
			re[i], im[i] = real(f), imag(f)
			factors[i], factors[length+i] = re[i], im[i]
		}
		for _, line := range w[k+1:] {
			c := complex(line[k], line[length+k])
			if size := math.Abs(real(c)) + math.Abs(imag(c)); size-size == 0 {
				takeParted(line, factors, c)
				continue
			}
			for i := k + 1; i < length; i++ { // as in eliminate
				v := complex(re[i], im[i]) * c
				line[i] -= real(v)
				line[length+i] -= imag(v)
			}
		}
	}
	for j, column := range w {
		whole(wt[j*length:][:length], column)
	}
}

// nativeSubstituteComplex is body/substitute_complex, on parted rows.
func nativeSubstituteComplex(g *nd.Group) {
	batch, n, lanes, all := g.Position[2], g.Constant("SIDE"), g.Constant("LANES"), g.Inputs[1].Shape[2]
	l := matrixOf[complex128](g.Inputs[0], batch, n*n)
	first := g.Position[0] * lanes
	b, x := matrixOf[complex128](g.Inputs[1], batch, n*all)[first:], matrixOf[complex128](g.Outputs[0], batch, n*all)[first:]
	unit := g.Constant("UNIT") != 0
	w := make([][]float64, n)
	for k := range w {
		found := parted(b[k*all:][:lanes])
		for i, c := range l[k*n:][:k] {
			takeParted(found, w[i], c)
		}
		line := x[k*all:][:lanes]
		whole(line, found)
		if !unit {
			for j := range line {
				line[j] /= l[k*n+k]
			}
			found = parted(line)
		}
		w[k] = found
	}
}
