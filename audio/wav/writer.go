package wav

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/twiddle-go/twiddle/audio/pcm"
	"github.com/twiddle-go/twiddle/internal/replace"
)

// Writer writes frames to a file.
type Writer struct {
	w       io.Writer
	seeker  io.WriteSeeker // nil if w cannot seek
	start   int64          // of the file in seeker
	closer  io.Closer
	samples *pcm.Writer
	fact    int64 // offset of the number of frames; 0 if there is none
	data    int64 // offset of the size of the samples
	closed  bool
}

// ds64Bytes is the size of a ds64 chunk without a table. Room for it is left
// as JUNK, so that a file that grows over 4 GB becomes RF64 in place, as EBU
// Tech 3306 describes.
const ds64Bytes = 28

// NewWriter writes the header of a file with samples of the given format:
// uint8, int16, int24, int32, float32 or float64, little-endian. Close fills in
// the sizes if w can seek; otherwise they stay unknown, which readers take as
// all there is.
func NewWriter(w io.Writer, f pcm.Format) (*Writer, error) {
	if err := check(f); err != nil {
		return nil, fmt.Errorf("wav: write: %w", err)
	}
	samples, err := pcm.NewWriter(w, f)
	if err != nil {
		return nil, fmt.Errorf("wav: write: %w", err)
	}
	out := &Writer{w: w, samples: samples}
	if s, ok := w.(io.WriteSeeker); ok {
		if at, err := s.Seek(0, io.SeekCurrent); err == nil {
			out.seeker, out.start = s, at
		}
	}
	if _, err := w.Write(out.header(f)); err != nil {
		return nil, fmt.Errorf("wav: write: %w", err)
	}
	return out, nil
}

// check reports why a file cannot have a format.
func check(f pcm.Format) error {
	switch {
	case f.Check() != nil:
		return f.Check()
	case f.Encoding == pcm.Int8:
		return errors.New("samples of 8 bits have no sign: want uint8")
	case f.BigEndian:
		return errors.New("samples are little-endian")
	case f.Rate != math.Trunc(f.Rate) || f.Rate > math.MaxUint32:
		return fmt.Errorf("a rate of %g: want a whole number of 32 bits", f.Rate)
	case f.FrameBytes() > math.MaxUint16:
		return fmt.Errorf("%d channels of %v: a frame has at most %d bytes", f.Channels, f.Encoding, math.MaxUint16)
	}
	return nil
}

// header is the bytes before the samples, with unknown sizes.
func (w *Writer) header(f pcm.Format) []byte {
	le := binary.LittleEndian
	b := le.AppendUint32([]byte("RIFF"), unknownSize)
	b = append(b, "WAVEJUNK"...)
	b = le.AppendUint32(b, ds64Bytes)
	b = append(b, make([]byte, ds64Bytes)...)

	tag := uint16(tagPCM)
	if f.Encoding.IsFloat() {
		tag = tagFloat
	}
	size, written := uint32(16), tag
	switch {
	case f.Channels > 2:
		size, written = 40, tagExtensible
	case tag == tagFloat:
		size = 18
	}
	bits := uint16(8 * f.Encoding.Bytes())
	b = append(b, "fmt "...)
	b = le.AppendUint32(b, size)
	b = le.AppendUint16(b, written)
	b = le.AppendUint16(b, uint16(f.Channels))
	b = le.AppendUint32(b, uint32(f.Rate))
	b = le.AppendUint32(b, uint32(min(f.Rate*float64(f.FrameBytes()), math.MaxUint32)))
	b = le.AppendUint16(b, uint16(f.FrameBytes()))
	b = le.AppendUint16(b, bits)
	if size >= 18 {
		b = le.AppendUint16(b, uint16(size-18))
	}
	if size == 40 {
		b = le.AppendUint16(b, bits)
		b = le.AppendUint32(b, 0) // channels are no particular loudspeakers
		b = le.AppendUint16(b, tag)
		b = append(b, subformat...)
	}
	if tag == tagFloat {
		b = append(b, "fact"...)
		b = le.AppendUint32(b, 4)
		w.fact = int64(len(b))
		b = le.AppendUint32(b, unknownSize)
	}
	b = append(b, "data"...)
	w.data = int64(len(b))
	return le.AppendUint32(b, unknownSize)
}

