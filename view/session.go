package view

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// session is a page that is open.
type session struct {
	hub  *hub
	conn *websocket.Conn
	// ctx ends with the page. Writing takes no other: a context that ends in the
	// middle of a message would close the connection.
	ctx context.Context

	mu   sync.Mutex
	recs map[string]Recording
	told map[string]Info // what the page knows of them

	pyramids map[pyramidKey]*held // in use; only the worker touches them
	live     *livePush            // columns that are sent as samples arrive; only run touches it
	mic      *Live                // the browser's microphone, likewise
}

// request is what a page asks for. Its blocks replace those of the request
// before.
type request struct {
	Op    string  `json:"op"` // want, live, quiet, microphone, silence
	Panes []pane  `json:"panes,omitempty"`
	Live  *pane   `json:"live,omitempty"`
	Rate  float64 `json:"rate,omitempty"` // of the browser's microphone
}

// pane is a part of the page that shows a recording.
type pane struct {
	Key      string   `json:"key"` // of the page, for answers
	Item     string   `json:"item"`
	Look     look     `json:"look"`
	Scale    scale    `json:"scale"`
	RowLevel int      `json:"rowLevel"`
	Rows     []int    `json:"rows"`
	Blocks   []wanted `json:"blocks"`
	Waves    []wanted `json:"waves"`
}

// wanted is a block that a page has not got, or has only as a first impression.
type wanted struct {
	Level  int   `json:"level"`
	Index  int64 `json:"index"`
	Coarse bool  `json:"coarse"` // it has one
}

// maxWanted bounds what one request may ask for: some screens full.
const maxWanted = 512

func (p *pane) check(info Info) error {
	if err := p.Look.check(info); err != nil {
		return err
	}
	if err := p.Scale.check(); err != nil {
		return err
	}
	if p.RowLevel < 0 || p.RowLevel > maxRowLevel || len(p.Blocks) > maxWanted || len(p.Waves) > maxWanted || len(p.Rows) > 64 {
		return fmt.Errorf("view: want: row level %d, %d blocks, %d waves, %d rows: more than a screen has", p.RowLevel, len(p.Blocks), len(p.Waves), len(p.Rows))
	}
	for _, j := range p.Rows {
		if j < 0 || j >= 1<<p.RowLevel {
			return fmt.Errorf("view: want: rows %d of %d", j, 1<<p.RowLevel)
		}
	}
	for _, w := range slices.Concat(p.Blocks, p.Waves) {
		if w.Level < 0 || w.Level > 40 || w.Index < 0 || w.Index > 1<<40 {
			return fmt.Errorf("view: want: block %d of level %d", w.Index, w.Level)
		}
	}
	return nil
}

// run serves the page until it is closed or the context ends.
func (s *session) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.ctx = ctx
	wants := make(chan request, 1)
	var workers sync.WaitGroup
	workers.Go(func() { s.work(ctx, wants) })
	workers.Go(func() { s.watch(ctx) })
	defer func() {
		cancel()
		s.endLive()
		workers.Wait()
		for _, p := range s.pyramids {
			s.hub.release(p)
		}
		for _, r := range s.recs {
			r.Close()
		}
	}()
	s.conn.SetReadLimit(1 << 20)
	for {
		kind, data, err := s.conn.Read(ctx)
		if err != nil {
			return err
		}
		if kind == websocket.MessageBinary {
			s.hear(data)
			continue
		}
		var r request
		if err := json.Unmarshal(data, &r); err != nil {
			return fmt.Errorf("view: request: %w", err)
		}
		switch r.Op {
		case "want":
			select { // the newest request is the only one that counts
			case <-wants:
			default:
			}
			wants <- r
		case "live":
			s.startLive(ctx, r.Live)
		case "microphone":
			s.startMicrophone(r)
		case "quiet":
			s.endLive()
		default:
			return fmt.Errorf("view: request: unknown operation %q", r.Op)
		}
	}
}

// recording opens an item once for the page.
func (s *session) recording(item string) (Recording, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.recs[item]; r != nil {
		return r, nil
	}
	r, err := s.open(item)
	if err != nil {
		return nil, err
	}
	s.recs[item], s.told[item] = r, r.Info()
	return r, nil
}

// open opens an item, or the browser's microphone. s.mu is held.
func (s *session) open(item string) (Recording, error) {
	if s.mic != nil && item == s.mic.name {
		return s.mic.Open(item)
	}
	return s.hub.source.Open(item)
}

// watch tells the page of recordings that grow, vanish or come back.
func (s *session) watch(ctx context.Context) {
	tick := time.NewTicker(lookAgain)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		s.mu.Lock()
		changed := map[string]Info{}
		for item, r := range s.recs {
			if info := r.Info(); info != s.told[item] {
				s.told[item], changed[item] = info, info
			}
		}
		s.mu.Unlock()
		for item, info := range changed {
			s.send(header{Op: "info", Item: item, Info: &info}, nil)
		}
	}
}

// header is what an answer begins with.
type header struct {
	Op       string  `json:"op"` // tile, wave, info, error, live, done
	Key      string  `json:"key,omitempty"`
	Item     string  `json:"item,omitempty"`
	Level    int     `json:"level"`
	Index    int64   `json:"index"`
	RowLevel int     `json:"rowLevel"`
	Row      int     `json:"row"`
	Coarse   bool    `json:"coarse,omitempty"`
	Info     *Info   `json:"info,omitempty"`
	Error    string  `json:"error,omitempty"`
	Columns  int     `json:"columns,omitempty"`
	Rows     int     `json:"rows,omitempty"`
	End      int64   `json:"end,omitempty"`     // frame, of live columns
	Arrived  float64 `json:"arrived,omitempty"` // when the last sample did, in ms since 1970
}

// send writes an answer: the length of a header, the header, what follows it. A
// page that is gone is noticed by who reads from it.
func (s *session) send(h header, body []byte) error {
	head, err := json.Marshal(h)
	if err != nil {
		return err
	}
	for len(head)%4 != 0 { // so that what follows is aligned
		head = append(head, ' ')
	}
	message := make([]byte, 4, 4+len(head)+len(body))
	binary.LittleEndian.PutUint32(message, uint32(len(head)))
	message = append(append(message, head...), body...)
	return s.conn.Write(s.ctx, websocket.MessageBinary, message)
}

// work serves the newest request, one block after the other; a newer one takes
// over between blocks.
func (s *session) work(ctx context.Context, wants <-chan request) {
	var r request
	for {
		select {
		case <-ctx.Done():
			return
		case r = <-wants:
		}
		for next := &r; next != nil; {
			next = s.serve(ctx, *next, wants)
		}
	}
}

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
