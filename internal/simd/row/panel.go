package row

import "math"

// Block is how many columns are eliminated at once, and rows substituted: a vector of AVX-512.
const Block = 8

// Panel is what goes with the rows of a panel: it is reused, because what kernels of a level take is on the heap.
type Panel struct {
	Pivot [Block]float64
	By    [Block * Block]float64
	found [4][Block]int64
}

func exchange(x, y []float64) {
	y = y[:len(x)]
	for i, v := range x {
		x[i], y[i] = y[i], v
	}
}

func eliminate(p *Panel, rows []float64, stride, n, column int, up, by float64) (place int) {
	best, next := uint64(0), min(column+1, Block-1)
	for i := range n {
		row := (*[Block]float64)(rows[i*stride:])
		l := row[column] * up * by
		row[column] = -l
		for k := column + 1; k < Block; k++ {
			row[k] -= l * p.Pivot[k]
		}
		if size := math.Float64bits(row[next]) &^ (1 << 63); size > best {
			best, place = size, i
		}
	}
	if column+1 == Block {
		return 0
	}
	return place
}

func substitute(p *Panel, rows []float64, first, stride, n int) {
	for r := range Block {
		row := rows[first+r*stride:][:n]
		for k := range r {
			b := p.By[r*Block+k]
			for i, v := range rows[first+k*stride:][:n] {
				row[i] += b * v
			}
		}
		for i := range row {
			row[i] *= p.By[r*Block+r]
		}
	}
}
