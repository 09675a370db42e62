package page

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/twiddle-go/twiddle/audio/analyze"
)

// Channel is the name of a channel: of a table's column, or "channel 1": people, and flags, count
// from 1.
func Channel(i int, c analyze.Channel) string {
	if c.Name != "" {
		return c.Name
	}
	return fmt.Sprintf("channel %d", i+1)
}

// Channels is a list of some channels: "1 3", their names, or "all".
func Channels(list []int, all []analyze.Channel) string {
	if len(list) == len(all) {
		return "all"
	}
	named := all[0].Name != ""
	var names []string
	for _, i := range list {
		if named {
			names = append(names, Channel(i, all[i]))
		} else {
			names = append(names, strconv.Itoa(i+1))
		}
	}
	if !named {
		return strings.Join(names, " ")
	}
	return strings.Join(names, ", ")
}

// curveName is what a density is of.
func curveName(i int, r *analyze.Result) string {
	if r.Info.IQ {
		return "I and Q"
	}
	return Channel(i, r.Channels[i])
}

// curvesOf is which densities have a peak.
func curvesOf(p analyze.Peak, r *analyze.Result) []int {
	if r.Info.IQ {
		return []int{0}
	}
	return p.Channels
}

// Several reports whether peaks are of one channel or another: I and Q share theirs.
func Several(r *analyze.Result) bool { return len(r.Channels) > 1 && !r.Info.IQ }

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
