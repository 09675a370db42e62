package butterfly_test

import (
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/learn/butterfly"
	"github.com/twiddle-go/twiddle/nd"
)

// target is a transform's matrix and form.
func target(t testing.TB, tr butterfly.Transform, n int) (butterfly.Matrix, butterfly.Form) {
	t.Helper()
	m, err := tr.Dense(n, 1)
	if err != nil {
		t.Fatal(err)
	}
	f, err := butterfly.FormOf(tr, n)
	if err != nil {
		t.Fatal(err)
	}
	return m, f
}

// errorsOf is how far a network is from a matrix.
func errorsOf(t testing.TB, n *butterfly.Network, m butterfly.Matrix, as nd.DType) butterfly.Errors {
	t.Helper()
	got, err := n.Matrix(t.Context(), as)
	if err != nil {
		t.Fatal(err)
	}
	return butterfly.Compare(got, m)
}

func TestFactorize(t *testing.T) {
	for _, tr := range butterfly.Transforms {
		for _, n := range []int{2, 4, 8, 16, 32, 64, 128, 256} {
			m, f := target(t, tr, n)
			start := time.Now()
			net, err := butterfly.Factorize(m, f)
			if err != nil {
				t.Fatal(err)
			}
			e := errorsOf(t, net, m, nd.Complex128)
			t.Logf("%s %d: %.1e, at most %.1e, %v", tr, n, e.RMSE, e.Max, time.Since(start))
			if !(e.RMSE < 1e-11) {
				t.Errorf("%s %d: RMSE %g", tr, n, e.RMSE)
			}
		}
	}
}

func TestGrowFromRandomNumbers(t *testing.T) {
	lengths := []int{2, 8, 16}
	if testing.Short() {
		lengths = []int{2, 8} // with the race detector the third takes minutes
	}
	for _, tr := range butterfly.Transforms {
		for _, n := range lengths {
			m, f := target(t, tr, n)
			start := time.Now()
			steps := 0
			net, err := butterfly.Grow{Seed: 1, Hook: func(e butterfly.GrowEvent) error { steps++; return nil }}.Train(t.Context(), m, f)
			if err != nil {
				t.Error(err)
				continue
			}
			e := errorsOf(t, net, m, nd.Complex128)
			t.Logf("%s %d: %.1e, at most %.1e, %d steps, %v", tr, n, e.RMSE, e.Max, steps, time.Since(start))
			if !(e.RMSE < 1e-8) {
				t.Errorf("%s %d: RMSE %g", tr, n, e.RMSE)
			}
		}
	}
}
