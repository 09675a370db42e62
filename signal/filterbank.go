package signal

import "github.com/twiddle-go/twiddle/nd"

// filterBank is weights that make bands of the bins of spectra. A loop uses the same
// few banks in every iteration, so they are kept, in the element type of the spectra.
type filterBank struct {
	weights []float64 // (bands, bins)
	all     *nd.Array // the same, as an array
	strips  []bankStrip
}

// bankStrip is neighbouring bands, with the range of bins that has all of their weights.
type bankStrip struct {
	bins    nd.Range
	weights *nd.Array // (bins of the range, bands of the strip)
}

// stripBands is the bands of a strip: the columns of a tile of a float32 product
// with AVX-512, so that a strip does not multiply by padding.
const stripBands = 32

func newFilterBank(weights []float64, t nd.DType, bands int) *filterBank {
	bins := len(weights) / bands
	f := &filterBank{weights: weights, all: typed(weights, t, bands, bins)}
	work := 0
	for from := 0; from < bands; from += stripBands {
		to := min(from+stripBands, bands)
		low, high := support(weights[from*bins:to*bins], bins)
		w := make([]float64, 0, (high-low)*(to-from))
		for k := low; k < high; k++ {
			for b := from; b < to; b++ {
				w = append(w, weights[b*bins+k])
			}
		}
		f.strips = append(f.strips, bankStrip{nd.Range{Start: low, Stop: high}, typed(w, t, high-low, to-from)})
		work += len(w)
	}
	// Several products read the spectra more than once: half of the work has to go.
	if 2*work > len(weights) {
		f.strips = nil
	}
	return f
}

// support is the range of columns outside of which all rows are 0; it has one
// column at least.
func support(rows []float64, columns int) (low, high int) {
	low = columns
	for i, v := range rows {
		if k := i % columns; v != 0 {
			low, high = min(low, k), max(high, k+1)
		}
	}
	if low >= high {
		return 0, 1
	}
	return low, high
}

func (f *filterBank) samples() int {
	n := 2 * len(f.weights)
	for _, s := range f.strips {
		n += s.weights.Dim(0) * s.weights.Dim(1)
	}
	return n
}

// apply gives (..., bands) of (..., bins). Weights of short support are multiplied
// strip by strip on the CPU; a GPU takes longer to launch the products than for
// multiplying by the zeros.
func (f *filterBank) apply(z *nd.Array) *nd.Array {
	if d, err := z.Device(); err != nil || d != nd.CPU() || len(f.strips) < 2 {
		return z.MatMul(f.all.Beside(z).Transpose())
	}
	parts := make([]*nd.Array, len(f.strips))
	for i, s := range f.strips {
		parts[i] = z.SliceAxis(-1, s.bins).MatMul(s.weights)
	}
	return nd.Concat(-1, parts...)
}
