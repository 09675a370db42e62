package nd

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/nd/internal/cost"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/sched"
)

// Plan describes the evaluation of arrays: its steps, the operations fused into each, why
// its result is stored, and the predicted cost.
type Plan struct {
	Device string `json:"device"`
	Profile
	Fused       bool       `json:"fused"`        // some launch does more than one operation
	Reason      string     `json:"reason"`       // why it is fused, or not
	Unfused     Profile    `json:"unfused"`      // with one launch per operation
	MemoryBytes int        `json:"memory_bytes"` // for results and intermediates
	Steps       []PlanStep `json:"steps"`
	Notes       []string   `json:"notes,omitempty"`
}

// Profile is the cost of a plan. Times are predicted from the device's
// figures, not measured.
type Profile struct {
	Launches           int     `json:"launches"`
	SyncPoints         int     `json:"sync_points"`
	HostOutputBytes    int     `json:"host_output_bytes"`    // if every result is copied to the host
	DeviceTrafficBytes int     `json:"device_traffic_bytes"` // read and written by the steps
	PredictedNs        float64 `json:"predicted_ns"`
}

// PlanStep is one launch. Buffers are called in for what is there already, out
// for results and t for intermediates.
type PlanStep struct {
	Program     string   `json:"program"` // map, reduce, gemm, fft, ...
	Label       string   `json:"label"`   // the operations, shortened
	Stream      int      `json:"stream"`
	Dims        []int    `json:"dims"`             // the index space it walks
	Stages      []string `json:"stages,omitempty"` // of a line program, in order
	Reads       []string `json:"reads"`
	Writes      []string `json:"writes"`
	Waits       []int    `json:"waits,omitempty"` // steps on other streams
	Adds        bool     `json:"adds,omitempty"`  // adds to a result that an earlier step began
	InPlace     bool     `json:"in_place,omitempty"`
	Bytes       int      `json:"bytes"`
	Ops         float64  `json:"ops"`
	PredictedNs float64  `json:"predicted_ns"`
	Fused       []string `json:"fused"` // the operations, in order
	Why         string   `json:"why"`   // the result is stored
}

// Explain plans the arrays, which must be on one device, as Eval would, and returns the
// plan. Nothing runs. If operands have to be copied from another device, a note says how
// many bytes; each copy is a sync point, and the work of the other device is not part of
// the plan.
func Explain(arrays ...*Array) (*Plan, error) {
	nodes, err := toExplain(arrays)
	if err != nil {
		return nil, err
	}
	r, err := engine.Explain(nodes)
	if err != nil {
		return nil, evalError("explain", err)
	}
	return planOf(r), nil
}

func toExplain(arrays []*Array) ([]*graph.Node, error) {
	nodes, err := toEvaluate(nil, arrays)
	if err != nil {
		return nil, err
	}
	if len(nodes) == 0 {
		return nil, errors.New("nd: explain: no arrays")
	}
	if n := sameDevice(nodes); n < len(nodes) {
		return nil, fmt.Errorf("nd: explain: array %d is on another device", n)
	}
	return nodes, nil
}

func planOf(r *sched.Report) *Plan {
	p := &Plan{Device: r.Device, Profile: profileOf(r.Profile), Unfused: profileOf(r.Unfused), MemoryBytes: r.Memory, Notes: r.Notes,
		Steps: make([]PlanStep, 0, len(r.Steps))}
	for _, s := range r.Steps {
		p.Steps = append(p.Steps, PlanStep{
			Program: s.Program, Label: s.Label, Stream: s.Stream, Dims: list(s.Dims), Stages: s.Stages, Reads: list(s.Reads), Writes: list(s.Writes),
			Waits: s.Waits, Adds: s.Adds, InPlace: s.InPlace, Bytes: s.Bytes, Ops: s.Ops, PredictedNs: s.Ns,
			Fused: list(s.Fused), Why: s.Why,
		})
	}
	p.Fused = p.Launches < p.Unfused.Launches
	p.Reason = p.reason()
	p.Notes = append(p.Notes[:len(p.Notes):len(p.Notes)], copyNotes(r.Copies)...)
	p.Notes = append(p.Notes, r.Again...)
	return p
}

