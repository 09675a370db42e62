package view

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
)

// job is a pane with what it takes to serve it.
type job struct {
	*pane
	rec     Recording
	info    Info
	pyramid *held
	analyse *analyser
	blocks  []wanted
	waves   []wanted
}

// serve answers a request: what is there, then first impressions of what takes
// longer, then that. It gives a newer request as soon as there is one.
func (s *session) serve(ctx context.Context, r request, wants <-chan request) (next *request) {
	jobs := s.jobs(r)
	defer func() {
		if ctx.Err() == nil && next == nil {
			s.send(header{Op: "done"}, nil)
		}
	}()
	interrupted := func() bool {
		select {
		case n := <-wants:
			next = &n
			return true
		case <-ctx.Done():
			return true
		default:
			return false
		}
	}
	for _, phase := range []func(context.Context, *job, func() bool) error{s.ready, s.impressions, s.complete, s.sharp} {
		for _, j := range jobs {
			if err := phase(ctx, j, interrupted); err != nil && ctx.Err() == nil {
				s.send(header{Op: "error", Key: j.Key, Item: j.Item, Error: err.Error()}, nil)
				j.blocks, j.waves = nil, nil
			}
			if next != nil || ctx.Err() != nil {
				return next
			}
		}
	}
	// What is left comes from pyramids.
	for {
		left := false
		for _, j := range jobs {
			if len(j.blocks)+len(j.waves) == 0 {
				continue
			}
			more, ended, err := j.pyramid.wait()
			if ready := s.ready(ctx, j, interrupted); err == nil {
				err = ready
			}
			if err != nil && ctx.Err() == nil && !errors.Is(err, context.Canceled) {
				s.send(header{Op: "error", Key: j.Key, Item: j.Item, Error: err.Error()}, nil)
				j.blocks, j.waves = nil, nil
				continue
			}
			if next != nil || ctx.Err() != nil {
				return next
			}
			if len(j.blocks)+len(j.waves) == 0 || ended {
				continue
			}
			left = true
			select {
			case <-ctx.Done():
				return nil
			case n := <-wants:
				return &n
			case <-more:
			}
		}
		if !left {
			return nil
		}
	}
}

// jobs prepares the panes of a request; those that cannot be served are told.
func (s *session) jobs(r request) []*job {
	var jobs []*job
	using := map[pyramidKey]*held{}
	for i := range r.Panes {
		p := &r.Panes[i]
		rec, err := s.recording(p.Item)
		var j *job
		if err == nil {
			j = &job{pane: p, rec: rec, info: rec.Info(), blocks: p.Blocks, waves: p.Waves}
			if err = p.check(j.info); err == nil {
				j.analyse, err = newAnalyser(s.hub.stream, rec, p.Look)
			}
		}
		if err != nil {
			s.send(header{Op: "error", Key: p.Key, Item: p.Item, Error: err.Error()}, nil)
			continue
		}
		key := pyramidKey{p.Item, p.Look}
		if j.pyramid = using[key]; j.pyramid == nil {
			j.pyramid = s.hub.use(p.Item, p.Look, j.info, len(r.Panes))
			using[key] = j.pyramid
		}
		jobs = append(jobs, j)
	}
	for _, p := range s.pyramids {
		s.hub.release(p)
	}
	s.pyramids = using
	return jobs
}

// ready sends what is there already.
func (s *session) ready(_ context.Context, j *job, interrupted func() bool) error {
	keep := j.blocks[:0:0]
	for _, w := range j.blocks {
		if interrupted() {
			return nil
		}
		var b *block
		if w.Level >= j.pyramid.base {
			b = j.pyramid.block(w.Level, w.Index, j.info.Frames)
		} else {
			b, _ = s.hub.blocks.get(j.Look.keyOf(j.Item, j.info, w.Level, w.Index, false))
		}
		if b == nil {
			keep = append(keep, w)
		} else if err := s.sendTiles(j, w, b, false); err != nil {
			return err
		}
	}
	j.blocks = keep
	waves := j.waves[:0:0]
	for _, w := range j.waves {
		var e []extent
		if w.Level >= j.pyramid.waveBase {
			e = j.pyramid.wave(w.Level, w.Index, j.info.Frames)
		} else {
			e, _ = s.hub.waves.get(waveKeyOf(j.Item, j.info, j.Look.Channel, w.Level, w.Index, false))
		}
		if e == nil {
			waves = append(waves, w)
		} else if err := s.sendWave(j, w, e, false); err != nil {
			return err
		}
	}
	j.waves = waves
	return nil
}

