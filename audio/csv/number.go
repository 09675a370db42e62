package csv

import (
	"bytes"
	"math"
	"strconv"
	"strings"
)

// tens are the powers of ten that a float64 has exactly.
var tens = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// quick reads the number that s begins with and gives how many bytes it has, or 0 if it is
// not sure to be the nearest float64. Up to 2^53 the digits are a float64, and one product or
// quotient with a power of ten that is one, too, is rounded once. Up to 19 digits take two.
func quick(s []byte, decimal byte) (v float64, n int) {
	i := 0
	if len(s) > 0 && (s[0] == '-' || s[0] == '+') {
		i++
	}
	begin, mantissa := i, uint64(0)
	for i < len(s) && s[i]-'0' < 10 {
		mantissa = 10*mantissa + uint64(s[i]-'0')
		i++
	}
	digits, decimals := i-begin, 0
	if i < len(s) && s[i] == decimal {
		i++
		begin = i
		for i < len(s) && s[i]-'0' < 10 {
			mantissa = 10*mantissa + uint64(s[i]-'0')
			i++
		}
		decimals = i - begin
		digits += decimals
	}
	if digits == 0 || digits > 19 && digits-zeros(s) > 19 { // 19 digits fit into 64 bits
		return 0, 0
	}
	if i < len(s) && s[i]|0x20 == 'e' {
		i++
		down := false
		if i < len(s) && (s[i] == '-' || s[i] == '+') {
			down = s[i] == '-'
			i++
		}
		begin = i
		exponent := 0
		for i < len(s) && i < begin+4 && s[i]-'0' < 10 {
			exponent = 10*exponent + int(s[i]-'0')
			i++
		}
		if i == begin {
			return 0, 0
		}
		if down {
			exponent = -exponent
		}
		decimals -= exponent
	}
	if decimals >= len(tens) || decimals <= -len(tens) {
		return 0, 0
	}
	v = float64(mantissa)
	switch {
	case mantissa > 1<<53:
		var sure bool
		if v, sure = scaled(mantissa, decimals); !sure {
			return 0, 0
		}
	case decimals > 0:
		v /= tens[decimals]
	case decimals < 0:
		v *= tens[-decimals]
	}
	if s[0] == '-' {
		v = -v
	}
	return v, i
}

// zeros is how many a number has before its first other digit.
func zeros(s []byte) (n int) {
	for _, c := range s {
		switch {
		case c == '0':
			n++
		case c-'0' < 10:
			return n
		}
	}
	return n
}

// scaled is the float64 nearest to a whole number without so many decimals, if that is
// sure: the number is the sum of two float64, and so is the product or quotient, whose second
// part is as good as to 50 bits. Where the sum lies that close to the middle between two
// float64, or its neighbours are not as far on both sides, it is not sure.
func scaled(whole uint64, decimals int) (float64, bool) {
	high := float64(whole)
	low := float64(int64(whole - uint64(high)))
	var v, rest float64
	if decimals >= 0 {
		by := tens[decimals]
		v = high / by
		rest = (math.FMA(-v, by, high) + low) / by
	} else {
		by := tens[-decimals]
		v = high * by
		rest = math.FMA(high, by, -v) + low*by
	}
	sum := v + rest
	bits := math.Float64bits(sum)
	if bits&(1<<52-1) == 0 {
		return 0, false
	}
	half := math.Float64frombits(bits&^(1<<52-1)) * 0x1p-53 // of the distance to a neighbour
	return sum, math.Abs(rest-(sum-v)) < half*(1-0x1p-40)
}

