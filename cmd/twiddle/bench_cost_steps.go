package main

import (
	"fmt"
	"io"

	"github.com/twiddle-go/twiddle/internal/timing"
	"github.com/twiddle-go/twiddle/nd"
)

// costStep is a launch, as it was predicted and in the best of many runs.
type costStep struct {
	Program   string  `json:"program"`
	Label     string  `json:"label"`
	Dims      []int   `json:"dims"`
	Predicted float64 `json:"predicted_ns"`
	NS        float64 `json:"ns"`
}

// stepRuns is how often launches are timed; the best counts, as it does of the whole.
const stepRuns = 20

// stepsOf is the launches of a run, in the order of its plan.
func stepsOf(run func(reps int)) []costStep {
	var steps []costStep
	stop := nd.Observe(func(s nd.Span) {
		if s.Device == nd.HostSpans {
			return
		}
		for len(steps) <= s.Step {
			steps = append(steps, costStep{})
		}
		best := float64(s.Duration)
		if at := &steps[s.Step]; at.NS > 0 {
			best = min(best, at.NS)
		}
		steps[s.Step] = costStep{s.Program, s.Label, s.Dims, s.PredictedNs, best}
	})
	run(stepRuns)
	stop()
	return steps
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
