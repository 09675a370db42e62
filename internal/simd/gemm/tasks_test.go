package gemm

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Tasks of any size give the same bits.
func TestTasks(t *testing.T) {
	defer SetTasks(DefaultTasks)
	const m, n, k = 150, 700, 90
	r := rand.New(rand.NewPCG(1, 2))
	draw := func(rows, cols int) Matrix[float32] {
		x := Matrix[float32]{Data: make([]float32, rows*cols), Row: cols, Col: 1}
		for i := range x.Data {
			x.Data[i] = r.Float32() - 0.5
		}
		return x
	}
	a, b, c := draw(m, k), draw(k, n), draw(m, n)
	backwards := func(tasks int, run func(int)) {
		for i := tasks - 1; i >= 0; i-- {
			run(i)
		}
	}
	var want []float32
	for _, tasks := range []Tasks{DefaultTasks, {1, 128}, {3, 256}, {64, 2048}, {0, 1}, {7, 300}} {
		SetTasks(tasks)
		Mul(m, n, k, c, a, b, backwards)
		if want == nil {
			want = slices.Clone(c.Data)
		}
		if !slices.Equal(c.Data, want) {
			t.Errorf("%+v: other bits", tasks)
		}
	}
}
