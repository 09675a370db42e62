package ir

import (
	"math/rand/v2"
	"testing"
)

func TestBand(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		rows, columns := 1+r.IntN(9), 1+r.IntN(9)
		random := func() Band {
			switch r.IntN(5) {
			case 0:
				return UpTo(r.IntN(21) - 10)
			case 1:
				return FromOn(r.IntN(21) - 10)
			case 2:
				return EveryBand
			}
			from := r.IntN(21) - 10
			return Band{from, from + r.IntN(9) - 2}
		}
		a, b, by := random(), random(), r.IntN(9)-4
		count := 0
		for row := range rows {
			for column := range columns {
				in, other := a.Has(row, column), b.Has(row, column)
				if in {
					count++
				}
				if a.And(b).Has(row, column) != (in && other) || (in || other) && !a.Or(b).Has(row, column) ||
					a.Turned().Has(column, row) != in || a.Shifted(by).Has(row, column+by) != in || a.In(rows, columns).Has(row, column) != in {
					t.Fatalf("%v and %v at %d, %d of %d x %d", a, b, row, column, rows, columns)
				}
			}
		}
		if got, want := a.Share(rows, columns), float64(count)/float64(rows*columns); got != want {
			t.Fatalf("%v has %v of %d x %d, want %v", a, got, rows, columns, want)
		}
	}
}
