package figure

import (
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
)

// Marks is round frequencies of uneven Rows, at their heights from 0 to 1 and at least so
// much apart. Labels are in a unit of hertz.
func (m Map) Marks(unit, apart float64) []plot.Tick {
	var out []plot.Tick
	last := 2.0
	for decade := math.Pow(10, math.Floor(math.Log10(m.Rows[len(m.Rows)-1]))); decade >= m.Rows[0]/10; decade /= 10 {
		for _, digit := range []float64{5, 2, 1} {
			height, ok := m.height(digit * decade)
			if ok && last-height >= apart {
				out = append(out, plot.Tick{Value: height, Label: strconv.FormatFloat(digit*decade/unit, 'g', -1, 64)})
				last = height
			}
		}
	}
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
