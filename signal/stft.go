package signal

import (
	"cmp"
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/internal/choice"
	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/nd"
)

// Border says how a signal continues beyond its ends, so that frames can be centred on
// their times.
type Border uint8

const (
	BorderReflect Border = iota // mirrored, the edge not repeated
	BorderZeros
	BorderEdge // the first and last sample, repeated
	BorderWrap // the signal again, from its other end
	BorderNone // nothing is added; the first frame starts with the signal
)

var borderNames = [...]string{"reflect", "zeros", "edge", "wrap", "none"}

func (b Border) String() string { return choice.Name(b, "Border", borderNames[:]) }

// ParseBorder is the border of a name.
func ParseBorder(name string) (Border, error) {
	return choice.Parse[Border]("signal", "border", name, borderNames[:])
}

// FrameScale is the factor of the spectra of frames.
type FrameScale uint8

const (
	ScaleNone     FrameScale = iota // 1
	ScaleOrtho                      // 1/sqrt(NFFT): torch's normalized
	ScaleWindow                     // 1/sqrt(sum w^2): torchaudio's "window"
	ScaleSpectrum                   // 1/sum w: SciPy's scaling "spectrum"
	ScaleDensity                    // 1/sqrt(FS sum w^2): SciPy's scaling "psd"
)

var frameScaleNames = [...]string{"none", "ortho", "window", "spectrum", "density"}

func (s FrameScale) String() string { return choice.Name(s, "FrameScale", frameScaleNames[:]) }

// ParseFrameScale is the scale of a name.
func ParseFrameScale(name string) (FrameScale, error) {
	return choice.Parse[FrameScale]("signal", "frame scale", name, frameScaleNames[:])
}

// STFT is the options of short-time Fourier transforms. The zero value has the conventions
// of torch.stft, with frames of 2048 samples and a hann window (torch uses a boxcar unless
// it is given a window). Librosa and SciPy return the conventions of those libraries.
type STFT struct {
	NFFT      int        // length of the transform; 0 is 2048
	Hop       int        // samples between the starts of frames; 0 is NFFT/4
	WinLength int        // samples in the window; 0 is NFFT
	Window    Window     // hann
	Border    Border     // by half a frame at both ends
	Scale     FrameScale // of the spectra
	TwoSided  bool       // two-sided spectra of real samples, too; those of complex samples always are
	// Trailing puts zeros after a window shorter than NFFT. Otherwise they
	// are on both sides of it.
	Trailing bool
	// Fill adds zeros at the end until every sample is in a frame.
	Fill bool
	FS   float64 // sampling frequency, for ScaleDensity and Frequencies; 0 is 1
	Axis nd.AxisChoice
}

// Librosa is librosa.stft's conventions: the ends are followed by zeros.
func Librosa(nfft, hop int) STFT { return STFT{NFFT: nfft, Hop: hop, Border: BorderZeros} }

// SciPy is scipy.signal.stft's conventions: zeros around the signal, so many
// that every sample is in a frame, and spectra scaled to amplitudes. A noverlap
// of 0 is half a segment, as in Spectral; nfft is nperseg if 0.
func SciPy(nperseg, noverlap, nfft int) STFT {
	switch noverlap {
	case 0:
		noverlap = nperseg / 2
	case None:
		noverlap = 0
	}
	nfft = cmp.Or(nfft, nperseg)
	s := STFT{NFFT: nfft, Hop: nperseg - noverlap, WinLength: nperseg, Border: BorderZeros, Scale: ScaleSpectrum, Trailing: true, Fill: true}
	if s.Hop <= 0 {
		s.Hop = overlapped
	}
	return s
}

// overlapped is a Hop that frames of SciPy do not have, which every method refuses.
const overlapped = math.MinInt

// frames is the options with their defaults filled in.
type frames struct {
	nfft, hop int
	size      int       // of a frame: NFFT, or WinLength if zeros trail
	window    []float64 // of a frame
	scaled    []float64 // window times scale
	single    *nd.Array // scaled, in float32
	scale     float64
	border    int // samples added at each end
	oneSide   bool
}

func (f frames) bins() int {
	if f.oneSide {
		return f.nfft/2 + 1
	}
	return f.nfft
}

// framing is what frames depend on.
type framing struct {
	STFT
	complexSamples bool
}

var framings = kept[framing, frames]{make: framing.frames, samples: func(f frames) int { return 3 * len(f.window) }}

// frames is the options checked. Those with a window that was given are not kept:
// who gave it may change it.
func (s STFT) frames(complexSamples bool) (frames, error) {
	if s.Window.given != nil {
		return framing{s, complexSamples}.frames()
	}
	return framings.get(framing{s, complexSamples})
}

// lengths is the options checked, without the window, and how many samples it has.
func (s framing) lengths() (f frames, windowed int, err error) {
	f = frames{nfft: s.NFFT, hop: s.Hop, oneSide: !s.TwoSided && !s.complexSamples}
	f.nfft = cmp.Or(f.nfft, 2048)
	f.hop = cmp.Or(f.hop, max(1, f.nfft/4))
	length := s.WinLength
	if length == 0 {
		length = f.nfft
		if s.Window.given != nil {
			length = len(*s.Window.given)
		}
	}
	fs := cmp.Or(s.FS, 1)
	switch {
	case f.nfft < 1:
		return f, 0, fact("NFFT %d: want 1 or more", s.NFFT)
	case s.Hop == overlapped:
		return f, 0, fact("frames overlap by all of their samples: want noverlap less than nperseg, or a Hop of 1 or more")
	case f.hop < 1:
		return f, 0, fact("Hop %d: want 1 or more", s.Hop)
	case length < 1 || length > f.nfft:
		return f, 0, fact("WinLength %d: want 1 to NFFT, which is %d", length, f.nfft)
	case int(s.Border) >= len(borderNames):
		return f, 0, fmt.Errorf("unknown border %d: want one of %v", s.Border, borderNames)
	case int(s.Scale) >= len(frameScaleNames):
		return f, 0, fmt.Errorf("unknown frame scale %d: want one of %v", s.Scale, frameScaleNames)
	case !(fs > 0) || math.IsInf(fs, 0):
		return f, 0, fact("FS %g: want a positive number", s.FS)
	}
	for _, err := range []error{checkSize("NFFT", f.nfft), checkSize("Hop", f.hop)} {
		if err != nil {
			return f, 0, err
		}
	}
	f.size = length
	if !s.Trailing {
		f.size = f.nfft
	}
	if s.Border != BorderNone {
		f.border = f.size / 2
	}
	return f, length, nil
}

