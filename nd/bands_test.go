package nd

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// masked is attention in plain operations, with a mask of positions, and products around it. With apart, each operation is
// evaluated before the next, so that nothing is known of masks.
func masked(t *testing.T, q, k, v, mask *Array, apart bool) []*Array {
	there := func(a *Array) *Array {
		if apart {
			if err := Eval(context.Background(), a); err != nil {
				t.Fatal(err)
			}
		}
		return a
	}
	mask = there(mask)
	scores := there(Where(mask, there(q.MatMul(k.SwapAxes(-1, -2))), math.Inf(-1)))
	weights := there(scores.Sub(scores.Keep(-1).Max()).Exp())
	least := there(Where(mask, weights.MulScalar(1e-30), 0))
	turned := func(a *Array) *Array { return there(a.SwapAxes(-1, -2)) }
	return []*Array{
		weights.MatMul(v).Div(there(weights.Keep(-1).Sum())),
		turned(weights).MatMul(q),         // alike across K
		turned(q).MatMul(weights),         // the same as the right factor
		turned(v).MatMul(turned(least)),   // alike along K
		least.MatMul(v.MulScalar(-1e-20)), // sums of -0
		turned(least).MatMul(q.Abs().MulScalar(-1e-20)),
	}
}

// TestBands compares products that masks limit with the same of arrays that are evaluated before, bit by bit.
func TestBands(t *testing.T) {
	ctx := context.Background()
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 8 {
		batch := [][]int{{}, {3}, {2, 2}}[r.IntN(3)]
		rows, keys, depth := 2+r.IntN(150), 2+r.IntN(150), 2+r.IntN(30)
		i := Arange(0, rows+keys, 1)
		from := func(n, count int) *Array { return i.Slice(Range{Start: n, Stop: n + count}) }
		row, column := from(r.IntN(keys), rows).ExpandDims(1), from(r.IntN(rows), keys)
		var mask *Array
		kind := r.IntN(6)
		switch kind {
		case 0:
			mask = column.LessEqual(row)
		case 1:
			mask = column.Greater(row)
		case 2:
			mask = column.Cast(Float32).Less(row.Cast(Float32))
		case 3:
			mask = row.Less(column).Not()
		case 4:
			mask = column.LessEqual(row).And(column.GreaterEqual(from(0, rows).ExpandDims(1)))
		case 5:
			mask = column.Equal(row).Or(column.Less(row))
		}
		of := func(n int) *Array {
			a := Normal(Key(r.Uint64()), Float32, append(slices.Clone(batch), n, depth)...)
			if r.IntN(3) == 0 { // something that is not finite
				at := r.IntN(n)
				odd := []float64{math.NaN(), math.Inf(1)}[r.IntN(2)]
				a = Where(Arange(0, n, 1).EqualScalar(at).ExpandDims(1), odd, a)
			}
			if err := Eval(ctx, a); err != nil {
				t.Fatal(err)
			}
			return a
		}
		q, k, v := of(rows), of(keys), of(keys)
		t.Run(fmt.Sprint(round, kind, batch, rows, keys, depth), func(t *testing.T) {
			all := func(list []*Array) (values [][]float32) {
				if err := Eval(ctx, list...); err != nil {
					t.Fatal(err)
				}
				for _, a := range list {
					v, err := Slice[float32](ctx, a)
					if err != nil {
						t.Fatal(err)
					}
					values = append(values, v)
				}
				return values
			}
			known := masked(t, q, k, v, mask, false)
			plan, err := Explain(known...)
			if err != nil || strings.Count(plan.String(), "diagonals") < len(known) {
				t.Error(err, plan)
			}
			got, want := all(known), all(masked(t, q, k, v, mask, true))
			for n := range got {
				for at, x := range got[n] {
					if y := want[n][at]; math.Float32bits(x) != math.Float32bits(y) && (x == x || y == y) {
						t.Fatalf("result %d of %v at %d: %v, want %v", n, known[n].Shape(), at, x, y)
					}
				}
			}
		})
	}
}
