package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/internal/peer"
	"github.com/twiddle-go/twiddle/internal/timing"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// convRow is one comparison; see fftRow. Predicted is what the cost model said
// before the first run.
type convRow struct {
	Shape     []int              `json:"shape"`
	Taps      int                `json:"taps"`
	Mode      string             `json:"mode"`
	Streams   int                `json:"streams"` // 0: the engine's choice
	NS        float64            `json:"ns"`
	Predicted float64            `json:"predicted_ns"`
	Peers     map[string]float64 `json:"peers"`
	Ratio     map[string]float64 `json:"ratio"`

	plan string // what is launched: rows of the same plan do the same
}

type convRows []convRow

func newBenchConvCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "conv --shape B,C,L --mode M",
		Short: "Compare FFT convolution with separate passes around FFTW or cuFFT",
		Long: "Time FFT convolution, float32, from evaluated operands to an evaluated result. The peer\n" +
			"uses FFTW plans (MEASURE) for the same transforms and a separate pass for every other\n" +
			"operation, with as many threads. Ratios are the peer's time over ours.\n\n" +
			"On a GPU causal convolutions have a second row, in which the filter's spectrum was computed\n" +
			"in advance, as for the peer and for circular convolutions.",
	}
	f := c.Flags()
	shape := f.String("shape", "8,64,1024", "batch, channels and length, separated by commas")
	taps := f.Int("taps", 0, "taps of each filter (default: as many as samples)")
	mode := f.String("mode", "causal", "circular, causal, full, same or valid")
	streams := f.String("streams", "1,2,4", "numbers of streams to try, separated by commas")
	peerNames := f.String("peers", "fftw", "peers, separated by commas; cufft on a GPU")
	device := f.String("device", "cpu", "the device: cpu, or a GPU such as cuda:0 or webgpu:0, with a bias per channel")
	dtype := f.String("dtype", "f32", "how a GPU stores samples: f32, f16 or bf16")
	gated := f.Bool("gated", false, "on a GPU: multiply by a gate before and after")
	fast := f.Bool("fast", false, "on a GPU: compute f16 and bf16 in half precision")
	asJSON := addJSON(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		if *device != "cpu" {
			stored, ok := map[string]nd.DType{"f32": nd.Float32, "f16": nd.Float16, "bf16": nd.BFloat16}[*dtype]
			if !ok {
				return usagef("--dtype %q: want f32, f16 or bf16", *dtype)
			}
			w := convWork{shape: *shape, taps: *taps, mode: *mode, stored: stored, gated: *gated, fast: *fast}
			rows, err := w.onGPU(c.Context(), *device, *peerNames, c.ErrOrStderr())
			if err != nil {
				return err
			}
			return show(c, *asJSON, rows)
		}
		if *dtype != "f32" || *gated || *fast {
			return usagef("--dtype, --gated and --fast are for a GPU: give --device")
		}
		counts, err := parseStreams(*streams)
		if err != nil {
			return err
		}
		peers, err := openPeers(*peerNames, c.ErrOrStderr())
		if err != nil {
			return err
		}
		dev, err := nd.Open(*device)
		if err != nil {
			return usagef("--device: %w", err)
		}
		rows, err := benchConv(c.Context(), dev, *shape, *taps, *mode, counts, peers)
		if err != nil {
			return err
		}
		return show(c, *asJSON, rows)
	}
	return c
}

func parseStreams(list string) ([]int, error) {
	var out []int
	for text := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return nil, usagef("--streams %q: %q is not a number of streams", list, text)
		}
		out = append(out, n)
	}
	return out, nil
}

// benchConv compares numbers of streams, and the peers, in one run.
func benchConv(ctx context.Context, dev *nd.Device, shape string, taps int, mode string, streams []int, peers []peer.FFT) (convRows, error) {
	x, k, conv, err := convOf(shape, taps, mode)
	if err != nil {
		return nil, err
	}
	in, err := operandsOn(ctx, dev, x, k)
	if err != nil {
		return nil, err
	}
	x, k = in[0], in[1]
	var rows convRows
	var contenders []timing.Contender
	for _, s := range streams {
		p := signal.Pipeline{Conv: conv, Streams: s}
		once := func() error {
			y := p.Apply(x, k)
			defer y.Release()
			return nd.Eval(ctx, y)
		}
		plan, err := nd.Explain(p.Apply(x, k))
		if err != nil {
			return nil, err
		}
		run, err := loop(once)
		if err != nil {
			return nil, err
		}
		rows = append(rows, convRow{Shape: x.Shape(), Taps: lineTaps(x, taps), Mode: mode, Streams: s, Predicted: plan.PredictedNs, plan: fmt.Sprint(plan),
			Peers: map[string]float64{}, Ratio: map[string]float64{}})
		contenders = append(contenders, timing.Contender{Name: strconv.Itoa(s), Run: run})
	}
	names, err := addConvPeers(&contenders, peers, x, lineTaps(x, taps), conv)
	if err != nil {
		return nil, err
	}
	runtime.GC()
	ns, err := timing.Compare(ctx, timing.Options{}, contenders...)
	if err != nil {
		return nil, err
	}
	for i := range rows {
		rows[i].NS = ns[i]
		for j, name := range names {
			rows[i].Peers[name] = ns[len(rows)+j]
			rows[i].Ratio[name] = timing.Ratio(ns[i], ns[len(rows)+j])
		}
	}
	return rows, nil
}

func lineTaps(x *nd.Array, taps int) int {
	if taps == 0 {
		return x.Dim(-1)
	}
	return taps
}

// addConvPeers adds the peers for modes whose outputs are as many as inputs.
func addConvPeers(contenders *[]timing.Contender, peers []peer.FFT, x *nd.Array, taps int, conv signal.Conv) ([]string, error) {
	if conv.Mode != signal.Circular && conv.Mode != signal.Causal {
		return nil, nil
	}
	dims := [3]int(x.Shape())
	n, step := conv.TransformLen(dims[2], taps)
	var names []string
	for _, p := range peers {
		c, err := newConvPeer(p, dims, taps, n, step)
		if err != nil {
			return nil, err
		}
		names = append(names, p.Name())
		*contenders = append(*contenders, timing.Contender{Name: p.Name(), Run: c.run})
		runtime.AddCleanup(c, func(plans [2]*peer.Plan) { plans[0].Close(); plans[1].Close() }, [2]*peer.Plan{c.forward, c.back})
	}
	return names, nil
}

func (rows convRows) WriteText(w io.Writer) error {
	t := timing.NewTable("shape", "taps", "mode", "streams", "time", "predicted", "peer", "peer time", "ratio")
	for _, r := range rows {
		streams := strconv.Itoa(r.Streams)
		if r.Streams == 0 {
			streams = "engine"
		}
		cells := []any{shapeText(r.Shape), r.Taps, r.Mode, streams, timing.Nanoseconds(r.NS), timing.Nanoseconds(r.Predicted)}
		if len(r.Peers) == 0 {
			t.Row(cells...)
		}
		for _, name := range slices.Sorted(maps.Keys(r.Peers)) {
			ns := r.Peers[name]
			t.Row(append(cells[:len(cells):len(cells)], name, timing.Nanoseconds(ns), r.Ratio[name])...)
		}
	}
	_, err := t.WriteTo(w)
	if err == nil {
		_, err = fmt.Fprintln(w, "ratio: the peer's time over ours")
	}
	return err
}
