package nd

import (
	"fmt"
	"strings"

	"github.com/twiddle-go/twiddle/internal/counted"
)

// PlanPass is the plan of arrays after one pass of the compiler.
type PlanPass struct {
	Name string `json:"name"`
	Profile
	Steps []string `json:"steps"`
}

// ExplainPasses plans the arrays, which must be on one device, as Eval would, and
// gives the plan after each pass of the compiler, in their order. Nothing runs.
// Costs are of the launches alone, without waits between streams.
func ExplainPasses(arrays ...*Array) ([]PlanPass, error) {
	nodes, err := toExplain(arrays)
	if err != nil {
		return nil, err
	}
	list, err := engine.Passes(nodes)
	if err != nil {
		return nil, evalError("explain", err)
	}
	passes := make([]PlanPass, len(list))
	for i, p := range list {
		passes[i] = PlanPass{Name: p.Name, Profile: profileOf(p.Profile), Steps: p.Steps}
	}
	return passes, nil
}

// Saved describes the saving of the pass, compared with the plan before it.
func (p PlanPass) Saved(before PlanPass) string {
	var parts []string
	say := func(amount, text string, n float64) {
		switch {
		case n > 0:
			parts = append(parts, amount+" "+text+" less")
		case n < 0:
			parts = append(parts, amount+" "+text+" more")
		}
	}
	launches, bytes, ns := before.Launches-p.Launches, before.DeviceTrafficBytes-p.DeviceTrafficBytes, before.PredictedNs-p.PredictedNs
	say(fmt.Sprint(max(launches, -launches)), map[bool]string{true: "launch", false: "launches"}[launches == 1 || launches == -1], float64(launches))
	say(byteCount(max(bytes, -bytes)), "of traffic", float64(bytes))
	say(duration(max(ns, -ns)), "predicted", ns)
	if len(parts) == 0 {
		return "saves nothing here"
	}
	return strings.Join(parts, ", ")
}

// String is the pass with its steps as text.
func (p PlanPass) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, %s of traffic, %s predicted\n", p.Name, counted.Of(p.Launches, "launch", "launches"), byteCount(p.DeviceTrafficBytes), duration(p.PredictedNs))
	for i, s := range p.Steps {
		fmt.Fprintf(&b, "%5d %s\n", i, s)
	}
	return b.String()
}
