package signal

import "github.com/twiddle-go/twiddle/nd"

// taps is a filter, or one for each channel, on its way to being multiplied with
// spectra.
type taps struct {
	k *nd.Array
	// kept are spectra by their transform length, for filters that serve more than
	// one call; nil keeps none.
	kept map[int]*nd.Array
	mode nd.Accumulation // of transforms
}

// mostKept bounds the spectra of a filter whose signals come in pieces of all sizes.
const mostKept = 4

func (t *taps) count() int { return t.k.Dim(-1) }

// transform is the options of a transform of n samples.
func (t *taps) transform(n int) nd.FFT { return nd.FFT{N: n, Mode: t.mode} }

// transformed is the same filter, given as its spectrum of n samples.
func (t *taps) transformed(n int) *taps { return &taps{k: t.spectrum(n), mode: t.mode} }

// spectrum is that of n samples. It is lazy; evaluating it keeps its elements.
func (t *taps) spectrum(n int) *nd.Array {
	if t.k.DType().IsComplex() {
		return t.k // which was given as one
	}
	if h := t.kept[n]; h != nil {
		return h
	}
	h := t.k.RFFT(t.transform(n))
	if t.kept != nil {
		if len(t.kept) >= mostKept {
			clear(t.kept)
		}
		t.kept[n] = h
	}
	return h
}

// lasting is what the next call needs again: the taps, and the spectra that are kept.
func (t *taps) lasting() []*nd.Array {
	list := []*nd.Array{t.k}
	for _, h := range t.kept {
		list = append(list, h)
	}
	return list
}
