package csv

import (
	"math"
	"strings"
)

// findTime looks for a column of times: by its name, or without names the first if it
// rises by the same steps. Steps of one count rows.
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
	even, step := l.even(table, 0)
	switch {
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

// even reports whether a column rises by the same steps, but for rounding.
func (l *layout) even(table [][]string, c int) (bool, float64) {
	var s steps
	for _, row := range table {
		t, ok := l.clock.read([]byte(row[c]))
		if !ok {
			return false, 0
		}
		s.add(t, written([]byte(row[c]), l.decimal))
	}
	step := (s.last - s.first) / float64(s.count-1)
	off := min(2*s.resolution(l.clock.scale, s.last), step/4)
	for i, row := range table {
		t, _ := l.clock.read([]byte(row[c]))
		if math.Abs(t-s.first-step*float64(i)) > off+1e-3*step {
			return false, 0
		}
	}
	return step > 0, step
}

// setClock finds from when dates count, and the unit of times since 1970, which are as
// large as no other.
func (l *layout) setClock(table [][]string) {
	if len(table) == 0 {
		return
	}
	first := []byte(table[0][l.time])
	if days, _, ok := parseDate(first); ok {
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
