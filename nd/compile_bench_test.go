package nd

import (
	"context"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/nd/internal/graph"
)

// BenchmarkCompiledCall is the host's time to submit a compiled function, and the
// time until its result is there; with TWIDDLE_TEST_DEVICE=cuda:0 on a GPU.
func BenchmarkCompiledCall(b *testing.B) {
	add := Kernel{Name: "add_one", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: "uint i = thread_position_in_grid.x; y[i] = x[i] + 1;"}
	for _, n := range []struct {
		name string
		n    int
	}{{"1", 1}, {"3", 3}, {"4", 4}, {"14", 14}, {"50", 50}} {
		b.Run(n.name, func(b *testing.B) {
			ctx := context.Background()
			c := Compile(func(in ...*Array) []*Array {
				y := in[0]
				for range n.n {
					y = add.Call(Launch{Inputs: []*Array{y}, Shapes: [][]int{{64}}, Grid: [3]int{64}, Threadgroup: [3]int{64}})[0]
				}
				return []*Array{y}
			})
			x := Normal(1, Float32, 64)
			if err := Eval(ctx, x); err != nil {
				b.Fatal(err)
			}
			for range 5 {
				if _, err := c.Call(ctx, x); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportAllocs()
			submit, whole := time.Duration(1<<62), time.Duration(1<<62)
			var total time.Duration
			for b.Loop() {
				start := time.Now()
				run, out, err := engine.Recall(ctx, &c.recorder, []*graph.Node{x.node})
				if err != nil {
					b.Fatal(err)
				}
				took := time.Since(start)
				if err := run.Wait(ctx); err != nil {
					b.Fatal(err)
				}
				whole = min(whole, time.Since(start))
				submit = min(submit, took)
				total += took
				engine.Release(out[0])
			}
			b.ReportMetric(float64(submit.Nanoseconds()), "least-submit-ns")
			b.ReportMetric(float64(total.Nanoseconds())/float64(b.N), "submit-ns")
			b.ReportMetric(float64(whole.Nanoseconds()), "least-ns")
		})
	}
}
