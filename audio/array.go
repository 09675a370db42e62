package audio

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/twiddle-go/twiddle/audio/npy"
	"github.com/twiddle-go/twiddle/audio/npz"
	"github.com/twiddle-go/twiddle/audio/pcm"
	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/nd"
)

// arrayReader reads frames of an array of numbers, which stay as they are.
type arrayReader struct {
	header   npy.Header
	encoding npy.DType // as it is stored: complex numbers are read as their parts
	channels int
	frames   int64
	at       int64
	// lanes give the elements: one for all channels, which then lie beside
	// one another, or one for each.
	lanes  []io.Reader
	buffer []byte
	closer io.Closer
	// seek moves the lanes to a frame.
	seek func(frame int64) error
}

// maxLanes is how many channels of a packed array are unpacked side by side:
// each takes some 40 KB, and a pass of its own over the archive.
const maxLanes = 64

// crowd is how many channels a recording has before an array with even fewer
// frames is taken for one whose axes are the other way around.
const crowd = 32

func openNPY(r io.Reader, in *os.File, o Options) (*File, error) {
	h, err := npy.ReadHeader(r)
	if err != nil {
		return nil, err
	}
	a, planar, err := newArrayReader(h, o)
	if err != nil {
		return nil, err
	}
	a.closer = in
	a.lanes = []io.Reader{r}
	size := int64(a.header.DType.Size())
	start, err := in.Seek(0, io.SeekCurrent)
	a.seek = func(frame int64) error {
		if err != nil { // a pipe: forward
			_, err := io.CopyN(io.Discard, r, max(0, frame-a.at)*int64(a.channels)*size)
			return err
		}
		_, err := in.Seek(start+frame*int64(a.channels)*size, io.SeekStart)
		return err
	}
	if planar {
		if err != nil {
			return nil, fmt.Errorf("audio: channels that follow one another cannot be read from a pipe: %w", err)
		}
		line := a.frames * size
		a.lanes = make([]io.Reader, a.channels)
		a.seek = func(frame int64) error {
			for c := range a.lanes {
				a.lanes[c] = io.NewSectionReader(in, start+int64(c)*line+frame*size, line-frame*size)
			}
			return nil
		}
		if err := a.seek(0); err != nil {
			return nil, err
		}
	}
	return a.file("NPY"), nil
}

func openNPZ(in *os.File, o Options) (*File, error) {
	info, err := in.Stat()
	if err != nil {
		return nil, fmt.Errorf("audio: %w", err)
	}
	archive, err := npz.NewArchive(in, info.Size())
	if err != nil {
		return nil, err
	}
	name := o.Array
	if name == "" {
		if len(archive.Names()) > 1 {
			return nil, fmt.Errorf("audio: %d arrays: name one of them as Array: %s", len(archive.Names()), strings.Join(archive.Names(), ", "))
		}
		name = archive.Names()[0]
	}
	h, first, err := archive.Stream(name)
	if err != nil {
		return nil, err
	}
	a, planar, err := newArrayReader(h, o)
	if err != nil {
		return nil, errors.Join(err, first.Close())
	}
	opened := closers{first}
	a.lanes = []io.Reader{first}
	if planar && a.channels > maxLanes {
		err = fmt.Errorf("audio: %d channels that follow one another in an archive: at most %d are read", a.channels, maxLanes)
	}
	for c := 1; err == nil && planar && c < a.channels; c++ {
		var lane io.ReadCloser
		if _, lane, err = archive.Stream(name); err == nil {
			opened = append(opened, lane)
			a.lanes = append(a.lanes, lane)
			_, err = io.CopyN(io.Discard, lane, int64(c)*a.frames*int64(a.header.DType.Size()))
		}
	}
	if err != nil {
		return nil, errors.Join(err, opened.Close())
	}
	a.closer = append(opened, in)
	size := int64(a.header.DType.Size())
	a.seek = func(frame int64) error {
		if frame < a.at { // packed arrays are read from the beginning only
			again := closers{}
			for c := range a.lanes {
				_, lane, err := archive.Stream(name)
				if err != nil {
					return errors.Join(err, again.Close())
				}
				again = append(again, lane)
				if _, err := io.CopyN(io.Discard, lane, int64(c)*a.frames*size); err != nil {
					return errors.Join(err, again.Close())
				}
			}
			for c := range a.lanes {
				a.lanes[c] = again[c].(io.Reader)
			}
			before := opened
			opened, a.at, a.closer = again, 0, append(again, in)
			if err := before.Close(); err != nil {
				return err
			}
		}
		for _, lane := range a.lanes {
			if _, err := io.CopyN(io.Discard, lane, (frame-a.at)*int64(a.channels/len(a.lanes))*size); err != nil {
				return err
			}
		}
		return nil
	}
	return a.file("NPZ"), nil
}

// closers are closed together.
type closers []io.Closer

func (c closers) Close() error {
	var errs []error
	for _, one := range c {
		errs = append(errs, one.Close())
	}
	return errors.Join(errs...)
}

