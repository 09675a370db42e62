// Eqfit finds the gains of ten peaking filters whose response is nearest to a wanted one,
// by gradients.
//
//	go run ./examples/eqfit # writes eqfit.png
package main

import (
	"context"
	"fmt"
	"log"
	"math"
	"math/cmplx"

	"github.com/twiddle-go/twiddle/chart"
	"github.com/twiddle-go/twiddle/learn"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

func main() {
	const rate, bands, points = 48000, 10, 200
	hz, w := make([]float64, points), make([]float64, points)
	for i := range hz {
		hz[i] = 20 * math.Pow(1000, float64(i)/(points-1))
		w[i] = 2 * math.Pi * hz[i] / rate
	}
	// In dB a filter's response is nearly proportional to its gain: a row each, for 1 dB.
	rows := make([]float64, 0, bands*points)
	for b := range bands {
		sos, err := signal.EQ{Freq: 31.25 * math.Pow(2, float64(b)), Q: 1.4, Gain: 1, FS: rate}.SOS()
		if err != nil {
			log.Fatal(err)
		}
		for _, h := range sos.Response(w) {
			rows = append(rows, 20*math.Log10(cmplx.Abs(h)))
		}
	}
	basis := nd.From(rows, bands, points)
	octaves := nd.From(hz).DivScalar(1000).Log2()
	want := octaves.MulScalar(-1).Clip(-3.0, 3.0).Add(octaves.SubScalar(1).AbsSquared().MulScalar(-2).Exp().MulScalar(6))
	fitted := func(p []*nd.Array) *nd.Array { return p[0].MatMul(basis) }
	t := learn.Trainer{
		Params:    []learn.Param{{Name: "gains", Value: nd.Zeros(nd.Float64, bands)}},
		Loss:      func(_ int, p []*nd.Array) *nd.Array { return fitted(p).Sub(want).AbsSquared().Mean() },
		Optimizer: learn.Adam{},
		Rate:      learn.Constant(0.2),
	}
	ctx := context.Background()
	if err := t.Run(ctx, 300); err != nil {
		log.Fatal(err)
	}
	gains := t.Params[0].Value
	fmt.Println("gains in dB:", gains)
	c := chart.Curves{X: "frequency in Hz", Y: "gain in dB", Names: []string{"wanted", "fitted"}, LogX: true}
	if err := c.Save(ctx, "eqfit.png", hz, nd.Stack(0, want, fitted([]*nd.Array{gains}))); err != nil {
		log.Fatal(err)
	}
}
