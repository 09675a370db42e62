package plan

import (
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// Comparisons of positions are false outside one band and true outside another; of plain ones, these are no larger than
// they have to be.
func TestComparedPositions(t *testing.T) {
	holds := map[scalar.Op]func(x, y int) bool{
		scalar.Less: func(x, y int) bool { return x < y }, scalar.LessEqual: func(x, y int) bool { return x <= y },
		scalar.Greater: func(x, y int) bool { return x > y }, scalar.GreaterEqual: func(x, y int) bool { return x >= y },
		scalar.Equal: func(x, y int) bool { return x == y }, scalar.NotEqual: func(x, y int) bool { return x != y },
	}
	r := rand.New(rand.NewPCG(5, 6))
	for range 3000 {
		dims := []int{1 + r.IntN(2), 1 + r.IntN(7), 1 + r.IntN(7)}
		of := func() shape.View {
			v := shape.View{Shape: dims, Strides: []int{0, 0, 0}, Offset: r.IntN(9) - 4}
			v.Strides[r.IntN(5)*r.IntN(2)%3] = r.IntN(5) - 2
			return v
		}
		x, y := of(), of()
		for op, f := range holds {
			yes, no := compared(op, x, y)
			for i := range dims[0] {
				for row := range dims[1] {
					for column := range dims[2] {
						at := []int{i, row, column}
						if is := f(x.At(at), y.At(at)); is && !yes.Has(row, column) || !is && !no.Has(row, column) {
							t.Fatalf("%s of %v and %v is %t at %v: %v, %v", op, x, y, is, at, yes, no)
						}
					}
				}
			}
		}
	}
	rows := shape.View{Shape: []int{4, 9}, Strides: []int{1, 0}, Offset: 2}
	columns := shape.View{Shape: []int{4, 9}, Strides: []int{0, 1}}
	if yes, no := compared(scalar.GreaterEqual, rows, columns); yes != ir.UpTo(2) || no != ir.FromOn(3) {
		t.Errorf("a lower triangle and two diagonals more are %v, the rest is %v", yes, no)
	}
}
