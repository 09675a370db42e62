package wav

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/twiddle-go/twiddle/audio/internal/file"
	"github.com/twiddle-go/twiddle/audio/pcm"
)

// Warning is what is wrong with a file that could be read all the same.
type Warning struct {
	Offset int64 // in the file
	Fact   string
}

func (w *Warning) Error() string { return fmt.Sprintf("wav: offset %d: %s", w.Offset, w.Fact) }

// Reader reads the frames of a file, from first to last or from where SeekFrame
// puts it.
type Reader struct {
	header  Header
	frames  int64
	samples *pcm.Reader
	source  io.Reader
	begin   int64 // of the file in source, if that can seek
	limit   int64 // bytes of samples; negative if that is not known
	skipped int64 // frames before those of samples
	warning error
	closer  file.Closer
}

// NewReader reads the header. If r can seek, a file that is too short is
// noticed here; otherwise at its end. Later only SeekFrame asks r to seek.
func NewReader(r io.Reader) (*Reader, error) {
	begin, total := extent(r)
	b := bufio.NewReader(r)
	p := parser{r: b}
	if err := p.parse(); err != nil {
		return nil, err
	}
	w := &Reader{header: p.Header, source: r, begin: begin}
	limit := p.DataBytes
	if total >= 0 {
		here := total - p.DataOffset
		switch {
		case p.unfinished() && here > 0:
			limit = here
			w.warn(p.DataOffset, "the sizes were never filled in: read to the end of the file")
		case limit < 0:
			limit = here
		case limit > here:
			w.warn(total, "truncated: %d of %d bytes of samples are there", here, limit)
			limit = here
		}
	} else if p.unfinished() {
		limit = -1
	}
	w.frames = -1
	if limit >= 0 {
		size := int64(p.FrameBytes())
		w.frames = limit / size
		if torn := limit % size; torn != 0 && w.warning == nil {
			w.warn(p.DataOffset+limit-torn, "the last frame has %d of %d bytes", torn, size)
		}
	}
	w.limit = limit
	samples, err := pcm.NewLimited(b, p.Format, limit)
	if err != nil {
		return nil, p.fail(p.DataOffset, "%w", err)
	}
	w.samples = samples
	return w, nil
}

// Open reads the header of the named file.
func Open(name string) (*Reader, error) {
	r, closer, err := file.Open("wav", name, func(f *os.File) (*Reader, error) { return NewReader(f) })
	if err == nil {
		r.closer = closer
	}
	return r, err
}

// Close closes a file that Open opened.
func (r *Reader) Close() error { return r.closer.Close() }

// Header is what the file says.
func (r *Reader) Header() Header { return r.header }

// Frames is how many there are, or -1 if that shows at the end only.
func (r *Reader) Frames() int64 { return r.frames }

// Warning is what was found wrong so far, or nil: a *Warning.
func (r *Reader) Warning() error { return r.warning }

func (r *Reader) warn(at int64, format string, args ...any) {
	r.warning = &Warning{at, fmt.Sprintf(format, args...)}
}

// ErrNoSeek is returned by SeekFrame for a stream that can only be read forward.
var ErrNoSeek = errors.New("the stream cannot seek")

// SeekFrame makes the given frame the next one to be read. Beyond the last frame
// there is nothing to read.
func (r *Reader) SeekFrame(frame int64) error {
	in, ok := r.source.(io.Seeker)
	if !ok || r.begin < 0 {
		return fmt.Errorf("wav: seek: %w", ErrNoSeek)
	}
	if frame < 0 || r.frames >= 0 && frame > r.frames {
		return fmt.Errorf("wav: seek: frame %d of %d", frame, r.frames)
	}
	skip := frame * int64(r.header.FrameBytes())
	if _, err := in.Seek(r.begin+r.header.DataOffset+skip, io.SeekStart); err != nil {
		return fmt.Errorf("wav: seek: frame %d: %w", frame, err)
	}
	limit := r.limit
	if limit >= 0 {
		limit -= skip
	}
	samples, err := pcm.NewLimited(r.source, r.header.Format, limit)
	if err != nil {
		return fmt.Errorf("wav: seek: %w", err)
	}
	r.samples, r.skipped = samples, frame
	return nil
}

// Read fills dst with whole frames of interleaved samples, and gives how many. At the end it
// gives none and io.EOF.
func (r *Reader) Read(dst []float32) (int, error) {
	n, err := r.samples.Read(dst)
	return n, r.ended(err)
}

// Read64 is Read in double precision, which integers of 32 bits and float64
// need.
func (r *Reader) Read64(dst []float64) (int, error) {
	n, err := r.samples.Read64(dst)
	return n, r.ended(err)
}

// ended says at the end of a stream what a file would have said before.
func (r *Reader) ended(err error) error {
	if err == nil || r.warning != nil {
		return err
	}
	end := r.header.DataOffset + (r.skipped+r.samples.Position())*int64(r.header.FrameBytes())
	if missing := r.samples.Missing(); missing > 0 {
		r.warn(end+int64(r.samples.Torn()), "truncated: %d bytes of samples are missing", missing)
	} else if torn := r.samples.Torn(); torn > 0 {
		r.warn(end, "the last frame has %d of %d bytes", torn, r.header.FrameBytes())
	}
	return err
}
