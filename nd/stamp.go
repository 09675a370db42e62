package nd

import (
	"context"
	"fmt"
	"time"

	"github.com/twiddle-go/twiddle/nd/internal/device"
)

// Stamp is a point in the work of a Stream, for measuring the time between two points. On
// a GPU it uses the GPU's own clock, so that the time to submit work does not count.
type Stamp struct {
	stream *Stream
	stamp  device.Stamp
	err    error
}

// Stamp notes the time when all work given to the stream so far is done. It
// does not wait.
func (s *Stream) Stamp() *Stamp {
	q, err := s.dev.Queue(s.index)
	if err != nil {
		return &Stamp{err: fmt.Errorf("nd: stamp: %w", err)}
	}
	return &Stamp{stream: s, stamp: device.StampOf(q)}
}

// Since waits for both moments and gives the time between them. Both are of
// the same stream.
func (t *Stamp) Since(ctx context.Context, earlier *Stamp) (time.Duration, error) {
	for _, s := range []*Stamp{t, earlier} {
		if s.err != nil {
			return 0, s.err
		}
	}
	if *t.stream != *earlier.stream {
		return 0, fmt.Errorf("nd: stamp: the moments are of different streams")
	}
	d, err := t.stamp.Since(ctx, earlier.stamp)
	if err != nil {
		return 0, fmt.Errorf("nd: stamp: %w", err)
	}
	return d, nil
}
