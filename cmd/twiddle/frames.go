package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unsafe"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/internal/hostmem"
	"github.com/twiddle-go/twiddle/nd"
)

// framePart is frames of a recording, up to end; the zero value is all.
type framePart struct{ first, end int64 }

func (p framePart) isAll() bool { return p.end == 0 }

// parseFrames takes FIRST:END.
func parseFrames(text string) (framePart, error) {
	if text == "" {
		return framePart{}, nil
	}
	a, b, ok := strings.Cut(text, ":")
	first, err1 := strconv.ParseInt(a, 10, 64)
	end, err2 := strconv.ParseInt(b, 10, 64)
	if !ok || errors.Join(err1, err2) != nil || first < 0 || end <= first {
		return framePart{}, usagef("--frames %q: want FIRST:END, such as 48000:96000", text)
	}
	return framePart{first, end}, nil
}

// of is the part of an array along its axis of time.
func (p framePart) of(x *nd.Array, axis nd.AxisChoice) (*nd.Array, error) {
	if p.isAll() {
		return x, nil
	}
	time, err := axis.Of(x)
	if err != nil {
		return nil, err
	}
	if n := int64(x.Dim(time)); p.end > n {
		return nil, usagef("--frames %d:%d: there are %d", p.first, p.end, n)
	}
	return x.SliceAxis(time, nd.Range{Start: int(p.first), Stop: int(p.end)}), nil
}

// read is the part of a recording, as audio.ReadAll gives all of one.
func (p framePart) read(f *audio.File) (*nd.Array, error) {
	if p.isAll() {
		return audio.ReadAll(f)
	}
	if f.Info.Frames >= 0 && p.end > f.Info.Frames {
		return nil, usagef("--frames %d:%d: there are %d", p.first, p.end, f.Info.Frames)
	}
	if err := f.SeekFrame(p.first); err != nil {
		return nil, err
	}
	if f.Info.Wide {
		return readFrames[float64](f, p)
	}
	return readFrames[float32](f, p)
}

func readFrames[T float32 | float64](f *audio.File, p framePart) (*nd.Array, error) {
	count := p.end - p.first
	size := int64(f.Info.Channels) * int64(unsafe.Sizeof(*new(T)))
	if count > math.MaxInt64/size {
		return nil, fmt.Errorf("--frames %d:%d: too many for any memory", p.first, p.end)
	}
	if err := hostmem.Check(count * size); err != nil {
		return nil, fmt.Errorf("--frames %d:%d: %w", p.first, p.end, err)
	}
	frames := make([]T, count*int64(f.Info.Channels))
	n, err := audio.ReadFull(f, frames)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if int64(n) < p.end-p.first {
		return nil, fmt.Errorf("--frames %d:%d: the recording ends at %d", p.first, p.end, p.first+int64(n))
	}
	return nd.From(frames, n, f.Info.Channels).Transpose(), nil
}
