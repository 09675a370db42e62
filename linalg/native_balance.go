package linalg

import "math"

// balance is an order of rows and columns and powers of two for them, found by balanced: what is on its own comes
// first or last, and the rows and columns between have similar lengths. Eigenvalues of badly scaled matrices keep their digits then.
type balance struct {
	order     []int // row and column i were row and column order[i]
	powers    []int // row i was divided by 2^powers[i], and column i multiplied by that
	low, high int   // rows and columns from low to high-1 are coupled; beside them is a triangle
	exponent  int   // a power of two above all moduli
}

// unbalanced leaves matrices as they are.
func unbalanced(moduli [][]float64) balance {
	n := len(moduli)
	b := balance{order: make([]int, n), powers: make([]int, n), high: n}
	for i := range b.order {
		b.order[i] = i
	}
	b.exponent = exponentOf(moduli)
	return b
}

// exponentOf is the exponent of the largest number.
func exponentOf(rows [][]float64) int {
	most := 0.0
	for _, row := range rows {
		for _, v := range row {
			most = max(most, v)
		}
	}
	_, exponent := math.Frexp(most)
	return exponent
}

// balanced takes moduli, which it overwrites.
func balanced(moduli [][]float64) balance {
	b := unbalanced(moduli)
	// Squares of elements as large as this have a sum, and those of elements far smaller do not vanish.
	const exponent = 400
	down := b.exponent - exponent
	by, and := powerOfTwo(-down)
	for _, row := range moduli {
		for j, v := range row {
			row[j] = v * by * and
		}
	}
	b.part(moduli)
	b.scale(moduli)
	b.exponent = exponentOf(moduli) + down
	return b
}

// part moves rows that are zero beside the diagonal to the end, and such columns to the start: their elements on the
// diagonal are eigenvalues.
func (b *balance) part(m [][]float64) {
	alone := func(at int, element func(k int) float64) bool {
		for k := b.low; k < b.high; k++ {
			if k != at && element(k) != 0 {
				return false
			}
		}
		return true
	}
	for at := b.high - 1; at >= 0; at-- {
		if alone(at, func(k int) float64 { return m[at][k] }) {
			b.high--
			b.exchange(m, at, b.high)
			at = b.high // others may be on their own without it
		}
	}
	for at := b.low; at < b.high; at++ {
		if alone(at, func(k int) float64 { return m[k][at] }) {
			b.exchange(m, at, b.low)
			b.low++
			at = b.low - 1
		}
	}
}

func (b *balance) exchange(m [][]float64, i, j int) {
	b.order[i], b.order[j] = b.order[j], b.order[i]
	m[i], m[j] = m[j], m[i]
	for _, row := range m {
		row[i], row[j] = row[j], row[i]
	}
}

const (
	mostBalances = 30  // bounds the rounds of scale; it takes about four
	mostPower    = 970 // what scales can be without leaving the range of numbers
)

// scale finds powers. Lengths are roots of sums of squares with the diagonal: by sums of moduli without it, rounding in
// the place of zeros could be made as large as the rest (James, Langou and Lowery 2014).
func (b *balance) scale(m [][]float64) {
	active := m[b.low:b.high]
	for again, rounds := true, 0; again && rounds < mostBalances; rounds++ {
		again = false
		for i := b.low; i < b.high; i++ {
			across, down := 0.0, 0.0
			for _, v := range m[i][b.low:b.high] {
				across += v * v
			}
			for _, row := range active {
				down += row[i] * row[i]
			}
			if across == 0 || down == 0 {
				continue
			}
			across, down = math.Sqrt(across), math.Sqrt(down)
			_, a := math.Frexp(across)
			_, d := math.Frexp(down)
			power := (a - d) >> 1
			f := math.Ldexp(1, power)
			if down*f+across/f >= 0.95*(down+across) || max(b.powers[i]+power, -b.powers[i]-power) > mostPower {
				continue
			}
			again, b.powers[i] = true, b.powers[i]+power
			for j := range m[i] {
				m[i][j] /= f
			}
			for _, row := range m {
				row[i] *= f
			}
		}
	}
}

// powerOfTwo is 2^exponent as two factors: it may be out of range itself.
func powerOfTwo(exponent int) (by, and float64) {
	return math.Ldexp(1, exponent/2), math.Ldexp(1, exponent-exponent/2)
}
