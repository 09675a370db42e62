package fleet

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/twiddle-go/twiddle/fleet/archive"
	"github.com/twiddle-go/twiddle/nd"
)

// Run is a plan and an output folder. Any number of processes may have a Run
// of the same folder.
type Run struct {
	Plan *Plan
	days []Day
	of   []int // the day of each unit
}

// Open scans the archive, plans, and prepares the output folder. A folder that
// has results of another configuration is a *ConfigError.
func Open(ctx context.Context, c Config) (*Run, error) {
	p, err := Look(ctx, c, nil)
	if err != nil {
		return nil, err
	}
	if err := p.Config.keep(); err != nil {
		return nil, err
	}
	keepInventory(p)
	return NewRun(p), nil
}

// NewRun is a run of a plan.
func NewRun(p *Plan) *Run {
	r := &Run{Plan: p, days: p.Days(), of: make([]int, len(p.Units))}
	for i, d := range r.days {
		for _, u := range d.Units {
			r.of[u] = i
		}
	}
	return r
}

// Look scans and plans, and writes nothing. Progress, if there is one, is told
// how many files have been looked at.
func Look(ctx context.Context, c Config, progress func(files, of int)) (*Plan, error) {
	c, err := c.filled()
	if err != nil {
		return nil, err
	}
	o := archive.Options{Station: c.Station, Rate: c.Rate}
	if c.Pattern != "" {
		if o.Pattern, err = archive.ParsePattern(c.Pattern); err != nil {
			return nil, err
		}
	}
	names, err := archive.Find(c.In...)
	if err != nil {
		return nil, err
	}
	if progress != nil {
		o.Progress = func(files int) { progress(files, len(names)) }
	}
	o.Known = readInventory(c).find
	found, err := archive.Scan(ctx, names, o)
	if err != nil {
		return nil, err
	}
	return NewPlan(c, found)
}

// Missing are the units that are still to be computed.
func (r *Run) Missing() []int {
	var missing []int
	for _, d := range r.days {
		if r.Plan.finished(d) == nil {
			for _, u := range d.Units {
				if !r.has(u) {
					missing = append(missing, u)
				}
			}
		}
	}
	return missing
}

// has reports whether the part of a unit is there.
func (r *Run) has(unit int) bool {
	_, err := os.Stat(filepath.Join(r.Plan.Config.Out, r.Plan.partName(&r.Plan.Units[unit])))
	return err == nil
}

// Do computes a unit and keeps its part, unless that is there already. A day of
// one unit is written at once, without a part.
func (r *Run) Do(ctx context.Context, unit int, stream *nd.Stream) error {
	d := r.days[r.of[unit]]
	if r.Plan.finished(d) != nil || r.has(unit) {
		return nil
	}
	u := &r.Plan.Units[unit]
	part, err := r.Plan.Compute(ctx, u, stream)
	if err != nil {
		return err
	}
	if len(d.Units) == 1 {
		return r.Plan.write(d, []*Part{part})
	}
	return part.write(r.Plan.Config.Out, r.Plan.partName(u))
}

// Workers computes units, several at a time, each on a stream of its own.
type Workers struct {
	run     *Run
	streams chan *nd.Stream
}

// Devices opens those that the configuration names, the CPU if none: several,
// with commas between them, are shared out among the workers.
func (c *Config) Devices() ([]*nd.Device, error) {
	if c.Device == "" {
		return []*nd.Device{nd.CPU()}, nil
	}
	var all []*nd.Device
	for name := range strings.SplitSeq(c.Device, ",") {
		d, err := nd.Open(strings.TrimSpace(name))
		if err != nil {
			return nil, fmt.Errorf("fleet: %w", err)
		}
		all = append(all, d)
	}
	return all, nil
}

// NewWorkers opens the devices and their streams.
func (r *Run) NewWorkers() (*Workers, error) {
	c := r.Plan.Config
	n := c.Workers
	if n <= 0 {
		n = runtime.GOMAXPROCS(0)
	}
	devices, err := c.Devices()
	if err != nil {
		return nil, err
	}
	w := &Workers{r, make(chan *nd.Stream, n)}
	for i := range n {
		s, err := devices[i%len(devices)].NewStream()
		if err != nil {
			return nil, fmt.Errorf("fleet: %w", err)
		}
		w.streams <- s
	}
	return w, nil
}

