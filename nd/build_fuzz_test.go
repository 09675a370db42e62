package nd

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/nd/internal/graph"
)

// script reads operations and their arguments from fuzzed bytes.
type script []byte

func (s *script) byte() byte {
	if len(*s) == 0 {
		return 0
	}
	b := (*s)[0]
	*s = (*s)[1:]
	return b
}

// int is mostly small, sometimes extreme.
func (s *script) int() int {
	b := s.byte()
	switch {
	case b < 200:
		return int(b%16) - 4
	case b < 220:
		return math.MaxInt - int(b-200)
	case b < 240:
		return math.MinInt + int(b-220)
	}
	var word [8]byte
	for i := range word {
		word[i] = s.byte()
	}
	return int(binary.LittleEndian.Uint64(word[:]))
}

func (s *script) ints() []int {
	out := make([]int, s.byte()%5)
	for i := range out {
		out[i] = s.int()
	}
	return out
}

func (s *script) dtype() DType { return DType(s.byte() % 13) }

func (s *script) span() Range { return Range{s.int(), s.int(), s.int()} }

func (s *script) pad() Pad { return Pad{Mode: PadMode(s.byte() % 5)} }

func (s *script) fft() FFT {
	return FFT{N: s.int(), Axis: AxisChoice{s.byte()%2 == 0, s.int()}, Norm: Norm(s.byte() % 4)}
}

// step applies one operation to some of the arrays made so far.
func (s *script) step(have []*Array) *Array {
	pick := func() *Array { return have[int(s.byte())%len(have)] }
	a := pick()
	switch s.byte() % 36 {
	case 0:
		return Zeros(s.dtype(), s.ints()...)
	case 1:
		return a.Add(pick())
	case 2:
		return a.MulScalar(s.int())
	case 3:
		return a.Exp()
	case 4:
		return a.Cast(s.dtype())
	case 5:
		return a.BitCast(s.dtype())
	case 6:
		return Where(pick(), a, pick())
	case 7:
		return a.Reshape(s.ints()...)
	case 8:
		return a.Transpose(s.ints()...)
	case 9:
		return a.BroadcastTo(s.ints()...)
	case 10:
		return a.Squeeze(s.ints()...)
	case 11:
		return a.ExpandDims(s.ints()...)
	case 12:
		return a.Frames(s.int(), s.int(), s.int())
	case 13:
		return a.Slice(s.span(), s.span())
	case 14:
		return a.SliceAxis(s.int(), s.span())
	case 15:
		return a.At(s.ints()...)
	case 16:
		return a.Flip(s.ints()...)
	case 17:
		return a.Roll(s.int(), s.int())
	case 18:
		return a.Tile(s.ints()...)
	case 19:
		return a.Repeat(s.int(), s.int())
	case 20:
		return a.PadAxis(s.int(), Margin{s.int(), s.int()}, s.pad())
	case 21:
		return Concat(s.int(), a, pick(), pick())
	case 22:
		return Stack(s.int(), a, pick())
	case 23:
		parts := Split(a, s.int(), s.int())
		return parts[int(s.byte())%len(parts)]
	case 24:
		return a.Take(pick(), s.int())
	case 25:
		return a.Gather(pick(), s.int())
	case 26:
		return a.ScatterAdd(pick(), pick(), s.int())
	case 27:
		return a.Sum(s.ints()...)
	case 28:
		return a.ArgMax(s.ints()...)
	case 29:
		return a.Var(s.ints()...)
	case 30:
		return a.CumSum(s.int())
	case 31:
		v, _ := a.TopK(s.int(), s.int())
		return v
	case 32:
		return a.MatMul(pick())
	case 33:
		return a.FFT(s.fft())
	case 34:
		return a.IRFFT(s.fft())
	}
	return a.RFFTN(FFTN{Shape: s.ints(), Axes: s.ints(), Norm: Norm(s.byte() % 4)})
}

// FuzzBuild builds graphs from wild arguments: nothing panics, and whatever
// was accepted keeps every rule.
func FuzzBuild(f *testing.F) {
	f.Add([]byte("0123456789"))
	f.Add([]byte{0, 13, 5, 6, 7, 8, 9, 10, 1, 20, 4, 5, 5, 2})
	for op := range byte(36) {
		f.Add([]byte{1, op, 5, 5, 5, 5, 5, 5, 5, 0, 33, 4, 4, 4})
		f.Add([]byte{2, op, 201, 221, 240, 1, 2, 3, 4, 5, 6, 7, 8})
	}
	f.Fuzz(func(t *testing.T, program []byte) {
		s := script(program)
		have := []*Array{
			Zeros(Float32, 3, 4), Zeros(Complex64, 5), Zeros(Int64, 3), Zeros(Bool, 3, 1), Zeros(Float64), Zeros(Float32, 0, 2),
		}
		for range 12 {
			if len(s) == 0 {
				return
			}
			a := s.step(have)
			if a.Err() != nil {
				continue
			}
			if err := graph.Verify(a.node); err != nil {
				t.Fatal(err)
			}
			have = append(have, a)
		}
	})
}
