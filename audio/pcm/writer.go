package pcm

import (
	"fmt"
	"io"
)

// Writer writes frames as a stream of bytes.
type Writer struct {
	format  Format
	w       io.Writer
	buffer  []byte
	frames  int64
	clipped int64
}

// NewWriter starts writing frames to w.
func NewWriter(w io.Writer, f Format) (*Writer, error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	return &Writer{format: f, w: w}, nil
}

// Format is what the bytes mean.
func (w *Writer) Format() Format { return w.format }

// Frames is how many have been written.
func (w *Writer) Frames() int64 { return w.frames }

// Clipped is how many samples so far were too great for their encoding, or no
// numbers.
func (w *Writer) Clipped() int64 { return w.clipped }

// Write writes whole frames.
func (w *Writer) Write(frames []float32) error { return write(w, frames) }

// Write64 is Write in double precision.
func (w *Writer) Write64(frames []float64) error { return write(w, frames) }

func write[T Sample](w *Writer, src []T) error {
	if len(src)%w.format.Channels != 0 {
		return fmt.Errorf("pcm: write: %d samples are not whole frames of %d", len(src), w.format.Channels)
	}
	size := w.format.Encoding.Bytes()
	for len(src) > 0 {
		n := min(len(src), max(1, bufferBytes/w.format.FrameBytes())*w.format.Channels)
		if len(w.buffer) < n*size {
			w.buffer = make([]byte, n*size)
		}
		w.clipped += int64(Encode(w.buffer, src[:n], w.format.Encoding, w.format.BigEndian))
		if _, err := w.w.Write(w.buffer[:n*size]); err != nil {
			return fmt.Errorf("pcm: write: %w", err)
		}
		w.frames += int64(n / w.format.Channels)
		src = src[n:]
	}
	return nil
}
