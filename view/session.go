package view

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
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
	p.Look.IQ = info.IQ
	if err := p.Look.check(info); err != nil {
		return err
	}
	if err := p.Scale.check(info); err != nil {
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
// page that is gone is noticed by the goroutine that reads from it.
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
