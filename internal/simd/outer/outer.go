package outer

import "github.com/twiddle-go/twiddle/internal/simd"

const (
	// Lanes is how many bins of a channel and window lie side by side.
	Lanes = 8
	// Slices is how many times Lanes there are: four cache lines of a spectrum.
	Slices = 4
	// Bins is how many bins Spectra has.
	Bins = Slices * Lanes
)

// Spectra are a few bins of channels and windows.
type Spectra struct {
	windows, channels int
	channel, slice    int // distances between channels and between slices
	data              []complex64
}

// NewSpectra is room for so many channels and windows.
func NewSpectra(channels, windows int) *Spectra {
	// A cache line between channels keeps them from the same sets of a cache.
	channel := (windows + 1) * Lanes
	// Channels are multiplied by twos: after an odd number there is one of zeros.
	slice := (channels + channels%2) * channel
	return &Spectra{windows, channels, channel, slice, make([]complex64, Slices*slice)}
}

// line is the bins of a slice of a channel, window after window.
func (x *Spectra) line(slice, c int) []complex64 {
	return x.data[slice*x.slice+c*x.channel:][:x.windows*Lanes]
}

// Table is the kernels of a level.
type Table struct {
	// Rows writes the products of channels a and a+1 with those from a on, added
	// over windows: a row of Bins for each channel.
	//
	//	first[(b-a)*Bins+i] = sum over w of conj(x[a][w][i]) * x[b][w][i]
	//
	// and the same of channel a+1 to second. Levels differ in rounding.
	Rows func(first, second []complex64, x *Spectra, a int)
	// Gather copies Bins of all channels to window w, from rows that are so far
	// apart.
	Gather func(x *Spectra, w int, src []complex64, row int)
}

// For is the kernels of a level.
func For(l simd.Level) Table {
	if k := assembled(l); k.tiles != nil {
		return Table{k.rows, k.gatherRows}
	}
	return Table{rows, gather}
}

func rows(first, second []complex64, x *Spectra, a int) {
	for s := range Slices {
		for b := a; b < x.channels; b++ {
			at := (b-a)*Bins + s*Lanes
			product(first[at:][:Lanes], x.line(s, a), x.line(s, b))
			product(second[at:][:Lanes], x.line(s, a+1), x.line(s, b))
		}
	}
}

func product(dst, a, b []complex64) {
	var re, im [Lanes]float32
	b = b[:len(a)]
	for k, v := range a {
		w := b[k]
		re[k%Lanes] += real(v)*real(w) + imag(v)*imag(w)
		im[k%Lanes] += real(v)*imag(w) - imag(v)*real(w)
	}
	for i := range dst {
		dst[i] = complex(re[i], im[i])
	}
}

func gather(x *Spectra, w int, src []complex64, row int) {
	for c := range x.channels {
		for s := range Slices {
			copy(x.line(s, c)[w*Lanes:][:Lanes], src[c*row+s*Lanes:])
		}
	}
}

// tile computes a vector of bins for two rows and as many columns as its place in
// a table says.
type tile func(dst0, dst1 *complex64, step int, a, b *complex64, channel, windows int)

// kernels are what a level has assembled. Distances are in bytes.
type kernels struct {
	tiles  []tile // of one column, two and so on
	vector int    // bins of a vector
	gather func(dst *complex64, channel, slice int, src *complex64, row, n int)
}

const bytes = 8 // of a number

func (k kernels) rows(first, second []complex64, x *Spectra, a int) {
	n := x.channels - a
	if n <= 0 || x.windows == 0 {
		rows(first, second, x, a)
		return
	}
	// Assembly looks at no bounds.
	_, _, _ = first[:n*Bins], second[:n*Bins], x.line(Slices-1, a+1)
	for s := range Slices {
		for at := 0; at < n; {
			columns := min(n-at, len(k.tiles))
			left, right := x.line(s, a), x.line(s, a+at)
			for i := 0; i < Lanes; i += k.vector {
				to := at*Bins + s*Lanes + i
				k.tiles[columns-1](&first[to], &second[to], bytes*Bins, &left[i], &right[i], bytes*x.channel, x.windows)
			}
			at += columns
		}
	}
}

func (k kernels) gatherRows(x *Spectra, w int, src []complex64, row int) {
	if x.channels == 0 {
		return
	}
	_ = src[:(x.channels-1)*row+Bins]
	k.gather(&x.line(0, 0)[w*Lanes], bytes*x.channel, bytes*x.slice, &src[0], bytes*row, x.channels)
}
