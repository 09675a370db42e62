package fft

import (
	"fmt"
	"runtime/debug"
	"testing"
)

// A warm plan allocates nothing, whatever it is asked to do.
func TestNoAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector drops pooled scratch on purpose")
	}
	// A collection would empty the pools in the middle of a count.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for _, n := range []int{8, 100, 1009, 1024, 2039, 4096} {
		if testing.Short() && n > 100 {
			continue
		}
		for _, threads := range []int{1, 2} {
			name := fmt.Sprintf("n %d, %d threads", n, threads)
			o := Options{Threads: threads}
			p, err := NewPlan[complex64](n, o)
			if err != nil {
				t.Fatal(err)
			}
			r, err := NewRealPlan[float32, complex64](n, o)
			if err != nil {
				t.Fatal(err)
			}
			nd, err := NewNDPlan[complex64]([]int{4, n}, nil, o)
			if err != nil {
				t.Fatal(err)
			}
			rnd, err := NewRealNDPlan[float32, complex64]([]int{n, 4}, nil, o)
			if err != nil {
				t.Fatal(err)
			}
			const count = 40
			z, y := make([]complex64, count*n), make([]complex64, count*n)
			x := make([]float32, count*n)
			scratch := make([]complex64, p.ScratchLen())
			columns := Batch{Count: count, DstStride: count, DstDist: 1, SrcStride: count, SrcDist: 1}
			mixed := Batch{Count: count, SrcStride: count, SrcDist: 1}
			calls := map[string]func() error{
				"forward":         func() error { return p.Forward(y[:n], z[:n]) },
				"in place":        func() error { return p.Inverse(z[:n], z[:n]) },
				"scratch":         func() error { return p.ForwardScratch(y[:n], z[:n], scratch) },
				"batch":           func() error { return p.ForwardBatch(y, z, Batch{Count: count}) },
				"columns":         func() error { return p.InverseBatch(y, z, columns) },
				"mixed":           func() error { return p.ForwardBatch(y, z, mixed) },
				"real forward":    func() error { return r.Forward(y[:n/2+1], x[:n]) },
				"real inverse":    func() error { return r.Inverse(x[:n], y[:n/2+1]) },
				"real batch":      func() error { return r.ForwardBatch(y, x, Batch{Count: count}) },
				"real columns":    func() error { return r.ForwardBatch(y, x, columns) },
				"hermitian":       func() error { return r.HermitianForward(x[:n], y[:n/2+1]) },
				"nd":              func() error { return nd.Forward(y[:4*n], z[:4*n]) },
				"real nd":         func() error { return rnd.Forward(y[:3*n], x[:4*n]) },
				"real nd inverse": func() error { return rnd.Inverse(x[:4*n], y[:3*n]) },
			}
			for kind := DCT1; kind <= Hartley; kind++ {
				c, err := NewTrigPlan[float32](kind, n, Options{Norm: NormOrtho})
				if err != nil {
					t.Fatal(err)
				}
				calls[kind.String()] = func() error { return c.Forward(x[:n], x[:n]) }
			}
			for what, call := range calls {
				if err := call(); err != nil {
					t.Fatal(err)
				}
				var err error
				if got := testing.AllocsPerRun(20, func() { err = call() }); got >= 1 || err != nil {
					t.Errorf("%s: %s: %v allocations, %v", name, what, got, err)
				}
			}
		}
	}
}
