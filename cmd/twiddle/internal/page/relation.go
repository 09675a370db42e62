package page

import (
	"fmt"
	"slices"
	"strings"

	"github.com/twiddle-go/twiddle/audio/analyze"
)

// Channels is a list of channels, of so many: "0 2", or "all".
func Channels(list []int, of int) string {
	if len(list) == of {
		return "all"
	}
	return strings.Trim(fmt.Sprint(list), "[]")
}

// Related reports whether some peak belongs to another.
func Related(peaks []analyze.Peak) bool {
	return slices.ContainsFunc(peaks, func(p analyze.Peak) bool { return p.Role != analyze.Alone })
}

// Relation says what a peak is to another: "3 x 50 Hz", "1000 Hz - 2 x 25 Hz".
func Relation(p analyze.Peak, hasRate bool) string {
	of, spacing := Frequency(p.Of, hasRate), Frequency(p.Spacing, hasRate)
	switch p.Role {
	case analyze.Fundamental:
		return "fundamental"
	case analyze.Harmonic:
		return fmt.Sprintf("%d x %s", p.Order, of)
	case analyze.Sideband:
		sign, n := "+", p.Order
		if n < 0 {
			sign, n = "-", -n
		}
		if n > 1 {
			return fmt.Sprintf("%s %s %d x %s", of, sign, n, spacing)
		}
		return fmt.Sprintf("%s %s %s", of, sign, spacing)
	}
	return ""
}