// parseNumber reads a number to its nearest float64, as strconv.ParseFloat does.
func parseNumber(s []byte, decimal byte) (v float64, ok bool) {
	if v, n := quick(s, decimal); n > 0 && n == len(s) {
		return v, true
	}
	s = hyphens(s)
	if v, ok := word(s); ok {
		return v, ok
	}
	text := make([]byte, 0, 32)
	for _, c := range ungrouped(s, decimal) {
		switch {
		case c == decimal:
			c = '.'
		case c|0x20 == 'd' || c|0x20 == 'e': // d: Fortran's
			c = 'e'
		case c-'0' > 9 && c != '-' && c != '+': // strconv takes hexadecimal numbers and more
			return 0, false
		}
		text = append(text, c)
	}
	v, err := strconv.ParseFloat(string(text), 64)
	return v, err == nil || math.IsInf(v, 0)
}

// hyphens is a number whose minus signs are those of ASCII. Word processors and some locales write U+2212.
func hyphens(s []byte) []byte {
	const minus = "\u2212"
	if bytes.IndexByte(s, minus[0]) < 0 {
		return s
	}
	return bytes.ReplaceAll(s, []byte(minus), []byte("-"))
}

// ungrouped is a number without the marks between thousands, as in 1.234,5 or 1,234,567: a number
// with one mark and no decimals may be one of three decimals, and stays as it is.
func ungrouped(s []byte, decimal byte) []byte {
	other := byte(',')
	if decimal == ',' {
		other = '.'
	}
	parts := bytes.Split(s, []byte{other})
	whole, _, decimals := bytes.Cut(parts[len(parts)-1], []byte{decimal})
	if len(parts) < 2 || len(parts) == 2 && !decimals || len(whole) != 3 {
		return s
	}
	head := bytes.TrimLeft(parts[0], "+-")
	if len(head) == 0 || len(head) > 3 || head[0] == '0' {
		return s
	}
	for _, group := range parts[1 : len(parts)-1] {
		if len(group) != 3 {
			return s
		}
	}
	return bytes.Join(parts, nil)
}

// word reads what stands for numbers that are none.
func word(s []byte) (float64, bool) {
	if len(s) > len("-1.#QNAN00") {
		return 0, false
	}
	lower := string(bytes.ToLower(s))
	switch lower {
	case "-", "--", "na", "n/a", "#n/a", "null", "none", "#num!", "#div/0!", "#value!":
		return math.NaN(), true
	}
	sign := 1
	if rest, ok := strings.CutPrefix(lower, "-"); ok {
		lower, sign = rest, -1
	} else {
		lower = strings.TrimPrefix(lower, "+")
	}
	if strings.HasPrefix(lower, "1.#") { // of Windows, with as many digits as were asked for
		lower = strings.TrimRight(lower, "0")
	}
	switch lower {
	case "nan", "nan(ind)", "1.#qnan", "1.#ind":
		return math.NaN(), true
	case "inf", "infinity", "∞", "1.#inf":
		return math.Inf(sign), true
	}
	return 0, false
}

// digits is how a time was written: how many digits from the first that is not zero, and
// how many of them are behind the point, less its exponent.
type digits struct{ significant, decimals int }

// ofDay is more digits than a number has: of dates and times of a day, the last digit is
// worth as much whatever comes before it.
const ofDay = math.MaxInt16

// written is how a time was.
func written(s []byte, decimal byte) (d digits) {
	if bytes.IndexByte(s, ':') >= 0 {
		s = s[bytes.IndexByte(s, ':'):] // a date may have points
		if i := bytes.IndexAny(s, ".,"); i >= 0 {
			for i++; i+d.decimals < len(s) && s[i+d.decimals]-'0' < 10; {
				d.decimals++
			}
		}
		d.significant = ofDay
		return d
	}
	point := false
	for i, c := range s {
		switch {
		case c-'0' < 10:
			if c > '0' || d.significant > 0 {
				d.significant++
			}
			if point {
				d.decimals++
			}
		case c == decimal:
			point = true
		case c|0x20 == 'e':
			exponent, _ := strconv.Atoi(string(s[i+1:]))
			d.decimals -= exponent
			return d
		}
	}
	return d
}
