package figure

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
)

// Marks is round frequencies of uneven Rows, from the highest on, at their heights from 0 to 1 and
// at least so much apart. Labels are in a unit of hertz. Where 1, 2 and 5 of a decade leave much
// room, as in one whose rows are nearly even, other digits are between them.
func (m Map) Marks(unit, apart float64) []plot.Tick {
	var out []plot.Tick
	free := func(height, apart float64) bool {
		return !slices.ContainsFunc(out, func(t plot.Tick) bool { return math.Abs(t.Value-height) < apart })
	}
	for _, pass := range []struct {
		digits []float64
		apart  float64
	}{{[]float64{5, 2, 1}, apart}, {[]float64{4, 3, 8, 6, 7, 9}, max(3*apart, 0.15)}} {
		for decade := math.Pow(10, math.Floor(math.Log10(m.Rows[len(m.Rows)-1]))); decade >= m.Rows[0]/10; decade /= 10 {
			for _, digit := range pass.digits {
				height, ok := m.height(digit * decade)
				if ok && free(height, pass.apart) {
					out = append(out, plot.Tick{Value: height, Label: strconv.FormatFloat(digit*decade/unit, 'g', 12, 64)})
				}
			}
		}
	}
	slices.SortFunc(out, func(a, b plot.Tick) int { return cmp.Compare(b.Value, a.Value) })
	return out
}

// height is where a frequency is among Rows, whose own are at the middle of each: false
// below the first and above the last.
func (m Map) height(f float64) (float64, bool) {
	i, found := slices.BinarySearch(m.Rows, f)
	place := float64(i)
	switch {
	case found:
	case i == 0 || i == len(m.Rows):
		return 0, false
	default:
		place -= (m.Rows[i] - f) / (m.Rows[i] - m.Rows[i-1])
	}
	return (place + 0.5) / float64(len(m.Rows)), true
}
