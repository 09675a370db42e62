package wav

import (
	"bytes"
	"regexp"
	"strings"
	"time"
)

// maxText is how much of a chunk of text is looked at.
const maxText = 64 << 10

// recorded looks for the time of the first sample in a chunk. A chunk that
// says nothing, or nothing that can be read, is no error.
func (p *parser) recorded(id string, size uint32) error {
	b := make([]byte, min(size, maxText))
	if err := p.read(b, "the "+id+" chunk"); err != nil {
		return err
	}
	var at time.Time
	switch id {
	case "bext":
		at = broadcastTime(b)
	case "guan":
		at = guanoTime(string(b))
	case "LIST":
		at = p.infoTime(b)
	}
	if p.Recorded.IsZero() || id == "guan" {
		if !at.IsZero() {
			p.Recorded = at
		}
	}
	return nil
}

// broadcastTime reads OriginationDate and OriginationTime of EBU Tech 3285.
func broadcastTime(b []byte) time.Time {
	const date, clock, end = 320, 330, 338
	if len(b) < end {
		return time.Time{}
	}
	digits := func(b []byte) string { // separators may be any of -_:. and blank
		return strings.Map(func(r rune) rune {
			if r < '0' || r > '9' {
				return -1
			}
			return r
		}, string(b))
	}
	return parsed("20060102150405", digits(b[date:clock])+digits(b[clock:end]))
}

// guanoTime reads the Timestamp of GUANO metadata, which bat detectors write.
func guanoTime(text string) time.Time {
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(line, ":")
		if strings.TrimSpace(key) != "Timestamp" {
			continue
		}
		value = strings.TrimSpace(value)
		for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05"} {
			if at := parsed(layout, value); !at.IsZero() {
				return at
			}
		}
	}
	return time.Time{}
}

// audioMoth is the comment of AudioMoth recorders, such as
// "Recorded at 19:17:30 30/10/2024 (UTC+1) by AudioMoth 24F3".
var audioMoth = regexp.MustCompile(`Recorded at (\d\d:\d\d:\d\d(?:\.\d+)? \d\d/\d\d/\d{4}) \(UTC([+-]\d+)?(?::(\d\d))?\)`)

// infoTime reads a LIST chunk of kind INFO: AudioMoth's comment, or a creation
// date with the time of day.
func (p *parser) infoTime(b []byte) time.Time {
	if len(b) < 4 || string(b[:4]) != "INFO" {
		return time.Time{}
	}
	for b = b[4:]; len(b) >= 8; {
		id, size := string(b[:4]), int64(p.order.Uint32(b[4:]))
		if size > int64(len(b)-8) {
			break
		}
		text := string(bytes.TrimRight(b[8:8+size], "\x00"))
		b = b[min(int64(len(b)), 8+size+size&1):]
		switch id {
		case "ICMT":
			if m := audioMoth.FindStringSubmatch(text); m != nil {
				at := parsed("15:04:05 02/01/2006", m[1])
				hours, minutes := atoi(m[2]), atoi(m[3])
				if strings.HasPrefix(m[2], "-") {
					minutes = -minutes
				}
				if !at.IsZero() {
					return at.Add(-time.Duration(hours)*time.Hour - time.Duration(minutes)*time.Minute)
				}
			}
		case "ICRD":
			for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05"} {
				if at := parsed(layout, text); !at.IsZero() {
					return at
				}
			}
		}
	}
	return time.Time{}
}

// atoi is the number of a text of digits with a sign; 0 if there are none.
func atoi(text string) int {
	n, sign := 0, 1
	for _, c := range text {
		switch c {
		case '-':
			sign = -1
		case '+':
		default:
			n = 10*n + int(c-'0')
		}
	}
	return sign * n
}

// parsed is a time in UTC; zero if the text is none.
func parsed(layout, text string) time.Time {
	at, err := time.Parse(layout, text)
	if err != nil {
		return time.Time{}
	}
	return at.UTC()
}
