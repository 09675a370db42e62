package fleet

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/twiddle-go/twiddle/nd"
)

// Costed is a Job that can say what a window takes: arrays that are computed
// for each.
type Costed interface {
	Job
	Graph(s *Series) ([]*nd.Array, error)
}

// Estimate is what units would take.
type Estimate struct {
	Units, Done int     // of the plan, and those that need not be computed
	Hours       float64 // of time series in units that are missing
	Bytes       int64   // to read
	OutputBytes int64   // of numbers, before they are compressed
	// Compute is how long the engine's cost model says that computing takes,
	// 0 if the job does not say. Read is how long reading takes, at the rate
	// of the first file.
	Compute, Read time.Duration
	ReadRate      float64 // bytes per second
}

// Total is how long all of it takes: reading and computing overlap.
func (e *Estimate) Total() time.Duration { return max(e.Compute, e.Read) }

// Estimate says what the missing units would take on this machine.
func (r *Run) Estimate() (*Estimate, error) {
	p := r.Plan
	missing := r.Missing()
	e := &Estimate{Units: len(p.Units), Done: len(p.Units) - len(missing)}
	job, err := NewJob(p.Config.Job, p.Config.Options)
	if err != nil {
		return nil, err
	}
	perWindow := make([]time.Duration, len(p.Datasets))
	if costed, ok := job.(Costed); ok {
		for i := range p.Datasets {
			arrays, err := costed.Graph(&p.Datasets[i].Series)
			if err != nil {
				return nil, fmt.Errorf("fleet: estimate: %w", err)
			}
			plan, err := nd.Explain(arrays...)
			if err != nil {
				return nil, fmt.Errorf("fleet: estimate: %w", err)
			}
			perWindow[i] = time.Duration(plan.PredictedNs)
		}
	}
	for _, u := range missing {
		unit := &p.Units[u]
		d := &p.Datasets[unit.Dataset]
		e.Hours += p.Seconds(unit) / 3600
		e.Bytes += p.Bytes(unit)
		for i := range d.Layout.Variables {
			e.OutputBytes += 4 * int64(unit.Rows*d.Layout.Size(&d.Layout.Variables[i]))
		}
		windows := int64(time.Duration(unit.Rows) * p.Config.Period / d.Layout.Window)
		e.Compute += time.Duration(windows) * perWindow[unit.Dataset]
	}
	if len(missing) > 0 {
		if rate, err := readRate(p.Files[0].Path); err == nil && rate > 0 {
			e.ReadRate = rate
			e.Read = time.Duration(float64(e.Bytes) / rate * 1e9)
		}
	}
	return e, nil
}

// readRate is how fast the beginning of a file is read, in bytes per second.
func readRate(name string) (float64, error) {
	const enough = 32 << 20
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	start := time.Now()
	n, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, io.LimitReader(f, enough), make([]byte, 1<<20))
	if err != nil {
		return 0, err
	}
	return float64(n) / max(time.Since(start).Seconds(), 1e-6), nil
}
