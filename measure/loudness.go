package measure

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/twiddle-go/twiddle/signal/live"
)

// Loudness measures the loudness of a programme by ITU-R BS.1770-5, with the gates and the
// loudness range of EBU R 128, from samples in portions of any size. It is for one
// goroutine.
type Loudness struct {
	channels int
	weights  []float64
	filters  []*live.Filter
	peaks    []truePeak
	line     []float64 // of one channel

	step   int       // samples in a tenth of a second
	filled int       // samples of the tenth that is not over
	sum    float64   // of their weighted squares
	tenths []float64 // mean squares of the tenths so far
}

// maxChannels bounds what an interleaved stream may have.
const maxChannels = 64

// NewLoudness measures channels in the order of WAV files. Surround channels count
// 1.41 times and the low-frequency channel does not: five are L, R, C, Ls, Rs, and six
// have LFE after C. All others count once.
func NewLoudness(rate float64, channels int) (*Loudness, error) {
	if !(rate >= 8000 && rate <= 1e6) {
		return nil, fmt.Errorf("measure: loudness: a rate of %g: want 8000 to 1000000 Hz", rate)
	}
	if channels < 1 || channels > maxChannels {
		return nil, fmt.Errorf("measure: loudness: %d channels: want 1 to %d", channels, maxChannels)
	}
	m := &Loudness{channels: channels, weights: make([]float64, channels), step: int(math.Round(rate / 10))}
	for c := range m.weights {
		m.weights[c] = 1
	}
	switch channels {
	case 5:
		m.weights[3], m.weights[4] = 1.41, 1.41
	case 6:
		m.weights[3], m.weights[4], m.weights[5] = 0, 1.41, 1.41
	}
	for range channels {
		f, err := live.NewFilter(kWeighting(rate))
		if err != nil {
			return nil, err
		}
		m.filters = append(m.filters, f)
		m.peaks = append(m.peaks, newTruePeak(rate))
	}
	return m, nil
}

// kWeighting is the two filters of BS.1770 at any rate. The standard gives their
// coefficients at 48 kHz; these are the analog parameters behind them.
func kWeighting(rate float64) [][6]float64 {
	// A shelf for the head.
	const f0, gain, q0 = 1681.974450955533, 3.999843853973347, 0.7071752369554196
	k := math.Tan(math.Pi * f0 / rate)
	high := math.Pow(10, gain/20)
	band := math.Pow(high, 0.4996667741545416)
	shelf := [6]float64{high + band*k/q0 + k*k, 2 * (k*k - high), high - band*k/q0 + k*k, 1 + k/q0 + k*k, 2 * (k*k - 1), 1 - k/q0 + k*k}
	// A high-pass for low frequencies.
	const f1, q1 = 38.13547087602444, 0.5003270373238773
	k = math.Tan(math.Pi * f1 / rate)
	a0 := 1 + k/q1 + k*k
	return [][6]float64{shelf, {1, -2, 1, 1, 2 * (k*k - 1) / a0, (1 - k/q1 + k*k) / a0}}
}

var errFrames = errors.New("measure: loudness: samples are not whole frames")

// Add takes the next samples, those of a frame one after another.
func (m *Loudness) Add(samples []float32) error {
	if m.channels == 0 {
		return errors.New("measure: loudness: want what NewLoudness gives, which knows the rate and the channels")
	}
	if len(samples)%m.channels != 0 {
		return errFrames
	}
	for frames := len(samples) / m.channels; frames > 0; {
		n := min(frames, m.step-m.filled)
		if cap(m.line) < n {
			m.line = make([]float64, m.step)
		}
		x := m.line[:n]
		for c, f := range m.filters {
			for i := range x {
				x[i] = float64(samples[i*m.channels+c])
			}
			m.peaks[c].add(x)
			if err := f.Process64(x, x); err != nil {
				return err
			}
			sum := 0.0
			for _, v := range x {
				sum += v * v
			}
			m.sum += m.weights[c] * sum
		}
		samples, frames = samples[n*m.channels:], frames-n
		if m.filled += n; m.filled == m.step {
			m.tenths = append(m.tenths, m.sum/float64(m.step))
			m.sum, m.filled = 0, 0
		}
	}
	return nil
}

// lufs is the loudness of a mean square.
func lufs(power float64) float64 { return -0.691 + 10*math.Log10(power) }

func power(lufs float64) float64 { return math.Pow(10, (lufs+0.691)/10) }

// means are the mean squares of spans of so many tenths, every hop tenths.
func means(tenths []float64, span, hop int) []float64 {
	var list []float64
	for at := 0; at+span <= len(tenths); at += hop {
		list = append(list, mean(tenths[at:at+span]))
	}
	return list
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// gated leaves out what is below -70 LUFS, and what is below the mean of the rest by so
// many units.
func gated(blocks []float64, below float64) []float64 {
	loud := slices.DeleteFunc(blocks, func(v float64) bool { return !(v >= power(-70)) })
	if len(loud) == 0 {
		return nil
	}
	gate := mean(loud) * math.Pow(10, -below/10)
	return slices.DeleteFunc(loud, func(v float64) bool { return v < gate })
}

// Integrated is the loudness of all samples so far, in LUFS: minus infinity if there are
// none above -70.
func (m *Loudness) Integrated() float64 {
	blocks := gated(means(m.tenths, 4, 1), 10)
	if len(blocks) == 0 {
		return math.Inf(-1)
	}
	return lufs(mean(blocks))
}

// Momentary is the loudness of the last 0.4 s, in LUFS.
func (m *Loudness) Momentary() float64 { return m.last(4) }

// ShortTerm is the loudness of the last 3 s, in LUFS.
func (m *Loudness) ShortTerm() float64 { return m.last(30) }

func (m *Loudness) last(tenths int) float64 {
	if len(m.tenths) == 0 {
		return math.Inf(-1)
	}
	return lufs(mean(m.tenths[max(0, len(m.tenths)-tenths):]))
}

// Range is the loudness range in LU, EBU Tech 3342: between the 10th and the 95th
// percentile of the short-term loudness, gated at 20 LU below its mean.
func (m *Loudness) Range() float64 {
	blocks := gated(means(m.tenths, 30, 1), 20)
	if len(blocks) == 0 {
		return 0
	}
	slices.Sort(blocks)
	at := func(q float64) float64 { return lufs(blocks[int(math.Round(q*float64(len(blocks)-1)))]) }
	return at(0.95) - at(0.10)
}

// TruePeak is the greatest modulus between samples, in dB against full scale: by four
// times as many samples, and twice as many from 88.2 kHz on.
func (m *Loudness) TruePeak() float64 {
	most := 0.0
	for i := range m.peaks {
		most = max(most, m.peaks[i].most)
	}
	return 20 * math.Log10(most)
}
