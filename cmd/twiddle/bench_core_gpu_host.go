package main

import (
	"context"
	"runtime"
	"time"

	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// leastNS is the shortest of some runs, in nanoseconds.
func leastNS(rounds int, f func() error) (float64, error) {
	best := 1e18
	for range max(rounds, 3) {
		start := time.Now()
		if err := f(); err != nil {
			return 0, err
		}
		best = min(best, float64(time.Since(start).Nanoseconds()))
	}
	return best, nil
}

// chainKernel adds 1, and fuses with nothing.
var chainKernel = nd.Kernel{Name: "add_one", Inputs: []string{"x"}, Outputs: []string{"y"},
	Source: "uint i = thread_position_in_grid.x; y[i] = x[i] + 1;"}

// gpuCompiled is about the host: what calls of compiled functions take until their
// results are there.
func gpuCompiled(ctx context.Context, dev *nd.Device, rounds int) ([]coreRow, error) {
	x, err := gpuInput(ctx, dev, 8, 64, 1024)
	if err != nil {
		return nil, err
	}
	filter := nd.Uniform(2, nd.Float32, 64, 1024).On(dev.Stream()).RFFT()
	bias := nd.Uniform(3, nd.Float32, 64, 1).On(dev.Stream())
	small, err := gpuInput(ctx, dev, 64)
	if err != nil {
		return nil, err
	}
	if err := nd.Eval(ctx, filter, bias); err != nil {
		return nil, err
	}
	chain := func(n int) *nd.Compiled {
		return nd.Compile(func(in ...*nd.Array) []*nd.Array {
			y := in[0]
			for range n {
				y = chainKernel.Call(nd.Launch{Inputs: []*nd.Array{y}, Shapes: [][]int{y.Shape()}, Grid: [3]int{y.Len()}, Threadgroup: [3]int{64}})[0]
			}
			return []*nd.Array{y}
		})
	}
	measure := func(c *nd.Compiled, in *nd.Array) (float64, error) {
		const batch = 64
		// A batch takes a millisecond or less, so the least of many is soon found, and steadier.
		ns, err := leastNS(rounds*40, func() error {
			for range batch {
				out, err := c.Call(ctx, in)
				if err != nil {
					return err
				}
				out[0].Release()
			}
			return nil
		})
		return ns / batch, err
	}
	one, err := measure(chain(1), small)
	if err != nil {
		return nil, err
	}
	many, err := measure(chain(14), small)
	if err != nil {
		return nil, err
	}
	conv, err := measure(nd.Compile(func(in ...*nd.Array) []*nd.Array {
		return []*nd.Array{in[0].RFFT().Mul(filter).IRFFT(nd.FFT{N: 1024}).Add(bias)}
	}), x)
	if err != nil {
		return nil, err
	}
	rows := []coreRow{
		atMost("compiled 1", "a compiled function of one small kernel, end to end", one/1e3, 10, "us"),
		atMost("compiled 14", "a compiled function of fourteen, one after the other, end to end", many/1e3, 30, "us"),
		atMost("compiled conv", "a compiled circular convolution of 8x64x1024, end to end", conv/1e3, 9, "us"),
	}
	for i, ns := range []float64{one, many, conv} {
		rows[i].NS = ns
	}
	return rows, nil
}

func gpuTransfer(ctx context.Context, dev *nd.Device, rounds int) ([]coreRow, error) {
	const n = 64 << 20
	data := ramp(n)
	pinned, err := nd.Pinned[float32](dev, n)
	if err != nil {
		return nil, err
	}
	copy(pinned, data)
	rounds = max(rounds/5, 3)
	s := dev.Stream()
	upload := func(src []float32) func() error {
		return func() error {
			x, err := nd.Upload(ctx, s, src)
			if err == nil {
				err = nd.Eval(ctx, x)
				x.Release()
			}
			return err
		}
	}
	x, err := nd.Upload(ctx, s, data)
	if err != nil {
		return nil, err
	}
	defer x.Release()
	var rows []coreRow
	for _, f := range []struct {
		name, about string
		goal        float64
		run         func() error
	}{
		{"upload", "moving 256 MiB from an ordinary slice to the device", 25, upload(data)},
		{"from and on", "the same by From and On, which copy it once more", 0, func() error {
			y := nd.From(data).On(s)
			defer y.Release()
			return nd.Eval(ctx, y)
		}},
		{"download", "and back, into a new slice", 25, func() error {
			_, err := nd.Slice[float32](ctx, x)
			return err
		}},
		{"download again", "and back, into a slice that is there", 25, func() error { return nd.Read(ctx, data, x) }},
		{"pinned upload", "moving 256 MiB from pinned memory to the device", 52, upload(pinned)},
		{"pinned download", "and back", 52, func() error { return nd.Read(ctx, pinned, x) }},
	} {
		runtime.GC()
		ns, err := leastNS(rounds, f.run)
		if err != nil {
			return nil, err
		}
		row := atLeast(f.name, f.about, 4*n/ns, f.goal, "GB/s")
		row.NS = ns
		rows = append(rows, row)
	}
	return rows, nil
}

// gpuFromHost is the strongest peaks of averaged spectra of 1.2 GB of samples that
// begin on the host, until they are there again: parts are moved while others are
// computed.
func gpuFromHost(ctx context.Context, dev *nd.Device, rounds int) ([]coreRow, error) {
	const lines, part = 65536, 4096
	r := fusionRequest{nfft: 1024, k: 8, segments: 8, device: dev}
	samples := r.samples()
	window := signal.Window{}.Array(nd.Float32, r.nfft).On(dev.Stream())
	if err := nd.Eval(ctx, window); err != nil {
		return nil, err
	}
	peaks := nd.Compile(func(in ...*nd.Array) []*nd.Array { return []*nd.Array{r.peaks(in[0], window)} })
	out, err := nd.Pinned[float32](dev, lines*r.k*2)
	if err != nil {
		return nil, err
	}
	pinned, err := nd.Pinned[float32](dev, lines*samples)
	if err != nil {
		return nil, err
	}
	noise := ramp(lines * samples)
	for i := range noise {
		noise[i] *= float32(i%977) - 488
	}
	copy(pinned, noise)
	run := func(src []float32) func() error {
		return func() error {
			parts := func(yield func(*nd.Array, error) bool) {
				for at := 0; at < lines; at += part {
					x, err := nd.Upload(ctx, dev.Stream(), src[at*samples:(at+part)*samples], part, samples)
					if !yield(x, err) || err != nil {
						return
					}
				}
			}
			at := 0
			for x, err := range nd.Prefetch(parts, 3) {
				if err != nil {
					return err
				}
				y, err := peaks.Call(ctx, x)
				if err != nil {
					return err
				}
				if err := nd.Read(ctx, out[at:at+y[0].Len()], y[0]); err != nil {
					return err
				}
				at += y[0].Len()
				x.Release()
				y[0].Release()
			}
			return nil
		}
	}
	ordinary, err := leastNS(rounds/5, run(noise))
	if err != nil {
		return nil, err
	}
	fast, err := leastNS(rounds/5, run(pinned))
	if err != nil {
		return nil, err
	}
	rows := []coreRow{
		atMost("from host", "Welch and peaks of 1.2 GB in an ordinary slice, peaks back on the host", ordinary/1e6, 60, "ms"),
		atMost("from pinned", "the same in pinned memory", fast/1e6, 30, "ms"),
	}
	rows[0].NS, rows[1].NS = ordinary, fast
	return rows, nil
}
