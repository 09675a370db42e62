package csv

import (
	"bytes"
	"math"
	"time"
)

// clock reads a column of times as seconds.
type clock struct {
	decimal  byte
	scale    float64 // seconds in a unit of a number
	day      int64   // from which dates count, in days since 1970
	dayFirst bool    // dates with slashes or hyphens and a year behind are of day, month and year
}

// read gives the seconds of a field.
func (c *clock) read(s []byte) (float64, bool) {
	if v, ok := parseNumber(s, c.decimal); ok {
		return v * c.scale, !math.IsNaN(v)
	}
	days, seconds, ok := c.parse(s)
	return float64(days-c.day)*86400 + seconds, ok
}

// parse reads 2026-01-31T12:00:00.125Z, with a space, a comma or a T between, with or without a zone, or a
// time of a day alone. Dates may have slashes, or be 1/31/2026 or 31.1.2026, and times may end with AM or PM.
func (c *clock) parse(s []byte) (days int64, seconds float64, ok bool) {
	if i := bytes.IndexAny(s, " T"); i >= 0 && bytes.IndexByte(s[:i], ':') < 0 {
		if days, ok = c.date(bytes.TrimRight(s[:i], ",")); !ok {
			return 0, 0, false
		}
		s = bytes.TrimLeft(s[i+1:], " ")
	}
	seconds, ok = timeOfDay(s)
	return days, seconds, ok
}

// date is the days since 1970 of a year, a month and a day, or of a month, a day and a year.
func (c *clock) date(s []byte) (days int64, ok bool) {
	year, month, day, ok := threeNumbers(s)
	if day > 31 {
		year, month, day = day, year, month
		if c.dayFirst || bytes.IndexByte(s, '.') >= 0 {
			month, day = day, month
		}
	}
	if !ok || year < 1000 || month < 1 || month > 12 || day < 1 || day > 31 {
		return 0, false
	}
	date := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	return date.Unix() / 86400, date.Day() == day // or there is none
}

// isDayFirst reports a date whose first number is no month, though in others with hyphens or slashes it may be.
func isDayFirst(s []byte) bool {
	if i := bytes.IndexAny(s, " T"); i >= 0 {
		s = s[:i]
	}
	day, month, year, ok := threeNumbers(bytes.TrimRight(s, ","))
	return ok && year > 31 && day > 12 && day <= 31 && month <= 12
}

// threeNumbers reads those with the same hyphens, slashes or points between them.
func threeNumbers(s []byte) (a, b, c int, ok bool) {
	i, j := bytes.IndexAny(s, "-/."), bytes.LastIndexAny(s, "-/.")
	if i == j || s[i] != s[j] || len(s) > len("31/12/2026") {
		return 0, 0, 0, false
	}
	a, a1 := whole(s[:i])
	b, b1 := whole(s[i+1 : j])
	c, c1 := whole(s[j+1:])
	return a, b, c, a1 && b1 && c1
}

// timeOfDay is the seconds since midnight in Greenwich, or where no zone is given.
func timeOfDay(s []byte) (seconds float64, ok bool) {
	half, isHalf := 0, false // of a day
	if n := len(s) - 2; n > 0 && s[n+1]|0x20 == 'm' && (s[n]|0x20 == 'a' || s[n]|0x20 == 'p') {
		isHalf = true
		if s[n]|0x20 == 'p' {
			half = 12
		}
		s = bytes.TrimRight(s[:n], " ")
	}
	zone := 0.0
	if i := bytes.IndexAny(s, "Z+-"); i >= 0 {
		if z := s[i+1:]; len(z) >= 2 {
			h, ok := whole(z[:2])
			m := 0
			if ok && len(z) >= 4 {
				m, ok = whole(z[len(z)-2:])
			}
			if !ok {
				return 0, false
			}
			zone = float64(h*3600 + m*60)
			if s[i] == '-' {
				zone = -zone
			}
		}
		s = bytes.TrimRight(s[:i], " ")
	}
	colon := bytes.IndexByte(s, ':')
	if colon < 1 || len(s) < colon+3 {
		return 0, false
	}
	h, h1 := whole(s[:colon])
	m, m1 := whole(s[colon+1 : colon+3])
	ok = h1 && m1 && m < 60
	if isHalf {
		ok = ok && h >= 1 && h <= 12
		h = h%12 + half
	}
	if rest := s[colon+3:]; ok && len(rest) > 0 {
		switch rest[0] {
		case ':':
			rest = rest[1:]
		case '.', ',': // 12:34.5 is minutes and seconds
			h, m, rest = 0, h, s[colon+1:]
		default:
			return 0, false
		}
		if seconds, ok = parseNumber(rest, '.'); !ok {
			seconds, ok = parseNumber(rest, ',')
		}
		ok = ok && seconds >= 0 && seconds < 61
	}
	return float64(h*3600+m*60) + seconds - zone, ok
}

func whole(s []byte) (n int, ok bool) {
	for _, c := range s {
		if c-'0' > 9 {
			return 0, false
		}
		n = 10*n + int(c-'0')
	}
	return n, len(s) > 0
}
