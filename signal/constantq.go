package signal

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/nd"
)

// ConstantQ is the options of the constant-Q transform: bins at even steps of pitch, each
// as wide as the step. They are librosa.cqt's, with its defaults. librosa takes low octaves
// from a signal at a lower rate, to save time; here every bin is computed from the samples
// as they are, and the two differ by up to 2 parts in 100 of the greatest.
type ConstantQ struct {
	FS        float64 // sampling frequency; 0 is 22050
	FMin      float64 // of the first bin; 0 is C1, 32.70 Hz
	Bins      int     // 0 is 84
	PerOctave int     // bins of an octave; 0 is 12
	Hop       int     // samples from frame to frame; 0 is 512
	Window    Window  // hann
	Tuning    float64 // of all bins, in bins: measure.Tuning estimates it
	Scale     float64 // of the lengths of the windows: below 1 is finer in time and coarser in pitch; 0 is 1
	Border    Border  // how the signal continues beyond its ends; librosa has BorderZeros
}

// lowestC is C1, where transforms begin.
var lowestC = MIDIToHz(24)

func (c ConstantQ) filled() ConstantQ {
	c.FS = cmp.Or(c.FS, 22050)
	c.FMin = cmp.Or(c.FMin, lowestC)
	c.Bins = cmp.Or(c.Bins, 84)
	c.PerOctave = cmp.Or(c.PerOctave, 12)
	c.Hop = cmp.Or(c.Hop, 512)
	c.Scale = cmp.Or(c.Scale, 1)
	return c
}

func (c ConstantQ) check() error {
	switch {
	case !(c.FS > 0) || math.IsInf(c.FS, 0):
		return fact("FS %g: want a positive number", c.FS)
	case !(c.FMin > 0) || math.IsInf(c.FMin, 0):
		return fact("FMin %g: want a positive number", c.FMin)
	case c.Bins < 1 || c.Bins > maxBands || c.PerOctave < 1 || c.PerOctave > maxBands:
		return fact("Bins %d and PerOctave %d: want 1 to %d", c.Bins, c.PerOctave, maxBands)
	case c.Hop < 1:
		return fact("Hop %d: want 1 or more", c.Hop)
	case math.IsNaN(c.Tuning) || math.IsInf(c.Tuning, 0):
		return fact("Tuning %g: want a number", c.Tuning)
	case int(c.Border) >= len(borderNames):
		return fact("unknown border %d: want one of %v", c.Border, borderNames)
	case !(c.Scale > 0) || math.IsInf(c.Scale, 0):
		return fact("Scale %g: want a positive number", c.Scale)
	}
	if top := c.frequency(c.Bins-1) * (1 + 0.5/c.q()); top > c.FS/2 {
		return fact("the last of %d bins reaches %.1f Hz: there is nothing above half of FS, which is %g", c.Bins, top, c.FS)
	}
	if n := c.length(0); n > 1<<24 {
		return fact("FMin %g takes a window of %.0f samples: want at most %d", c.FMin, n, 1<<24)
	}
	return checkSize("bins", c.nfft(0), c.PerOctave, 4)
}

func (c ConstantQ) frequency(k int) float64 {
	return c.FMin * math.Exp2((float64(k)+c.Tuning)/float64(c.PerOctave))
}

// q is a bin's frequency over its bandwidth.
func (c ConstantQ) q() float64 {
	r := math.Exp2(2 / float64(c.PerOctave))
	return c.Scale * (r + 1) / (r - 1)
}

// length is the samples of a bin's window.
func (c ConstantQ) length(k int) float64 { return c.q() * c.FS / c.frequency(k) }

// nfft is the power of two that the window of a bin fits.
func (c ConstantQ) nfft(k int) int {
	n := int(math.Ceil(c.length(k)))
	return 1 << bits.Len(uint(n-1))
}

// Frequencies is those of the bins.
func (c ConstantQ) Frequencies() ([]float64, error) {
	c = c.filled()
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("signal: cqt: %w", err)
	}
	f := make([]float64, c.Bins)
	for k := range f {
		f[k] = c.frequency(k)
	}
	return f, nil
}

