// Clip is a custom kernel with a gradient: a soft clipper, x / (1 + |x|), whose slope is a
// kernel as well. The gain in front of one that was heard is found by gradients.
//
//	go run ./examples/clip
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/twiddle-go/twiddle/nd"
)

var clip = nd.Kernel{Name: "clip", Inputs: []string{"x"}, Outputs: []string{"y"},
	Source: `uint i = thread_position_in_grid.x;
y[i] = x[i] / (1 + abs(x[i]));`}

var slope = nd.Kernel{Name: "slope", Inputs: []string{"x", "g"}, Outputs: []string{"d"},
	Source: `uint i = thread_position_in_grid.x;
float a = 1 + abs(x[i]);
d[i] = g[i] / (a * a);`}

func call(k nd.Kernel, in ...*nd.Array) []*nd.Array {
	return k.Call(nd.Launch{Inputs: in, Shapes: [][]int{in[0].Shape()}, Grid: [3]int{in[0].Len()}})
}

func main() {
	soft := nd.Custom(
		func(in []*nd.Array) []*nd.Array { return call(clip, in[0]) },
		func(in, _, grads []*nd.Array) []*nd.Array { return call(slope, in[0], grads[0]) })
	x := nd.Linspace[float32](-1, 1, 1000)
	heard := soft(x.MulScalar(4))[0]
	step := nd.Compile(func(in ...*nd.Array) []*nd.Array {
		e := soft(x.Mul(in[0]))[0].Sub(heard)
		value, grads := nd.ValueAndGrad(e.Mul(e).Mean(), in[0])
		return []*nd.Array{in[0].Sub(grads[0].MulScalar(30)), value}
	})
	out, err := []*nd.Array{nd.Scalar[float32](1)}, error(nil)
	for range 200 {
		if out, err = step.Call(context.Background(), out[0]); err != nil {
			log.Fatal(err)
		}
	}
	gain, err := nd.Item[float32](context.Background(), out[0])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("the gain was %.3f\n", gain)
}
