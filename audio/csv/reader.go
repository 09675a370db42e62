package csv

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"time"

	"github.com/twiddle-go/twiddle/audio/internal/file"
	"github.com/twiddle-go/twiddle/internal/counted"
)

// Options says what is read of a table. The zero value is every column of numbers.
type Options struct {
	// Columns are the channels, in this order: names or numbers from 1, with commas
	// between them. If it is empty they are all that have numbers, except times and
	// numbers of rows.
	Columns string
	// Time is the column of times, by name or number. If it is empty it is found by its
	// name, and without names it is a first column of equal steps; "none" is no column.
	Time string
	// AnyTime does not check steps, and gives no rate.
	AnyTime bool
}

// Reader reads the rows of a table.
type Reader struct {
	layout *layout
	in     io.Reader
	file.Closer
	buffer   []byte
	unread   []byte // of the buffer
	newline  byte   // the last of a line
	ended    bool   // there is nothing behind the buffer
	offset   int64  // of the first unread byte
	line     int64  // lines before it
	row      int64  // the line of the last row
	frames   int64  // of the table, or -1
	at       int64  // rows that have been read
	end      int64  // rows before empty ones that end the file; 0 if there are none
	waiting  hollowRows
	anyTime  bool
	rate     float64
	times    steps
	recorded time.Time
	before   float64 // the time of the row before
	jitter   float64 // the most that a step differs from the others, in steps
	missing  int64   // values
	missed   int64   // the line of the first of them
	whole    bool    // the line that was read last ends with a newline
	torn     bool
	broken   bool   // there is a gap or a jump back among the first times
	err      error  // why there is no next line, if not for the end
	marks    []mark // nil if the file cannot seek
}

// maxLine is how long a line may be.
const maxLine = 4 << 20

// Open opens a table.
func Open(name string, opt ...Options) (*Reader, error) {
	var o Options
	if len(opt) > 0 {
		o = opt[0]
	}
	r, c, err := file.Open("csv", name, func(f *os.File) (*Reader, error) { return NewReader(f, o) })
	if err != nil {
		return nil, err
	}
	r.Closer = c
	return r, nil
}