// Apply gives (..., bins, frames), complex, of lines of real samples along the last axis.
// Frame i is around sample i*Hop. A sine has the same magnitude in whichever bin it is,
// times the square root of that bin's window.
func (c ConstantQ) Apply(x *nd.Array) *nd.Array {
	const op = "cqt"
	l, bad := along(op, x, nd.AxisChoice{}, false)
	if bad != nil {
		return bad
	}
	c = c.filled()
	err := c.check()
	var octaves []octave
	if err == nil {
		octaves, err = c.octaves()
	}
	var padded *nd.Array
	n := c.nfft(0)
	if samples := l.Dim(-1); err == nil && c.Border == BorderReflect && n/2 >= samples {
		err = fact("%s too few to be reflected by %d: want BorderZeros, a higher FMin or a smaller Scale", counted.Of(samples, "sample is", "samples are"), n/2)
	}
	if err == nil {
		f := frames{nfft: n, size: n, hop: c.Hop}
		if c.Border != BorderNone {
			f.border = n / 2
		}
		padded, err = STFT{Border: c.Border}.padded(l.Array, f)
	}
	if err != nil {
		return nd.Fail("signal", op, err, x)
	}
	span := (padded.Dim(-1) - n) / c.Hop * c.Hop
	var parts []*nd.Array
	for _, o := range octaves {
		from := n/2 + o.from
		frames := padded.SliceAxis(-1, nd.Between(from, from+span+o.size)).Frames(o.size, c.Hop)
		y := frames.MatMul(constant(o.tones, padded, 2*o.bins, o.size).SwapAxes(0, 1))
		parts = append(parts, nd.Complex(y.SliceAxis(-1, nd.Head(o.bins)), y.SliceAxis(-1, nd.Skip(o.bins))))
	}
	return nd.Concat(-1, parts...).SwapAxes(-1, -2)
}

// octave is the bins of an octave, whose windows are of about one length: sums of products
// with samples take less time than those with spectra of frames for the longest window.
type octave struct {
	bins, size, from int
	// tones are windowed cosines and sines, (2, bins, size), from sample from of a frame's
	// middle on.
	tones []float64
	gains []float64 // of the bins, in Inverse
	nfft  int       // librosa's, over which Inverse counts frames
}

// constantQTones keeps them for options with a window by its name.
var constantQTones = kept[ConstantQ, []octave]{
	make: ConstantQ.newOctaves,
	samples: func(list []octave) (n int) {
		for _, o := range list {
			n += len(o.tones)
		}
		return n
	},
	most: 8 << 20, // chroma features at 22050 Hz have 5 million, which take as long as the products with them
}

func (c ConstantQ) octaves() ([]octave, error) {
	if c.Window.given != nil {
		return c.newOctaves()
	}
	c.Hop, c.Border = 0, 0 // on which they do not depend
	return constantQTones.get(c)
}

func (c ConstantQ) newOctaves() ([]octave, error) {
	var list []octave
	for first := 0; first < c.Bins; first += c.PerOctave {
		from, to := c.reach(first)
		o := octave{bins: min(c.PerOctave, c.Bins-first), size: to - from, from: from, nfft: c.nfft(first)}
		o.tones, o.gains = make([]float64, 2*o.bins*o.size), make([]float64, o.bins)
		for b := range o.bins {
			k := first + b
			from, to := c.reach(k)
			w, err := c.Window.Samples(to - from)
			if err != nil {
				return nil, err
			}
			sum, squares := 0.0, 0.0
			for _, v := range w {
				sum += math.Abs(v)
				squares += v * v
			}
			if sum == 0 {
				return nil, fact("the window of bin %d, of %d samples, is all zeros", k, len(w))
			}
			length := c.length(k)
			scale := math.Sqrt(length) / sum
			o.gains[b] = 2 / (length * squares * scale * scale)
			re, im := o.tones[b*o.size:], o.tones[(o.bins+b)*o.size:]
			tone := oscillator(c.frequency(k)/c.FS, from)
			for i, v := range w {
				z := tone(i)
				re[from-o.from+i], im[from-o.from+i] = v*scale*real(z), -v*scale*imag(z)
			}
		}
		list = append(list, o)
	}
	return list, nil
}

