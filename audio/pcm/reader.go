package pcm

import (
	"fmt"
	"io"
)

// bufferBytes is how much is read at once: enough to make calls cheap, little
// enough to stay in cache while it is decoded.
const bufferBytes = 128 << 10

// Reader reads frames from a stream of bytes.
type Reader struct {
	format Format
	r      io.Reader
	buffer []byte
	rest   int64 // bytes left to read; negative if that is not known
	frames int64 // read so far
	torn   int   // bytes after the last whole frame
	err    error // what ended the stream
}

// NewReader starts reading frames to the end of r.
func NewReader(r io.Reader, f Format) (*Reader, error) { return NewLimited(r, f, -1) }

// NewLimited reads frames from the next bytes of r; a negative number is all.
func NewLimited(r io.Reader, f Format, bytes int64) (*Reader, error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	return &Reader{format: f, r: r, rest: bytes}, nil
}

// Format is what the bytes mean.
func (r *Reader) Format() Format { return r.format }

// Position is how many frames have been read.
func (r *Reader) Position() int64 { return r.frames }

// Continue says that the stream of bytes was moved: the first byte of a frame
// comes next, and so many bytes are left; a negative number is all.
func (r *Reader) Continue(frame, bytes int64) {
	r.frames, r.rest, r.torn, r.err = frame, bytes, 0, nil
}

// Torn is how many bytes of a frame that is not whole were found at the end.
func (r *Reader) Torn() int { return r.torn }

// Missing is the number of requested bytes that the stream did not have, after its end.
func (r *Reader) Missing() int64 {
	if r.err == nil {
		return 0
	}
	return max(0, r.rest)
}

// Read fills dst with whole frames and gives how many. At the end it gives
// none and io.EOF.
func (r *Reader) Read(dst []float32) (int, error) { return read(r, dst) }

// Read64 is Read in double precision.
func (r *Reader) Read64(dst []float64) (int, error) { return read(r, dst) }

func read[T Sample](r *Reader, dst []T) (int, error) {
	channels, size := r.format.Channels, r.format.FrameBytes()
	want := len(dst) / channels
	if want == 0 {
		return 0, fmt.Errorf("pcm: read: room for %d samples, a frame has %d", len(dst), channels)
	}
	done := 0
	for done < want && r.err == nil {
		n := min(want-done, max(1, bufferBytes/size))
		raw := r.fill(n * size)
		frames := len(raw) / size
		Decode(dst[done*channels:(done+frames)*channels], raw, r.format.Encoding, r.format.BigEndian)
		done += frames
	}
	r.frames += int64(done)
	if done == 0 {
		return 0, r.err
	}
	return done, nil
}

// fill reads up to n bytes. Fewer mean that the stream has ended, and err says
// how.
func (r *Reader) fill(n int) []byte {
	if len(r.buffer) < n {
		r.buffer = make([]byte, n)
	}
	if r.rest >= 0 && int64(n) > r.rest {
		n = int(r.rest)
	}
	got, err := io.ReadFull(r.r, r.buffer[:n])
	if r.rest >= 0 {
		r.rest -= int64(got)
	}
	switch {
	case err == io.EOF || err == io.ErrUnexpectedEOF || err == nil && r.rest == 0:
		r.err = io.EOF
	case err != nil:
		r.err = fmt.Errorf("pcm: read: %w", err)
	}
	if r.err != nil {
		r.torn = got % r.format.FrameBytes()
	}
	return r.buffer[:got]
}
