package csv

import (
	"errors"
	"fmt"
	"io"
	"math"
)

// mark is a place in a file.
type mark struct{ offset, line int64 }

// markRows is how many rows are between places that a reader can go to.
const markRows = 1 << 14

// count reads to the end once, marks places on the way, and comes back. The rate is then
// that of the whole table, unless a gap or a jump back is in the way, which reading finds.
func (r *Reader) count() error {
	begin := mark{r.offset, r.line}
	r.marks = []mark{}
	var last []byte
	rows, empty := int64(0), int64(0) // empty ones are at the end so far
	for at := begin; ; at = (mark{r.offset, r.line}) {
		line, ok := r.next()
		if !ok {
			break
		}
		if blank(line) {
			continue
		}
		if rows%markRows == 0 {
			r.marks = append(r.marks, at)
		}
		rows++
		if empty++; !hollow(line) {
			last, empty = append(last[:0], line...), 0
		}
	}
	if err := r.err; err != nil {
		return err
	}
	if empty > 0 {
		rows -= empty
		r.end = rows
	}
	l := r.layout
	fields := l.split(last)
	if empty == 0 && !r.whole && len(fields) < l.columns && rows > 0 { // as reading will find
		rows--
	} else if l.time >= 0 && !r.anyTime && !r.broken && len(fields) >= l.columns {
		all := r.times
		if t, ok := l.clock.read([]byte(fields[l.time])); ok && rows > all.count {
			all.add(t, written([]byte(fields[l.time]), l.decimal))
			all.count = rows
			if rate := all.rate(l.clock.scale); math.Abs(rate-r.rate) < r.rate*max(0.01, 2*r.times.resolution(l.clock.scale, r.times.last)/(r.times.last-r.times.first)) {
				r.rate = rate
			}
			r.times.decimals, r.times.significant = all.decimals, all.significant
		}
	}
	r.frames = rows
	return r.moveTo(begin, 0)
}

// moveTo goes to the line of a row.
func (r *Reader) moveTo(m mark, row int64) error {
	if _, err := r.in.(io.Seeker).Seek(m.offset, io.SeekStart); err != nil {
		return fmt.Errorf("csv: seek: %w", err)
	}
	r.unread, r.ended, r.offset, r.line, r.at, r.torn = r.buffer[:0], false, m.offset, m.line, row, false
	return nil
}

// SeekFrame makes a row the next one to be read.
func (r *Reader) SeekFrame(frame int64) error {
	if r.marks == nil {
		return errors.New("csv: seek: the table is not a file")
	}
	if frame < 0 || frame > r.frames {
		return fmt.Errorf("csv: seek: row %d of %d", frame, r.frames)
	}
	if len(r.marks) == 0 {
		return nil
	}
	m := min(frame/markRows, int64(len(r.marks)-1))
	if err := r.moveTo(r.marks[m], m*markRows); err != nil {
		return err
	}
	for r.at < frame {
		line, ok := r.next()
		if !ok {
			return r.err
		}
		if !blank(line) {
			r.at++
		}
	}
	r.before = math.NaN()
	return nil
}
