package nd

import (
	"errors"
	"fmt"
)

// Then calls f, on a new goroutine, when all work submitted to the stream so far is done,
// whether it failed or not. No stream waits for f. A panic of f is logged and recovered.
func (s *Stream) Then(f func()) error {
	if f == nil {
		return errors.New("nd: stream then: no function")
	}
	if err := s.dev.Then(s.index, func() { go guarded("stream then", f) }); err != nil {
		return fmt.Errorf("nd: stream then: %w", err)
	}
	return nil
}
