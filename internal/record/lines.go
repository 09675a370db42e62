package main

import (
	"fmt"
	"math/rand/v2"

	"github.com/twiddle-go/twiddle/nd"
)

// randomLines has pipelines over lines whose stages are drawn by chance: what
// programs of lines are made of, in orders that nobody thought of.
func (r *recorder) randomLines() []testcase {
	var cases []testcase
	for seed := range uint64(200) {
		cases = append(cases, lazy(fmt.Sprintf("lines/%d", seed), func() []*nd.Array {
			return (&lineMaker{r, rand.New(rand.NewPCG(seed, 23))}).make(seed)
		}))
	}
	return cases
}

type lineMaker struct {
	*recorder
	source *rand.Rand
}

var lineLengths = []int{8, 12, 16, 20, 32, 48, 64, 96, 100, 127, 128, 200, 256, 300, 512, 1000, 1024, 2048}

func (m *lineMaker) make(seed uint64) []*nd.Array {
	n := lineLengths[m.source.IntN(len(lineLengths))]
	x := m.floats(1000+seed, 1+m.source.IntN(3), n+m.source.IntN(4)*n/2)
	line, inputs := x, []*nd.Array{x}
	switch hop := 1 + m.source.IntN(n); m.source.IntN(3) {
	case 0:
		line = line.PadAxis(-1, nd.Margin{Before: n / 2, After: n / 2}, nd.Pad{Mode: nd.PadReflect}).Frames(n, hop)
	case 1:
		line = line.Frames(n, hop)
	}
	if m.source.IntN(2) == 0 {
		window := m.floats(2000+seed, line.Dim(-1))
		line, inputs = line.Mul(window), append(inputs, window)
	}
	for range 2 + m.source.IntN(5) {
		line = m.stage(line, &inputs)
	}
	out := []*nd.Array{line}
	switch m.source.IntN(5) {
	case 0:
		out[0] = line.Abs().Sum(-1)
	case 1:
		out[0] = line.AbsSquared().Mean(-2)
	case 2:
		values, places := line.Abs().TopK(min(5, line.Dim(-1)), -1)
		out = []*nd.Array{values, places}
	case 3:
		out = append(out, line.Abs().Max(-1))
	}
	if m.source.IntN(2) == 0 && len(out) == 1 {
		return withGradients(out[0], inputs...)
	}
	return out
}

// stage adds one stage.
func (m *lineMaker) stage(line *nd.Array, inputs *[]*nd.Array) *nd.Array {
	n, isComplex := line.Dim(-1), line.DType().IsComplex()
	operand := func() *nd.Array {
		a := m.floats(m.source.Uint64N(1<<30), n)
		*inputs = append(*inputs, a)
		if isComplex {
			return nd.Complex(a, a.Flip(0))
		}
		return a
	}
	switch m.source.IntN(11) {
	case 0, 1:
		if isComplex {
			return line.IRFFT(nd.FFT{N: 2*(n-1) + 1 - m.source.IntN(2)*min(1, n-1)})
		}
		return line.RFFT()
	case 2:
		return line.FFT()
	case 3:
		return line.IFFT()
	case 4:
		return line.Mul(operand())
	case 5:
		return line.Mul(operand()).Add(line.Mul(operand()))
	case 6:
		return line.SliceAxis(-1, nd.Range{Start: n / 4, Stop: n - n/8})
	case 7:
		return line.PadAxis(-1, nd.Margin{After: n}, nd.Pad{})
	case 8:
		return line.Sub(line.Mean(-1).ExpandDims(-1))
	case 9:
		return line.Abs().AddScalar(0.5).Log()
	default:
		return line.Abs().CumSum(-1)
	}
}
