// Overlap reads recordings, prepares them on the CPU and convolves them on a GPU, all
// three at the same time, and writes a trace that shows it. Without a GPU the third
// part runs on another stream of the CPU.
//
//	go run ./examples/overlap -device cuda:0 -trace overlap.json
//
// Open the trace at ui.perfetto.dev: "host" has the reading, "cpu" the preparation of
// batch i+1, and the device the convolution of batch i.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

const (
	recordings = 24
	batch      = 4
	rate       = 48000
	samples    = 4 * rate
)

func main() {
	device := flag.String("device", "cpu", "where the convolution runs; see 'twiddle devices'")
	trace := flag.String("trace", "overlap.json", "file for the trace")
	flag.Parse()
	if err := run(context.Background(), *device, *trace); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, device, trace string) error {
	dev, err := nd.Open(device)
	if err != nil {
		return err
	}
	work, err := dev.NewStream()
	if err != nil {
		return err
	}
	defer work.Close()
	names, remove, err := record(ctx)
	if err != nil {
		return err
	}
	defer remove()
	room := nd.Normal(1, nd.Float32, 1, rate/2).Mul(decay(rate / 2)) // an impulse response
	if err := nd.Eval(ctx, room); err != nil {
		return err
	}
	if _, err := convolve(ctx, names, work, room); err != nil { // plans and kernels are made once
		return err
	}

	out, err := os.Create(trace)
	if err != nil {
		return err
	}
	defer out.Close()
	stop := nd.Trace(out)
	start := time.Now()
	levels, err := convolve(ctx, names, work, room)
	took := time.Since(start)
	if err := stop(); err != nil {
		return err
	}
	if err != nil {
		return err
	}
	fmt.Printf("%d recordings on %s in %v; level of the first %.1f dB\ntrace: %s\n",
		len(levels), device, took.Round(time.Millisecond), levels[0], trace)
	return out.Close()
}

// convolve gives the levels of recordings in a room, in decibels.
func convolve(ctx context.Context, names []string, work *nd.Stream, room *nd.Array) ([]float32, error) {
	there := room.On(work)
	files := nd.Loader{N: len(names), Batch: batch, Ahead: 2, Workers: 2, Read: func(_ context.Context, i int) ([]*nd.Array, error) {
		defer nd.HostSpan("read " + filepath.Base(names[i]))()
		x, _, err := audio.Load[float32](names[i])
		return []*nd.Array{prepared(x)}, err
	}}
	var levels []float32
	var before *nd.Array // is computed while the next batch is waited for
	finish := func() error {
		if before == nil {
			return nil
		}
		l, err := nd.Slice[float32](ctx, before)
		levels = append(levels, l...)
		return err
	}
	for arrays, err := range files.Batches(ctx) {
		if err != nil {
			return nil, err
		}
		wet := signal.Conv{Mode: signal.Causal}.Apply(arrays[0].On(work), there)
		level := signal.PowerToDB(wet.AbsSquared().Mean(-1, -2))
		nd.Async(level)
		if err := finish(); err != nil {
			return nil, err
		}
		before = level
	}
	return levels, finish()
}

// prepared is what the CPU does to a recording: drift removed, loudness equalised.
func prepared(x *nd.Array) *nd.Array {
	x = x.Sub(x.Mean(-1).ExpandDims(-1))
	return x.Div(x.AbsSquared().Mean(-1).Sqrt().ExpandDims(-1)).Tanh()
}

// decay falls by 60 dB over n samples.
func decay(n int) *nd.Array {
	return nd.Arange[float32](0, float32(n), 1).MulScalar(-6.9 / float64(n)).Exp()
}

// record writes recordings to a new folder.
func record(ctx context.Context) (names []string, remove func(), err error) {
	folder, err := os.MkdirTemp("", "twiddle-overlap-")
	if err != nil {
		return nil, nil, err
	}
	remove = func() { os.RemoveAll(folder) }
	for i := range recordings {
		name := filepath.Join(folder, fmt.Sprintf("%02d.wav", i))
		x := nd.Normal(nd.Key(i), nd.Float32, 1, samples).MulScalar(0.1).Mul(decay(samples))
		if err := audio.Save(ctx, name, rate, x); err != nil {
			remove()
			return nil, nil, err
		}
		names = append(names, name)
	}
	return names, remove, nil
}
