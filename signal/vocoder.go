package signal

import (
	"cmp"
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// PhaseVocoder makes a spectrogram (..., bins, frames) faster by a rate, or slower
// below 1, with phases that go on as they did, as librosa.phase_vocoder. hop is
// the distance of frames in samples; as whole turns do not matter, neither does it.
func PhaseVocoder(z *nd.Array, rate float64, hop int) *nd.Array {
	const op = "phasevocoder"
	if bad := unusable(op, z); bad != nil {
		return bad
	}
	switch {
	case !z.DType().IsComplex() || z.NDim() < 2 || z.Dim(-2) == 0 || z.Dim(-1) == 0:
		return fail(op, "z is %s of shape %v: want complex bins and frames", z.DType(), z.Shape())(z)
	case !(rate > 0) || math.IsInf(rate, 0) || hop < 1:
		return fail(op, "rate %g and hop %d: want positive numbers", rate, hop)(z)
	}
	bins, frames := z.Dim(-2), z.Dim(-1)
	if !(float64(frames)/rate <= maxSize) || bins > maxSize {
		return fail(op, "%d bins and %d frames at rate %g: want at most %d of each", bins, frames, rate, maxSize)(z)
	}
	var at []int64
	var part []float64
	for i := 0; ; i++ {
		step := float64(i) * rate
		if step >= float64(frames) {
			break
		}
		at, part = append(at, int64(step)), append(part, step-math.Floor(step))
	}
	z = z.PadAxis(-1, nd.Margin{After: 2}, nd.Pad{})
	next := make([]int64, len(at))
	for i, v := range at {
		next[i] = v + 1
	}
	a, b := z.Take(nd.From(at).Beside(z), -1), z.Take(nd.From(next).Beside(z), -1)
	size, angle := a.Abs(), a.Angle()
	alpha := constant(part, size)
	size = size.Add(b.Abs().Sub(size).Mul(alpha))
	// How far the phase turns until the next frame, less whole turns. librosa adds those that hop samples are expected
	// to make: hundreds of radians a frame near the Nyquist frequency, whose sum has few digits left in float32.
	turn := b.Angle().Sub(angle)
	turn = turn.Sub(turn.DivScalar(2 * math.Pi).Round().MulScalar(2 * math.Pi))
	phase := turn.SliceAxis(-1, nd.Range{Stop: len(at) - 1}).CumSum(-1).PadAxis(-1, nd.Margin{Before: 1}, nd.Pad{})
	phase = phase.Add(z.SliceAxis(-1, nd.Range{Stop: 1}).Angle())
	return nd.Complex(size.Mul(phase.Cos()), size.Mul(phase.Sin()))
}

// TimeStretch makes x faster by a rate, or slower below 1, at the same pitch, as
// librosa.effects.time_stretch.
func TimeStretch(x *nd.Array, rate float64) *nd.Array { return stretched("timestretch", x, rate) }

func stretched(op string, x *nd.Array, rate float64) *nd.Array {
	l, bad := along(op, x, nd.AxisChoice{}, false)
	if bad != nil {
		return bad
	}
	length := math.Round(float64(l.Dim(-1)) / rate)
	if !(rate > 0) || math.IsInf(rate, 0) || !(length >= 1 && length <= maxSize) {
		return fail(op, "%d samples at rate %g: want a positive number, and 1 to %d samples of the result", l.Dim(-1), rate, maxSize)(x)
	}
	s := Librosa(2048, 512)
	y := PhaseVocoder(s.Apply(l.Array), rate, 512)
	if y.Err() != nil {
		return y
	}
	return s.Inverse(y, Inverse{Length: int(length)})
}

// PitchShift makes x higher by a number of semitones, as
// librosa.effects.pitch_shift, which resamples in another way.
func PitchShift(x *nd.Array, semitones float64) *nd.Array {
	const op = "pitchshift"
	if math.IsNaN(semitones) || math.Abs(semitones) > 120 {
		return fail(op, "%g semitones: want 120 at most", semitones)(x)
	}
	y := stretched(op, x, math.Pow(2, -semitones/12))
	if y.Err() != nil {
		return y
	}
	return Resample{N: x.Dim(-1)}.Apply(y)
}

// GriffinLim finds a signal with given magnitudes (..., bins, frames), as
// librosa.griffinlim: phases are random at first, then those of the signal that
// they give.
type GriffinLim struct {
	STFT       STFT // as Librosa(2048, 512) gives it if zero
	Iterations int  // 0 is 32
	// Momentum makes it faster; 0 is 0.99, Zero is the original algorithm.
	Momentum float64
	Seed     int
	Length   int // samples of the result; 0 is all that the frames cover
}

// Apply gives the signal.
func (g GriffinLim) Apply(s *nd.Array) *nd.Array {
	const op = "griffinlim"
	if bad := bins(op, s); bad != nil {
		return bad
	}
	if g.STFT == (STFT{}) {
		g.STFT = Librosa(2*(s.Dim(-2)-1), (s.Dim(-2)-1)/2)
	}
	g.Iterations = cmp.Or(g.Iterations, 32)
	g.Momentum = cmp.Or(g.Momentum, 0.99)
	momentum := number(g.Momentum)
	if g.Iterations < 1 || !(momentum >= 0) {
		return fail(op, "Iterations %d and Momentum %g: want positive numbers", g.Iterations, g.Momentum)(s)
	}
	phase := nd.Uniform(nd.Key(g.Seed), s.DType(), s.Shape()...).Beside(s).MulScalar(2 * math.Pi)
	angles := nd.Complex(phase.Cos(), phase.Sin())
	full := Inverse{Length: g.Length}
	var before *nd.Array
	for range g.Iterations {
		again := g.STFT.Apply(g.STFT.Inverse(angles.Mul(s.Cast(angles.DType())), full))
		if again.Err() != nil {
			return again
		}
		next := again
		if before != nil && momentum > 0 {
			next = again.Sub(before.MulScalar(momentum / (1 + momentum)))
		}
		before = again
		angles = next.Div(next.Abs().AddScalar(1e-16).Cast(next.DType()))
	}
	return g.STFT.Inverse(angles.Mul(s.Cast(angles.DType())), full)
}
