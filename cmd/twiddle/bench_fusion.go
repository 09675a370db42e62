package main

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// fusionRequest is a sweep over batches of one computation: averaged spectra of
// lines, and their strongest bins.
type fusionRequest struct {
	nfft, k, segments int
	batches           []int
	device            *nd.Device
	iterations        int
	seed              uint64
}

func newBenchFusionCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "fusion --nfft N --batch B,...",
		Short: "Time Welch with peaks in three phases of fusion",
		Long: "Time averaged power spectra and their strongest bins (signal.TopBins), from samples on the\n" +
			"device to bins and powers on the host, in three phases: interleaved readback (an evaluation\n" +
			"per operation, the spectra go to the host, which picks the bins), block layout (an\n" +
			"evaluation per operation, only blocks of bins and powers go to the host) and fused (one\n" +
			"graph, one evaluation). Graphs are built once, rounds of the phases alternate, and times\n" +
			"are medians. Time on the host is shown separately: predictions are of the device.\n\n" +
			"On a GPU the fused computation, with true peaks, is then timed alone, by the GPU's clock,\n" +
			"and compared with a copy and (--peers cufft) with separate kernels around cuFFT.",
	}
	f := c.Flags()
	nfft := f.Int("nfft", 256, "samples in a segment")
	batch := f.String("batch", "32,512,8192", "numbers of lines, separated by commas")
	k := f.Int("k", 16, "number of bins")
	segments := f.Int("segments", 2, "segments of a line, half overlapping")
	device := f.String("device", "cpu", "the device to run on; see 'twiddle devices'")
	peers := f.String("peers", "", "on a GPU: cufft")
	iterations := f.Int("iterations", 30, "runs of each phase; fewer for large batches")
	seed := f.Uint64("seed", 1, "seed of the samples")
	file := f.String("out", "", "write the result as JSON to this file, too")
	asJSON := addJSON(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		r := fusionRequest{nfft: *nfft, k: *k, segments: *segments, iterations: *iterations, seed: *seed}
		switch {
		case r.nfft < 2 || r.nfft > 1<<20:
			return usagef("--nfft %d: want 2 to %d", r.nfft, 1<<20)
		case r.k < 1 || r.k > r.nfft/2+1:
			return usagef("--k %d: want 1 to the %d bins", r.k, r.nfft/2+1)
		case r.segments < 1 || r.segments > 1<<16:
			return usagef("--segments %d: want 1 to %d", r.segments, 1<<16)
		case r.iterations < 1:
			return usagef("--iterations %d: want at least 1", r.iterations)
		}
		var err error
		if r.batches, err = parseBatches(*batch, r.samples()); err != nil {
			return err
		}
		if r.device, err = nd.Open(*device); err != nil {
			return usagef("--device: %w", err)
		}
		onGPU := strings.HasPrefix(*device, "cuda:")
		if *peers != "" && !onGPU {
			return usagef("--peers %s: only on a GPU", *peers)
		}
		if err := makeParent(*file); err != nil {
			return err
		}
		result, err := benchFusion(c.Context(), r)
		if err != nil {
			return err
		}
		if onGPU && r.k <= r.nfft/2-1 {
			_, index, err := openGPU(*device)
			if err != nil {
				return err
			}
			if result.Resident, err = r.resident(c.Context(), index, *peers, c.ErrOrStderr()); err != nil {
				return err
			}
		}
		if *file != "" {
			if err := writeJSONFile(*file, result); err != nil {
				return err
			}
		}
		return show(c, *asJSON, result)
	}
	return c
}

// mostSamples bounds what a phase goes through in all of its turns: minutes on two
// cores.
const mostSamples = 1 << 30

// turns is how often each phase runs at a batch.
func (r fusionRequest) turns(batch int) int {
	return min(r.iterations, max(3, mostSamples/(batch*r.samples())))
}

// samples is those of one line.
func (r fusionRequest) samples() int { return r.nfft + (r.segments-1)*(r.nfft/2) }

func parseBatches(list string, samples int) ([]int, error) {
	var out []int
	for text := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < 1 {
			return nil, usagef("--batch %q: %q is not a number of lines", list, text)
		}
		if n > 1<<30/samples {
			return nil, usagef("--batch %q: %d lines of %d samples are more than a measurement should take", list, n, samples)
		}
		out = append(out, n)
	}
	return out, nil
}

