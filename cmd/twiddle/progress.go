package main

import (
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/schollz/progressbar/v3"
)

// progress shows how far long work is, on a terminal only, and only once it has
// taken a second.
type progress struct {
	done, total atomic.Int64
	unknown     atomic.Bool // the total is not known
	stop        chan struct{}
	stopped     sync.WaitGroup
}

// startProgress begins to wait. What is given to it later is in any unit.
func startProgress(w io.Writer, what string) *progress {
	p := &progress{stop: make(chan struct{})}
	if t := terminal(w); t != nil {
		p.stopped.Go(func() { p.show(t, what) })
	}
	return p
}

func (p *progress) show(w io.Writer, what string) {
	select {
	case <-p.stop:
		return
	case <-time.After(time.Second):
	}
	total := p.total.Load()
	if p.unknown.Load() {
		total = -1 // a spinner
	}
	bar := progressbar.NewOptions64(total, progressbar.OptionSetWriter(w), progressbar.OptionSetDescription(what), progressbar.OptionSetWidth(40),
		progressbar.OptionClearOnFinish(), progressbar.OptionSetPredictTime(true), progressbar.OptionThrottle(50*time.Millisecond),
		progressbar.OptionSetTheme(progressbar.Theme{Saucer: "█", SaucerPadding: "░", BarStart: "", BarEnd: ""}))
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-p.stop:
			bar.Clear()
			return
		case <-tick.C:
			if t := p.total.Load(); total >= 0 && t > total {
				total = t
				bar.ChangeMax64(t)
			}
			bar.Set64(p.done.Load())
		}
	}
}

// finish takes the bar away.
func (p *progress) finish() {
	close(p.stop)
	p.stopped.Wait()
}
