package audio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/twiddle-go/twiddle/audio/npy"
	"github.com/twiddle-go/twiddle/audio/pcm"
	"github.com/twiddle-go/twiddle/audio/wav"
	"github.com/twiddle-go/twiddle/internal/replace"
	"github.com/twiddle-go/twiddle/nd"
)

// Load reads a whole recording as an array of shape (channels, frames). Info has its rate.
// For files larger than memory see Open and Chunks.
//
//	x, info, err := audio.Load[float32]("in.flac")
//
// Floats have a full scale of 1, and integers that of their type: Load[int16] of a 16-bit
// file returns the samples as they are stored; wider samples are rounded to the nearest
// and clipped. In an array file or a table, integers are the stored numbers.
func Load[T Sample](name string, opt ...Options) (*nd.Array, Info, error) {
	f, err := Open(name, opt...)
	if err != nil {
		return nil, Info{}, err
	}
	x, err := readSamples[T](f)
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

// Sample is an element type that recordings are loaded as.
type Sample interface {
	int8 | int16 | float32 | float64
}

// readSamples reads all of a recording as one of the sample types.
func readSamples[T Sample](f *File) (*nd.Array, error) {
	switch any(*new(T)).(type) {
	case int8:
		return readPCM[int8](f, math.MinInt8)
	case int16:
		return readPCM[int16](f, math.MinInt16)
	case float32:
		return readAll[float32](f)
	}
	return readAll[float64](f)
}

// readPCM reads all of a recording as integers, of which least is the smallest.
func readPCM[T int8 | int16](f *File, least float64) (*nd.Array, error) {
	scale := -least
	if f.Info.countsUnits() {
		scale = 1
	}
	if f.Info.Wide {
		return readAs(f, func(dst []T, src []float64) []T { return quantised(dst, src, scale, least) })
	}
	return readAs(f, func(dst []T, src []float32) []T { return quantised(dst, src, scale, least) })
}

// countsUnits reports samples that are read as the integers that are stored, and not
// as parts of a full scale: those of an array or a table.
func (i Info) countsUnits() bool {
	return i.Format == "CSV" || (i.Format == "NPY" || i.Format == "NPZ") && strings.Contains(i.Encoding, "int")
}

// quantised appends samples times a scale, rounded to the nearest and clipped; NaN is
// silence.
func quantised[T int8 | int16, R float32 | float64](dst []T, src []R, scale, least float64) []T {
	for _, v := range src {
		x := math.RoundToEven(float64(v) * scale)
		if x != x {
			x = 0
		}
		dst = append(dst, T(min(max(x, least), -least-1)))
	}
	return dst
}

// Save computes the array and writes it as a recording. An array of one axis is one
// channel; with two axes its shape is (channels, frames). The format follows from the
// name: .npy, or .wav, whose samples have the type of the array, so that nothing is
// rounded or clipped. Elements are floats with a full scale of 1, or Int8, Int16 or Int32
// with the full scale of their type. The file is written under a temporary name and then
// renamed, so it is never seen half written.
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
	case nd.Int8:
		encoding = pcm.Uint8 // what WAV has for 8 bits
	case nd.Int16:
		encoding = pcm.Int16
	case nd.Int32:
		encoding = pcm.Int32
	default:
		return fmt.Errorf("audio: save: samples are %s: want floats, or int8, int16 or int32", x.DType())
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
	if t := x.DType(); t.IsInteger() {
		frames = frames.Cast(nd.Float64).MulScalar(1 / math.Exp2(float64(8*t.Size()-1)))
	}
	if frames.DType() == nd.Float64 {
		err = nd.Look(ctx, frames, w.Write64)
	} else {
		err = nd.Look(ctx, frames, w.Write)
	}
	return errors.Join(err, w.Close())
}

func saveNPY(ctx context.Context, file io.Writer, x *nd.Array) error {
	a, err := npy.FromArray(ctx, x)
	if err != nil {
		return err
	}
	return npy.Write(file, a)
}
