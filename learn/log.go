package learn

import (
	"encoding/json"
	"fmt"
	"io"
)

// LogTo is a hook of Run that writes every event as a line of JSON.
func LogTo(w io.Writer) func(Event) error {
	e := json.NewEncoder(w)
	return func(v Event) error {
		if err := e.Encode(v); err != nil {
			return fmt.Errorf("learn: log: %w", err)
		}
		return nil
	}
}