// newArrayReader says how frames lie in an array: planar if channels follow one
// another.
func newArrayReader(h npy.Header, o Options) (a *arrayReader, planar bool, err error) {
	encoding, axis := h.DType, o.Axis
	if h.DType.IsComplex() {
		if h, axis, err = parts(h, o); err != nil {
			return nil, false, err
		}
	}
	dims := len(h.Shape)
	if dims != 1 && dims != 2 {
		return nil, false, fmt.Errorf("audio: an array of shape %v: want one axis, or one for channels and one for time", h.Shape)
	}
	shape := nd.Zeros(nd.Bool, h.Shape...) // lazy: only its shape is asked
	time, err := axis.Of(shape)
	if err != nil {
		return nil, false, fmt.Errorf("audio: %w", err)
	}
	a = &arrayReader{header: h, encoding: encoding, channels: 1, frames: int64(h.Shape[time])}
	if dims == 2 {
		a.channels = h.Shape[1-time]
		planar = (time == 1) != h.Fortran
	}
	switch {
	case a.channels == 0:
		return nil, false, fmt.Errorf("audio: an array of shape %v has no channels", h.Shape)
	case a.channels > pcm.MaxChannels || a.channels > crowd && int64(a.channels) > a.frames:
		return nil, false, fmt.Errorf("audio: an array of shape %v has %s of %s: does time run along axis %d?", h.Shape, counted.Of(a.channels, "channel"), counted.Of(a.frames, "frame"), 1-time)
	}
	return a, planar, nil
}

// parts is the header of a line of complex numbers as what it is in memory too: frames of
// two channels.
func parts(h npy.Header, o Options) (npy.Header, nd.AxisChoice, error) {
	switch {
	case !o.IQ:
		return h, o.Axis, fmt.Errorf("audio: an array of %v: want real samples, or Options.IQ", h.DType)
	case len(h.Shape) != 1:
		return h, o.Axis, fmt.Errorf("audio: an array of %v of shape %v: want one axis, of samples I + jQ", h.DType, h.Shape)
	}
	h.DType = map[npy.DType]npy.DType{npy.Complex64: npy.Float32, npy.Complex128: npy.Float64}[h.DType]
	h.Shape, h.Fortran = []int{h.Shape[0], 2}, false
	return h, nd.Axis(0), nil
}

func (a *arrayReader) file(format string) *File {
	return &File{Reader: a, Info: Info{Format: format, Encoding: a.encoding.String(), Channels: a.channels, Frames: a.frames,
		Wide: a.header.DType.Size() > 2 && a.header.DType != npy.Float32}}
}

// Warning is nil: an array that is cut short is an error.
func (a *arrayReader) Warning() error { return nil }

func (a *arrayReader) Close() error { return a.closer.Close() }

func (a *arrayReader) Read(dst []float32) (int, error) { return readArray(a, dst) }

func (a *arrayReader) Read64(dst []float64) (int, error) { return readArray(a, dst) }

// SeekFrame makes a frame the next to be read.
func (a *arrayReader) SeekFrame(frame int64) error {
	if frame < 0 || frame > a.frames {
		return fmt.Errorf("audio: seek: frame %d of %d", frame, a.frames)
	}
	if err := a.seek(frame); err != nil {
		return fmt.Errorf("audio: seek: frame %d: %w", frame, err)
	}
	a.at = frame
	return nil
}

// arrayBuffer is how many elements are read at once.
const arrayBuffer = 1 << 14

func readArray[T float32 | float64](a *arrayReader, dst []T) (int, error) {
	want := int64(len(dst) / a.channels)
	if want == 0 {
		return 0, fmt.Errorf("audio: read: room for %d samples, a frame has %d", len(dst), a.channels)
	}
	if want = min(want, a.frames-a.at); want == 0 {
		return 0, io.EOF
	}
	// Beside one another, channels are frames of one lane.
	step := len(a.lanes)
	perLane := int(want) * a.channels / step
	for lane, r := range a.lanes {
		for done := 0; done < perLane; {
			n := min(perLane-done, arrayBuffer)
			values := dst[done : done+n]
			if step > 1 {
				values = make([]T, n)
			}
			if err := readElements(a, r, values); err != nil {
				return 0, fmt.Errorf("audio: read: frame %d of %d: %w", a.at+int64(done*step/a.channels), a.frames, err)
			}
			if step > 1 {
				for i, v := range values {
					dst[(done+i)*step+lane] = v
				}
			}
			done += n
		}
	}
	a.at += want
	return int(want), nil
}

// readElements converts the next elements of a lane.
func readElements[T float32 | float64](a *arrayReader, r io.Reader, dst []T) error {
	size := len(dst) * a.header.DType.Size()
	raw := []byte(nil)
	if a.header.DType == npy.Float32 && !a.header.BigEndian {
		raw = pcm.Memory(dst, pcm.Float32)
	}
	inPlace := raw != nil
	if !inPlace {
		if len(a.buffer) < size {
			a.buffer = make([]byte, size)
		}
		raw = a.buffer[:size]
	}
	if _, err := io.ReadFull(r, raw); err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	if inPlace {
		return nil
	}
	switch a.header.DType {
	case npy.Float32:
		pcm.Decode(dst, raw, pcm.Float32, a.header.BigEndian)
	case npy.Float64:
		pcm.Decode(dst, raw, pcm.Float64, a.header.BigEndian)
	default:
		h := npy.Header{DType: a.header.DType, BigEndian: a.header.BigEndian, Shape: []int{len(dst)}}
		values, err := npy.As[T](&npy.Array{Header: h, Data: raw})
		if err != nil {
			return err
		}
		copy(dst, values)
	}
	return nil
}
