package main

import (
	"math"
	"slices"
	"strings"
)

// unsteady is how far two measurements of a figure may be apart on an idle machine.
const unsteady = 1.3

// steadied is what two measurements say together: the faster of both, since other work
// only slows down, and of the ratio the middle; and which figures they disagree on.
func steadied(a, b map[string]float64) (both map[string]float64, apart []string) {
	both = map[string]float64{}
	for key, v := range a {
		w := b[key]
		switch {
		case key == "function_ops":
			both[key] = math.Sqrt(v * w)
		case strings.HasSuffix(key, "_per_ns"):
			both[key] = max(v, w)
			// Sorts in lines, and links, are differences of times, which vary more.
			if max(v, w) > unsteady*min(v, w) && key != "line_sorts_per_ns" && !strings.HasPrefix(key, "link_") {
				apart = append(apart, key)
			}
		default:
			both[key] = min(v, w)
		}
	}
	slices.Sort(apart)
	return both, apart
}

// settled is a figure that was one value and is measured as another. Rows of bench cost are
// farther from the second by itself than from both: a figure stands for many programs and
// was found with all of them, and a measurement is of one, in a minute. So it moves half of
// the way, unless the machine is another one. How long it takes until all cores are at work
// varies more: measurements minutes apart were 0.3 to 2 times the same value.
func settled(key string, was, measured float64) float64 {
	other := 1.6
	if key == "spread_ns" {
		other = 4
	}
	if was <= 0 || measured > other*was || was > other*measured {
		return measured
	}
	return math.Sqrt(was * measured)
}
