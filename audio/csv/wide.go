package csv

import (
	"bytes"
	"io"
)

// wide reads text of 16 bits a character, which spreadsheets call Unicode text, as a byte
// each, as in Latin 1: other characters are only in names and become question marks. Places
// of characters are then half of those of bytes.
type wide struct {
	in    io.Reader
	high  int // of the two bytes, the one with the upper bits
	bytes []byte
	odd   int // bytes that wait for their other half
}

// newWide reads what is in a buffer already, and then what is behind it.
func newWide(buffered []byte, in io.Reader) io.Reader {
	w := &wide{in: io.MultiReader(bytes.NewReader(bytes.Clone(buffered)), in), bytes: make([]byte, sampleBytes)}
	if buffered[0] == 0xff {
		w.high = 1
	}
	if s, ok := in.(io.ReadSeeker); ok {
		return seekableWide{w, s}
	}
	return w
}

func (w *wide) Read(p []byte) (int, error) {
	n, err := w.in.Read(w.bytes[w.odd:min(len(w.bytes), 2*len(p))])
	n += w.odd
	for i := range n / 2 {
		p[i] = w.bytes[2*i+1-w.high]
		switch upper := w.bytes[2*i+w.high]; {
		case upper == 3 && p[i] == 0xbc: // the Greek letter of microseconds
			p[i] = 0xb5
		case upper == 0x22 && p[i] == 0x12: // a minus sign
			p[i] = '-'
		case upper != 0 || p[i] == 0:
			p[i] = '?'
		}
	}
	if w.odd = n % 2; w.odd == 1 {
		w.bytes[0] = w.bytes[n-1]
	}
	return n / 2, err
}

// seekableWide is a wide whose input can seek.
type seekableWide struct {
	*wide
	start io.ReadSeeker
}

// Seek goes to a character from the start, or says that it can.
func (w seekableWide) Seek(offset int64, whence int) (int64, error) {
	at, err := w.start.Seek(2*offset, whence)
	if err == nil && whence == io.SeekStart {
		w.in, w.odd = w.start, 0
	}
	return at / 2, err
}
