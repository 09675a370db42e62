// Logistic is a port of a first MLX program: a logistic regression by gradients, whose
// step is compiled. What the step captures is computed once.
//
//	go run ./examples/logistic
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/twiddle-go/twiddle/nd"
)

func main() {
	const features, examples = 100, 1000
	truth := nd.Normal(1, nd.Float32, features, 1)
	x := nd.Normal(2, nd.Float32, examples, features)
	y := x.MatMul(truth).GreaterScalar(0)
	step := nd.Compile(func(in ...*nd.Array) []*nd.Array {
		logits := x.MatMul(in[0])
		softplus := logits.Abs().Neg().Exp().Log1p().Add(nd.Where(logits.GreaterScalar(0), logits, 0))
		value, grads := nd.ValueAndGrad(softplus.Sub(nd.Where(y, logits, 0)).Mean(), in[0])
		return []*nd.Array{in[0].Sub(grads[0]), value}
	})
	out, err := []*nd.Array{nd.Zeros(nd.Float32, features, 1)}, error(nil)
	for range 300 {
		if out, err = step.Call(context.Background(), out[0]); err != nil {
			log.Fatal(err)
		}
	}
	right := x.MatMul(out[0]).GreaterScalar(0).Equal(y).Cast(nd.Float32).Mean()
	numbers, err := nd.Slice[float32](context.Background(), nd.Stack(0, out[1], right))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("loss %.4f, %.1f%% right\n", numbers[0], 100*numbers[1])
}
