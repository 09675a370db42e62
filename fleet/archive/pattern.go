package archive

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Pattern reads the station and the time of a recording from its path.
type Pattern struct {
	text    string
	expr    *regexp.Regexp
	fields  []string // what each group is: station, or a code of time
	hasTime bool
}

// codes are those of strptime that patterns know, and what they match.
var codes = map[byte]string{
	'Y': `\d{4}`, 'y': `\d{2}`, 'm': `\d{2}`, 'd': `\d{2}`, 'j': `\d{3}`,
	'H': `\d{2}`, 'M': `\d{2}`, 'S': `\d{2}`, 'f': `\d{1,9}`, 's': `\d{1,12}`,
	'z': `Z|[+-]\d{2}:?\d{2}`,
}

// ParsePattern reads a pattern such as "{station}/{*}_%Y%m%d_%H%M%S". It has to
// match the end of a path, up to the extension: {station} is the name of the
// station, * and {*} any part of a name, and %Y %y %m %d %j %H %M %S %f %s %z
// are the parts of a time, as strptime has them.
func ParsePattern(text string) (*Pattern, error) {
	p := &Pattern{text: text}
	var b strings.Builder
	b.WriteString(`(?:^|/)`)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case strings.HasPrefix(text[i:], "{station}"):
			p.fields = append(p.fields, "station")
			b.WriteString(`([^/]+?)`)
			i += len("{station}") - 1
		case strings.HasPrefix(text[i:], "{*}"):
			b.WriteString(`[^/]*?`)
			i += 2
		case c == '*':
			b.WriteString(`[^/]*?`)
		case c == '{':
			return nil, fmt.Errorf("archive: pattern %q: only {station} and {*} have braces", text)
		case c == '%' && i+1 < len(text) && text[i+1] == '%':
			b.WriteString("%")
			i++
		case c == '%':
			if i+1 == len(text) || codes[text[i+1]] == "" {
				return nil, fmt.Errorf("archive: pattern %q: %q is not a part of a time: want one of %%Y %%y %%m %%d %%j %%H %%M %%S %%f %%s %%z", text, text[i:min(i+2, len(text))])
			}
			i++
			p.fields = append(p.fields, string(text[i]))
			b.WriteString("(" + codes[text[i]] + ")")
			p.hasTime = true
		default:
			b.WriteString(regexp.QuoteMeta(string(c)))
		}
	}
	b.WriteString(`(?:\.[A-Za-z0-9]+)?$`)
	expr, err := regexp.Compile(b.String())
	if err != nil {
		return nil, fmt.Errorf("archive: pattern %q: %w", text, err)
	}
	p.expr = expr
	if p.hasTime {
		has := strings.Join(p.fields, "")
		day := strings.ContainsAny(has, "Yy") && (strings.Contains(has, "m") && strings.Contains(has, "d") || strings.Contains(has, "j"))
		if !day && !slicesHas(p.fields, "s") {
			return nil, fmt.Errorf("archive: pattern %q: a time needs a year and a day, or %%s", text)
		}
	}
	return p, nil
}

func slicesHas(list []string, one string) bool {
	for _, s := range list {
		if s == one {
			return true
		}
	}
	return false
}

func (p *Pattern) String() string { return p.text }

// Match gives the station and the time of a path; a part that the pattern does
// not have is empty or zero.
func (p *Pattern) Match(path string) (station string, at time.Time, err error) {
	m := p.expr.FindStringSubmatch(filepath.ToSlash(path))
	if m == nil {
		return "", at, fmt.Errorf("the name does not match %q", p.text)
	}
	t := clock{month: 1, day: 1}
	for i, f := range p.fields {
		if f == "station" {
			station = m[i+1]
			continue
		}
		if err := t.set(f[0], m[i+1]); err != nil {
			return "", at, err
		}
	}
	if !p.hasTime {
		return station, at, nil
	}
	at, err = t.time()
	return station, at, err
}

// clock is the parts of a time.
type clock struct {
	year, month, day, yearDay int
	hour, minute, second, ns  int
	epoch                     int64
	hasEpoch                  bool
	offset                    time.Duration
}

func (c *clock) set(code byte, text string) error {
	if code == 'z' {
		if text != "Z" {
			digits := strings.ReplaceAll(text[1:], ":", "")
			h, _ := strconv.Atoi(digits[:2])
			m, _ := strconv.Atoi(digits[2:])
			c.offset = time.Duration(h)*time.Hour + time.Duration(m)*time.Minute
			if text[0] == '-' {
				c.offset = -c.offset
			}
		}
		return nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return err
	}
	switch v := int(n); code {
	case 'Y':
		c.year = v
	case 'y': // as POSIX has it
		c.year = 2000 + v
		if v >= 69 {
			c.year = 1900 + v
		}
	case 'm':
		c.month = v
	case 'd':
		c.day = v
	case 'j':
		c.yearDay = v
	case 'H':
		c.hour = v
	case 'M':
		c.minute = v
	case 'S':
		c.second = v
	case 'f':
		for range 9 - len(text) {
			v *= 10
		}
		c.ns = v
	case 's':
		c.epoch, c.hasEpoch = n, true
	}
	return nil
}

// time is the time of the parts, if there is such a time.
func (c *clock) time() (time.Time, error) {
	if c.hasEpoch {
		return time.Unix(c.epoch, int64(c.ns)).UTC(), nil
	}
	month, day := c.month, c.day
	if c.yearDay > 0 {
		first := time.Date(c.year, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, c.yearDay-1)
		month, day = int(first.Month()), first.Day()
	}
	at := time.Date(c.year, time.Month(month), day, c.hour, c.minute, c.second, c.ns, time.UTC)
	if int(at.Month()) != month || at.Day() != day || c.hour > 23 || c.minute > 59 || c.second > 60 {
		return time.Time{}, fmt.Errorf("no such time: %04d-%02d-%02d %02d:%02d:%02d", c.year, month, day, c.hour, c.minute, c.second)
	}
	return at.Add(-c.offset), nil
}

// usual are the times that recorders put into names, tried in this order when
// no pattern is given: 20240301T120000.123Z with or without separators, and
// SoundTrap's 240301120000.
var usual = []struct {
	expr   *regexp.Regexp
	fields string
}{
	{regexp.MustCompile(`(\d{4})[-_.]?(\d{2})[-_.]?(\d{2})[T_\-. ]?(\d{2})[-_.:]?(\d{2})[-_.:]?(\d{2})(?:[.,](\d{1,6}))?(Z|[+-]\d{4})?(?:\D|$)`), "YmdHMSfz"},
	{regexp.MustCompile(`(?:^|\D)(\d{2})(\d{2})(\d{2})[T_\-.]?(\d{2})(\d{2})(\d{2})(?:\D|$)`), "ymdHMS"},
}

// timeOf finds a time in the name of a file; zero if there is none.
func timeOf(path string) time.Time {
	name := filepath.Base(path)
	for _, u := range usual {
		all := u.expr.FindAllStringSubmatch(name, -1)
		for i := len(all) - 1; i >= 0; i-- {
			t := clock{month: 1, day: 1}
			ok := true
			for j := range len(u.fields) {
				if all[i][j+1] != "" && t.set(u.fields[j], all[i][j+1]) != nil {
					ok = false
				}
			}
			if at, err := t.time(); ok && err == nil && at.Year() >= 1950 && at.Year() < 2100 {
				return at
			}
		}
	}
	return time.Time{}
}
