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

func eliminate[T float32 | float64](g *nd.Group) {
	batch, count, length := g.Position[2], g.Constant("COUNT"), g.Inputs[0].Shape[2]
	at, wt := matrixOf[T](g.Inputs[0], batch, count*length), matrixOf[T](g.Outputs[0], batch, count*length)
	order, swaps := matrixOf[int32](g.Outputs[1], batch, length), nd.Elements[int32](g.Outputs[2])[batch:]
	w := make([]float64, count*length)
	for i, v := range at {
		w[i] = float64(v)
	}
	for i := range order {
		order[i] = int32(i)
	}
	swaps[0] = 0
	factors := make([]float64, length)
	for k := range count {
		column := w[k*length:][:length]
		if pivot := largestFrom(column, k); pivot != k {
			swaps[0]++
			order[k], order[pivot] = order[pivot], order[k]
			for j := range count {
				line := w[j*length:][:length]
				line[k], line[pivot] = line[pivot], line[k]
			}
		}
		by := 0.0
		if d := column[k]; d != 0 {
			by = 1 / d
		}
		// Zero up to the pivot, so that whole vectors can be taken.
		factors[k] = 0
		for i := k + 1; i < length; i++ {
			column[i] *= by
			factors[i] = column[i]
		}
		from := k &^ 15
		for j := k + 1; j < count; j++ {
			line := w[j*length:][:length]
			rowOps.AddScaled(line[from:], factors[from:], -line[k])
		}
	}
	for i, v := range w {
		wt[i] = T(v)
	}
}

// largestFrom is where the largest modulus of a column is first, from place k on;
// what is not a number counts as infinite.
func largestFrom(column []float64, k int) int {
	best, place := -1.0, k
	for i := k; i < len(column); i++ {
		v := math.Abs(column[i])
		if v != v {
			v = math.Inf(1)
		}
		if v > best {
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
			takeParted(line, factors, complex(line[k], line[length+k]))
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
