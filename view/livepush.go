package view

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// livePush sends columns to a page as samples arrive. Segments of a live column
// end where it ends, instead of lying around its middle: a sample is seen as soon
// as it is there.
type livePush struct {
	cancel context.CancelFunc
	done   sync.WaitGroup
}

// liveColumns is how many columns a second are sent at most: some more than
// screens show pictures.
const liveColumns = 125

// startLive sends columns of a recording from now on, instead of another's.
func (s *session) startLive(ctx context.Context, p *pane) {
	s.endLive()
	if p == nil {
		return
	}
	rec, err := s.recording(p.Item)
	live, ok := rec.(liveRecording)
	if err == nil && !ok {
		err = fmt.Errorf("view: %s is not live", p.Item)
	}
	if err == nil {
		err = p.check(rec.Info())
	}
	var a *analyser
	if err == nil {
		a, err = newAnalyser(s.hub.stream, rec, p.Look)
	}
	if err != nil {
		s.send(header{Op: "error", Key: p.Key, Item: p.Item, Error: err.Error()}, nil)
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	s.live = &livePush{cancel: cancel}
	s.live.done.Go(func() {
		if err := s.push(ctx, *p, live, a); err != nil && ctx.Err() == nil {
			s.send(header{Op: "error", Key: p.Key, Item: p.Item, Error: err.Error()}, nil)
		}
	})
}

// endLive stops sending.
func (s *session) endLive() {
	if s.live != nil {
		s.live.cancel()
		s.live.done.Wait()
		s.live = nil
	}
}

// push sends columns as their last samples arrive.
func (s *session) push(ctx context.Context, p pane, live liveRecording, a *analyser) error {
	level := 0
	for a.info.Rate/float64(p.Look.span(level)) > liveColumns {
		level++
	}
	rows := make([]rowsOf, 1<<p.RowLevel)
	for j := range rows {
		rows[j] = p.Look.rows(p.Scale, a.info.rate(), p.RowLevel, j, 1)
	}
	span := p.Look.span(level)
	_, end, _, _ := live.arrival()
	next := end / span // the first column to send
	for {
		more, end, arrived, over := live.arrival()
		if count := end/span - next; count > 0 {
			// A page that fell behind goes on with what is new.
			if most := int64(liveColumns); count > most {
				next, count = end/span-most, most
			}
			body, err := a.liveColumns(ctx, level, next, int(count), rows)
			if err != nil {
				return err
			}
			h := header{Op: "live", Key: p.Key, Level: level, Index: next, Columns: int(count), Rows: tileRows << p.RowLevel, End: (next + count) * span,
				Arrived: float64(arrived.UnixMicro()) / 1e3}
			if err := s.send(h, body); err != nil {
				return err
			}
			next += count
			continue
		}
		if over {
			return nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-more:
		}
	}
}

// liveColumns is columns one after another, the rows of each from the bottom,
// and then the extents of each.
func (a *analyser) liveColumns(ctx context.Context, level int, first int64, count int, rows []rowsOf) ([]byte, error) {
	k := a.look.segments(level)
	hop := int(a.look.span(level) / int64(k))
	bins, height := a.look.bins(), tileRows*len(rows)
	body := make([]byte, 0, count*(2*height+8))
	column := make([]uint16, height)
	half := make([]uint16, bins)
	seats, err := a.take(1)
	if err != nil {
		return nil, err
	}
	for c := range count {
		r := run{first: (first+int64(c))*a.look.span(level) + int64(hop-a.look.N), hop: hop, count: k, group: k}
		if err := a.read(seats[0], r); err != nil {
			return nil, err
		}
		levels, err := a.evaluate(ctx, seats[0], r)
		if err != nil {
			return nil, err
		}
		for i, v := range levels {
			half[i] = toHalf(v)
		}
		for j, r := range rows {
			r.fill(column[j*tileRows:(j+1)*tileRows], 1, half)
		}
		for _, v := range column {
			body = binary.LittleEndian.AppendUint16(body, v)
		}
	}
	span := int(a.look.span(level))
	room := make([]float32, count*span*a.info.Channels)
	if err := readPadded(a.rec, room, first*int64(span), a.info.Channels); err != nil {
		return nil, err
	}
	waves := make([]extent, count)
	extents(waves, room, a.info.Channels, a.look.Channel, span)
	for _, e := range waves {
		body = binary.LittleEndian.AppendUint32(body, math.Float32bits(e.Low))
		body = binary.LittleEndian.AppendUint32(body, math.Float32bits(e.High))
	}
	return body, nil
}

// microphones counts those of browsers, for names.
var microphones atomic.Int64

// microphoneKept is how much of a browser's microphone is kept.
const microphoneKept = 60 * time.Second

// startMicrophone makes a recording of what the browser is about to send.
func (s *session) startMicrophone(r request) {
	s.endLive()
	if !(r.Rate >= 3000 && r.Rate <= 768000) { // what Web Audio has
		s.send(header{Op: "error", Error: fmt.Sprintf("view: microphone: a rate of %g", r.Rate)}, nil)
		return
	}
	live, err := NewLive(fmt.Sprintf("microphone %d", microphones.Add(1)), r.Rate, 1, int(microphoneKept.Seconds()*r.Rate))
	if err != nil {
		return // the rate was checked
	}
	s.mu.Lock()
	s.mic = live
	s.mu.Unlock()
	info := liveRecording{live}.Info()
	s.send(header{Op: "microphone", Item: live.name, Info: &info}, nil)
}

// hear takes samples of the browser's microphone: float32, one channel.
func (s *session) hear(data []byte) {
	if s.mic == nil || len(data)%4 != 0 {
		return
	}
	frames := make([]float32, len(data)/4)
	for i := range frames {
		frames[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	s.mic.Write(frames)
}
