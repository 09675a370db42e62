package csv

import (
	"math"
	"strings"
)

// units are seconds.
var units = map[string]float64{
	"s": 1, "sec": 1, "secs": 1, "second": 1, "seconds": 1, "sek": 1, "sekunden": 1,
	"ms": 1e-3, "msec": 1e-3, "millis": 1e-3, "millisecond": 1e-3, "milliseconds": 1e-3,
	"us": 1e-6, "µs": 1e-6, "μs": 1e-6, "usec": 1e-6, "micros": 1e-6, "microsecond": 1e-6, "microseconds": 1e-6,
	"ns": 1e-9, "nsec": 1e-9, "nanos": 1e-9, "nanosecond": 1e-9, "nanoseconds": 1e-9,
	"min": 60, "minute": 60, "minutes": 60, "h": 3600, "hour": 3600, "hours": 3600,
}

var timeNames = map[string]bool{"time": true, "t": true, "timestamp": true, "timestamps": true, "datetime": true, "date": true, "elapsed": true,
	"zeit": true, "temps": true, "tiempo": true, "tempo": true, "clock": true}

var countNames = map[string]bool{"": true, "unnamed": true, "index": true, "idx": true, "sample": true, "samples": true, "n": true, "no": true, "nr": true,
	"row": true, "point": true, "frame": true, "number": true, "id": true}

// namedTime reports whether a column's name, or its unit, is that of times, and the
// seconds of the unit, 0 if there is none.
func namedTime(name, unit string) (is bool, scale float64) {
	all := words(name)
	for _, w := range all {
		is = is || timeNames[w]
		if s := units[w]; s != 0 {
			scale = s
		}
	}
	if w := words(unit); len(w) == 1 && units[w[0]] != 0 {
		scale = units[w[0]]
	}
	return is || len(all) == 1 && scale != 0 && all[0] != "h" && all[0] != "min", scale
}

// namedCount reports whether a column's name is that of numbers of rows.
func namedCount(name string) bool {
	w := words(name)
	return len(w) == 0 || countNames[w[0]] && len(w) < 3
}

// words are a name's, in small letters.
func words(name string) []string {
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune(" _-.,:;/#()[]{}<>\"'", r) })
}

// steps are times as they come: the seconds from one row to the next.
type steps struct {
	decimals, significant int // the most of any time
	first, last           float64
	count                 int64
}

func (s *steps) add(t float64, d digits) {
	if s.count == 0 {
		s.first = t
	} else if d.significant >= ofDay && t < s.last {
		t += 86400 // behind midnight
	}
	s.decimals, s.significant = max(s.decimals, d.decimals), max(s.significant, d.significant)
	s.last = t
	s.count++
}

// fewestDigits is how many digits programs write of a number at least: MATLAB does.
const fewestDigits = 5

// resolution is how much a time may be off because of the digits it was written with.
func (s *steps) resolution(scale, t float64) float64 {
	t = math.Abs(t)
	off := scale * math.Pow(10, float64(-s.decimals))
	if t > 0 {
		off = max(off, math.Pow(10, math.Floor(math.Log10(t/scale))-float64(max(s.significant, fewestDigits))+1)*scale, 0x1p-51*t)
	}
	return off
}

// breaks reports a time that is no step behind the last one.
func (s *steps) breaks(scale, t float64) bool {
	if s.count < 3 {
		return false
	}
	step := (s.last - s.first) / float64(s.count-1)
	return math.Abs(t-s.last-step) > step/2+s.resolution(scale, t)
}

// rate is how many rows make a second: of the numbers that round to the times, the one
// with the fewest digits, or whose inverse has.
func (s *steps) rate(scale float64) float64 {
	span, off := s.last-s.first, s.resolution(scale, s.last)
	if s.count < 2 || !(span > 0) {
		return 0
	}
	n := float64(s.count - 1)
	low, high := n/(span+off), n/max(span-off, span/2)
	rate, length := roundest(low, high)
	if period, shorter := roundest(1/high, 1/low); shorter < length {
		return 1 / period
	}
	return rate
}

// roundest is the number between two that has the fewest digits, and how many.
func roundest(low, high float64) (v float64, length int) {
	for length = 1; length < 17; length++ {
		// Products and quotients of whole numbers and powers of ten are rounded once.
		shift := length - 1 - int(math.Floor(math.Log10(high)))
		if shift >= len(tens) || shift <= -len(tens) {
			break
		}
		if shift >= 0 {
			v = math.Ceil(low*tens[shift]) / tens[shift]
		} else {
			v = math.Ceil(low/tens[-shift]) * tens[-shift]
		}
		if v <= high {
			return v, length
		}
	}
	return low + (high-low)/2, 17
}