// oscillator gives exp(2 pi i cycles (from+i)). Low octaves have millions of samples, and a product
// takes a fifth of the time of a sine and cosine; it rounds once more.
func oscillator(cycles float64, from int) func(i int) complex128 {
	const run = 64
	var steps [run]complex128
	for i := range steps {
		sin, cos := math.Sincos(2 * math.Pi * cycles * float64(i))
		steps[i] = complex(cos, sin)
	}
	var start complex128
	return func(i int) complex128 {
		if i%run == 0 {
			sin, cos := math.Sincos(2 * math.Pi * cycles * float64(from+i))
			start = complex(cos, sin)
		}
		return start * steps[i%run]
	}
}

// reach is the samples of a bin's window, around a frame's middle.
func (c ConstantQ) reach(k int) (from, to int) {
	half := c.length(k) / 2
	return int(math.Floor(-half)), int(math.Floor(half))
}

// Inverse is the samples of a transform (..., bins, frames) that Apply gives with the same
// options, nearly, as librosa.icqt: (..., length), all that frames cover if length is 0. What is
// below FMin and above the last bin is lost, as is what changes faster than Hop: windows of
// the last bin should be four times as long.
func (c ConstantQ) Inverse(z *nd.Array, length int) *nd.Array {
	const op = "icqt"
	if bad := unusable(op, z); bad != nil {
		return bad
	}
	c = c.filled()
	err := c.check()
	switch {
	case err != nil:
	case !z.DType().IsComplex() || z.NDim() < 2 || z.Dim(-2) == 0 || z.Dim(-1) == 0:
		err = fmt.Errorf("z is %s of shape %v: want complex bins and frames", z.DType(), z.Shape())
	case z.Dim(-2) != c.Bins:
		err = fmt.Errorf("z of shape %v has %d bins: want %d", z.Shape(), z.Dim(-2), c.Bins)
	case length < 0:
		err = fact("length %d: want 0 or more", length)
	default:
		err = checkSize("frames", z.Dim(-1), c.Hop)
	}
	var octaves []octave
	if err == nil {
		octaves, err = c.octaves()
	}
	if err != nil {
		return nd.Fail("signal", op, err, z)
	}
	count, start := z.Dim(-1), 0
	total := (count - 1) * c.Hop
	if c.Border == BorderNone {
		start = -c.nfft(0) / 2
		total += c.nfft(0)
	}
	if total == 0 {
		return fail(op, "one frame is all border")(z)
	}
	if length > 0 {
		total = min(total, length)
	}
	z = z.SwapAxes(-1, -2)
	var y *nd.Array
	at := 0
	for _, o := range octaves {
		part := z.SliceAxis(-1, nd.Between(at, at+o.bins))
		at += o.bins
		part = nd.Concat(-1, part.Real(), part.Imag())
		part = part.Mul(constant(slices.Concat(o.gains, o.gains), part))
		samples := part.MatMul(constant(o.tones, part, 2*o.bins, o.size))
		before := max(0, o.from-start)
		sum := samples.OverlapAdd(nd.Overlap{Hop: c.Hop, Skip: max(0, start-o.from), Length: max(1, total-before)})
		if before > 0 {
			sum = sum.PadAxis(-1, nd.Margin{Before: before}, nd.Pad{}).SliceAxis(-1, nd.Head(total))
		}
		sum = sum.Mul(constant(o.shares(start, total, count, c.Hop), sum))
		if y == nil {
			y = sum
		} else {
			y = y.Add(sum)
		}
	}
	if length > total {
		y = y.PadAxis(-1, nd.Margin{After: length - total}, nd.Pad{})
	}
	return y
}

// shares is how much of the sum of frames every sample is: nfft samples are in nfft/hop
// frames, and in fewer at the ends.
func (o octave) shares(start, total, count, hop int) []float64 {
	v := make([]float64, total)
	for i := range v {
		t := start + i
		last := min((t+o.nfft/2)/hop, count-1)
		first := max(0, (t-o.nfft/2)/hop)
		if (t - o.nfft/2) >= 0 { // the frame that has just ended is none of them
			first++
		}
		v[i] = float64(o.nfft) / float64(max(1, last-first+1))
	}
	return v
}
