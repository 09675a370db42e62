package fleet

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/twiddle-go/twiddle/fleet/archive"
	"github.com/twiddle-go/twiddle/nd"
)

// reader gives the windows of a unit, and reads ahead: while one window is
// worked on, the next is being read.
type reader struct {
	windows  chan *Window
	free     chan *slab
	stations []*stationReader
}

const slabs = 2

// newReader starts reading a unit, until the context ends.
func newReader(ctx context.Context, p *Plan, u *Unit, stream *nd.Stream) *reader {
	d := &p.Datasets[u.Dataset]
	r := &reader{windows: make(chan *Window), free: make(chan *slab, slabs)}
	for range slabs {
		r.free <- &slab{}
	}
	for _, files := range u.Files {
		s := &stationReader{rate: p.Config.Rate}
		for _, f := range files {
			s.files = append(s.files, &p.Files[f])
		}
		r.stations = append(r.stations, s)
	}
	go func() {
		defer close(r.windows)
		for _, s := range r.stations {
			defer s.close()
		}
		length := d.Layout.Window
		total := int(time.Duration(u.Rows) * p.Config.Period / length)
		per := int(p.Config.Period / length)
		for i := range total {
			var memory *slab
			select {
			case memory = <-r.free:
			case <-ctx.Done():
				return
			}
			memory.used = 0
			w := &Window{Start: u.Start(p.Config.Period).Add(time.Duration(i) * length), Length: length,
				Series: &d.Series, Stream: stream, Last: (i+1)%per == 0, memory: memory}
			for _, s := range r.stations {
				w.Stations = append(w.Stations, s.read(w.Start, length, memory))
			}
			select {
			case r.windows <- w:
			case <-ctx.Done():
				return
			}
		}
	}()
	return r
}

// any reports whether a window has samples.
func (w *Window) any() bool {
	for _, s := range w.Stations {
		for _, one := range s {
			if one.Frames > 0 {
				return true
			}
		}
	}
	return false
}

// problems are what was found wrong with files, when all has been read.
func (r *reader) problems() []archive.Problem {
	var all []archive.Problem
	for _, s := range r.stations {
		all = append(all, s.problems...)
	}
	return all
}

// Compute gives the rows of a unit.
func (p *Plan) Compute(ctx context.Context, u *Unit, stream *nd.Stream) (*Part, error) {
	d := &p.Datasets[u.Dataset]
	job, err := NewJob(p.Config.Job, p.Config.Options)
	if err != nil {
		return nil, err
	}
	_, compute, err := job.Prepare(&d.Series)
	if err != nil {
		return nil, fmt.Errorf("fleet: %s of %s: %w", p.Config.Job, d.Series.Name, err)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	in := newReader(ctx, p, u, stream)
	part := newPart(u, d)
	var row Row // that is being computed
	effort, any := 0.0, false
	index := u.Row
	for w := range in.windows {
		frames := 0
		for _, s := range w.Stations {
			for _, one := range s {
				frames += one.Frames
			}
		}
		if frames > 0 || any && w.Last {
			if row == nil {
				row = part.room()
			}
			any = true
			effort += float64(frames) / d.Series.Rate / float64(len(w.Stations))
			if err := compute(ctx, w, row[:len(row)-1]); err != nil {
				return nil, fmt.Errorf("fleet: %s of %s at %s: %w", p.Config.Job, d.Series.Name, w.Start.Format(time.RFC3339), err)
			}
		}
		if w.Last {
			if any {
				row[len(row)-1][0] = float32(effort)
				part.add(index)
				row = nil
			}
			effort, any = 0, false
			index++
		}
		in.free <- w.memory
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	part.Problems = in.problems()
	return part, nil
}

func (r Row) clear() {
	nan := float32(math.NaN())
	for _, v := range r {
		for i := range v {
			v[i] = nan
		}
	}
}
