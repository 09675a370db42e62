package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/twiddle-go/twiddle/internal/timing"
	"github.com/twiddle-go/twiddle/nd"
)

// costStep is a launch, as it was predicted and in the best of many runs.
type costStep struct {
	Evaluation int     `json:"evaluation"` // of the run, from 0
	Step       int     `json:"step"`       // of its plan
	Program    string  `json:"program"`
	Label      string  `json:"label"`
	Dims       []int   `json:"dims"`
	Predicted  float64 `json:"predicted_ns"`
	NS         float64 `json:"ns"`
}

// stepRuns is how often launches are timed; the best counts, as it does of the whole.
const stepRuns = 20

// stepsOf is the launches of a run, in the order of its plans.
func stepsOf(run func(reps int)) []costStep {
	var best []costStep
	for range stepRuns {
		now := launchesOf(run)
		for i := range now {
			if len(best) == len(now) {
				now[i].NS = min(now[i].NS, best[i].NS)
			}
		}
		best = now
	}
	return best
}

// launchesOf is the launches of one run, each as it was predicted and as it was.
func launchesOf(run func(reps int)) []costStep {
	var steps []costStep
	var evaluations []uint64
	stop := nd.Observe(func(s nd.Span) {
		if s.Device == nd.HostSpans {
			return
		}
		e := slices.Index(evaluations, s.Evaluation)
		if e < 0 {
			e, evaluations = len(evaluations), append(evaluations, s.Evaluation)
		}
		steps = append(steps, costStep{e, s.Step, s.Program, s.Label, s.Dims, s.PredictedNs, float64(s.Duration)})
	})
	run(1)
	stop()
	slices.SortStableFunc(steps, func(a, b costStep) int { return cmp.Or(a.Evaluation-b.Evaluation, a.Step-b.Step) })
	return steps
}

// launched is the profile of a run's launches, whose plans nobody can see before.
func launched(dev *nd.Device, run func(reps int)) nd.Profile {
	var p nd.Profile
	for _, s := range launchesOf(run) {
		p.Launches++
		p.SyncPoints = max(p.SyncPoints, s.Evaluation+1)
		p.PredictedNs += s.Predicted
	}
	for _, f := range dev.Tuning().Figures {
		if f.Key == "sync_ns" {
			p.PredictedNs += float64(p.SyncPoints) * f.Value
		}
	}
	return p
}

func writeSteps(w io.Writer, row costRow) error {
	if len(row.Steps) == 0 {
		return nil
	}
	if _, err := fmt.Fprintf(w, "\n%s\n", row.Work); err != nil {
		return err
	}
	t := timing.NewTable("step", "dims", "predicted", "measured", "measured/predicted", "")
	for _, s := range row.Steps {
		t.Row(s.Program, shapeText(s.Dims), timing.Nanoseconds(s.Predicted), timing.Nanoseconds(s.NS), s.NS/s.Predicted, s.Label)
	}
	_, err := t.WriteTo(w)
	return err
}
