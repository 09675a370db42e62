// Zoom finds two tones that are closer than the bins of a transform are apart, by a finer
// grid over a few hertz, and the period of samples taken at random times.
//
//	go run ./examples/zoom
package main

import (
	"context"
	"fmt"
	"log"
	"math"

	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

func main() {
	const rate, n, points = 1000, 4000, 2000
	t := nd.Arange(0.0, n, 1).DivScalar(rate)
	tone := func(hz float64) *nd.Array { return t.MulScalar(2 * math.Pi * hz).Sin() }
	x := tone(100.2).Add(tone(101.1).MulScalar(0.5)).Mul(signal.Window{}.Array(nd.Float64, n))
	fine := signal.ZoomFFT{From: 98, To: 103, M: points, FS: rate}.Apply(x).Abs()
	peaks, err := signal.FindPeaks(context.Background(), fine, signal.PeakConditions{Prominence: signal.AtLeast(100), Refine: signal.RefineValues})
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range peaks[0].Positions {
		fmt.Printf("tone at %.2f Hz\n", 98+5*p/points)
	}
	// A star seen on 150 nights of a year, whose light has a period of 3.7 days.
	nights := nd.Uniform(1, nd.Float64, 150).MulScalar(365)
	light := nights.MulScalar(2 * math.Pi / 3.7).Sin().Add(nd.Normal(2, nd.Float64, 150))
	periods := nd.Linspace(2.0, 6, 4000)
	power := signal.LombScargle{FloatingMean: true}.Apply(nights, light, periods.DivInto(2*math.Pi))
	best, err := nd.Item[float64](context.Background(), periods.Take(power.ArgMax(), 0))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("period of %.2f days\n", best)
}