// Frames is how many have been written.
func (w *Writer) Frames() int64 { return w.samples.Frames() }

// Clipped is how many samples so far were too great for integers.
func (w *Writer) Clipped() int64 { return w.samples.Clipped() }

// Write writes whole frames of interleaved samples.
func (w *Writer) Write(frames []float32) error { return w.written(w.samples.Write(frames)) }

// Write64 is Write in double precision.
func (w *Writer) Write64(frames []float64) error { return w.written(w.samples.Write64(frames)) }

func (w *Writer) written(err error) error {
	if err != nil {
		return fmt.Errorf("wav: %w", err)
	}
	return nil
}

// Close ends the file and, if Create made it, closes it.
func (w *Writer) Close() error {
	if w.closed {
		return nil
	}
	w.closed = true
	err := w.finish()
	if w.closer != nil {
		err = errors.Join(err, w.closer.Close())
	}
	if err != nil {
		return fmt.Errorf("wav: close: %w", err)
	}
	return nil
}

// finish pads the samples to an even number of bytes and fills in the sizes.
func (w *Writer) finish() error {
	frames := w.samples.Frames()
	bytes := frames * int64(w.samples.Format().FrameBytes())
	if bytes%2 == 1 {
		if _, err := w.w.Write([]byte{0}); err != nil {
			return err
		}
	}
	if w.seeker == nil {
		return nil
	}
	le := binary.LittleEndian
	riff := w.data + 4 + bytes + bytes%2 - 8
	patches := map[int64][]byte{}
	if riff < unknownSize {
		patches[4] = le.AppendUint32(nil, uint32(riff))
		patches[w.data] = le.AppendUint32(nil, uint32(bytes))
	} else {
		patches[0] = []byte("RF64")
		b := le.AppendUint32([]byte("ds64"), ds64Bytes)
		b = le.AppendUint64(b, uint64(riff))
		b = le.AppendUint64(b, uint64(bytes))
		patches[12] = le.AppendUint64(b, uint64(frames))
	}
	if w.fact > 0 && frames < unknownSize {
		patches[w.fact] = le.AppendUint32(nil, uint32(frames))
	}
	end, err := w.seeker.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	for at, b := range patches {
		if _, err := w.seeker.Seek(w.start+at, io.SeekStart); err != nil {
			return err
		}
		if _, err := w.seeker.Write(b); err != nil {
			return err
		}
	}
	_, err = w.seeker.Seek(end, io.SeekStart)
	return err
}

// Create starts a file with the given name, replacing one that is there.
func Create(name string, f pcm.Format) (*Writer, error) {
	if err := check(f); err != nil { // before a file that is there is replaced
		return nil, fmt.Errorf("wav: write %s: %w", name, err)
	}
	file, err := os.Create(name)
	if err != nil {
		return nil, fmt.Errorf("wav: %w", err)
	}
	w, err := NewWriter(file, f)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	w.closer = file
	return w, nil
}

// WriteFile writes interleaved samples to the named file, which it creates or
// replaces once the new one is complete.
func WriteFile(name string, f pcm.Format, samples []float32) error {
	if err := check(f); err != nil {
		return fmt.Errorf("wav: write %s: %w", name, err)
	}
	err := replace.File(name, func(file *os.File) error {
		w, err := NewWriter(file, f)
		if err != nil {
			return err
		}
		return errors.Join(w.Write(samples), w.Close())
	})
	if err != nil {
		return fmt.Errorf("wav: write %s: %w", name, err)
	}
	return nil
}
