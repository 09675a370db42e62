package analyze

import (
	"context"
	"math"
	"slices"

	"github.com/twiddle-go/twiddle/fft"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// spectra adds up the power spectra of parts.
type spectra[T float32 | float64] struct {
	opt      Options
	result   *Result
	cut      cut
	density  [][]float64 // of each line, sums over segments: of each channel, or of I and Q together
	offset   []T         // of each channel, taken off
	course   columns[[]float32]
	row      int     // bins in a row of the spectrogram
	sine     float64 // takes a density to the power of a sine
	segments int64
}

// maxSlice is how many segments are averaged on the device.
const maxSlice = 64

func newSpectra[T float32 | float64](o Options, r *Result, c cut) *spectra[T] {
	lines := r.Info.Channels
	if r.Info.IQ {
		lines = 1
	}
	return &spectra[T]{opt: o, result: r, cut: c, density: make([][]float64, lines),
		course: newColumns(spectrumColumns, func(a *[]float32, inA int, b []float32, inB int) {
			total := float32(inA + inB)
			for i, v := range b {
				(*a)[i] = ((*a)[i]*float32(inA) + v*float32(inB)) / total
			}
		})}
}

// welch is the power spectral density of lines along the last axis. A segment's own mean
// is left in it: that of a tone is not zero, and taking it off would put a constant there,
// a line at 0 Hz some 60 dB below the tone.
func (s *spectra[T]) welch(x *nd.Array) signal.Spectrum {
	x = x.On(s.opt.Stream)
	x = x.Sub(nd.From(s.offset, len(s.offset), 1, 1).Beside(x))
	if s.result.Info.IQ {
		x = nd.Complex(x.At(0), x.At(1)).ExpandDims(0)
	}
	p := signal.Welch(x, signal.Spectral{FS: s.result.Rate, Window: s.opt.Window, NPerSeg: s.result.NPerSeg, Detrend: signal.TrendNone})
	if s.result.Info.IQ { // from the lowest frequency to the highest
		p.Array = p.FFTShift(-1)
		p.Frequencies = slices.Clone(p.Frequencies)
		fft.Shift(p.Frequencies)
	}
	return p
}

// findOffset gives each channel the mean of the first part as the offset of all of them.
func (s *spectra[T]) findOffset(p part[T], stride int) {
	for c := range s.result.Info.Channels {
		sum := 0.0
		for _, v := range p.lines[c*stride:][:p.frames] {
			sum += float64(v)
		}
		s.offset = append(s.offset, T(sum/float64(max(p.frames, 1))))
	}
}

// take adds a part: its whole slices, and the segments that are left at the
// end of the recording. Slices follow one another by whole segments, and
// overlap as these do.
func (s *spectra[T]) take(ctx context.Context, p part[T], stride int) error {
	channels := s.result.Info.Channels
	x := nd.From(p.lines, channels, stride)
	if s.offset == nil {
		s.findOffset(p, stride)
	}
	if s.segments == 0 && p.last && p.frames < s.cut.size {
		// All there is becomes one segment.
		s.cut = cut{p.frames, p.frames, 1}
		s.result.NPerSeg = p.frames
	}
	c := s.cut
	count := c.segments(p.frames)
	slice := c.slice * c.hop
	if whole := count / c.slice; whole > 0 {
		long := slice - c.hop + c.size
		lines := x.SliceAxis(-1, nd.Range{Stop: (whole-1)*slice + long}).Frames(long, slice)
		if err := s.add(ctx, lines, c.slice); err != nil {
			return err
		}
	}
	if rest := count % c.slice; rest > 0 && p.last {
		from := c.used(p.frames)
		lines := x.SliceAxis(-1, nd.Range{Start: from, Stop: from + (rest-1)*c.hop + c.size}).Reshape(channels, 1, -1)
		return s.add(ctx, lines, rest)
	}
	return nil
}

// add takes lines of shape (channels, slices, samples), each of so many
// segments.
func (s *spectra[T]) add(ctx context.Context, lines *nd.Array, segments int) error {
	spectrum := s.welch(lines)
	defer spectrum.Release()
	values, err := nd.Slice[T](ctx, spectrum.Array)
	if err != nil {
		return err
	}
	bins := len(spectrum.Frequencies)
	if s.segments == 0 {
		s.start(spectrum.Frequencies)
	}
	slices := lines.Dim(1)
	for c := range s.density {
		for i := range slices {
			for k, v := range values[(c*slices+i)*bins:][:bins] {
				s.density[c][k] += float64(v) * float64(segments)
			}
		}
	}
	for i := range slices {
		column := make([]float32, (bins+s.row-1)/s.row)
		mean := make([]float64, bins)
		for c := range s.density {
			for k, v := range values[(c*slices+i)*bins:][:bins] {
				mean[k] += float64(v)
			}
		}
		for k, v := range mean {
			column[k/s.row] = max(column[k/s.row], float32(v/float64(len(s.density))*s.sine))
		}
		s.course.add(column)
	}
	s.segments += int64(segments * slices)
	return nil
}

// start makes room for spectra with the given bins.
func (s *spectra[T]) start(frequencies []float64) {
	s.result.Frequencies = frequencies
	bins := len(frequencies)
	for c := range s.density {
		s.density[c] = make([]float64, bins)
	}
	s.row = (bins + spectrumRows - 1) / spectrumRows
	w, err := s.opt.Window.Samples(s.result.NPerSeg)
	if err != nil {
		return // Welch has refused such a window
	}
	sum, squares := 0.0, 0.0
	for _, v := range w {
		sum += v
		squares += v * v
	}
	// A density times its noise bandwidth is the power of a sine, half the
	// square of its amplitude.
	s.sine = 2 * s.result.Rate * squares / (sum * sum)
	if s.result.Info.IQ { // of a complex tone, the square itself
		s.sine /= 2
	}
}

// floor is the power below which levels are not told apart: 300 dB below a
// sine of amplitude 1.
const floor = 1e-30

func decibels(power float64) float64 { return 10 * math.Log10(max(power, floor)) }

// finish gives what has been added up to the result.
func (s *spectra[T]) finish() {
	r := s.result
	r.Segments, r.sine = s.segments, s.sine
	r.Level = make([]float64, len(r.Frequencies))
	for _, d := range s.density {
		for k := range d {
			d[k] /= float64(s.segments)
			r.Level[k] += d[k] * s.sine / float64(len(s.density))
		}
	}
	r.Density = s.density
	for k, v := range r.Level {
		r.Level[k] = decibels(v)
	}
	bin := r.Rate / float64(r.NPerSeg)
	for _, c := range s.course.items {
		for i, v := range c {
			c[i] = float32(decibels(float64(v)))
		}
	}
	r.Spectrogram = Spectrogram{Span: float64(s.course.weight*s.cut.slice*s.cut.hop) / r.Rate, Columns: slices.Clip(s.course.items)}
	if r.Info.IQ {
		r.Spectrogram.Bottom = r.Frequencies[0]
	}
	if len(s.course.items) > 0 {
		r.Spectrogram.Top = r.Spectrogram.Bottom + bin*float64(len(s.course.items[0])*s.row)
	}
}
