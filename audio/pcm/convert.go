package pcm

import (
	"encoding/binary"
	"math"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
)

// Sample is a number that a sample becomes.
type Sample interface{ float32 | float64 }

// Decode fills dst with the samples at the start of src, which has at least
// len(dst) of them.
func Decode[T Sample](dst []T, src []byte, e Encoding, bigEndian bool) {
	if bigEndian && e.Bytes() > 1 {
		decodeBig(dst, src, e)
		return
	}
	switch e {
	case Uint8:
		for i, b := range src[:len(dst)] {
			dst[i] = T(int(b)-128) / (1 << 7)
		}
	case Int8:
		for i, b := range src[:len(dst)] {
			dst[i] = T(int8(b)) / (1 << 7)
		}
	case Int16:
		decode16(dst, src)
	case Int24:
		src = src[:3*len(dst)]
		for i := range dst {
			b := src[3*i : 3*i+3]
			dst[i] = T(int32(b[0])<<8|int32(b[1])<<16|int32(b[2])<<24) / (1 << 31)
		}
	case Int32:
		src = src[:4*len(dst)]
		for i := range dst {
			dst[i] = T(int32(binary.LittleEndian.Uint32(src[4*i:]))) / (1 << 31)
		}
	case Float32:
		decodeFloats(dst, src)
	case Float64:
		src = src[:8*len(dst)]
		for i := range dst {
			dst[i] = T(math.Float64frombits(binary.LittleEndian.Uint64(src[8*i:])))
		}
	}
}

// decode16 has a kernel where it can: most archives have samples of 16 bits, and
// one by one they took a third of the time of their spectra.
func decode16[T Sample](dst []T, src []byte) {
	src = src[:2*len(dst)]
	if same, ok := any(dst).([]float32); ok && littleEndian && len(dst) > 0 && uintptr(unsafe.Pointer(&src[0]))%2 == 0 {
		samples := unsafe.Slice((*int16)(unsafe.Pointer(&src[0])), len(dst))
		vec.For(simd.Active()).Convert.F32FromI16(same, samples, false)
		return
	}
	for i := range dst {
		dst[i] = T(int16(binary.LittleEndian.Uint16(src[2*i:]))) * (1.0 / (1 << 15))
	}
}

// littleEndian says that this machine has numbers in memory as files do.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// Memory is the bytes of samples if they are what a little-endian file of an
// encoding has, so that they can be read without a copy; else it is nil.
func Memory[T Sample](samples []T, e Encoding) []byte {
	same, ok := any(samples).([]float32)
	if !ok || e != Float32 || !littleEndian {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(same))), 4*len(same))
}

func decodeFloats[T Sample](dst []T, src []byte) {
	src = src[:4*len(dst)]
	if same := Memory(dst, Float32); same != nil {
		copy(same, src)
		return
	}
	for i := range dst {
		dst[i] = T(math.Float32frombits(binary.LittleEndian.Uint32(src[4*i:])))
	}
}

// decodeBig turns every sample around and decodes it as little-endian.
func decodeBig[T Sample](dst []T, src []byte, e Encoding) {
	size := e.Bytes()
	var turned [8]byte
	for i := range dst {
		for j := range size {
			turned[j] = src[(i+1)*size-1-j]
		}
		Decode(dst[i:i+1], turned[:size], e, false)
	}
}

// Encode fills dst with the samples of src, rounded to the nearest. Integers
// have no number for what is below -1 or not below 1: such samples are clipped
// and counted. NaN becomes silence and is counted too.
func Encode[T Sample](dst []byte, src []T, e Encoding, bigEndian bool) (clipped int) {
	switch e {
	case Float32:
		for i, v := range src {
			binary.LittleEndian.PutUint32(dst[4*i:], math.Float32bits(float32(v)))
		}
	case Float64:
		for i, v := range src {
			binary.LittleEndian.PutUint64(dst[8*i:], math.Float64bits(float64(v)))
		}
	default:
		clipped = encodeInts(dst, src, e)
	}
	if size := e.Bytes(); bigEndian && size > 1 {
		for at := 0; at < len(src)*size; at += size {
			for i, j := at, at+size-1; i < j; i, j = i+1, j-1 {
				dst[i], dst[j] = dst[j], dst[i]
			}
		}
	}
	return clipped
}

func encodeInts[T Sample](dst []byte, src []T, e Encoding) (clipped int) {
	size := e.Bytes()
	top := float64(int64(1) << (8*size - 1))
	offset := int64(0)
	if e == Uint8 {
		offset = 128
	}
	for i, v := range src {
		scaled := math.RoundToEven(float64(v) * top)
		switch {
		case scaled != scaled:
			scaled = 0
			clipped++
		case scaled < -top:
			scaled = -top
			clipped++
		case scaled > top-1:
			// Half a step above the top is still the top, rounded.
			if float64(v)*top >= top {
				clipped++
			}
			scaled = top - 1
		}
		u := uint64(int64(scaled) + offset)
		for j := range size {
			dst[size*i+j] = byte(u >> (8 * j))
		}
	}
	return clipped
}
