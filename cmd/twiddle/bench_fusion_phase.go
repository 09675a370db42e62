package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/twiddle-go/twiddle/internal/timing"
	"github.com/twiddle-go/twiddle/nd"
)

// fusionPhase is one way to compute bins and powers. Steps are evaluated one by
// one, and then either last, whose results go to the host, or the host itself
// picks bins of what the steps gave. Graphs are built once, by nd.Compile.
type fusionPhase struct {
	name  string
	x     *nd.Array
	steps []func(*nd.Array) *nd.Array
	last  func(*nd.Array) []*nd.Array
	host  int // how many bins the host picks, if there is no last

	compiled []*nd.Compiled
	blocks   [2][]float32 // what came to the host
	bins     int          // in a line of the first
	pairs    []float32

	picking time.Duration // by the host, since picked was called last
}

// fusionProfile is what a phase costs.
type fusionProfile struct {
	Phase string `json:"phase"`
	nd.Profile
	MedianNs float64 `json:"median_ns"`
	HostNs   float64 `json:"host_ns"` // of which the host puts results in order, which the model does not know
	Speedup  float64 `json:"speedup"` // against the first phase
}

// fusionSavings is what the last phase does without, of what the first takes.
type fusionSavings struct {
	Launches           int `json:"launches"`
	SyncPoints         int `json:"sync_points"`
	HostOutputBytes    int `json:"host_output_bytes"`
	DeviceTrafficBytes int `json:"device_traffic_bytes"`
}

// run gives pairs of bins and powers, as the host has them until it runs again.
func (p *fusionPhase) run(ctx context.Context) ([]float32, error) {
	if err := p.compute(ctx); err != nil {
		return nil, err
	}
	start := time.Now()
	switch {
	case p.last == nil:
		p.pairs = topPairs(p.pairs[:0], p.blocks[0], p.bins, p.host)
	case p.blocks[1] == nil:
		return p.blocks[0], nil
	default:
		p.pairs = p.pairs[:0]
		for i, bin := range p.blocks[0] {
			p.pairs = append(p.pairs, bin, p.blocks[1][i])
		}
	}
	p.picking += time.Since(start)
	return p.pairs, nil
}

// compute brings results to the host, and does nothing with them.
func (p *fusionPhase) compute(ctx context.Context) error {
	if p.compiled == nil {
		p.compile()
	}
	results := []*nd.Array{p.x}
	for _, step := range p.compiled {
		next, err := step.Call(ctx, results...)
		if err != nil {
			return err
		}
		if results[0] != p.x {
			results[0].Release()
		}
		results = next
	}
	p.bins = results[0].Dim(-1)
	for i, r := range results {
		if len(p.blocks[i]) != r.Len() {
			p.blocks[i] = make([]float32, r.Len())
		}
		if err := nd.Read(ctx, p.blocks[i], r); err != nil {
			return err
		}
	}
	return released(results, nil)
}

func (p *fusionPhase) compile() {
	for _, step := range p.steps {
		p.compiled = append(p.compiled, nd.Compile(func(in ...*nd.Array) []*nd.Array { return []*nd.Array{step(in[0])} }))
	}
	if p.last != nil {
		p.compiled = append(p.compiled, nd.Compile(func(in ...*nd.Array) []*nd.Array { return p.last(in[0]) }))
	}
}

// picked is how long the host put results in order since it was asked last.
func (p *fusionPhase) picked() time.Duration {
	defer func() { p.picking = 0 }()
	return p.picking
}

// topPairs picks the k strongest bins of every line on the host, and appends them.
func topPairs(out, power []float32, bins, k int) []float32 {
	order := make([]int, bins)
	for ; len(power) > 0; power = power[bins:] {
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(power[b], power[a]), cmp.Compare(a, b)) })
		for _, i := range order[:k] {
			out = append(out, float32(i), power[i])
		}
	}
	return out
}

