package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/internal/timing"
	"github.com/twiddle-go/twiddle/mixer"
	"github.com/twiddle-go/twiddle/nd"
)

// mixerRow is one comparison: "forward", or "train" for the gradients by the
// input and all parameters.
type mixerRow struct {
	What      string  `json:"what"`
	Shape     []int   `json:"shape"` // batch, length, width
	NS        float64 `json:"ns"`
	Compiled  float64 `json:"compiled_ns"` // the same by nd.Compile, which builds the graph once
	Predicted float64 `json:"predicted_ns"`
	Launches  int     `json:"launches"`
	Peer      string  `json:"peer,omitempty"`
	PeerNS    float64 `json:"peer_ns,omitempty"`
	Ratio     float64 `json:"ratio,omitempty"`
}

// mixerKinds are what is measured of a block.
var mixerKinds = []string{"forward", "train"}

// mixerWork is one of them; all is the input, then the parameters.
func mixerWork(block mixer.Block, what string, all []*nd.Array) []*nd.Array {
	y := block.Apply(all[1:], all[0])
	if what == "forward" {
		return []*nd.Array{y}
	}
	loss, grads := nd.ValueAndGrad(y.AbsSquared().Mean(), all...)
	return append(grads, loss)
}

type mixerReport struct {
	Device        string     `json:"device"`
	CPUs          int        `json:"cpus"`
	Bidirectional bool       `json:"bidirectional"`
	Residual      bool       `json:"residual"`
	Rows          []mixerRow `json:"rows"`
}

func newBenchMixerCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "mixer",
		Short: "Time the sequence mixer, forward and gradients, and compare with PyTorch",
		Long: "Time a block of package mixer, float32: forward, and the gradients of a mean square by its\n" +
			"input and all parameters, with the graph built every time and with one that nd.Compile\n" +
			"built once. --peer bench/mixer_torch.py, in a checkout of the repository and with PyTorch\n" +
			"installed, compares with the same block in PyTorch, in alternating rounds, with as many\n" +
			"threads. Ratios are PyTorch's time over ours.",
	}
	f := c.Flags()
	shape := f.String("shape", "8,1024,128", "batch, length and width, separated by commas; 1,256,32 on a software adapter")
	both := f.Bool("bidirectional", false, "mix with later positions, too")
	residual := f.Bool("residual", false, "with a long convolution of the input")
	device := f.String("device", "cpu", "the device to measure; see 'twiddle devices'")
	script := f.String("peer", "", "a script that does the same")
	rounds := f.Int("rounds", 10, "rounds for each contender")
	asJSON := addJSON(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		dev, err := nd.Open(*device)
		if err != nil {
			return usagef("--device: %w", err)
		}
		if err := lessOnSoftware(c, dev, map[string]string{"shape": "1,256,32", "rounds": "1"}); err != nil {
			return err
		}
		b := mixerBench{bidirectional: *both, residual: *residual, device: *device, script: *script, rounds: *rounds}
		if _, err := fmt.Sscanf(*shape+" ", "%d,%d,%d ", &b.batch, &b.length, &b.width); err != nil ||
			strings.Count(*shape, ",") != 2 || min(b.batch, b.length, b.width, b.rounds) < 1 {
			return usagef("--shape %q, --rounds %d: want batch,length,width and rounds, all of 1 or more", *shape, *rounds)
		}
		report, err := b.run(c.Context(), dev)
		if err != nil {
			return err
		}
		return show(c, *asJSON, report)
	}
	return c
}

type mixerBench struct {
	batch, length, width    int
	bidirectional, residual bool
	device, script          string
	rounds                  int
}

func (b mixerBench) run(ctx context.Context, dev *nd.Device) (*mixerReport, error) {
	block := mixer.Block{Width: b.width, Length: b.length, Bidirectional: b.bidirectional, Residual: b.residual}
	params, err := block.Init(1)
	if err != nil {
		return nil, err
	}
	all := []*nd.Array{nd.Normal(2, nd.Float32, b.batch, b.length, b.width)}
	for _, p := range params {
		all = append(all, p.Value)
	}
	if all, err = operandsOn(ctx, dev, all...); err != nil {
		return nil, err
	}
	release := func(arrays []*nd.Array) {
		for _, a := range arrays {
			a.Release()
		}
	}
	report := &mixerReport{Device: dev.Name(), CPUs: runtime.GOMAXPROCS(0), Bidirectional: b.bidirectional, Residual: b.residual}
	var contenders, compiled []timing.Contender
	for _, what := range mixerKinds {
		work := func(all ...*nd.Array) []*nd.Array { return mixerWork(block, what, all) }
		plan, err := nd.Explain(work(all...)...)
		if err != nil {
			return nil, err
		}
		run, err := loop(func() error {
			out := work(all...)
			defer release(out)
			return nd.Eval(ctx, out...)
		})
		if err != nil {
			return nil, err
		}
		once := nd.Compile(work)
		again, err := loop(func() error {
			out, err := once.Call(ctx, all...)
			release(out)
			return err
		})
		if err != nil {
			return nil, err
		}
		report.Rows = append(report.Rows, mixerRow{What: what, Shape: all[0].Shape(), Launches: plan.Launches, Predicted: plan.PredictedNs})
		contenders = append(contenders, timing.Contender{Name: what, Run: run})
		compiled = append(compiled, timing.Contender{Name: what + ", compiled", Run: again})
	}
	return report, b.compare(ctx, report, append(contenders, compiled...))
}

// compare measures the rows, and the peer if there is one.
func (b mixerBench) compare(ctx context.Context, report *mixerReport, contenders []timing.Contender) error {
	ours := len(contenders)
	var peer *scriptPeer
	if b.script != "" {
		var err error
		peer, err = startScript(ctx, b.script, map[string]any{"shape": report.Rows[0].Shape, "threads": report.CPUs,
			"device": b.device, "bidirectional": b.bidirectional, "residual": b.residual})
		if err != nil {
			return err
		}
		defer peer.close()
		for _, r := range report.Rows {
			contenders = append(contenders, timing.Contender{Name: r.What, Run: peer.turn(r.What)})
		}
	}
	ns, err := timing.Compare(ctx, timing.Options{Rounds: b.rounds, Slice: 20 * time.Millisecond}, contenders...)
	if err != nil {
		return err
	}
	for i := range report.Rows {
		r := &report.Rows[i]
		r.NS, r.Compiled = ns[i], ns[len(report.Rows)+i]
		if peer != nil {
			r.Peer, r.PeerNS, r.Ratio = peer.name, ns[ours+i], timing.Ratio(ns[i], ns[ours+i])
		}
	}
	if peer != nil && peer.err != nil {
		return fmt.Errorf("%s: %w", peer.name, peer.err)
	}
	return nil
}

func (r *mixerReport) WriteText(w io.Writer) error {
	t := timing.NewTable("what", "batch,length,width", "launches", "time", "compiled", "predicted", "peer", "peer time", "ratio")
	for _, row := range r.Rows {
		cells := []any{row.What, shapeText(row.Shape), row.Launches, timing.Nanoseconds(row.NS), timing.Nanoseconds(row.Compiled), timing.Nanoseconds(row.Predicted)}
		if row.Peer != "" {
			cells = append(cells, row.Peer, timing.Nanoseconds(row.PeerNS), row.Ratio)
		}
		t.Row(cells...)
	}
	_, err := t.WriteTo(w)
	return err
}