// roughFrom is how many segments a column needs to have for one of them to be
// worth showing before all.
const roughFrom = 4

// impressions sends coarse blocks for those that take long.
func (s *session) impressions(ctx context.Context, j *job, interrupted func() bool) error {
	for i := range j.waves {
		w := &j.waves[i]
		if w.Coarse || w.Level < 10 {
			continue
		}
		if interrupted() {
			return nil
		}
		key := waveKeyOf(j.Item, j.info, j.Look.Channel, w.Level, w.Index, true)
		e, ok := s.hub.waves.get(key)
		if !ok {
			var err error
			if e, err = computeWave(j.rec, j.Look.Channel, w.Level, w.Index, true); err != nil {
				return err
			}
			s.hub.waves.put(key, e, 8*len(e))
		}
		if err := s.sendWave(j, *w, e, true); err != nil {
			return err
		}
	}
	for i := range j.blocks {
		w := &j.blocks[i]
		if w.Coarse || j.Look.segments(w.Level) < roughFrom {
			continue
		}
		if interrupted() {
			return nil
		}
		key := j.Look.keyOf(j.Item, j.info, w.Level, w.Index, true)
		b, ok := s.hub.blocks.get(key)
		if !ok {
			var err error
			if b, err = j.analyse.compute(ctx, w.Level, w.Index, true); err != nil {
				return err
			}
			s.hub.blocks.put(key, b, 2*len(b.levels))
		}
		if err := s.sendTiles(j, *w, b, true); err != nil {
			return err
		}
	}
	return nil
}

// complete has the pyramid computed, now that nothing else is more urgent.
func (s *session) complete(_ context.Context, j *job, _ func() bool) error {
	s.hub.complete(j.pyramid, j.info, func() (Recording, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.open(j.Item)
	})
	return nil
}

// sharp computes what no pyramid has.
func (s *session) sharp(ctx context.Context, j *job, interrupted func() bool) error {
	waves := j.waves[:0:0]
	for _, w := range j.waves {
		if w.Level >= j.pyramid.waveBase {
			waves = append(waves, w)
			continue
		}
		if interrupted() {
			return nil
		}
		e, err := computeWave(j.rec, j.Look.Channel, w.Level, w.Index, false)
		if err != nil {
			return err
		}
		s.hub.waves.put(waveKeyOf(j.Item, j.info, j.Look.Channel, w.Level, w.Index, false), e, 8*len(e))
		if err := s.sendWave(j, w, e, false); err != nil {
			return err
		}
	}
	j.waves = waves
	keep := j.blocks[:0:0]
	for _, w := range j.blocks {
		if w.Level >= j.pyramid.base {
			keep = append(keep, w)
			continue
		}
		if interrupted() {
			return nil
		}
		b, err := j.analyse.compute(ctx, w.Level, w.Index, false)
		if err != nil {
			return err
		}
		s.hub.blocks.put(j.Look.keyOf(j.Item, j.info, w.Level, w.Index, false), b, 2*len(b.levels))
		if err := s.sendTiles(j, w, b, false); err != nil {
			return err
		}
	}
	j.blocks = keep
	return nil
}

func (s *session) sendTiles(j *job, w wanted, b *block, coarse bool) error {
	for _, row := range j.Rows {
		tile := b.tile(j.Look, j.Scale, j.info.rate(), j.RowLevel, row)
		body := make([]byte, 2*len(tile))
		for i, v := range tile {
			binary.LittleEndian.PutUint16(body[2*i:], v)
		}
		h := header{Op: "tile", Key: j.Key, Level: w.Level, Index: w.Index, RowLevel: j.RowLevel, Row: row, Coarse: coarse, Columns: b.columns}
		if err := s.send(h, body); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) sendWave(j *job, w wanted, e []extent, coarse bool) error {
	body := make([]byte, 8*len(e))
	for i, x := range e {
		binary.LittleEndian.PutUint32(body[8*i:], math.Float32bits(x.Low))
		binary.LittleEndian.PutUint32(body[8*i+4:], math.Float32bits(x.High))
	}
	return s.send(header{Op: "wave", Key: j.Key, Level: w.Level, Index: w.Index, Coarse: coarse, Columns: len(e)}, body)
}
