package accum

import "math"

// Twice is a compensated sum: Total and what its additions rounded away. The
// zero value is zero.
type Twice struct{ Total, Lost float64 }

// Add adds x.
func (t *Twice) Add(x float64) {
	s := t.Total + x
	// Knuth's sum of two: exact without asking which is larger.
	b := s - t.Total
	t.Lost += (t.Total - (s - b)) + (x - b)
	t.Total = s
}

// AddProduct adds x*y.
func (t *Twice) AddProduct(x, y float64) {
	p := float64(x * y) // the conversion keeps it from being fused into a sum
	t.Lost += math.FMA(x, y, -p)
	t.Add(p)
}

// Join adds another sum.
func (t *Twice) Join(o Twice) {
	t.Add(o.Total)
	t.Lost += o.Lost
}

// Value is the sum. Where numbers were not finite, or too large to add up, what
// was lost means nothing.
func (t *Twice) Value() float64 {
	if v := t.Total + t.Lost; v-v == 0 {
		return v
	}
	return t.Total
}
