package nd

import (
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
)

// TestGradMasks takes gradients through masks that compare positions, without the products that
// planners make of them: each is as differences say, and what a mask hides gets 0, also where it
// is NaN or infinite.
func TestGradMasks(t *testing.T) {
	testdevice.NeedsFloat64(t)
	d := newDraws(71)
	const rows, columns = 4, 5
	i, j := Arange(int64(0), rows, 1).ExpandDims(1), Arange(int64(0), columns, 1)
	x, y := d.reals(-1, 1, rows, columns), d.reals(-1, 1, rows, columns)
	holed := make([]float64, rows*columns)
	for k := range holed {
		switch row, column := k/columns, k%columns; {
		case column <= row:
			holed[k] = float64(k%5) - 1.5
		case column == row+1:
			holed[k] = math.NaN()
		default:
			holed[k] = math.Inf(-1)
		}
	}
	dirty := From(holed, rows, columns)
	lower := i.GreaterEqual(j)
	none := math.Inf(-1)
	for label, f := range map[string]func(in []*Array) *Array{
		"roots":         func(in []*Array) *Array { return Where(lower, in[0].AddScalar(2).Sqrt(), 0.0) },
		"both branches": func(in []*Array) *Array { return Where(lower, in[0].Exp(), in[0].Sin()) },
		"softmax": func(in []*Array) *Array {
			s := Where(lower, in[0], none)
			return s.Sub(s.Keep(-1).LogSumExp()).Exp()
		},
		"log sum exp":   func(in []*Array) *Array { return Where(lower, in[0], none).LogSumExp(-1) },
		"max":           func(in []*Array) *Array { return Where(lower, in[0], none).Max(-1) },
		"mean of rows":  func(in []*Array) *Array { return Where(lower, in[0], 0.0).Mean(-1) },
		"columns":       func(in []*Array) *Array { return Where(lower, in[0].Exp(), 0.0).Sum(0) },
		"running sums":  func(in []*Array) *Array { return Where(lower, in[0], 0.0).CumSum(-1).AbsSquared() },
		"transposed":    func(in []*Array) *Array { return Where(lower, in[0], 0.0).Transpose().CumSum(-1).Exp() },
		"twice":         func(in []*Array) *Array { return Where(lower, Where(i.Greater(j), in[0].Exp(), in[0]), 1.0).Prod(-1) },
		"all is hidden": func(in []*Array) *Array { return Where(i.Less(i), in[0], 0.0) },
		"spectrum":      func(in []*Array) *Array { return Where(lower, in[0], 0.0).RFFT().AbsSquared() },
	} {
		t.Run(label, func(t *testing.T) {
			checkGrad(t, f, x)
			if label == "both branches" {
				return
			}
			g, err := toHost(Grad(weighed(f([]*Array{dirty})), dirty)[0])
			if err != nil {
				t.Fatal(err)
			}
			for k, v := range g.Values {
				switch hidden := k%columns > k/columns; {
				case hidden && v.Num != 0:
					t.Fatalf("element %d is hidden, its gradient is %v", k, v.Num)
				case real(v.Num) != real(v.Num):
					t.Fatalf("the gradient of element %d is NaN", k)
				}
			}
		})
	}
	checkGrad(t, func(in []*Array) *Array { return Where(lower, in[0].Mul(in[1]), in[0].Sub(in[1])) }, x, y)
}
