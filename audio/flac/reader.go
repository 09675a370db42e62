package flac

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/mewkiz/flac"
	"github.com/mewkiz/flac/frame"

	"github.com/twiddle-go/twiddle/audio/internal/file"
)

// Header is what a file says about its samples.
type Header struct {
	Channels int
	Bits     int // of a sample
	Rate     float64
	Frames   int64 // or -1 if the file does not say
}

// Warning is what is wrong with a file that could be read all the same.
type Warning struct {
	Offset int64 // in the file
	Fact   string
}

func (w *Warning) Error() string { return fmt.Sprintf("flac: offset %d: %s", w.Offset, w.Fact) }

// Reader reads the frames of a file, from first to last or from where SeekFrame
// puts it. A frame is one sample of every channel; what FLAC calls a frame is a
// block here.
type Reader struct {
	header  Header
	in      *counter
	stream  *flac.Stream
	source  io.Reader // of blocks after a SeekFrame; nil before
	block   *frame.Frame
	used    int   // frames of the block that have been read
	decoded int64 // frames of all blocks so far
	warning error
	err     error
	closer  file.Closer
}

// counter knows how much has been read, for errors.
type counter struct {
	r     io.Reader
	bytes int64
}

func (c *counter) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.bytes += int64(n)
	return n, err
}

// NewReader reads the header.
func NewReader(r io.Reader) (*Reader, error) {
	f := &Reader{in: &counter{r: r}}
	err := guarded(func() (err error) {
		f.stream, err = flac.New(f.in)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("flac: header: in the first %d bytes: %w", f.in.bytes, ended(err))
	}
	i := f.stream.Info
	f.header = Header{Channels: int(i.NChannels), Bits: int(i.BitsPerSample), Rate: float64(i.SampleRate), Frames: int64(i.NSamples)}
	if i.NSamples == 0 {
		f.header.Frames = -1
	}
	return f, nil
}

// guarded runs a part of the decoder, which panics on some broken files.
func guarded(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("broken: %v", p)
		}
	}()
	return f()
}

// ended names the end of the file where there should be more.
func ended(err error) error {
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("the file ends: %w", io.ErrUnexpectedEOF)
	}
	return err
}

// Open reads the header of the named file.
func Open(name string) (*Reader, error) {
	r, closer, err := file.Open("flac", name, func(f *os.File) (*Reader, error) { return NewReader(f) })
	if err == nil {
		r.closer = closer
	}
	return r, err
}

// Close closes a file that Open opened.
func (r *Reader) Close() error { return r.closer.Close() }

// Header is what the file says.
func (r *Reader) Header() Header { return r.header }

// Warning is what was found wrong so far, or nil: a *Warning. A file that
// breaks off is read as far as it goes.
func (r *Reader) Warning() error { return r.warning }

// Read fills dst with whole frames, the samples of a frame beside one another,
// and gives how many. At the end it gives none and io.EOF.
func (r *Reader) Read(dst []float32) (int, error) { return read(r, dst) }

// Read64 is Read in double precision.
func (r *Reader) Read64(dst []float64) (int, error) { return read(r, dst) }

func read[T float32 | float64](r *Reader, dst []T) (int, error) {
	channels := r.header.Channels
	want := len(dst) / channels
	if want == 0 {
		return 0, fmt.Errorf("flac: read: room for %d samples, a frame has %d", len(dst), channels)
	}
	scale := T(1) / T(int64(1)<<(r.header.Bits-1))
	done := 0
	for done < want {
		if r.block == nil || r.used == len(r.block.Subframes[0].Samples) {
			if r.err == nil {
				r.next()
			}
			if r.err != nil {
				break
			}
		}
		n := min(want-done, len(r.block.Subframes[0].Samples)-r.used)
		for c, s := range r.block.Subframes {
			for i, v := range s.Samples[r.used : r.used+n] {
				dst[(done+i)*channels+c] = T(v) * scale
			}
		}
		done += n
		r.used += n
	}
	if done == 0 {
		return 0, r.err
	}
	return done, nil
}

// next decodes a block, or says why there is none. Of a file that ends in a
// block, or behind fewer frames than it promised, what came before is kept.
func (r *Reader) next() {
	r.used = 0
	err := guarded(func() (err error) {
		if r.source != nil {
			r.block, err = frame.Parse(r.source)
		} else {
			r.block, err = r.stream.ParseNext()
		}
		return err
	})
	if err == nil {
		if err = r.check(); err == nil {
			r.decoded += int64(len(r.block.Subframes[0].Samples))
			return
		}
	}
	r.block = nil
	switch {
	case err == io.EOF && (r.header.Frames < 0 || r.decoded >= r.header.Frames):
		r.err = io.EOF
	case err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF):
		r.err = io.EOF
		r.warning = &Warning{r.in.bytes, "truncated: the file ends in the middle of its samples"}
	default:
		r.err = fmt.Errorf("flac: read: near offset %d: %w", r.in.bytes, err)
	}
}

// check compares a block with the header, which it need not agree with.
func (r *Reader) check() error {
	if len(r.block.Subframes) != r.header.Channels {
		return fmt.Errorf("a block of %d channels in a file of %d", len(r.block.Subframes), r.header.Channels)
	}
	if bits := int(r.block.BitsPerSample); bits != 0 && bits != r.header.Bits {
		return fmt.Errorf("a block of %d bits in a file of %d", bits, r.header.Bits)
	}
	n := len(r.block.Subframes[0].Samples)
	for _, s := range r.block.Subframes {
		if len(s.Samples) != n {
			return fmt.Errorf("channels of %d and %d samples in a block", n, len(s.Samples))
		}
	}
	if n == 0 {
		return errors.New("a block without samples")
	}
	return nil
}
