package audio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/twiddle-go/twiddle/audio/npy"
	"github.com/twiddle-go/twiddle/audio/pcm"
	"github.com/twiddle-go/twiddle/audio/wav"
	"github.com/twiddle-go/twiddle/internal/replace"
	"github.com/twiddle-go/twiddle/nd"
)

// Load reads a whole recording as an array of shape (channels, frames). Info has
// its rate. For files larger than memory see Open and Chunks.
//
//	x, info, err := audio.Load[float32]("in.flac")
func Load[T float32 | float64](name string, opt ...Options) (*nd.Array, Info, error) {
	f, err := Open(name, opt...)
	if err != nil {
		return nil, Info{}, err
	}
	x, err := readAll[T](f)
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return nil, Info{}, err
	}
	info := f.Info
	info.Frames = int64(x.Dim(1))
	return x, info, nil
}

// Save computes the array and writes it as a recording: of one axis, a channel;
// of two, (channels, frames). The name says the format: .wav, whose samples are
// floats as the array's, so that none is rounded or clipped, or .npy. The file is
// written beside its place and then put there, so that no half of it is ever seen.
func Save(ctx context.Context, name string, rate float64, x *nd.Array) (err error) {
	if err := x.Err(); err != nil {
		return err
	}
	if n := x.NDim(); n != 1 && n != 2 {
		return fmt.Errorf("audio: save: shape %v: want one axis, or channels and frames", x.Shape())
	}
	if x.NDim() == 1 {
		x = x.ExpandDims(0)
	}
	encoding := pcm.Float32
	switch x.DType() {
	case nd.Float64:
		encoding = pcm.Float64
	case nd.Float32, nd.Float16, nd.BFloat16:
		x = x.Cast(nd.Float32)
	default:
		return fmt.Errorf("audio: save: samples are %s: want floats", x.DType())
	}
	var write func(*os.File) error
	switch ext := strings.ToLower(filepath.Ext(name)); ext {
	case ".wav":
		f := pcm.Format{Encoding: encoding, Channels: x.Dim(0), Rate: rate}
		write = func(file *os.File) error { return saveWAV(ctx, file, f, x) }
	case ".npy":
		write = func(file *os.File) error { return saveNPY(ctx, file, x) }
	default:
		return fmt.Errorf("audio: save: %q: want a name that ends in .wav or .npy", name)
	}
	if err := replace.File(name, write); err != nil {
		return fmt.Errorf("audio: save: %w", err)
	}
	return nil
}

func saveWAV(ctx context.Context, file io.Writer, f pcm.Format, x *nd.Array) error {
	w, err := wav.NewWriter(file, f)
	if err != nil {
		return err
	}
	frames := x.Transpose() // samples of a frame beside one another
	if f.Encoding == pcm.Float64 {
		err = nd.Look(ctx, frames, w.Write64)
	} else {
		err = nd.Look(ctx, frames, w.Write)
	}
	return errors.Join(err, w.Close())
}

func saveNPY(ctx context.Context, file io.Writer, x *nd.Array) error {
	if x.DType() == nd.Float64 {
		return writeNPY[float64](ctx, file, x)
	}
	return writeNPY[float32](ctx, file, x)
}

func writeNPY[T float32 | float64](ctx context.Context, file io.Writer, x *nd.Array) error {
	return nd.Look(ctx, x, func(samples []T) error {
		a, err := npy.From(samples, x.Shape()...)
		if err != nil {
			return err
		}
		return npy.Write(file, a)
	})
}
