package view

import (
	"net/http"
	"strconv"
	"sync"

	"github.com/twiddle-go/twiddle/nd"
)

// observer remembers the newest launches.
type observer struct {
	mu    sync.Mutex
	spans []nd.Span
	stop  func()
}

// maxSpans is how many launches are remembered: some seconds of work.
const maxSpans = 600

func newObserver() *observer {
	o := &observer{}
	o.stop = nd.Observe(o.add)
	return o
}

func (o *observer) add(s nd.Span) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.spans) == maxSpans {
		o.spans = append(o.spans[:0], o.spans[maxSpans/4:]...)
	}
	o.spans = append(o.spans, s)
}

// recent is what was launched lately.
func (o *observer) recent() []nd.Span {
	o.mu.Lock()
	defer o.mu.Unlock()
	return append([]nd.Span{}, o.spans...)
}

// spanState is a launch for the page: times in microseconds.
type spanState struct {
	nd.Span
	Begin     float64 `json:"begin_us"`
	Duration  float64 `json:"took_us"`
	Predicted float64 `json:"predicted_us"`
}

// engineState answers with the plan of a block of the look that the page shows,
// and the launches since a time in microseconds since 1970.
func (s *Server) engineState(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	p, err := s.partOf(q)
	if err != nil {
		fail(w, err)
		return
	}
	defer p.rec.Close()
	level, err := strconv.Atoi(q.Get("level"))
	if err != nil || level < 0 || level > 40 {
		level = 0
	}
	plan, err := p.plan(s.opt.Stream, level)
	if err != nil {
		fail(w, err)
		return
	}
	since, _ := strconv.ParseFloat(q.Get("since"), 64) // 0 is all
	spans := []spanState{}
	for _, span := range s.engine.recent() {
		begin := float64(span.Begin.UnixMicro())
		if begin > since {
			spans = append(spans, spanState{span, begin, float64(span.Duration.Nanoseconds()) / 1e3, span.PredictedNs / 1e3})
		}
	}
	info := s.opt.Stream.Device().Info()
	answer(w, map[string]any{"plan": plan, "spans": spans, "device": info, "text": plan.String()})
}

// plan explains a batch of columns of a level.
func (p *part) plan(stream *nd.Stream, level int) (*nd.Plan, error) {
	a, err := newAnalyser(stream, p.rec, p.look)
	if err != nil {
		return nil, err
	}
	r := p.look.runOf(level, 0, blockColumns)
	r.count = max(1, min(a.batch(r.hop), r.count))
	r.group = min(r.group, r.count)
	return nd.Explain(a.array(stream, make([]float32, a.channels()*r.frames(p.look.N)), r))
}
