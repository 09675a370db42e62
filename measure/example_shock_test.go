package measure_test

import (
	"context"
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/measure"
	"github.com/twiddle-go/twiddle/nd"
)

func ExampleShockResponse() {
	// Half a sine of 11 ms and 50 g, as in drop tests.
	const fs = 10000
	x := make([]float64, 1000)
	for i := range 110 {
		x[i] = 50 * math.Sin(math.Pi*float64(i)/110)
	}
	frequencies := []float64{10, 75, 1000}
	s, err := measure.ShockResponse{FS: fs, Frequencies: frequencies, Q: 10}.Apply(context.Background(), nd.From(x))
	if err != nil {
		fmt.Println(err)
		return
	}
	g, err := nd.Slice[float64](context.Background(), s.Maximax)
	fmt.Printf("%.0f %v\n", g, err)
	// Output: [20 83 50] <nil>
}

func ExampleRainflow() {
	load := nd.From([]float64{-2, 1, -3, 5, -1, 3, -4, 4, -2}) // the example of ASTM E1049
	cycles, err := measure.Rainflow(context.Background(), load)
	damage := 0.0
	for _, c := range cycles {
		fmt.Println(c.Range, c.Count)
		damage += c.Count * math.Pow(c.Range, 5) // the slope of the S-N curve
	}
	fmt.Printf("%.0f %v\n", math.Pow(damage, 1.0/5), err) // the range of one cycle of the same damage
	// Output:
	// 3 0.5
	// 4 0.5
	// 4 1
	// 8 0.5
	// 9 0.5
	// 8 0.5
	// 6 0.5
	// 9 <nil>
}