// Take waits until a worker is free. The function it gives computes a unit and
// frees the worker.
func (w *Workers) Take(ctx context.Context) (func(unit int) error, error) {
	select {
	case s := <-w.streams:
		return func(unit int) error {
			defer func() { w.streams <- s }()
			return w.run.Do(ctx, unit, s)
		}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Close ends the streams; all workers have to be free.
func (w *Workers) Close() error {
	var errs []error
	for range cap(w.streams) {
		errs = append(errs, (<-w.streams).Close())
	}
	return errors.Join(errs...)
}

// Shard computes the missing units of one of so many shards: those whose
// number leaves the remainder shard when divided by of.
func (r *Run) Shard(ctx context.Context, shard, of int) error {
	if of < 1 || shard < 0 || shard >= of {
		return fmt.Errorf("fleet: shard %d of %d", shard, of)
	}
	var mine []int
	for _, u := range r.Missing() {
		if u%of == shard {
			mine = append(mine, u)
		}
	}
	return r.each(ctx, mine, func(int) error { return nil })
}

// Local computes everything in this process, and finishes days as soon as all
// of their units are there.
func (r *Run) Local(ctx context.Context) error {
	left := make([]atomic.Int32, len(r.days))
	missing := r.Missing()
	for _, u := range missing {
		left[r.of[u]].Add(1)
	}
	err := r.each(ctx, missing, func(u int) error {
		if left[r.of[u]].Add(-1) == 0 {
			return r.Plan.Finish(r.days[r.of[u]])
		}
		return nil
	})
	if err != nil {
		return err
	}
	return r.Merge(ctx)
}

// each computes units and calls done after each, on all workers. The first
// error ends it.
func (r *Run) each(ctx context.Context, units []int, done func(unit int) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	workers, err := r.NewWorkers()
	if err != nil {
		return err
	}
	var wait sync.WaitGroup
	for _, u := range units {
		do, err := workers.Take(ctx)
		if err != nil {
			break
		}
		wait.Go(func() {
			err := do(u)
			if err == nil {
				err = done(u)
			}
			if err != nil {
				stop(err)
			}
		})
	}
	wait.Wait()
	if err := workers.Close(); err != nil {
		return fmt.Errorf("fleet: %w", err)
	}
	return context.Cause(ctx)
}

// MissingError says that units have not been computed yet.
type MissingError struct {
	Missing []int
	Of      int
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("fleet: merge: %d of %d units are missing, the first is number %d: run the shards that did not end again", len(e.Missing), e.Of, e.Missing[0]+1)
}

// Merge finishes the days that are not, and closes the output. Units that are
// missing are a *MissingError, after all other days have been finished.
func (r *Run) Merge(ctx context.Context) error {
	missing := r.Missing()
	lacks := map[int]bool{}
	for _, u := range missing {
		lacks[u] = true
	}
	var ready []Day
	for _, d := range r.days {
		whole := true
		for _, u := range d.Units {
			whole = whole && !lacks[u]
		}
		if whole {
			ready = append(ready, d)
		}
	}
	if err := finishAll(ctx, r.Plan, ready); err != nil {
		return err
	}
	if len(missing) > 0 {
		return &MissingError{missing, len(r.Plan.Units)}
	}
	return r.Plan.Close()
}

// finishAll finishes days, one for each processor at a time.
func finishAll(ctx context.Context, p *Plan, days []Day) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	free := make(chan bool, runtime.GOMAXPROCS(0))
	var wait sync.WaitGroup
	for _, d := range days {
		free <- true
		if ctx.Err() != nil {
			break
		}
		wait.Go(func() {
			defer func() { <-free }()
			if err := p.Finish(d); err != nil {
				stop(err)
			}
		})
	}
	wait.Wait()
	return context.Cause(ctx)
}
