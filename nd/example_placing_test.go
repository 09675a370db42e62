package nd_test

import (
	"context"
	"fmt"

	"github.com/twiddle-go/twiddle/nd"
)

func ExampleChoose() {
	x := nd.Normal(1, nd.Float32, 8, 4096)
	choice, err := nd.Choose([]*nd.Device{nd.CPU()}, x.RFFT().AbsSquared())
	if err != nil {
		fmt.Println(err)
		return
	}
	best := choice.Candidates[0] // fmt.Println(choice) says why
	fmt.Println(choice.Device, best.Launches, best.PredictedNs > 0)
	// Output: cpu 2 true
}

func ExampleStream_Scope() {
	background, err := nd.CPU().NewStream()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer background.Close()
	smooth := background.Scope(func(in ...*nd.Array) []*nd.Array {
		return []*nd.Array{in[0].Add(in[1]).MulScalar(0.5)}
	})
	y := smooth(nd.From([]float32{1, 2}, 2), nd.From([]float32{3, 6}, 2))[0]
	out, err := nd.Slice[float32](context.Background(), y)
	fmt.Println(out, err)
	// Output: [2 4] <nil>
}

func ExampleStream_Sync() {
	ctx := context.Background()
	s := nd.CPU().Stream()
	y := nd.Normal(1, nd.Float32, 1024).On(s).RFFT()
	nd.Async(y)
	fmt.Println(s.Sync(ctx)) // nobody has read y, and it is there
	// Output: <nil>
}

func ExampleAllClose() {
	a, b := nd.From([]float64{1, 2}, 2), nd.From([]float64{1, 2.001}, 2)
	near, err := nd.AllClose(context.Background(), a, b)
	fmt.Println(near, err) // Close says where and how far
	// Output: false <nil>
}

func ExampleTune() {
	ctx := context.Background()
	x := nd.Normal(1, nd.Float32, 64, 1024)
	rows, err := nd.Tune(ctx, nd.CPU(), nd.Tunable{Key: "my_rows", Candidates: []float64{8, 64},
		Run: func(ctx context.Context, rows float64) error {
			return nd.Eval(ctx, x.Reshape(-1, int(rows)*16).RFFT())
		}})
	fmt.Println(rows == 8 || rows == 64, err) // the faster one
	// Output: true <nil>
}
