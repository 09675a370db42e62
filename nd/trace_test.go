package nd_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"sync"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/nd"
)

func ExampleTrace() {
	var trace bytes.Buffer // usually a file, for ui.perfetto.dev
	stop := nd.Trace(&trace)
	power := nd.From(make([]float32, 8*1024), 8, 1024).RFFT().AbsSquared().Mean(0)
	if err := nd.Eval(context.Background(), power); err != nil {
		log.Fatal(err)
	}
	if err := stop(); err != nil {
		log.Fatal(err)
	}
	var t struct {
		TraceEvents []struct{ Name, Cat, Ph string }
	}
	if err := json.Unmarshal(trace.Bytes(), &t); err != nil {
		log.Fatal(err)
	}
	for _, e := range t.TraceEvents {
		if e.Ph == "X" && e.Cat != "plan" {
			fmt.Println(e.Cat, e.Name)
		}
	}
	// Output: line fft > abs_squared+sum+mul
}

// TestSpansAreSteps compares the spans of an evaluation with its plan: on
// several streams, of a graph with more than one step.
func TestSpansAreSteps(t *testing.T) {
	side, err := nd.CPU().NewStream()
	if err != nil {
		t.Fatal(err)
	}
	defer side.Close()
	x := nd.Normal(3, nd.Float32, 64, 1000)
	if err := nd.Eval(t.Context(), x); err != nil {
		t.Fatal(err)
	}
	build := func() []*nd.Array {
		a := x.RFFT().Abs()
		b := x.On(side).Sort(-1).Mean(-1)
		return []*nd.Array{a.Sum(), b.Add(a.Max(-1))}
	}
	plan, err := nd.Explain(build()...)
	if err != nil {
		t.Fatal(err)
	}
	var spans []nd.Span
	began := time.Now()
	stop := nd.Observe(func(s nd.Span) {
		if s.Device != nd.HostSpans {
			spans = append(spans, s)
		}
	})
	if err := nd.Eval(t.Context(), build()...); err != nil {
		t.Fatal(err)
	}
	stop()
	after := time.Now()
	if len(spans) != len(plan.Steps) {
		t.Fatalf("%d spans of %d steps", len(spans), len(plan.Steps))
	}
	seen := map[int]bool{}
	for _, s := range spans {
		p := plan.Steps[s.Step]
		if seen[s.Step] || s.Label != p.Label || s.Program != p.Program || s.Stream != p.Stream || s.PredictedNs != p.PredictedNs || s.Bytes != p.Bytes ||
			s.Device != plan.Device || s.Evaluation != spans[0].Evaluation {
			t.Errorf("span %+v of step %+v", s, p)
		}
		seen[s.Step] = true
		if s.Begin.Before(began) || s.Duration < 0 || s.Begin.Add(s.Duration).After(after) {
			t.Errorf("span %+v is not between %v and %v", s, began, after)
		}
	}
	if err := nd.Eval(t.Context(), build()...); err != nil || len(spans) != len(plan.Steps) {
		t.Errorf("%d spans after stop, %v", len(spans), err)
	}
}

// TestTraceManyAtOnce evaluates from many goroutines under two traces that
// begin and end at any time.
func TestTraceManyAtOnce(t *testing.T) {
	var whole bytes.Buffer
	stop := nd.Trace(&whole)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 20 {
				var part bytes.Buffer
				end := nd.Trace(&part)
				x := nd.Full(i, nd.Float32, 100+g).Exp().Sum()
				if err := errors.Join(nd.Eval(t.Context(), x), end(), end()); err != nil {
					t.Error(err)
				}
				if !json.Valid(part.Bytes()) || !bytes.Contains(part.Bytes(), []byte(`"ph":"X"`)) {
					t.Errorf("a trace of %q", part.Bytes())
				}
			}
		})
	}
	wg.Wait()
	if err := stop(); err != nil || !json.Valid(whole.Bytes()) {
		t.Errorf("%v, %d bytes", err, whole.Len())
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestTraceToFullDisk(t *testing.T) {
	stop := nd.Trace(fullDisk{})
	if err := nd.Eval(t.Context(), nd.Ones(nd.Float32, 10).Exp()); err != nil {
		t.Fatal(err)
	}
	if err := stop(); err == nil || err.Error() != "nd: trace: no space left" {
		t.Error(err)
	}
}

// What a program names is in a trace: spans at the same time on rows of their own,
// each told once, and nothing without a trace.
func TestHostSpan(t *testing.T) {
	nd.HostSpan("before")()
	var spans []nd.Span
	stop := nd.Observe(func(s nd.Span) {
		if s.Program == "host" {
			spans = append(spans, s)
		}
	})
	outer := nd.HostSpan("outer")
	inner := nd.HostSpan("inner")
	inner()
	inner()
	nd.HostSpan("next")()
	outer()
	stop()
	nd.HostSpan("after")()
	got := ""
	for _, s := range spans {
		if s.Device != nd.HostSpans || s.Duration < 0 || s.Begin.IsZero() {
			t.Errorf("%+v", s)
		}
		got += fmt.Sprintf("%s %d, ", s.Label, s.Stream)
	}
	if got != "inner 2, next 2, outer 1, " {
		t.Errorf("spans %s", got)
	}
}
