package nd

import (
	"errors"
	"fmt"
)

// Then calls f, on a goroutine of its own, once all work that the stream has
// been given so far is done, whether it failed or not. The stream does not
// wait for f, and neither does any other. A panic of f is logged, and goes no
// further.
func (s *Stream) Then(f func()) error {
	if f == nil {
		return errors.New("nd: stream then: no function")
	}
	if err := s.dev.Then(s.index, func() { go guarded("stream then", f) }); err != nil {
		return fmt.Errorf("nd: stream then: %w", err)
	}
	return nil
}
