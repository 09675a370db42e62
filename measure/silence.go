package measure

import (
	"context"
	"fmt"

	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// Silence is the options of finding what is not silent, by the RMS of frames, as
// librosa.effects.trim and split.
type Silence struct {
	TopDB float64 // how far below the loudest frame silence begins; 0 is 60
	Frame int     // samples in a frame; 0 is 2048
	Hop   int     // between frames; 0 is 512
}

// Trim gives x without the silence before and behind: x is (samples), or
// (channels, samples), of which the loudest counts. Samples from start to end are
// left; all of them if none is louder than another.
func (s Silence) Trim(ctx context.Context, x *nd.Array) (y *nd.Array, start, end int, err error) {
	parts, err := s.Split(ctx, x)
	if err != nil {
		return nil, 0, 0, err
	}
	if len(parts) > 0 {
		start, end = parts[0][0], parts[len(parts)-1][1]
	}
	y = x.SliceAxis(-1, nd.Between(start, end))
	return y, start, end, y.Err()
}

// Split gives the parts of x between silences, each from its first sample to the one behind
// its last.
func (s Silence) Split(ctx context.Context, x *nd.Array) ([][2]int, error) {
	const op = "silence"
	if s.TopDB == 0 {
		s.TopDB = 60
	}
	if s.Frame == 0 {
		s.Frame = 2048
	}
	if s.Hop == 0 {
		s.Hop = 512
	}
	if err := check(op, x); err != nil {
		return nil, err
	}
	switch {
	case !(s.TopDB > 0):
		return nil, fmt.Errorf("measure: %s: TopDB %g: want a positive number", op, s.TopDB)
	case s.Frame < 1 || s.Hop < 1:
		return nil, fmt.Errorf("measure: %s: Frame %d and Hop %d: want 1 or more", op, s.Frame, s.Hop)
	case x.NDim() > 2:
		return nil, fmt.Errorf("measure: %s: x of shape %v: want (samples) or (channels, samples)", op, x.Shape())
	}
	n := x.Dim(-1)
	level := signal.AmplitudeToDB(signal.RMS(x.Reshape(-1, n), s.Frame, s.Hop).Reshape(x.Len()/n, -1), signal.Decibels{RefMax: true, TopDB: signal.None})
	db, err := nd.Slice[float64](ctx, level.Max(0).Cast(nd.Float64))
	if err != nil {
		return nil, err
	}
	var parts [][2]int
	sounding := false
	for i, v := range db {
		if v != v {
			return nil, fmt.Errorf("measure: %s: frame %d has samples that are not numbers", op, i)
		}
		if at := min(i*s.Hop, n); v > -s.TopDB && !sounding {
			parts, sounding = append(parts, [2]int{at, n}), true
		} else if v <= -s.TopDB && sounding {
			parts[len(parts)-1][1], sounding = at, false
		}
	}
	return parts, nil
}
