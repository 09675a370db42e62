package pcm

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/twiddle-go/twiddle/internal/choice"
)

// Encoding is how one sample is stored.
type Encoding uint8

const (
	_     Encoding = iota
	Uint8          // silence is 128
	Int8
	Int16
	Int24 // in three bytes
	Int32
	Float32
	Float64
)

var (
	encodingNames = [...]string{"", "uint8", "int8", "int16", "int24", "int32", "float32", "float64"}
	encodingBytes = [...]int{0, 1, 1, 2, 3, 4, 4, 8}
)

func (e Encoding) valid() bool { return e > 0 && int(e) < len(encodingNames) }

func (e Encoding) String() string {
	if !e.valid() {
		return fmt.Sprintf("Encoding(%d)", uint8(e))
	}
	return encodingNames[e]
}

// Bytes is how many a sample takes.
func (e Encoding) Bytes() int {
	if !e.valid() {
		return 0
	}
	return encodingBytes[e]
}

// IsFloat reports whether samples are floats.
func (e Encoding) IsFloat() bool { return e == Float32 || e == Float64 }

// ParseEncoding is the encoding of a name.
func ParseEncoding(name string) (Encoding, error) {
	if i := slices.Index(encodingNames[1:], name); i >= 0 {
		return Encoding(i + 1), nil
	}
	return 0, fmt.Errorf("pcm: unknown encoding %q%s: want one of %s", name, choice.Hint(name, encodingNames[1:]), strings.Join(encodingNames[1:], ", "))
}

// MaxChannels is how many channels a frame may have: as many as a WAV file can
// say.
const MaxChannels = 1<<16 - 1

// Format is what the bytes of a stream mean.
type Format struct {
	Encoding  Encoding
	BigEndian bool
	Channels  int
	Rate      float64 // frames per second
}

// FrameBytes is how many a frame takes.
func (f Format) FrameBytes() int { return f.Channels * f.Encoding.Bytes() }

// Check reports what is wrong with a format.
func (f Format) Check() error {
	switch {
	case !f.Encoding.valid():
		return fmt.Errorf("pcm: format: %v is not an encoding", f.Encoding)
	case f.Channels < 1 || f.Channels > MaxChannels:
		return fmt.Errorf("pcm: format: %d channels: want 1 to %d", f.Channels, MaxChannels)
	case !(f.Rate > 0) || math.IsInf(f.Rate, 0):
		return fmt.Errorf("pcm: format: a rate of %g: want a positive number", f.Rate)
	}
	return nil
}
