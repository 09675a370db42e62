package audio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/hostmem"
	"github.com/twiddle-go/twiddle/nd"
)

// Chunks yields the rest of a recording as arrays of shape (channels, frames), the input
// of the streaming functions of package signal. Each has the given number of frames except
// the last; chunks of more than 4 million samples are made shorter. The first error ends
// the sequence.
func Chunks[T float32 | float64](f *File, frames int) iter.Seq2[*nd.Array, error] {
	return chunks(f, frames, func(n int) ([]T, error) { return make([]T, n), nil }, func(lines []T, channels, frames int) (*nd.Array, error) {
		return nd.From(lines, channels, frames), nil
	})
}

// ChunksOn is Chunks on a stream of a device. For a GPU the samples are put into pinned
// memory (nd.Pinned), which the driver copies directly: the copy takes no core and
// overlaps with the work on earlier chunks. With nd.Prefetch reading the file overlaps,
// too.
func ChunksOn[T float32 | float64](ctx context.Context, s *nd.Stream, f *File, frames int) iter.Seq2[*nd.Array, error] {
	room := func(n int) ([]T, error) {
		if s == nil {
			return nil, errors.New("audio: chunks: the stream is nil")
		}
		return nd.Pinned[T](s.Device(), n)
	}
	return chunks(f, frames, room, func(lines []T, channels, frames int) (*nd.Array, error) {
		return nd.Upload(ctx, s, lines, channels, frames) // which has read them when it returns
	})
}

// chunks makes arrays of samples in the order of channels, for which there is room.
func chunks[T float32 | float64](f *File, frames int, room func(n int) ([]T, error), array func(lines []T, channels, frames int) (*nd.Array, error)) iter.Seq2[*nd.Array, error] {
	return func(yield func(*nd.Array, error) bool) {
		if frames < 1 {
			yield(nil, fmt.Errorf("audio: chunks of %d frames: want 1 or more", frames))
			return
		}
		read := newRoom[T](f, frames)
		lines, err := room(len(read))
		if err != nil {
			yield(nil, err)
			return
		}
		channels := f.Info.Channels
		for {
			n, err := ReadFull(f, read)
			if n > 0 {
				planar(lines, read[:n*channels], channels)
				x, failed := array(lines[:n*channels], channels, n)
				if !yield(x, failed) || failed != nil {
					return
				}
			}
			if err == io.EOF {
				return
			}
			if err != nil {
				yield(nil, fmt.Errorf("%w (%s)", err, f.name))
				return
			}
		}
	}
}

// maxRoom is how many samples are read at once: headers promise any number of
// channels.
const maxRoom = 1 << 22

// newRoom is room for frames, fewer if the recording has not as many.
func newRoom[T any](f *File, frames int) []T {
	if known := f.Info.Frames; known >= 0 && int64(frames) > known {
		frames = int(known)
	}
	return make([]T, max(1, min(frames, maxRoom/f.Info.Channels))*f.Info.Channels)
}

// ReadFull reads until dst is full of frames or the recording ends, which
// io.EOF says along with the frames before it.
func ReadFull[T float32 | float64](f *File, dst []T) (frames int, err error) {
	channels := f.Info.Channels
	for err == nil && frames*channels < len(dst) {
		var n int
		switch room := any(dst[frames*channels:]).(type) {
		case []float32:
			n, err = f.Read(room)
		case []float64:
			n, err = f.Read64(room)
		}
		frames += n
	}
	return frames, err
}

// planar puts the samples of each channel together.
func planar[T any](dst, frames []T, channels int) {
	n := len(frames) / channels
	for c := range channels {
		line := dst[c*n : (c+1)*n]
		for i := range line {
			line[i] = frames[i*channels+c]
		}
	}
}

// ReadAll reads the rest of a recording as an array of shape (channels, frames): float64
// if the samples need it, else float32. Memory is allocated as samples arrive.
func ReadAll(f *File) (*nd.Array, error) {
	if f.Info.Wide {
		return readAll[float64](f)
	}
	return readAll[float32](f)
}

// readAll reads floats and keeps them as they are.
func readAll[T float32 | float64](f *File) (*nd.Array, error) {
	return readAs(f, func(dst, src []T) []T { return append(dst, src...) })
}

// readAs reads floats to the end and keeps what the function appends for them.
func readAs[T nd.Element, R float32 | float64](f *File, keep func(dst []T, src []R) []T) (*nd.Array, error) {
	var all []T
	room := newRoom[R](f, 1<<16)
	for {
		n, err := ReadFull(f, room)
		all = keep(all, room[:n*f.Info.Channels])
		// Once more in the order of channels, and in what is computed.
		if err := hostmem.Check(2 * int64(len(all)) * int64(unsafe.Sizeof(*new(T)))); err != nil && len(all) > maxRoom {
			return nil, fmt.Errorf("audio: %w; for large recordings see Open and Chunks (%s)", err, f.name)
		}
		if err == io.EOF {
			lines := make([]T, len(all))
			planar(lines, all, f.Info.Channels)
			return nd.From(lines, f.Info.Channels, len(all)/f.Info.Channels), nil
		}
		if err != nil {
			return nil, fmt.Errorf("%w (%s)", err, f.name)
		}
	}
}