func (s framing) frames() (frames, error) {
	f, length, err := s.lengths()
	if err != nil {
		return f, err
	}
	w, err := s.Window.samples(length)
	if err != nil {
		return f, err
	}
	sum, squares := 0.0, 0.0
	for _, v := range w {
		sum += v
		squares += v * v
	}
	f.scale = [...]float64{1, 1 / math.Sqrt(float64(f.nfft)), 1 / math.Sqrt(squares), 1 / sum, 1 / math.Sqrt(cmp.Or(s.FS, 1)*squares)}[s.Scale]
	if math.IsInf(f.scale, 0) {
		return f, fmt.Errorf("a window that adds up to 0 cannot scale by %s", s.Scale)
	}
	f.window = w
	if length < f.size {
		f.window = make([]float64, f.size)
		copy(f.window[(f.size-length)/2:], w)
	}
	f.scaled = f.window
	if f.scale != 1 {
		f.scaled = make([]float64, f.size)
		for i, v := range f.window {
			f.scaled[i] = v * f.scale
		}
	}
	f.single = typed(f.scaled, nd.Float32)
	return f, nil
}

// tooFew says that a signal of n samples is shorter than its border.
func (f frames) tooFew(n int) error {
	return fmt.Errorf("%s too few to be reflected by %d: want another Border, or a shorter NFFT", counted.Of(n, "sample is", "samples are"), f.border)
}

// padded is a signal with its border and what fills the last frame.
func (s STFT) padded(x *nd.Array, f frames) (*nd.Array, error) {
	n := x.Dim(-1)
	m := nd.Margin{Before: f.border, After: f.border}
	if s.Border == BorderReflect && f.border >= n {
		return nil, f.tooFew(n)
	}
	mode := [...]nd.PadMode{nd.PadReflect, nd.PadConstant, nd.PadEdge, nd.PadWrap, nd.PadConstant}[s.Border]
	more := 0
	if s.Fill { // at least one frame, and none with samples left over
		more = max(0, f.size-n-2*f.border)
		if rest := n + 2*f.border - f.size; rest > 0 && rest%f.hop > 0 {
			more = f.hop - rest%f.hop
		}
	}
	if mode == nd.PadConstant {
		m.After, more = m.After+more, 0
	}
	if m != (nd.Margin{}) {
		x = x.PadAxis(-1, m, nd.Pad{Mode: mode})
	}
	if more > 0 {
		x = x.PadAxis(-1, nd.Margin{After: more}, nd.Pad{})
	}
	if x.Dim(-1) < f.size {
		return nil, fmt.Errorf("%s not fill a frame of %d", counted.Of(x.Dim(-1), "sample does", "samples do"), f.size)
	}
	return x, nil
}

// framed is a signal as padded has it, and its frames. A window may be far longer than the signal, so lengths are compared
// before one is made.
func (s STFT) framed(x *nd.Array) (padded *nd.Array, f frames, err error) {
	of := framing{s, x.DType().IsComplex()}
	if f, _, err = of.lengths(); err == nil {
		padded, err = s.padded(x, f)
	}
	if err == nil {
		f, err = s.frames(of.complexSamples)
	}
	return padded, f, err
}

// Apply returns the spectra of overlapping frames of x: bins replace the axis of samples,
// and frames are a new last axis.
func (s STFT) Apply(x *nd.Array) *nd.Array {
	const op = "stft"
	l, bad := along(op, x, s.Axis, true)
	if bad != nil {
		return bad
	}
	p, f, err := s.framed(l.Array)
	if err != nil {
		return nd.Fail("signal", op, err, x)
	}
	return l.backTwo(f.spectra(p).SwapAxes(-1, -2))
}

// spectra is those of the frames of a padded signal: frames, then bins.
func (f frames) spectra(x *nd.Array) *nd.Array {
	z := x.Frames(f.size, f.hop).Mul(f.weights(x))
	if f.oneSide {
		return z.RFFT(nd.FFT{N: f.nfft})
	}
	return z.FFT(nd.FFT{N: f.nfft})
}

// weights is what the frames of a signal are multiplied by.
func (f frames) weights(x *nd.Array) *nd.Array {
	if x.DType() == nd.Float32 {
		return f.single.Beside(x)
	}
	return constant(f.scaled, x)
}

// Frequencies is those of the bins, for real samples unless TwoSided.
func (s STFT) Frequencies() ([]float64, error) {
	f, err := s.frames(s.TwoSided)
	if err != nil {
		return nil, fmt.Errorf("signal: stft: %w", err)
	}
	g := segments{fs: max(s.FS, 0), nfft: f.nfft, oneSide: f.oneSide}
	g.fs = cmp.Or(g.fs, 1)
	return g.frequencies(), nil
}