// list is s, and not nil: in JSON nothing is [] and not null.
func list[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// copyNotes says what is copied from each device.
func copyNotes(copies []sched.Copy) []string {
	var from []string
	bytes := map[string]int{}
	for _, c := range copies {
		if _, seen := bytes[c.From]; !seen {
			from = append(from, c.From)
		}
		bytes[c.From] += c.Bytes
	}
	for i, name := range from {
		from[i] = fmt.Sprintf("%s copied from %s first", byteCount(bytes[name]), name)
	}
	return from
}

// reason compares the plan with the one it replaced.
func (p *Plan) reason() string {
	switch saved := p.Unfused.DeviceTrafficBytes - p.DeviceTrafficBytes; {
	case p.Fused:
		return fmt.Sprintf("%s instead of %d, %s of traffic saved, %s predicted instead of %s", counted.Of(p.Launches, "launch", "launches"),
			p.Unfused.Launches, byteCount(max(saved, 0)), duration(p.PredictedNs), duration(p.Unfused.PredictedNs))
	case len(p.Notes) > 0:
		return strings.Join(p.Notes, "; ")
	}
	return "no two operations can share a launch"
}

func profileOf(p cost.Profile) Profile { return Profile(p) }

// String is the plan as text.
func (p *Plan) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "plan on %s: %s\n", p.Device, p.Profile)
	fmt.Fprintf(&b, "  unfused: %s\n  reason: %s\n", p.Unfused, p.Reason)
	fmt.Fprintf(&b, "  memory for results and intermediates: %s\n", byteCount(p.MemoryBytes))
	for _, n := range p.Notes {
		fmt.Fprintf(&b, "  note: %s\n", n)
	}
	for i, s := range p.Steps {
		fmt.Fprintf(&b, "%3d %-7s stream %d  %v  %s -> %s  %s, %s\n", i, s.Program, s.Stream, s.Dims,
			strings.Join(s.Reads, " "), strings.Join(s.Writes, " "), byteCount(s.Bytes), duration(s.PredictedNs))
		fmt.Fprintf(&b, "      %s\n", s.Label)
		for _, stage := range s.Stages {
			fmt.Fprintf(&b, "      | %s\n", stage)
		}
		if len(s.Waits) > 0 {
			fmt.Fprintf(&b, "      waits for steps %v\n", s.Waits)
		}
		switch {
		case s.Adds:
			b.WriteString("      goes on with the result of an earlier step\n")
		case s.InPlace:
			fmt.Fprintf(&b, "      stored in place: %s\n", s.Why)
		default:
			fmt.Fprintf(&b, "      stored: %s\n", s.Why)
		}
	}
	return b.String()
}

func (p Profile) String() string {
	return fmt.Sprintf("%s, %s, %s moved, %s to the host, %s predicted", counted.Of(p.Launches, "launch", "launches"),
		counted.Of(p.SyncPoints, "sync point"), byteCount(p.DeviceTrafficBytes), byteCount(p.HostOutputBytes), duration(p.PredictedNs))
}

func byteCount(n int) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d B", n)
	case n < 1<<20:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	case n < 1<<30:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
}

func duration(ns float64) string {
	switch {
	case ns < 1e6:
		return fmt.Sprintf("%.1f us", ns/1e3)
	case ns < 1e9:
		return fmt.Sprintf("%.1f ms", ns/1e6)
	}
	return fmt.Sprintf("%.2f s", ns/1e9)
}

// JSON is the plan as indented JSON.
func (p *Plan) JSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false) // "a -> b" is for people too
	err := e.Encode(p)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// Dot is the plan as a Graphviz graph: steps are boxes, one colour per stream,
// and buffers are ellipses.
func (p *Plan) Dot() string {
	colours := [...]string{"black", "blue", "darkgreen", "red", "purple", "orange"}
	var b strings.Builder
	b.WriteString("digraph plan {\n  rankdir=TB;\n  node [fontname=\"sans-serif\"];\n")
	seen := map[string]bool{}
	buffer := func(name string) {
		if !seen[name] {
			seen[name] = true
			fmt.Fprintf(&b, "  %s [shape=ellipse];\n", name)
		}
	}
	for i, s := range p.Steps {
		label := fmt.Sprintf("%d: %s %v\n%s\n%s, %s", i, s.Program, s.Dims, s.Label, byteCount(s.Bytes), duration(s.PredictedNs))
		fmt.Fprintf(&b, "  step%d [shape=box, color=%s, label=%q];\n", i, colours[s.Stream%len(colours)], label)
		for _, r := range s.Reads {
			buffer(r)
			fmt.Fprintf(&b, "  %s -> step%d;\n", r, i)
		}
		for _, w := range s.Writes {
			buffer(w)
			fmt.Fprintf(&b, "  step%d -> %s;\n", i, w)
		}
		for _, w := range s.Waits {
			fmt.Fprintf(&b, "  step%d -> step%d [style=dashed, label=\"fence\"];\n", w, i)
		}
	}
	b.WriteString("}\n")
	return b.String()
}
