package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/internal/timing"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// framesRow is a graph behind short-time spectra, in one evaluation and with the spectra
// evaluated first.
type framesRow struct {
	Graph string  `json:"graph"`
	Fused float64 `json:"fused_ns"`
	Apart float64 `json:"apart_ns"`
	Ratio float64 `json:"ratio"`
}

// framesReport has the graphs, the worst ratio first.
type framesReport struct {
	Rows   []framesRow `json:"rows"`
	Losers int         `json:"losers"`         // graphs that fusing makes slower than 1.1 times
	Left   int         `json:"left,omitempty"` // graphs that --limit or an interrupt left no time for
	show   int
}

// loses is the ratio from which on fusing should not have been done.
const loses = 1.1

// again is how often a graph that loses is measured again: the best rounds of both ways
// count, so what is slower stays so, and what something else on the machine made slow does
// not.
const again = 2

// framesGraphs are maps and reductions of spectra of shape (channels, bins, frames).
var framesGraphs = []struct {
	name  string
	build func(z *nd.Array) *nd.Array
}{
	{"abs", (*nd.Array).Abs},
	{"abs_squared", (*nd.Array).AbsSquared},
	{"real", (*nd.Array).Real},
	{"angle", (*nd.Array).Angle},
	{"conj", (*nd.Array).Conj},
	{"mul scalar", func(z *nd.Array) *nd.Array { return z.MulScalar(2) }},
	{"log of abs", func(z *nd.Array) *nd.Array { return z.Abs().AddScalar(1e-6).Log() }},
	{"mask", func(z *nd.Array) *nd.Array { return z.MulReal(z.Abs().GreaterScalar(0.5).Cast(nd.Float32)) }},
	{"transposed abs", func(z *nd.Array) *nd.Array { return z.SwapAxes(-1, -2).Abs() }},
	{"mean over frames", func(z *nd.Array) *nd.Array { return z.AbsSquared().Mean(-1) }},
	{"mean over bins", func(z *nd.Array) *nd.Array { return z.AbsSquared().Mean(-2) }},
	{"max over frames", func(z *nd.Array) *nd.Array { return z.Abs().Max(-1) }},
	{"sum of all", func(z *nd.Array) *nd.Array { return z.AbsSquared().Sum() }},
}

func newBenchFramesCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "frames",
		Short: "Time maps and reductions of an STFT, fused and unfused",
		Long: "Evaluate maps and reductions of short-time Fourier transforms of 10 s of samples at\n" +
			"44.1 kHz, in one evaluation and with the spectra evaluated first. List the graphs that\n" +
			"fusion makes slower, after measuring these twice more. On a software adapter of WebGPU,\n" +
			"where 10 s of samples take most of an hour, only a part of them runs: see --quick.",
		Args: cobra.NoArgs,
	}
	show0 := c.Flags().Int("show", 15, "number of graphs to list, the worst first")
	device := c.Flags().String("device", "cpu", "the device to run on; see 'twiddle devices'")
	quick := c.Flags().Bool("quick", false, "one size only, of 20000 samples; the default on software adapters")
	limit := c.Flags().Duration("limit", 0, "measure no further graph after this time, such as 90s; 0 for all of them")
	only := c.Flags().String("only", "", "only graphs whose names contain this, such as 'abs, 1 channel of 2048'")
	rounds := c.Flags().Int("rounds", 15, "measurements of each graph; the best counts")
	shard := c.Flags().String("shard", "1/1", "the part of the graphs to measure, such as 2/4: the second of four")
	processes := c.Flags().Int("processes", runtime.NumCPU(), "number of processes that compile the kernels of a GPU in advance")
	asJSON := addJSON(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		if *show0 < 1 {
			return usagef("--show %d: want at least 1", *show0)
		}
		if *rounds < 1 {
			return usagef("--rounds %d: want at least 1", *rounds)
		}
		if *processes < 1 {
			return usagef("--processes %d: want at least 1", *processes)
		}
		if *limit < 0 {
			return usagef("--limit %v: want a time of 0 or more", *limit)
		}
		dev, err := nd.Open(*device)
		if err != nil {
			return usagef("--device: %w", err)
		}
		if !c.Flags().Changed("quick") {
			*quick = dev.Info().Software
		}
		jobs := framesJobs(*quick, *only)
		if len(jobs) == 0 {
			return usagef("--only %q: no graph has such a name", *only)
		}
		if jobs, err = partOf(jobs, *shard); err != nil {
			return err
		}
		until := time.Now().Add(*limit)
		if *limit == 0 {
			until = until.Add(math.MaxInt64)
		}
		if n := compilers(*device, *shard, *processes, len(jobs)); n > 0 {
			compileAhead(c.Context(), *limit/2, n, "--device", *device, "--only", *only, fmt.Sprint("--quick=", *quick))
		}
		r, failed := benchFrames(c.Context(), dev, until, *rounds, jobs)
		if r.show = *show0; len(r.Rows) > 0 {
			err = show(c, *asJSON, r)
		}
		return cmp.Or(failed, err)
	}
	return c
}

// framesJob is a graph behind an STFT of a signal.
type framesJob struct {
	name              string
	channels, samples int
	stft              signal.STFT
	build             func(z *nd.Array) *nd.Array
}