// benchFusion measures every batch.
func benchFusion(ctx context.Context, r fusionRequest) (*fusionReport, error) {
	report := &fusionReport{Device: r.device.Name(), NFFT: r.nfft, Segments: r.segments, K: r.k, Iterations: r.iterations, Seed: r.seed}
	for _, batch := range r.batches {
		x, w, err := r.operands(ctx, batch)
		if err != nil {
			return nil, err
		}
		row, err := r.measure(ctx, x, w)
		if err != nil {
			return nil, err
		}
		row.Batch = batch
		report.Rows = append(report.Rows, row)
		x.Release()
	}
	report.cross()
	return report, nil
}

// operands are evaluated lines, and the window of their segments.
func (r fusionRequest) operands(ctx context.Context, batch int) (x, w *nd.Array, err error) {
	in, err := operandsOn(ctx, r.device, nd.Normal(nd.Key(r.seed), nd.Float32, batch, r.samples()), signal.Window{Symmetric: true}.Array(nd.Float32, r.nfft))
	if err != nil {
		return nil, nil, err
	}
	return in[0], in[1], nil
}

// phases are ways to compute the same, from what is fused least.
func (r fusionRequest) phases(x, w *nd.Array) []fusionPhase {
	separate := []func(*nd.Array) *nd.Array{
		func(a *nd.Array) *nd.Array { return a.Frames(r.nfft, r.nfft/2).Mul(w) },
		func(a *nd.Array) *nd.Array { return a.RFFT() },
		func(a *nd.Array) *nd.Array { return a.AbsSquared() },
		func(a *nd.Array) *nd.Array { return a.Mean(-2) },
	}
	top := func(a *nd.Array) []*nd.Array {
		power, bin := a.TopK(r.k, -1)
		return []*nd.Array{bin.Cast(nd.Float32), power}
	}
	return []fusionPhase{
		{name: "interleaved readback", x: x, steps: separate, host: r.k},
		{name: "block layout", x: x, steps: separate, last: top},
		{name: "fused", x: x, last: func(a *nd.Array) []*nd.Array {
			return []*nd.Array{signal.TopBins{N: r.nfft, Segments: r.segments, K: r.k}.Apply(a)}
		}},
	}
}

// measure runs the phases in turns.
func (r fusionRequest) measure(ctx context.Context, x, w *nd.Array) (fusionRow, error) {
	var row fusionRow
	phases := r.phases(x, w)
	times, picking := make([][]float64, len(phases)), make([][]float64, len(phases))
	for i := range phases {
		profile, err := phases[i].profile(ctx)
		if err != nil {
			return row, err
		}
		row.Phases = append(row.Phases, profile)
	}
	row.Iterations = r.turns(x.Dim(0))
	for range row.Iterations {
		for i := range phases {
			start := time.Now()
			if _, err := phases[i].run(ctx); err != nil {
				return row, err
			}
			times[i] = append(times[i], float64(time.Since(start).Nanoseconds()))
			picking[i] = append(picking[i], float64(phases[i].picked().Nanoseconds()))
		}
		if err := ctx.Err(); err != nil {
			return row, err
		}
	}
	for i := range phases {
		row.Phases[i].MedianNs, row.Phases[i].HostNs = median(times[i]), median(picking[i])
		row.Phases[i].Speedup = row.Phases[0].MedianNs / row.Phases[i].MedianNs
	}
	plan, err := nd.Explain(signal.TopBins{N: r.nfft, Segments: r.segments, K: r.k}.Apply(x))
	if err != nil {
		return row, err
	}
	row.Fused, row.Reason = plan.Fused, plan.Reason
	first, fused := row.Phases[0], row.Phases[len(row.Phases)-1]
	row.Saved = fusionSavings{Launches: first.Launches - fused.Launches, SyncPoints: first.SyncPoints - fused.SyncPoints,
		HostOutputBytes:    first.HostOutputBytes - fused.HostOutputBytes,
		DeviceTrafficBytes: first.DeviceTrafficBytes - fused.DeviceTrafficBytes}
	return row, nil
}