// NewReader reads the first lines of a table. If in can seek, its rows are counted, and
// the rate is that of all of them.
func NewReader(in io.Reader, o Options) (*Reader, error) {
	r := &Reader{in: in, buffer: make([]byte, 4*sampleBytes), frames: -1, anyTime: o.AnyTime}
	if err := r.begin(); err != nil {
		return nil, err
	}
	if bytes.HasPrefix(r.unread, []byte("\xff\xfe")) || bytes.HasPrefix(r.unread, []byte("\xfe\xff")) {
		in = newWide(r.unread, in)
		r.in = in
		if err := r.begin(); err != nil {
			return nil, err
		}
		r.advance(1) // the mark
	}
	sample := r.unread[:min(len(r.unread), sampleBytes)]
	if at := bytes.IndexByte(sample, 0); at >= 0 {
		return nil, fmt.Errorf("%w: offset %d: a byte of 0, which text has not", ErrNoTable, at)
	}
	if rest, ok := bytes.CutPrefix(sample, []byte("\xef\xbb\xbf")); ok { // what Excel writes first
		r.advance(3)
		sample = rest
	}
	if len(sample) < sampleBytes-3 || r.ended && len(r.unread) == len(sample) {
		sample = append(slices.Clone(sample), '\n')
	}
	r.newline = '\n'
	if head := bytes.TrimRight(sample, "\n"); bytes.IndexByte(head, '\n') < 0 && bytes.IndexByte(head, '\r') >= 0 {
		r.newline = '\r' // of old Macs, and programs that were made on them
		sample = append(head[:len(head):len(head)], '\r')
	}
	var lines [][]byte
	for len(lines) < 2000 {
		end := bytes.IndexByte(sample, r.newline)
		if end < 0 {
			break
		}
		lines = append(lines, bytes.TrimRight(sample[:end], "\r"))
		sample = sample[end+1:]
	}
	for r.ended && len(sample) == 0 && len(lines) > 1 && hollow(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	l, err := findLayout(lines, o)
	if err != nil {
		return nil, err
	}
	r.layout = l
	for range l.begin {
		r.next()
	}
	if err := r.firstTimes(lines[l.begin:]); err != nil {
		return nil, err
	}
	if seek, ok := in.(io.Seeker); ok {
		if _, err := seek.Seek(0, io.SeekCurrent); err == nil {
			return r, r.count()
		}
	}
	return r, nil
}

// Names are those of the channels, or nil if there is no header.
func (r *Reader) Names() []string {
	if r.layout.names == nil {
		return nil
	}
	names := make([]string, len(r.layout.channels))
	for i, c := range r.layout.channels {
		names[i] = r.layout.names[c]
	}
	return names
}

// Channels is how many values of a row are read.
func (r *Reader) Channels() int { return len(r.layout.channels) }

// Rate is how many rows make a second, or 0 if there is no column of times.
func (r *Reader) Rate() float64 { return r.rate }

// Frames is how many rows the table has, or -1 if that shows at the end only.
func (r *Reader) Frames() int64 { return r.frames }

// Recorded is the time of the first row, if times have dates.
func (r *Reader) Recorded() time.Time { return r.recorded }

// Warning is what was found wrong so far with a table that can be read all the same.
func (r *Reader) Warning() error {
	found := slices.Clone(r.layout.left)
	if r.torn {
		found = append(found, fmt.Errorf("csv: line %d: the last line is cut short", r.line))
	}
	if r.missing > 0 {
		found = append(found, fmt.Errorf("csv: %s NaN, the first in line %d", counted.Of(r.missing, "empty field is", "empty fields are"), r.missed))
	}
	if r.jitter > jitterWarned {
		found = append(found, fmt.Errorf("csv: steps of time differ by up to %.0f%%; the rate is their mean", 100*r.jitter))
	}
	return errors.Join(found...)
}

// jitterWarned is how much steps may differ without a word.
const jitterWarned = 0.02

// Read fills dst with whole frames, row by row, and gives how many. At the end it gives none
// and io.EOF.
func (r *Reader) Read(dst []float32) (int, error) { return read(r, dst) }

// Read64 is Read in double precision.
func (r *Reader) Read64(dst []float64) (int, error) { return read(r, dst) }

// firstTimes finds the rate of the first rows.
func (r *Reader) firstTimes(lines [][]byte) error {
	l := r.layout
	if l.time < 0 || r.anyTime {
		return nil
	}
	for i, line := range lines {
		if blank(line) {
			continue
		}
		fields := l.split(line)
		if len(fields) < l.columns {
			continue
		}
		t, ok := l.clock.read([]byte(fields[l.time]))
		if !ok {
			return fmt.Errorf("csv: line %d: column %s: %q is not a time", r.line+int64(i)+1, l.title(l.time), fields[l.time])
		}
		if days, seconds, ok := l.clock.parse([]byte(fields[l.time])); ok && days > 0 && r.times.count == 0 {
			r.recorded = time.Unix(days*86400, 0).UTC().Add(time.Duration(math.Round(seconds * 1e9)))
		}
		d := written([]byte(fields[l.time]), l.decimal)
		if r.times.breaks(l.clock.scale, t) && d.significant < ofDay {
			r.broken = true // as reading will find
			break
		}
		r.times.add(t, d)
	}
	r.rate = r.times.rate(l.clock.scale)
	if r.rate == 0 && r.times.count > 1 {
		return fmt.Errorf("csv: times in column %s do not rise: from %g to %g s in %d rows", l.title(l.time), r.times.first, r.times.last, r.times.count)
	}
	return nil
}

// begin fills the buffer for the first time.
func (r *Reader) begin() error {
	r.unread, r.ended = r.buffer[:0], false
	for len(r.unread) < sampleBytes && !r.ended {
		if err := r.fill(); err != nil {
			return err
		}
	}
	return nil
}

// fill reads more into the buffer, behind what is unread.
func (r *Reader) fill() error {
	if len(r.unread) > maxLine {
		return fmt.Errorf("csv: line %d: longer than %d bytes", r.line+1, maxLine)
	}
	if len(r.unread) > len(r.buffer)/2 {
		r.buffer = append(r.buffer, make([]byte, len(r.buffer))...)
	}
	n := copy(r.buffer, r.unread)
	for tries := 0; ; tries++ {
		got, err := r.in.Read(r.buffer[n:])
		r.unread = r.buffer[:n+got]
		if err == io.EOF {
			r.ended = true
			return nil
		}
		if err != nil {
			return fmt.Errorf("csv: read: %w", err)
		}
		if got > 0 {
			return nil
		}
		if tries == 100 {
			return fmt.Errorf("csv: read: %w", io.ErrNoProgress)
		}
	}
}

func (r *Reader) advance(n int) {
	r.unread = r.unread[n:]
	r.offset += int64(n)
}

// next is the next line, until the one after it is asked for. Without one, err says
// why, if it is not the end.
func (r *Reader) next() (line []byte, ok bool) {
	searched := 0
	for {
		end := bytes.IndexByte(r.unread[searched:], r.newline)
		if end >= 0 {
			end += searched
			line, r.whole = r.unread[:end], true
			r.advance(end + 1)
			break
		}
		if r.ended {
			if len(r.unread) == 0 {
				return nil, false
			}
			line, r.whole = r.unread, false
			r.advance(len(line))
			break
		}
		searched = len(r.unread)
		if r.err = r.fill(); r.err != nil {
			return nil, false
		}
	}
	r.line++
	for len(line) > 0 && line[len(line)-1] == '\r' {
		line = line[:len(line)-1]
	}
	return line, true
}

// nextRow is the next line that is a row. Where the end is not known, rows of delimiters wait until another row
// shows that they are not behind the table, or until they are too many.
func (r *Reader) nextRow() (line []byte, ok bool) {
	w := &r.waiting
	for !w.inside || len(w.lines) == 0 {
		offset := r.offset
		if line, ok = r.next(); !ok {
			return nil, false
		}
		switch {
		case blank(line):
		case r.marks != nil || !hollow(line) && len(w.lines) == 0:
			r.row = r.line
			return line, true
		case hollow(line):
			w.text, w.lines = append(w.text[:0], line...), append(w.lines, r.line)
			w.inside = len(w.lines) == mostWaiting
		default: // again when those before it were read
			back := int(r.offset - offset)
			r.unread, r.offset, r.line = line[:back+len(r.unread)], offset, r.line-1
			w.inside = true
		}
	}
	r.row, w.lines = w.lines[0], w.lines[1:]
	w.inside = len(w.lines) > 0
	return w.text, true
}

// hollowRows are rows of delimiters that were read and may be behind the table.
type hollowRows struct {
	text   []byte  // of one of them
	lines  []int64 // where they are
	inside bool    // they are not
}

// mostWaiting is how many rows a spreadsheet has.
const mostWaiting = 1 << 20

func read[T float32 | float64](r *Reader, dst []T) (int, error) {
	channels := len(r.layout.channels)
	want := len(dst) / channels
	if want == 0 {
		return 0, fmt.Errorf("csv: read: room for %s, a row has %d", counted.Of(len(dst), "value"), channels)
	}
	done := 0
	for done < want && (r.end == 0 || r.at < r.end) {
		line, ok := r.nextRow()
		if !ok {
			if err := r.err; err != nil {
				return done, err
			}
			break
		}
		if err := row(r, line, dst[done*channels:(done+1)*channels]); err != nil {
			if err == errTorn && done > 0 {
				break
			}
			if err == errTorn {
				return 0, io.EOF
			}
			return done, err
		}
		done++
	}
	if done == 0 {
		return 0, io.EOF
	}
	return done, nil
}

// errTorn is a last line that is not whole.
var errTorn = errors.New("csv: torn")

// row reads the values of a line.
func row[T float32 | float64](r *Reader, line []byte, dst []T) error {
	l := r.layout
	rest, more := line, true
	c := 0
	for ; more && c < l.columns; c++ {
		channel := l.use[c]
		clock := c == l.time && !r.anyTime
		// Most fields are a number and nothing else.
		if v, n := quick(rest, l.decimal); n > 0 && l.delimiter != ' ' && (n == len(rest) || rest[n] == l.delimiter) {
			if clock {
				if err := r.step(v * l.clock.scale); err != nil {
					return err
				}
			}
			if channel >= 0 {
				dst[channel] = T(v)
			}
			if more = n < len(rest); more {
				rest = rest[n+1:]
			}
			continue
		}
		var f []byte
		f, rest, more = l.next(rest)
		if clock {
			t, ok := l.clock.read(f)
			if !ok {
				return fmt.Errorf("csv: line %d: column %s: %q is not a time", r.row, l.title(l.time), f)
			}
			if err := r.step(t); err != nil {
				return err
			}
		}
		if channel < 0 {
			continue
		}
		v, ok := parseNumber(f, l.decimal)
		if !ok {
			if len(f) > 0 {
				return fmt.Errorf("csv: line %d: column %s: %q is not a number", r.row, l.title(c), f)
			}
			v = math.NaN()
			if r.missing++; r.missing == 1 {
				r.missed = r.row
			}
		}
		dst[channel] = T(v)
	}
	if c < l.columns {
		if !r.whole {
			r.torn = true
			return errTorn
		}
		return fmt.Errorf("csv: line %d: %s, want %d", r.row, counted.Of(c, "column"), l.columns)
	}
	if more && len(bytes.Trim(rest, " \t"+string(rune(l.delimiter)))) > 0 {
		return fmt.Errorf("csv: line %d: more than %s", r.row, counted.Of(l.columns, "column"))
	}
	r.at++
	return nil
}

// step checks the time of a row.
func (r *Reader) step(t float64) error {
	l := r.layout
	before := r.before
	r.before = t
	if r.at == 0 || math.IsNaN(before) || r.rate == 0 {
		return nil
	}
	if t < before && l.clock.day == 0 && t+86400-before < 2/r.rate {
		return nil // times of a day, at midnight
	}
	off := math.Abs((t-before)*r.rate - 1)
	if off <= jitterWarned/2 {
		return nil
	}
	off -= r.times.resolution(l.clock.scale, t) * r.rate // in steps: what two times that are cut or rounded may differ by
	if off > 0.5 {
		err := fmt.Errorf("csv: line %d: time goes from %g to %g s, steps are %.4g s: the table is not evenly sampled; give a rate to ignore its times", r.row, before, t, 1/r.rate)
		if l.guessed {
			err = fmt.Errorf("%w; Time \"none\" reads column %s as samples", err, l.title(l.time))
		}
		return err
	}
	r.jitter = max(r.jitter, off)
	return nil
}
