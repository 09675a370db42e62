// Package blocks is what readers of compressed recordings have in common: a decoder
// gives blocks of samples as it likes, and callers read as many frames as they like.
package blocks

import (
	"errors"
	"fmt"
	"io"
)

// Decoder gives the next block of samples, whole frames with the samples of a frame
// beside one another, until io.EOF. The block is valid until the next call.
type Decoder func() ([]float32, error)

// Reader reads frames from a decoder. Decoders that panic on broken files, as those
// written for whole ones do, end with an error.
type Reader struct {
	Package  string // of errors
	Channels int
	Next     Decoder
	block    []float32 // the rest of it
	frames   int64     // read so far
	err      error
}

// Frames is how many have been read.
func (r *Reader) Frames() int64 { return r.frames }

// Read fills dst with frames, and gives how many.
func (r *Reader) Read(dst []float32) (int, error) { return read(r, dst) }

// Read64 is Read in double precision.
func (r *Reader) Read64(dst []float64) (int, error) { return read(r, dst) }

func read[T float32 | float64](r *Reader, dst []T) (int, error) {
	if r.Channels < 1 || r.Next == nil {
		return 0, errors.New("audio: read: no file has been opened")
	}
	want := len(dst) / r.Channels * r.Channels
	if want == 0 {
		return 0, fmt.Errorf("%s: read: room for %d samples, a frame has %d", r.Package, len(dst), r.Channels)
	}
	done := 0
	for done < want {
		if len(r.block) == 0 {
			if r.fill(); r.err != nil {
				break
			}
		}
		n := min(want-done, len(r.block))
		for i, v := range r.block[:n] {
			dst[done+i] = T(v)
		}
		r.block, done = r.block[n:], done+n
	}
	r.frames += int64(done / r.Channels)
	if done == 0 {
		return 0, r.err
	}
	return done / r.Channels, nil
}

// fill gets a block that is not empty, or sets the error.
func (r *Reader) fill() {
	for r.err == nil && len(r.block) == 0 {
		err := Guarded(func() (err error) {
			r.block, err = r.Next()
			return err
		})
		if err == io.EOF {
			r.err = io.EOF
		} else if err != nil {
			r.err = fmt.Errorf("%s: read: after frame %d: %w", r.Package, r.frames, err)
		}
		if len(r.block)%r.Channels != 0 {
			r.err = fmt.Errorf("%s: read: after frame %d: half a frame", r.Package, r.frames)
		}
		if r.err != nil {
			r.block = nil
		}
	}
}

// SeekTo makes a frame the next to be read, of a length or -1. It decodes what is before it,
// from the beginning of the source if it has passed it: begin starts the decoder there,
// and may replace the reader.
func (r *Reader) SeekTo(frame, length int64, source io.Reader, begin func() error) error {
	if frame < 0 || length >= 0 && frame > length {
		return fmt.Errorf("%s: seek: frame %d of %d", r.Package, frame, length)
	}
	if frame < r.frames {
		s, ok := source.(io.Seeker)
		if !ok {
			return fmt.Errorf("%s: seek: frame %d is behind frame %d of a pipe", r.Package, frame, r.frames)
		}
		name := r.Package
		_, err := s.Seek(0, io.SeekStart)
		if err == nil {
			err = begin()
		}
		if err != nil {
			return fmt.Errorf("%s: seek: %w", name, err)
		}
	}
	return r.skip(frame - r.frames)
}

// skip reads and drops frames, and ends at the end of the file.
func (r *Reader) skip(frames int64) error {
	room := make([]float32, 4096*max(r.Channels, 1))
	for frames > 0 {
		n, err := r.Read(room[:min(int64(len(room)), frames*int64(r.Channels))])
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		frames -= int64(n)
	}
	return nil
}

// Guarded runs a part of a decoder; a panic is an error.
func Guarded(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("broken: %v", p)
		}
	}()
	return f()
}
