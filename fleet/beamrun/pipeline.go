package beamrun

import (
	"context"
	"fmt"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/twiddle-go/twiddle/fleet"
)

func init() {
	register.DoFn3x1[context.Context, []byte, func(int), error](&listFn{})
	register.DoFn3x1[context.Context, int, func(int, int), error](&computeFn{})
	register.DoFn4x1[context.Context, int, func(*int) bool, func(string, int), error](&finishFn{})
	register.DoFn3x1[context.Context, string, func(*int) bool, error](&closeFn{})
	register.Emitter1[int]()
	register.Emitter2[int, int]()
	register.Emitter2[string, int]()
	register.Iter1[int]()
}

// where is what every step is told: the folder that has the plan, and how to
// compute.
type where struct {
	Out     string
	Plan    string // the name of the plan in the folder
	Device  string
	Workers int
}

// plans are those that this process has read: all bundles share one.
var (
	plansMu sync.Mutex
	plans   = map[where]*shared{}
)

type shared struct {
	once    sync.Once
	err     error
	run     *fleet.Run
	days    []fleet.Day
	workers *fleet.Workers
}

func (w where) open() (*shared, error) {
	plansMu.Lock()
	s := plans[w]
	if s == nil {
		s = &shared{}
		plans[w] = s
	}
	plansMu.Unlock()
	s.once.Do(func() {
		p, err := fleet.ReadPlan(w.Out, w.Plan)
		if err != nil {
			s.err = err
			return
		}
		p.Config.Device, p.Config.Workers = w.Device, w.Workers
		s.run, s.days = fleet.NewRun(p), p.Days()
		s.workers, s.err = s.run.NewWorkers()
	})
	return s, s.err
}

// listFn emits the units that are missing.
type listFn struct{ Where where }

func (f *listFn) ProcessElement(ctx context.Context, _ []byte, emit func(int)) error {
	s, err := f.Where.open()
	if err != nil {
		return err
	}
	for u := range s.run.Plan.Units {
		emit(u)
	}
	return nil
}

// computeFn computes units and emits the day that each is of. The units of a
// bundle are computed several at a time: runners make bundles as they like,
// and some make only one.
type computeFn struct {
	Where where

	wait    *sync.WaitGroup
	mu      *sync.Mutex
	err     error
	done    []int
	dayOf   map[int]int
	missing map[int]bool
}

func (f *computeFn) StartBundle(_ context.Context, _ func(int, int)) error {
	s, err := f.Where.open()
	if err != nil {
		return err
	}
	f.wait, f.mu, f.err, f.done = &sync.WaitGroup{}, &sync.Mutex{}, nil, nil
	if f.dayOf == nil {
		f.dayOf = map[int]int{}
		for i, d := range s.days {
			for _, u := range d.Units {
				f.dayOf[u] = i
			}
		}
	}
	f.missing = map[int]bool{}
	for _, u := range s.run.Missing() {
		f.missing[u] = true
	}
	return nil
}

func (f *computeFn) ProcessElement(ctx context.Context, unit int, _ func(int, int)) error {
	s, err := f.Where.open()
	if err != nil {
		return err
	}
	f.mu.Lock()
	err = f.err
	f.done = append(f.done, unit)
	f.mu.Unlock()
	if err != nil || !f.missing[unit] {
		return err
	}
	do, err := s.workers.Take(ctx)
	if err != nil {
		return err
	}
	f.wait.Go(func() {
		if err := do(unit); err != nil {
			f.mu.Lock()
			f.err = fmt.Errorf("unit %d: %w", unit, err)
			f.mu.Unlock()
		}
	})
	return nil
}

func (f *computeFn) FinishBundle(_ context.Context, emit func(int, int)) error {
	f.wait.Wait()
	if f.err != nil {
		return f.err
	}
	for _, u := range f.done {
		emit(f.dayOf[u], u)
	}
	return nil
}

// finishFn writes a day when all its units are there.
type finishFn struct{ Where where }

func (f *finishFn) ProcessElement(_ context.Context, day int, units func(*int) bool, emit func(string, int)) error {
	s, err := f.Where.open()
	if err != nil {
		return err
	}
	for u := 0; units(&u); {
	}
	if err := s.run.Plan.Finish(s.days[day]); err != nil {
		return err
	}
	emit("", day)
	return nil
}

// closeFn writes what belongs to all days.
type closeFn struct{ Where where }

func (f *closeFn) ProcessElement(_ context.Context, _ string, days func(*int) bool) error {
	s, err := f.Where.open()
	if err != nil {
		return err
	}
	for d := 0; days(&d); {
	}
	return s.run.Plan.Close()
}

// pipeline is the steps of a run.
func pipeline(w where) *beam.Pipeline {
	p, s := beam.NewPipelineWithRoot()
	units := beam.ParDo(s.Scope("List"), &listFn{w}, beam.Impulse(s))
	units = beam.Reshuffle(s.Scope("Spread"), units)
	done := beam.ParDo(s.Scope("Compute"), &computeFn{Where: w}, units)
	days := beam.ParDo(s.Scope("Finish"), &finishFn{w}, beam.GroupByKey(s.Scope("Days"), done))
	beam.ParDo0(s.Scope("Close"), &closeFn{w}, beam.GroupByKey(s.Scope("All"), days))
	return p
}
