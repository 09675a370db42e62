package signal

import (
	"cmp"
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/internal/counted"
)

// Frames is how many frames Apply makes of lines of n samples.
func (s STFT) Frames(n int) (int, error) {
	count, _, err := s.count(n)
	return count, err
}

// Times is when the middle of each of those frames is, in seconds from the first
// sample on, as scipy.signal.stft gives them: FS is the sampling frequency, 1 if 0.
func (s STFT) Times(n int) ([]float64, error) {
	count, f, err := s.count(n)
	if err != nil {
		return nil, err
	}
	fs := cmp.Or(s.FS, 1)
	if err := checkSize("frames", count); err != nil {
		return nil, fmt.Errorf("signal: stft: %w", err)
	}
	// With a border frames are around samples, also where their middle is half a sample from
	// one because their size is odd: SciPy and librosa count so.
	middle := 0.0
	if s.Border == BorderNone {
		middle = float64(f.size) / 2
	}
	t := make([]float64, count)
	for i := range t {
		t[i] = (float64(i*f.hop) + middle) / fs
	}
	return t, nil
}

func (s STFT) count(n int) (int, frames, error) {
	f, _, err := framing{s, false}.lengths()
	if err == nil && n < 1 {
		err = fmt.Errorf("%d samples: want 1 or more", n)
	}
	if err != nil {
		return 0, f, fmt.Errorf("signal: stft: %w", err)
	}
	if n > math.MaxInt-2*f.border-f.hop {
		return 0, f, fmt.Errorf("signal: stft: %d samples: too many to count", n)
	}
	if s.Border == BorderReflect && f.border >= n {
		return 0, f, fmt.Errorf("signal: stft: %w", f.tooFew(n))
	}
	total := n + 2*f.border
	if s.Fill {
		total = max(total, f.size)
		if rest := (total - f.size) % f.hop; rest > 0 {
			total += f.hop - rest
		}
	}
	if total < f.size {
		return 0, f, fmt.Errorf("signal: stft: %s not fill a frame of %d", counted.Of(total, "sample does", "samples do"), f.size)
	}
	return (total-f.size)/f.hop + 1, f, nil
}
