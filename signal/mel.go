package signal

import (
	"cmp"
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// Mel is the options of mel spectra, with the conventions and defaults of librosa. HTK and
// Flat together are the conventions of torchaudio.
type Mel struct {
	STFT  STFT    // of Apply and MFCC; as Librosa gives it if zero
	FS    float64 // sampling frequency; 0 is 22050
	NMels int     // bands; 0 is 128
	FMin  float64 // lowest frequency
	FMax  float64 // highest frequency, FS/2 at most; 0 is FS/2
	HTK   bool    // 2595 log10(1+f/700), instead of Slaney's scale
	Flat  bool    // triangles of height 1, instead of area 1
	Power float64 // of magnitudes; 0 is 2
}

func (m Mel) filled() Mel {
	m.FS = cmp.Or(m.FS, 22050)
	m.NMels = cmp.Or(m.NMels, 128)
	m.FMax = cmp.Or(m.FMax, m.FS/2)
	m.Power = cmp.Or(m.Power, 2)
	m.STFT = cmp.Or(m.STFT, Librosa(2048, 512))
	return m
}

func (m Mel) check() error {
	switch {
	case !(m.FS > 0) || math.IsInf(m.FS, 0):
		return fact("FS %g: want a positive number", m.FS)
	case m.NMels < 1:
		return fact("NMels %d: want 1 or more", m.NMels)
	case m.NMels > maxBands:
		return fact("NMels %d: want at most %d", m.NMels, maxBands)
	case !(m.FMin >= 0 && m.FMin < m.FMax) || math.IsInf(m.FMax, 0):
		return fact("FMin %g and FMax %g: want 0 <= FMin < FMax", m.FMin, m.FMax)
	case m.FMax > m.FS/2:
		// The bands up there would be empty.
		return fact("FMax %g: there is nothing above half of FS, which is %g", m.FMax, m.FS)
	case !(m.Power > 0):
		return fact("Power %g: want a positive number", m.Power)
	}
	return nil
}

// maxBands bounds mel bands: a cosine basis over them has their square.
const maxBands = 1 << 14

// Slaney's scale is linear to 1 kHz and logarithmic above, 27 steps for a
// factor of 6.4.
var (
	slaneyLinear = 200.0 / 3
	slaneyLog    = math.Log(6.4) / 27
)

// Frequencies is where the bands have their tops, as librosa.mel_frequencies(NMels+2) without its
// ends.
func (m Mel) Frequencies() ([]float64, error) {
	m = m.filled()
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("signal: mel: %w", err)
	}
	low, high := HzToMel(m.FMin, m.HTK), HzToMel(m.FMax, m.HTK)
	f := make([]float64, m.NMels)
	for i := range f {
		f[i] = MelToHz(low+(high-low)*float64(i+1)/float64(m.NMels+1), m.HTK)
	}
	return f, nil
}

// HzToMel is the pitch of a frequency, on HTK's scale or on Slaney's.
func HzToMel(f float64, htk bool) float64 {
	switch {
	case htk:
		return 2595 * math.Log10(1+f/700)
	case f >= 1000:
		return 15 + math.Log(f/1000)/slaneyLog
	}
	return f / slaneyLinear
}

// MelToHz undoes HzToMel.
func MelToHz(m float64, htk bool) float64 {
	switch {
	case htk:
		return 700 * (math.Pow(10, m/2595) - 1)
	case m >= 15:
		return 1000 * math.Exp(slaneyLog*(m-15))
	}
	return slaneyLinear * m
}

// FilterBank is the weights that make mel bands of the bins of a spectrum of
// real samples: an array of shape (NMels, nfft/2+1).
func (m Mel) FilterBank(t nd.DType, nfft int) *nd.Array {
	const op = "melfilterbank"
	m = m.filled()
	err := m.check()
	switch {
	case err != nil:
	case nfft < 1:
		err = fmt.Errorf("nfft %d: want 1 or more", nfft)
	case t != nd.Float32 && t != nd.Float64:
		err = fmt.Errorf("%s weights: want float32 or float64", t)
	}
	if err == nil {
		err = checkSize("bins", nfft/2+1, m.NMels)
	}
	if err != nil {
		return nd.Fail("signal", op, err)
	}
	// An array of the caller's own, which may be released.
	return typed(m.bank(nfft, t).weights, t, m.NMels, nfft/2+1)
}

// melBank is what a filter bank depends on.
type melBank struct {
	fs, fmin, fmax float64
	bands, nfft    int
	htk, flat      bool
	t              nd.DType
}

var melBanks = kept[melBank, *filterBank]{
	make: func(k melBank) (*filterBank, error) {
		m := Mel{FS: k.fs, FMin: k.fmin, FMax: k.fmax, NMels: k.bands, HTK: k.htk, Flat: k.flat}
		return newFilterBank(m.weights(k.nfft), k.t, k.bands), nil
	},
	samples: (*filterBank).samples,
}

func (m Mel) bank(nfft int, t nd.DType) *filterBank {
	f, _ := melBanks.get(melBank{m.FS, m.FMin, m.FMax, m.NMels, nfft, m.HTK, m.Flat, t})
	return f
}

// weights is triangles between neighbouring edges, which are even on the mel
// scale.
func (m Mel) weights(nfft int) []float64 {
	low, high := HzToMel(m.FMin, m.HTK), HzToMel(m.FMax, m.HTK)
	edges := make([]float64, m.NMels+2)
	for i := range edges {
		edges[i] = MelToHz(low+(high-low)*float64(i)/float64(m.NMels+1), m.HTK)
	}
	bins := nfft/2 + 1
	w := make([]float64, m.NMels*bins)
	for b := range m.NMels {
		left, middle, right := edges[b], edges[b+1], edges[b+2]
		area := 1.0
		if !m.Flat {
			area = 2 / (right - left)
		}
		for k := range bins {
			f := float64(k) * m.FS / float64(nfft)
			rise, fall := (f-left)/(middle-left), (right-f)/(right-middle)
			w[b*bins+k] = area * max(0, min(rise, fall))
		}
	}
	return w
}

// Apply is the power of x in mel bands over time, as
// librosa.feature.melspectrogram: bands along the axis that had samples, and
// frames along a new last axis.
func (m Mel) Apply(x *nd.Array) *nd.Array {
	p, _, bad := m.bands("melspectrogram", x)
	if bad != nil {
		return bad
	}
	return p
}

// Spectrogram is Apply, under a name that contrasts with MFCC.
func (m Mel) Spectrogram(x *nd.Array) *nd.Array { return m.Apply(x) }

func (m Mel) bands(op string, x *nd.Array) (*nd.Array, lines, *nd.Array) {
	m = m.filled()
	l, bad := along(op, x, m.STFT.Axis, false)
	if bad != nil {
		return nil, l, bad
	}
	err := m.check()
	if err == nil && m.STFT.TwoSided {
		err = fact("TwoSided: mel bands are of the bins of real samples")
	}
	var p *nd.Array
	var f frames
	if err == nil {
		p, f, err = m.STFT.framed(l.Array)
	}
	if err != nil {
		return nil, l, nd.Fail("signal", op, err, x)
	}
	z := f.spectra(p)
	switch m.Power {
	case 2:
		z = z.AbsSquared()
	case 1:
		z = z.Abs()
	default:
		z = z.Abs().PowScalar(m.Power)
	}
	return l.backTwo(m.bank(f.nfft, z.DType()).apply(z).SwapAxes(-1, -2)), l, nil
}
