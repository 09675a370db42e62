package ir

import (
	"fmt"
	"math"
)

// Band is diagonals of a matrix, From to To: the elements whose column less their row is among these numbers. The lower
// triangle, which a causal mask shows, is the band up to 0.
type Band struct{ From, To int }

// far is beyond every diagonal; sums of it and of positions do not overflow.
const far = math.MaxInt / 4

// NoBand has no diagonal, EveryBand all of them. UpTo and FromOn are open at one end.
var NoBand, EveryBand = Band{far, -far}, Band{-far, far}

func UpTo(to int) Band     { return Band{-far, to} }
func FromOn(from int) Band { return Band{from, far} }

// And is the diagonals of both, Or the band around those of either.
func (b Band) And(c Band) Band { return Band{max(b.From, c.From), min(b.To, c.To)} }

func (b Band) Or(c Band) Band {
	switch {
	case b.From > b.To:
		return c
	case c.From > c.To:
		return b
	}
	return Band{min(b.From, c.From), max(b.To, c.To)}
}

// Shifted is the band n columns further.
func (b Band) Shifted(n int) Band { return Band{max(b.From+n, -far), min(b.To+n, far)} }

// Turned is the band in the matrix transposed.
func (b Band) Turned() Band { return Band{-b.To, -b.From} }

// In is the band within a matrix, and Has whether an element is in it.
func (b Band) In(rows, columns int) Band { return b.And(Band{1 - rows, columns - 1}) }

func (b Band) Has(row, column int) bool { return b.From <= column-row && column-row <= b.To }

// Share is how much of a matrix is in the band.
func (b Band) Share(rows, columns int) float64 {
	below := func(d int) float64 { // of the elements on diagonals up to d
		n := min(max(d+rows, 0), rows+columns-1) // diagonals
		short, long := min(rows, columns), max(rows, columns)
		grow, shrink := float64(min(n, short)), float64(max(n-long, 0))
		return grow*(grow+1)/2 + (float64(n)-grow)*float64(short) - shrink*(shrink+1)/2
	}
	b = b.In(rows, columns)
	if b.From > b.To {
		return 0
	}
	return (below(b.To) - below(b.From-1)) / (float64(rows) * float64(columns))
}

func (b Band) String() string {
	if b.From > b.To {
		return "no diagonal"
	}
	return fmt.Sprintf("diagonals %d to %d", b.From, b.To)
}

// Alike says of a factor of a product that its elements outside a band are alike along K, or across it: one of them
// tells whether all are 0, as those are that a mask hid. A device may then leave out products with them, where the
// other factor is finite.
type Alike struct {
	OfB bool
	Band
	Along bool // alike along K, that is in a row of A or a column of B; else across
}

func (l *Alike) ints() []int {
	if l == nil {
		return nil
	}
	return []int{flag(l.OfB), l.From, l.To, flag(l.Along)}
}
