package devicetest

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"time"
)

// Report is what a Recorder saw of the suite, outside of tests.
type Report struct {
	Passed   int            `json:"passed"`
	Failed   int            `json:"failed"`
	Skipped  int            `json:"skipped"`  // programs and types that the device does not have
	LeftOut  int            `json:"left_out"` // for lack of time
	Groups   []GroupReport  `json:"groups"`
	Failures []FailedCheck  `json:"failures,omitempty"` // the first of them
	Reasons  map[string]int `json:"skipped_because,omitempty"`
}

// GroupReport is the checks of one group.
type GroupReport struct {
	Name    string  `json:"name"`
	Passed  int     `json:"passed"`
	Failed  int     `json:"failed"`
	Skipped int     `json:"skipped"`
	LeftOut int     `json:"left_out"`
	Seconds float64 `json:"seconds"`
}

// FailedCheck is one that failed, and how.
type FailedCheck struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// mostFailures is how many are kept with their texts.
const mostFailures = 50

// Recorder runs the suite outside of tests. Groups share the time there is; what
// is left of a group's share when it is done goes to those behind it.
type Recorder struct {
	record *record
	name   string
	within *Recorder // nil for the suite itself

	parts    int // that it was divided into
	mu       sync.Mutex
	texts    []string
	failed   bool
	skipped  string
	cleanups []func()
}

// record is what the recorders of one suite share.
type record struct {
	ctx      context.Context
	report   *Report
	progress func(group string)
	end      time.Time // of the suite
	groupEnd time.Time
	left     int // groups to come
}

// NewRecorder makes one that spends about as much time as is given, and none
// once the context is done; progress, if
// not nil, is told of every group.
func NewRecorder(ctx context.Context, span time.Duration, progress func(group string)) *Recorder {
	return &Recorder{record: &record{ctx: ctx, report: &Report{Reasons: map[string]int{}}, progress: progress, end: time.Now().Add(span), left: len(groups)}}
}

// Report is what was seen.
func (r *Recorder) Report() *Report { return r.record.report }

func (r *Recorder) Helper()      {}
func (r *Recorder) Name() string { return r.name }

func (r *Recorder) Cleanup(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cleanups = append(r.cleanups, f)
}

func (r *Recorder) fail(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failed = true
	r.texts = append(r.texts, strings.TrimSpace(text))
}

func (r *Recorder) Error(args ...any)                 { r.fail(fmt.Sprintln(args...)) }
func (r *Recorder) Errorf(format string, args ...any) { r.fail(fmt.Sprintf(format, args...)) }

func (r *Recorder) Fatal(args ...any) {
	r.fail(fmt.Sprintln(args...))
	runtime.Goexit()
}

func (r *Recorder) Fatalf(format string, args ...any) {
	r.fail(fmt.Sprintf(format, args...))
	runtime.Goexit()
}

func (r *Recorder) Skip(args ...any) {
	r.mu.Lock()
	r.skipped = strings.TrimSpace(fmt.Sprintln(args...))
	r.mu.Unlock()
	runtime.Goexit()
}

// Run runs a part on a goroutine of its own, which Fatal and Skip end.
func (r *Recorder) Run(name string, f func(*Recorder)) bool {
	r.parts++
	part := &Recorder{record: r.record, name: name, within: r}
	c := r.record
	if r.within == nil {
		if c.progress != nil {
			c.progress(name)
		}
		c.report.Groups = append(c.report.Groups, GroupReport{Name: name})
		c.groupEnd = time.Now().Add(time.Until(c.end) / time.Duration(max(c.left, 1)))
		c.left--
	} else {
		part.name = r.name + "/" + name
		// The first check of a group always runs.
		g := c.report.Groups[len(c.report.Groups)-1]
		if c.ctx.Err() != nil || time.Now().After(c.groupEnd) && g.Passed+g.Failed+g.Skipped > 0 {
			c.count(&Report{LeftOut: 1})
			return true
		}
	}
	start := time.Now()
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer part.finish()
		defer func() {
			if p := recover(); p != nil {
				part.fail(fmt.Sprintf("panic: %v\n%s", p, debug.Stack()))
			}
		}()
		f(part)
	}()
	<-done
	if r.within == nil {
		c.report.Groups[len(c.report.Groups)-1].Seconds = time.Since(start).Seconds()
	}
	return !part.failed
}

// finish runs the cleanups, the last first, and counts the part if it had none of
// its own.
func (r *Recorder) finish() {
	for i := len(r.cleanups) - 1; i >= 0; i-- {
		r.cleanups[i]()
	}
	one := Report{}
	switch {
	case r.failed:
		one.Failed = 1
		if c := r.record.report; len(c.Failures) < mostFailures {
			c.Failures = append(c.Failures, FailedCheck{r.name, strings.Join(r.texts, "\n")})
		}
	case r.skipped != "":
		one.Skipped = 1
		r.record.report.Reasons[r.skipped]++
	case r.parts == 0:
		one.Passed = 1
	}
	r.record.count(&one)
}

func (c *record) count(one *Report) {
	g := &c.report.Groups[len(c.report.Groups)-1]
	for _, n := range []struct {
		sum, group *int
		add        int
	}{
		{&c.report.Passed, &g.Passed, one.Passed},
		{&c.report.Failed, &g.Failed, one.Failed},
		{&c.report.Skipped, &g.Skipped, one.Skipped},
		{&c.report.LeftOut, &g.LeftOut, one.LeftOut},
	} {
		*n.sum += n.add
		*n.group += n.add
	}
}
