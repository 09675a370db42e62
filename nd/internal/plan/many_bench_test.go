package plan

import (
	"fmt"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// BenchmarkMany plans results that have nothing to do with each other. Four times
// as many should take about four times as long.
func BenchmarkMany(b *testing.B) {
	m := maker{b}
	sum := func(x *graph.Node) *graph.Node { return m.node(graph.NewReduce(graph.Sum, x, []int{0})) }
	one := m.data(elem.Float32, 64)
	kinds := []struct {
		name    string
		result  func() *graph.Node
		batches bool
	}{
		{"maps", func() *graph.Node { return m.op(scalar.Exp, m.data(elem.Float32, 64)) }, false},
		{"sums of one", func() *graph.Node { return m.op(scalar.Sqrt, sum(m.op(scalar.Sin, one))) }, false},
		{"transforms", func() *graph.Node { return m.op(scalar.AbsSquared, m.rfft(m.data(elem.Float32, 64), 64)) }, false},
		{"maps, batched", func() *graph.Node { return m.op(scalar.Exp, m.data(elem.Float32, 64)) }, true},
		{"sums of one, batched", func() *graph.Node { return m.op(scalar.Sqrt, sum(m.op(scalar.Sin, one))) }, true},
		{"transforms, batched", func() *graph.Node { return m.op(scalar.AbsSquared, m.rfft(m.data(elem.Float32, 64), 64)) }, true},
	}
	for _, k := range kinds {
		for _, n := range []int{1000, 4000} {
			b.Run(fmt.Sprintf("%s/%d", k.name, n), func(b *testing.B) {
				outputs := make([]*graph.Node, n)
				for i := range outputs {
					outputs[i] = k.result()
				}
				g := graphOf(outputs...)
				info := chip
				info.Batches = k.batches
				for b.Loop() {
					if _, err := Make(g, info, Options{}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
