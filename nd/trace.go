package nd

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/twiddle-go/twiddle/nd/internal/sched"
)

// Span is a launch that ran. Label, Program and Step are those of the PlanStep of Explain.
type Span struct {
	Label      string `json:"label"` // the operations, shortened
	Program    string `json:"program"`
	Step       int    `json:"step"`       // of its plan
	Evaluation uint64 `json:"evaluation"` // launches of one evaluation have the same
	// Device is HostSpans for what the host does: making plans, and what HostSpan names.
	Device      string        `json:"device"`
	Stream      int           `json:"stream"`
	Dims        []int         `json:"dims,omitempty"`
	Bytes       int           `json:"bytes"`
	Ops         float64       `json:"ops"`
	PredictedNs float64       `json:"predicted_ns"` // as Explain has it; 0 for what the host does
	Begin       time.Time     `json:"begin"`
	Duration    time.Duration `json:"duration_ns"`
}

// HostSpans is the device of spans that no device has run.
const HostSpans = sched.Host

// Observe calls f for every launch of this process from now on, one call at a time, until
// stop is called. stop waits for launches under way. GPUs time launches by their own
// clocks, the CPU by the host's clock. f should return soon and must not evaluate arrays.
// A panic of f is logged and recovered.
func Observe(f func(Span)) (stop func()) {
	if f == nil {
		return func() {}
	}
	return engine.Trace(func(s sched.Span) {
		guarded("observe", func() {
			f(Span{Label: s.Label, Program: s.Program, Step: s.Step, Evaluation: s.Evaluation, Device: s.Device, Stream: s.Stream,
				Dims: s.Dims, Bytes: s.Bytes, Ops: s.Ops, PredictedNs: s.Ns, Begin: s.Begin, Duration: s.Duration})
		})
	})
}

// HostSpan begins a span for work of the program itself, such as reading a file, so that
// traces show it next to the launches; end ends the span. Without a trace it costs
// nothing.
//
//	end := nd.HostSpan("read " + name)
//	samples, err := os.ReadFile(name)
//	end()
func HostSpan(label string) (end func()) { return engine.HostSpan(label) }

// Trace writes every launch of this process from now on to w, until stop is called, in the
// JSON format of trace viewers: open the file at ui.perfetto.dev or chrome://tracing. A
// device is shown as a process, and a stream as one of its threads. A span is named by the
// Label of Explain's step, and its predicted time is one of its arguments.
//
// stop waits for launches under way, completes the document and returns the first error of
// w. Without it the document is truncated.
func Trace(w io.Writer) (stop func() error) {
	if w == nil {
		return func() error { return errors.New("nd: trace: no writer") }
	}
	t := &traceWriter{w: bufio.NewWriter(w), start: time.Now(), devices: map[string]int{}, streams: map[traceStream]bool{}}
	t.print("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[")
	end := Observe(t.span)
	return func() error {
		end()
		if !t.ended {
			t.ended = true
			t.print("\n]}\n")
			if err := t.w.Flush(); t.err == nil {
				t.err = err
			}
		}
		if t.err != nil {
			return fmt.Errorf("nd: trace: %w", t.err)
		}
		return nil
	}
}

// traceWriter writes events of the Trace Event Format
// (docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU).
type traceWriter struct {
	w       *bufio.Writer
	start   time.Time
	devices map[string]int // to process numbers
	streams map[traceStream]bool
	events  int
	ended   bool
	err     error
}

type traceStream struct {
	device string
	stream int
}

// traceEvent is one line. Times are in microseconds.
type traceEvent struct {
	Name     string         `json:"name"`
	Category string         `json:"cat,omitempty"`
	Phase    string         `json:"ph"`
	At       float64        `json:"ts"`
	Duration *float64       `json:"dur,omitempty"`
	Process  int            `json:"pid"`
	Thread   int            `json:"tid"`
	Args     map[string]any `json:"args,omitempty"`
}

func (t *traceWriter) print(s string) {
	if _, err := t.w.WriteString(s); t.err == nil {
		t.err = err
	}
}

func (t *traceWriter) event(e traceEvent) {
	line, err := json.Marshal(e)
	if err != nil {
		if t.err == nil {
			t.err = err
		}
		return
	}
	if t.events > 0 {
		t.print(",")
	}
	t.events++
	t.print("\n")
	t.print(string(line))
}

func (t *traceWriter) span(s Span) {
	process, known := t.devices[s.Device]
	if !known {
		process = len(t.devices) + 1
		t.devices[s.Device] = process
		t.event(traceEvent{Name: "process_name", Phase: "M", Process: process, Args: map[string]any{"name": s.Device}})
	}
	if at := (traceStream{s.Device, s.Stream}); !t.streams[at] {
		t.streams[at] = true
		name := fmt.Sprintf("stream %d", s.Stream)
		switch {
		case s.Device == HostSpans && s.Stream == 0:
			name = "plans"
		case s.Device == HostSpans:
			name = fmt.Sprintf("work %d", s.Stream)
		}
		t.event(traceEvent{Name: "thread_name", Phase: "M", Process: process, Thread: s.Stream, Args: map[string]any{"name": name}})
	}
	took := float64(s.Duration.Nanoseconds()) / 1e3
	e := traceEvent{Name: s.Label, Category: s.Program, Phase: "X", At: float64(s.Begin.Sub(t.start).Nanoseconds()) / 1e3, Duration: &took,
		Process: process, Thread: s.Stream}
	if s.Device != HostSpans {
		e.Args = map[string]any{"program": s.Program, "step": s.Step, "evaluation": s.Evaluation, "dims": s.Dims, "bytes": s.Bytes,
			"ops": s.Ops, "predicted_us": s.PredictedNs / 1e3}
	}
	t.event(e)
}
