package nd_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
)

// evaluated is an array with elements.
func evaluated(tb testing.TB, a *nd.Array) *nd.Array {
	tb.Helper()
	if err := nd.Eval(context.Background(), a); err != nil {
		tb.Fatal(err)
	}
	return a
}

// TestCachedEvaluationIsLight holds what it costs to evaluate a graph whose plan
// is there, beside building it.
func TestCachedEvaluationIsLight(t *testing.T) {
	testdevice.NotOnGPU(t, "counts of the CPU")
	const runs = 200
	ctx := context.Background()
	x := evaluated(t, nd.Zeros(nd.Float32, 64))
	for _, tt := range []struct {
		name  string
		build func(i int) *nd.Array
		use   func(*nd.Array)
		most  float64
	}{
		{"released", func(int) *nd.Array { return x.AddScalar(1.5) }, (*nd.Array).Release, 0},
		{"several steps", func(int) *nd.Array { return x.Reshape(8, 8).MatMul(x.Reshape(8, 8)).Sub(x.Sum()).Norm().Sqrt() }, (*nd.Array).Release, 0},
		{"dropped", func(int) *nd.Array { return x.AddScalar(2.5) }, func(*nd.Array) {}, 6}, // its memory, too
	} {
		graphs := make([]*nd.Array, runs+2)
		for i := range graphs {
			graphs[i] = tt.build(i)
		}
		i := 0
		if got := testing.AllocsPerRun(runs, func() {
			if err := nd.Eval(ctx, graphs[i]); err != nil {
				t.Fatal(err)
			}
			tt.use(graphs[i])
			i++
		}); got > tt.most {
			t.Errorf("%s: %v objects, want at most %v", tt.name, got, tt.most)
		}
	}

	// A state that is overwritten in every step.
	y := evaluated(t, nd.Zeros(nd.Float32, 64))
	build := testing.AllocsPerRun(runs, func() { x.AddScalar(1) })
	if got := testing.AllocsPerRun(runs, func() {
		y = y.Donate().AddScalar(1)
		if err := nd.Eval(ctx, y); err != nil {
			t.Fatal(err)
		}
	}); got > build {
		t.Errorf("donated: %v objects, %v to build it", got, build)
	}
	if got := testing.AllocsPerRun(runs, func() {
		z := x.AddScalar(1)
		nd.Async(z)
		evaluated(t, z).Release()
	}); got > build+1 {
		t.Errorf("async: %v objects, %v to build it", got, build)
	}
}

// TestReleasedMeanwhile reads arrays while others release them and memory goes
// from one to the next: what is read is the array's own, or the array was
// released.
func TestReleasedMeanwhile(t *testing.T) {
	testdevice.NeedsFloat64(t)
	const rounds, readers = 200, 3
	ctx := context.Background()
	x := evaluated(t, nd.Zeros(nd.Float64, 64))
	for round := range rounds {
		y := x.AddScalar(round)
		if round%2 == 0 {
			evaluated(t, y)
		}
		var wg sync.WaitGroup
		for range readers {
			wg.Go(func() {
				got, err := nd.Slice[float64](ctx, y)
				switch {
				case err != nil && !errors.Is(err, nd.ErrReleased):
					t.Error(err)
				case err == nil && (got[0] != float64(round) || got[63] != float64(round)):
					t.Errorf("round %d: read %v and %v", round, got[0], got[63])
				}
			})
		}
		wg.Go(y.Release)
		wg.Go(func() { // takes the memory
			z := x.AddScalar(-1)
			evaluated(t, z)
			z.Release()
		})
		wg.Go(func() {
			err := nd.Grad(x.Mul(x).Add(y).Sum(), x)[0].Err() // looks at y's past
			var gone *nd.HistoryError
			if err != nil && !errors.As(err, &gone) {
				t.Error(err)
			}
		})
		wg.Wait()
	}
}

func BenchmarkCachedEval(b *testing.B) {
	ctx := context.Background()
	x := evaluated(b, nd.Zeros(nd.Float32, 64))
	var graphs [1000]*nd.Array
	b.ReportAllocs()
	for i := range b.N {
		if i %= len(graphs); i == 0 {
			b.StopTimer()
			for i := range graphs {
				graphs[i] = x.AddScalar(1.5)
			}
			b.StartTimer()
		}
		if err := nd.Eval(ctx, graphs[i]); err != nil {
			b.Fatal(err)
		}
		graphs[i].Release()
	}
}
