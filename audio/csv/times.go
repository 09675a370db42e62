package csv

import (
	"math"
	"slices"
	"strings"
)

// findTime looks for a column of times: by its name, or without names the first if it
// rises by the same steps. Steps of one count rows. If a few steps are longer, rows are
// missing, and the column is taken for times, which reading then finds a gap in.
func (l *layout) findTime(table [][]string) {
	for c, name := range l.names {
		// A t may be a temperature.
		if is, scale := namedTime(name, l.unit(c)); is && l.areTimes(table, c, strings.EqualFold(name, "t")) {
			l.time = c
			if scale != 0 {
				l.clock.scale = scale
			}
			break
		}
	}
	if l.columns < 2 || len(table) < 3 || l.time == 0 {
		return
	}
	even, gaps, step := l.even(table, 0)
	switch {
	case gaps && (l.names == nil || namedCount(l.names[0]) || isX(l.names[0]) && l.time < 0):
		l.time, l.guessed = 0, true
	case even && step != 1 && l.names != nil && isX(l.names[0]) && l.time < 0: // of LabVIEW and oscilloscopes
		l.time = 0
	case l.names != nil && !namedCount(l.names[0]):
	case even && step == 1:
		l.count = 0
	case even && l.names == nil:
		l.time = 0
	}
}

func isX(name string) bool {
	w := words(name)
	return len(w) > 0 && w[0] == "x" && (len(w) == 1 || w[1] == "value")
}

// areTimes reports whether a column of the first rows has times where it is not empty, and
// if asked for, whether they go up.
func (l *layout) areTimes(table [][]string, c int, rising bool) bool {
	before, times := math.Inf(-1), 0
	for _, row := range table {
		t, ok := l.clock.read([]byte(row[c]))
		if !ok && !rising && (row[c] == "" || isNaN([]byte(row[c]))) {
			continue // an error with its line when it is read
		}
		if !ok || rising && t < before {
			return false
		}
		before = t
		times++
	}
	return times > 1
}

// even reports whether a column rises by the same steps, but for rounding, or by the same
// but for gaps: nine of ten or more.
func (l *layout) even(table [][]string, c int) (even, gaps bool, step float64) {
	var s steps
	times := make([]float64, len(table))
	for i, row := range table {
		t, ok := l.clock.read([]byte(row[c]))
		if !ok {
			return false, false, 0
		}
		s.add(t, written([]byte(row[c]), l.decimal))
		times[i] = t
	}
	step = (s.last - s.first) / float64(s.count-1)
	off := min(2*s.resolution(l.clock.scale, s.last), step/4)
	even = step > 0
	for i, t := range times {
		even = even && math.Abs(t-s.first-step*float64(i)) <= off+1e-3*step
	}
	if even {
		return true, false, step
	}
	each := make([]float64, len(times)-1)
	for i := range each {
		each[i] = times[i+1] - times[i]
	}
	slices.Sort(each)
	step = each[len(each)/2]
	off = min(2*s.resolution(l.clock.scale, s.last), step/4)
	alike := 0
	for _, d := range each {
		if math.Abs(d-step) <= off+1e-3*step {
			alike++
		}
	}
	return false, each[0] > 0 && 10*alike >= 9*len(each), step
}

// setClock finds from when dates count, and the unit of times since 1970, which are as
// large as no other.
func (l *layout) setClock(table [][]string) {
	if len(table) == 0 {
		return
	}
	first := []byte(table[0][l.time])
	if days, _, ok := l.clock.parse(first); ok {
		l.clock.day = days
	}
	_, scale := namedTime(l.name(l.time), l.unit(l.time))
	if v, ok := parseNumber(first, l.decimal); ok && scale == 0 {
		switch { // seconds of 1970 to 2286 have up to ten digits
		case v > 1e17:
			l.clock.scale = 1e-9
		case v > 1e14:
			l.clock.scale = 1e-6
		case v > 1e11:
			l.clock.scale = 1e-3
		}
	}
}
