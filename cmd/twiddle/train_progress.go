package main

import (
	"fmt"
	"io"

	"github.com/schollz/progressbar/v3"

	"github.com/twiddle-go/twiddle/learn"
)

// trainProgress shows how far training has come, with the loss and the rate, if w
// is a terminal; otherwise it does nothing.
type trainProgress struct{ bar *progressbar.ProgressBar }

// newTrainProgress begins with nothing of total done.
func newTrainProgress(w io.Writer, total int) *trainProgress {
	t := terminal(w)
	if t == nil {
		return &trainProgress{}
	}
	return &trainProgress{progressbar.NewOptions(total, progressbar.OptionSetWriter(t), progressbar.OptionSetWidth(24),
		progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionClearOnFinish())}
}

// hook is a hook of learn.Trainer.Run.
func (p *trainProgress) hook(e learn.Event) error {
	return p.set(e.Step, fmt.Sprintf("loss %.3e  rate %.2e", e.Loss, e.Rate))
}

// set shows how much is done, and a few words.
func (p *trainProgress) set(done int, words string) error {
	if p.bar == nil {
		return nil
	}
	p.bar.Describe(words)
	return p.bar.Set(min(done, p.bar.GetMax()))
}

// close clears the line.
func (p *trainProgress) close() error {
	if p.bar == nil {
		return nil
	}
	return p.bar.Finish()
}
