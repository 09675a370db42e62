package learn

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/schollz/progressbar/v3"
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

// Progress shows how far training has come, with the loss and the rate, if w
// is a terminal; otherwise it does nothing.
type Progress struct{ bar *progressbar.ProgressBar }

// NewProgress begins with nothing of total done.
func NewProgress(w io.Writer, total int) *Progress {
	if !isTerminal(w) {
		return &Progress{}
	}
	return &Progress{progressbar.NewOptions(total, progressbar.OptionSetWriter(w), progressbar.OptionSetWidth(24),
		progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionClearOnFinish())}
}

// Hook is a hook of Run.
func (p *Progress) Hook(e Event) error {
	return p.Set(e.Step, fmt.Sprintf("loss %.3e  rate %.2e", e.Loss, e.Rate))
}

// Set shows how much is done, and a few words.
func (p *Progress) Set(done int, words string) error {
	if p.bar == nil {
		return nil
	}
	p.bar.Describe(words)
	return p.bar.Set(min(done, p.bar.GetMax()))
}

// Close clears the line.
func (p *Progress) Close() error {
	if p.bar == nil {
		return nil
	}
	return p.bar.Finish()
}

// isTerminal reports a file that is a character device.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
