package signal

import (
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// checkPhases is for a ratio of which the filter in phases can be made, and lines whose results
// can be counted.
func checkPhases(n, up, down int) error {
	if n > math.MaxInt/4/up {
		return fact("%d samples by Up %d: too many to count", n, up)
	}
	return checkSize("Up by Down", up, down) // the filter has as many
}

// polyphase gives count outputs: output m is the sum over j of
// x[j] h[offset + m*down - j*up].
//
// up outputs read one stretch of x, the next up one that is down samples later, so
// that all of it is one product of stretches with a matrix. A stretch serves
// several times as many outputs where up is small: its matrix has more zeros in it
// then, but stretches overlap less, and a product with few columns is slow. Where up
// is large, some of its outputs read a part of the stretch: parts are products of
// their own, with fewer zeros.
//
// Zeros of the matrix times NaN are NaN, so that a NaN reaches all outputs of a stretch, where
// SciPy's loop over taps reaches only its own. To find which outputs are their neighbours' would
// take a pass over the samples and one over the outputs, as long as a short filter takes.
func polyphase[T float64 | complex128](x *nd.Array, h []T, up, down, offset, count int, how Extension) (*nd.Array, error) {
	n := x.Dim(-1)
	before := (len(h) - 1 - offset) / up
	last := func(m int) int { return (offset + m*down) / up } // the last sample that output m reads
	columns := up
	for next := columns + up; next <= wideProduct && phaseCost(next, before+last(next-1)+1) < phaseCost(columns, before+last(columns-1)+1); next += up {
		columns = next
	}
	columns = min(columns, (count+up-1)/up*up)
	width, step, size := columns, 0, before+last(columns-1)+1
	for c := wideProduct; 2*c >= wideProduct; c-- { // of a stretch, the part that c outputs read
		if columns%c != 0 || c == columns || c*down < up {
			continue
		}
		along, reach := c*down/up, 0
		for from := 0; from < columns; from += c {
			reach = max(reach, last(from+c-1)-from/c*along)
		}
		if part := before + reach + 1; phaseCost(c, part) < phaseCost(width, size) {
			width, step, size = c, along, part
		}
	}
	matrix := make([]T, size*columns)
	for m := range columns {
		of := m / width
		for j := range size {
			if k := offset + m*down - (j+of*step-before)*up; k >= 0 && k < len(h) {
				matrix[(of*size+j)*width+m%width] = h[k]
			}
		}
	}
	blocks := (count + columns - 1) / columns
	hop := columns / up * down
	stretch := size + (columns/width-1)*step
	need := (blocks-1)*hop + stretch
	// Outputs beyond count are dropped, whatever they read.
	reached := max(0, last(count-1)+1-n)
	padded, err := how.extend(x, nd.Margin{Before: before, After: reached})
	if err != nil {
		return nil, err
	}
	if rest := need - before - n - reached; rest > 0 {
		padded = padded.PadAxis(-1, nd.Margin{After: rest}, nd.Pad{})
	}
	y := padded.SliceAxis(-1, nd.Range{Stop: need}).Frames(stretch, hop)
	if width == columns {
		y = y.MatMul(numbers(matrix, x, size, columns))
	} else {
		y = y.Frames(size, step).SwapAxes(-3, -2).MatMul(numbers(matrix, x, columns/width, size, width)).SwapAxes(-3, -2)
	}
	lead := x.Shape()[:x.NDim()-1]
	return y.Reshape(append(lead, blocks*columns)...).SliceAxis(-1, nd.Range{Stop: count}), nil
}

// wideProduct is how many columns a matrix product needs at most to be as fast as
// with more of them.
const wideProduct = 64

// phaseCost is the time of one output: the samples of a stretch, and what it takes
// to collect them, which is shared by its outputs.
func phaseCost(columns, size int) float64 {
	const collect = 16 // products that take as long as copying a sample: measured
	return float64(size) * (1 + collect/float64(columns))
}

// numbers is constant or complexConstant.
func numbers[T float64 | complex128](values []T, like *nd.Array, shape ...int) *nd.Array {
	if v, ok := any(values).([]float64); ok {
		return constant(v, like, shape...)
	}
	return complexConstant(any(values).([]complex128), like, shape...)
}
