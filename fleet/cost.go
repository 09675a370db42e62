package fleet

import (
	"context"
	"fmt"
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
	// Model is how long the engine's cost model says that its part of computing
	// takes, 0 if the job does not say.
	Model time.Duration
	// Read and Compute are how long reading and computing take, by the first
	// window of each series, which is read and computed to see.
	Read, Compute time.Duration
}

// Total is how long all of it takes: workers share the processors, so reading
// and computing add up.
func (e *Estimate) Total() time.Duration { return e.Read + e.Compute }

// Estimate says what the missing units would take on this machine.
func (r *Run) Estimate(ctx context.Context) (*Estimate, error) {
	p := r.Plan
	missing := r.Missing()
	e := &Estimate{Units: len(p.Units), Done: len(p.Units) - len(missing)}
	workers, err := r.NewWorkers()
	if err != nil {
		return nil, err
	}
	defer workers.Close()
	stream := <-workers.streams
	defer func() { workers.streams <- stream }()
	models := make([]time.Duration, len(p.Datasets))
	samples := make([]*sampled, len(p.Datasets))
	for _, u := range missing {
		unit := &p.Units[u]
		d := &p.Datasets[unit.Dataset]
		if samples[unit.Dataset] == nil {
			if models[unit.Dataset], err = p.model(d); err != nil {
				return nil, err
			}
			if samples[unit.Dataset], err = p.sample(ctx, unit, stream); err != nil {
				return nil, err
			}
		}
		e.Hours += p.Seconds(unit) / 3600
		e.Bytes += p.Bytes(unit)
		for i := range d.Layout.Variables {
			e.OutputBytes += 4 * int64(unit.Rows*d.Layout.Size(&d.Layout.Variables[i]))
		}
		one := samples[unit.Dataset]
		windows := time.Duration(unit.Rows) * p.Config.Period / d.Layout.Window
		e.Model += windows * models[unit.Dataset]
		e.Read += windows * one.read / time.Duration(cap(workers.streams))
		e.Compute += (windows-time.Duration(unit.Rows))*one.window + time.Duration(unit.Rows)*one.last
	}
	return e, nil
}

// model is what the engine's cost model says that a window takes.
func (p *Plan) model(d *Dataset) (time.Duration, error) {
	job, err := NewJob(p.Config.Job, p.Config.Options)
	if err != nil {
		return 0, err
	}
	costed, ok := job.(Costed)
	if !ok {
		return 0, nil
	}
	arrays, err := costed.Graph(&d.Series)
	if err != nil {
		return 0, fmt.Errorf("fleet: estimate: %w", err)
	}
	plan, err := nd.Explain(arrays...)
	if err != nil {
		return 0, fmt.Errorf("fleet: estimate: %w", err)
	}
	return time.Duration(plan.PredictedNs), nil
}

// sampled is what a window took: to read, and to compute, as one of the first
// or as the last of a period.
type sampled struct{ read, window, last time.Duration }

// sample reads and computes the first window of a unit that has samples.
func (p *Plan) sample(ctx context.Context, u *Unit, stream *nd.Stream) (*sampled, error) {
	d := &p.Datasets[u.Dataset]
	job, err := NewJob(p.Config.Job, p.Config.Options)
	if err != nil {
		return nil, err
	}
	_, compute, err := job.Prepare(&d.Series)
	if err != nil {
		return nil, fmt.Errorf("fleet: estimate: %w", err)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s := &sampled{}
	start := time.Now()
	in := newReader(ctx, p, u, stream)
	for w := range in.windows {
		s.read = time.Since(start)
		if !w.any() {
			in.free <- w.memory
			start = time.Now()
			continue
		}
		row := newPart(u, d).room()
		// The best of three: a machine is rarely idle, and one is soon done.
		took := func(last bool) (best time.Duration, err error) {
			for range 3 {
				w.Last = last
				start := time.Now()
				if err := compute(ctx, w, row[:len(row)-1]); err != nil {
					return 0, err
				}
				if t := time.Since(start); best == 0 || t < best {
					best = t
				}
			}
			return best, nil
		}
		if s.last, err = took(true); err == nil && d.Layout.Window < p.Config.Period {
			s.window, err = took(false)
		}
		if err != nil {
			return nil, fmt.Errorf("fleet: estimate: %w", err)
		}
		return s, nil
	}
	return s, ctx.Err()
}