// framesJobs are those whose names contain only.
func framesJobs(quick bool, only string) (jobs []framesJob) {
	sizes, samples := []int{256, 1024, 2048, 3000}, 441000
	if quick {
		sizes, samples = sizes[:1], 20000
	}
	for _, nfft := range sizes {
		for _, overlap := range []int{4, 2} {
			for _, channels := range []int{1, 4} {
				for _, g := range framesGraphs {
					name := fmt.Sprintf("%s, %s of %d by %d", g.name, channelCount(channels), nfft, nfft/overlap)
					if strings.Contains(name, only) {
						jobs = append(jobs, framesJob{name, channels, samples / channels, signal.STFT{NFFT: nfft, Hop: nfft / overlap}, g.build})
					}
				}
			}
		}
	}
	return jobs
}

// partOf is a run of the jobs: neighbours share the kernels of their transform.
func partOf(jobs []framesJob, shard string) ([]framesJob, error) {
	var k, n int
	if _, err := fmt.Sscanf(shard+" ", "%d/%d ", &k, &n); err != nil || k < 1 || k > n {
		return nil, usagef("--shard %q: want a part and their number, such as 2/4", shard)
	}
	if n > len(jobs) {
		return nil, usagef("--shard %q: there are %d graphs", shard, len(jobs))
	}
	return jobs[(k-1)*len(jobs)/n : k*len(jobs)/n], nil
}

// compilers is how many processes compile beforehand: none for the CPU and in such a process
// itself. One by itself would gain nothing, and its shard, 1/1, would have it start another.
func compilers(device, shard string, processes, jobs int) int {
	n := min(processes, jobs)
	if device == "cpu" || shard != "1/1" || n < 2 {
		return 0
	}
	return n
}

// compileAhead fills the caches of compiled kernels, the engine's for CUDA and the driver's
// for WebGPU: each process measures a shard for one round. A single process would compile one
// kernel at a time, since NVRTC has a lock. An error is met again by the measurement, which
// reports it. A limit of 0 is none.
func compileAhead(ctx context.Context, limit time.Duration, processes int, flags ...string) {
	self, err := os.Executable()
	if err != nil {
		return
	}
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	var wg sync.WaitGroup
	for k := range processes {
		args := append([]string{"bench", "frames", "--rounds", "1", "--shard", fmt.Sprintf("%d/%d", k+1, processes)}, flags...)
		wg.Go(func() { _ = exec.CommandContext(ctx, self, args...).Run() })
	}
	wg.Wait()
}

// benchFrames has also with an error, such as that of an interrupt, what it measured before.
func benchFrames(ctx context.Context, dev *nd.Device, until time.Time, rounds int, jobs []framesJob) (*framesReport, error) {
	r := &framesReport{Left: len(jobs)}
	defer func() {
		slices.SortStableFunc(r.Rows, func(a, b framesRow) int { return cmp.Compare(b.Ratio, a.Ratio) })
	}()
	for i, job := range jobs {
		if i > 0 && time.Now().After(until) {
			break
		}
		x, err := operandsOn(ctx, dev, nd.Normal(1, nd.Float32, job.channels, job.samples))
		if err != nil {
			return r, err
		}
		row, err := job.fusedAndApart(ctx, rounds, x[0])
		if err != nil {
			return r, fmt.Errorf("bench frames: %s: %w", job.name, err)
		}
		if row.Ratio > loses {
			r.Losers++
		}
		r.Rows = append(r.Rows, row)
		r.Left--
		x[0].Release()
	}
	return r, nil
}

func channelCount(n int) string {
	if n == 1 {
		return "1 channel"
	}
	return fmt.Sprintf("%d channels", n)
}

// fusedAndApart measures a graph both ways, in turns.
func (j framesJob) fusedAndApart(ctx context.Context, rounds int, x *nd.Array) (framesRow, error) {
	var failed error
	run := func(first bool) func(int) {
		return func(reps int) {
			for range reps {
				z := j.stft.Apply(x)
				if first {
					failed = cmp.Or(failed, nd.Eval(ctx, z))
				}
				y := j.build(z)
				failed = cmp.Or(failed, nd.Eval(ctx, y))
				y.Release()
				if first {
					z.Release()
				}
			}
		}
	}
	row := framesRow{Graph: j.name, Fused: math.Inf(1), Apart: math.Inf(1), Ratio: math.Inf(1)}
	for range 1 + again {
		ns, err := timing.Compare(ctx, timing.Options{Rounds: rounds}, timing.Contender{Name: "fused", Run: run(false)}, timing.Contender{Name: "apart", Run: run(true)})
		if err = cmp.Or(err, failed); err != nil {
			return framesRow{}, err
		}
		row.Fused, row.Apart = min(row.Fused, ns[0]), min(row.Apart, ns[1])
		if row.Ratio = row.Fused / row.Apart; row.Ratio <= loses {
			break
		}
	}
	return row, nil
}

func (r *framesReport) WriteText(w io.Writer) error {
	t := timing.NewTable("graph", "fused", "apart", "ratio")
	for _, row := range r.Rows[:min(r.show, len(r.Rows))] {
		t.Row(row.Graph, timing.Nanoseconds(row.Fused), timing.Nanoseconds(row.Apart), fmt.Sprintf("%.2f", row.Ratio))
	}
	t.WriteTo(w)
	if r.Left > 0 {
		fmt.Fprintf(w, "\nno time was left for %d graphs; --only and --shard measure others", r.Left)
	}
	_, err := fmt.Fprintf(w, "\n%d graphs, the median at %.2f; fusing %d of them takes more than %.1f times as long as not fusing\n", len(r.Rows), r.Rows[len(r.Rows)/2].Ratio, r.Losers, loses)
	return err
}
