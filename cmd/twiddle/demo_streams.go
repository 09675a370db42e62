package main

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// demoStreams is a convolution done twice: all channels on one stream, and in
// bands on several.
type demoStreams struct {
	Shape         []int    `json:"shape"`
	Streams       int      `json:"streams"`
	SerialMs      float64  `json:"serial_ms"`
	ParallelMs    float64  `json:"parallel_ms"`
	MaxDifference float64  `json:"max_difference"`
	Plan          *nd.Plan `json:"plan"` // of one stream
}

func runDemoStreams(ctx context.Context, dev *nd.Device) (*demoStreams, error) {
	r := &demoStreams{Shape: []int{8, 64, 16384}, Streams: 4}
	in, err := operandsOn(ctx, dev, nd.Normal(demoKey+1, nd.Float32, r.Shape...), nd.Normal(demoKey+2, nd.Float32, r.Shape[1:]...).MulScalar(1.0/64))
	if err != nil {
		return nil, err
	}
	x, k := in[0], in[1]
	conv := signal.Conv{Mode: signal.Causal}
	serial, parallel := signal.Pipeline{Conv: conv, Streams: 1}, signal.Pipeline{Conv: conv, Streams: r.Streams}
	if r.Plan, err = nd.Explain(serial.Apply(x, k)); err != nil {
		return nil, err
	}
	// The best of a few runs each, one after the other: the first one plans.
	r.SerialMs, r.ParallelMs = math.Inf(1), math.Inf(1)
	for range 3 {
		one, ms, err := timedConv(ctx, serial, x, k)
		if err != nil {
			return nil, err
		}
		r.SerialMs = min(r.SerialMs, ms)
		many, ms, err := timedConv(ctx, parallel, x, k)
		if err != nil {
			return nil, err
		}
		r.ParallelMs = min(r.ParallelMs, ms)
		for i := range one {
			r.MaxDifference = max(r.MaxDifference, math.Abs(float64(one[i]-many[i])))
		}
	}
	return r, nil
}

// timedConv is the result of a convolution and the milliseconds it took.
func timedConv(ctx context.Context, p signal.Pipeline, x, k *nd.Array) ([]float32, float64, error) {
	start := time.Now()
	y := p.Apply(x, k)
	if err := nd.Eval(ctx, y); err != nil {
		return nil, 0, err
	}
	ms := float64(time.Since(start).Microseconds()) / 1e3
	out, err := nd.Slice[float32](ctx, y)
	return out, ms, err
}

func (r *demoStreams) write(b *strings.Builder) {
	fmt.Fprintf(b, "Causal convolution of %d x %d channels of %d samples, filters as long,\n", r.Shape[0], r.Shape[1], r.Shape[2])
	fmt.Fprintf(b, "on one stream and on %d streams created for bands of channels:\n", r.Streams)
	writePlan(b, r.Plan)
	fmt.Fprintf(b, "  1 stream   %6.2f ms\n  %d streams  %6.2f ms   largest difference %g\n", r.SerialMs, r.Streams, r.ParallelMs, r.MaxDifference)
}