// profile adds up what the plans of a phase's evaluations say.
func (p *fusionPhase) profile(ctx context.Context) (fusionProfile, error) {
	out := fusionProfile{Phase: p.name}
	a := p.x
	add := func(back bool, arrays ...*nd.Array) error {
		plan, err := nd.Explain(arrays...)
		if err != nil {
			return err
		}
		out.Launches += plan.Launches
		out.SyncPoints += plan.SyncPoints
		out.DeviceTrafficBytes += plan.DeviceTrafficBytes
		out.PredictedNs += plan.PredictedNs
		if back {
			out.HostOutputBytes += plan.HostOutputBytes
			dev, err := arrays[0].Device()
			if err != nil {
				return err
			}
			choice, err := nd.Choose([]*nd.Device{dev}, arrays...)
			if err != nil {
				return err
			}
			out.PredictedNs += choice.Candidates[0].CopyNs
		}
		return nd.Eval(ctx, arrays...)
	}
	for i, step := range p.steps {
		a = step(a)
		if err := add(p.last == nil && i == len(p.steps)-1, a); err != nil {
			return out, err
		}
	}
	if p.last != nil {
		return out, add(true, p.last(a)...)
	}
	return out, nil
}

// fusionRow is a batch.
type fusionRow struct {
	Batch  int             `json:"batch"`
	Fused  bool            `json:"fused"` // by the gate
	Reason string          `json:"reason"`
	Phases []fusionProfile `json:"phases"`
	Saved  fusionSavings   `json:"saved"`
	// Iterations is how often each phase ran.
	Iterations int `json:"iterations"`
}

// speedup is how much faster the fused phase is than the faster of the others.
func (r fusionRow) speedup() float64 {
	last := len(r.Phases) - 1
	best := r.Phases[0].MedianNs
	for _, p := range r.Phases[:last] {
		best = min(best, p.MedianNs)
	}
	return best / r.Phases[last].MedianNs
}

type fusionReport struct {
	Device     string      `json:"device"`
	NFFT       int         `json:"nfft"`
	Segments   int         `json:"segments"`
	K          int         `json:"k"`
	Iterations int         `json:"iterations"` // asked for
	Seed       uint64      `json:"seed"`
	Rows       []fusionRow `json:"rows"`
	// Crossover is the least batch from which on fusing was faster; 0 is none.
	Crossover int `json:"crossover"`
	// Resident is the fused computation by itself, on GPUs only.
	Resident gpuRows `json:"resident,omitempty"`
}

// cross finds the crossover.
func (r *fusionReport) cross() {
	rows := slices.Clone(r.Rows)
	slices.SortFunc(rows, func(a, b fusionRow) int { return cmp.Compare(b.Batch, a.Batch) })
	for _, row := range rows {
		if row.speedup() < 1 {
			return
		}
		r.Crossover = row.Batch
	}
}

func (r *fusionReport) WriteText(w io.Writer) error {
	fmt.Fprintf(w, "Welch with the %d strongest bins, %d segments of %d, float32, on %s; medians of at most %d\n\n", r.K, r.Segments, r.NFFT, r.Device, r.Iterations)
	t := timing.NewTable("batch", "phase", "launches", "syncs", "to host", "traffic", "predicted", "measured", "of which the host", "the rest/predicted", "against the first")
	for _, row := range r.Rows {
		for _, p := range row.Phases {
			t.Row(row.Batch, p.Phase, p.Launches, p.SyncPoints, mebibytes(p.HostOutputBytes), mebibytes(p.DeviceTrafficBytes),
				timing.Nanoseconds(p.PredictedNs), timing.Nanoseconds(p.MedianNs), timing.Nanoseconds(p.HostNs), (p.MedianNs-p.HostNs)/p.PredictedNs, fmt.Sprintf("%.2fx", p.Speedup))
		}
	}
	if _, err := t.WriteTo(w); err != nil {
		return err
	}
	fmt.Fprintln(w)
	t = timing.NewTable("batch", "gate", "fused against the best other", "launches saved", "syncs saved", "readback saved")
	for _, row := range r.Rows {
		gate := "separate"
		if row.Fused {
			gate = "fuse"
		}
		t.Row(row.Batch, gate, fmt.Sprintf("%.2fx", row.speedup()), row.Saved.Launches, row.Saved.SyncPoints, mebibytes(row.Saved.HostOutputBytes))
	}
	if _, err := t.WriteTo(w); err != nil {
		return err
	}
	for _, row := range r.Rows {
		if row.Reason != "" {
			fmt.Fprintf(w, "gate at %d: %s\n", row.Batch, row.Reason)
		}
	}
	crossover := "fusing is not faster at the largest batch"
	if r.Crossover > 0 {
		crossover = fmt.Sprintf("fusing is faster from a batch of %d on", r.Crossover)
	}
	if _, err := fmt.Fprintln(w, crossover); err != nil || len(r.Resident) == 0 {
		return err
	}
	fmt.Fprintln(w)
	return r.Resident.WriteText(w)
}
