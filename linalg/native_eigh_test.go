package linalg

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
)

// Eigenvectors of symmetric matrices, easy and hard ones: rows are orthonormal, and turn the
// matrix into its values.
func TestSymmetricEigenvectors(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	kinds := map[string]func(n, i, j int) float64{
		"noise":     func(_, _, _ int) float64 { return rng.NormFloat64() },
		"zero":      func(_, _, _ int) float64 { return 0 },
		"ones":      func(_, _, _ int) float64 { return 1 },
		"identity":  func(_, i, j int) float64 { return float64(max(0, 1-(i-j)*(i-j))) },
		"diagonal":  func(_, i, j int) float64 { return float64(max(0, 1-(i-j)*(i-j))) * float64(i*7919%101) },
		"graded":    func(_, i, j int) float64 { return rng.NormFloat64() * math.Exp2(-float64(i+j)/2) },
		"upwards":   func(n, i, j int) float64 { return rng.NormFloat64() * math.Exp2(float64(i+j-2*n)/2) },
		"second":    func(_, i, j int) float64 { return map[int]float64{0: 2, 1: -1, -1: -1}[i-j] },
		"wilkinson": func(n, i, j int) float64 { return map[int]float64{0: math.Abs(float64(i - n/2)), 1: 1, -1: 1}[i-j] },
		"glued": func(_, i, j int) float64 {
			if (i/21 != j/21) && i-j < 2 && j-i < 2 {
				return 1e-10
			}
			return map[int]float64{0: math.Abs(float64(i%21 - 10)), 1: 1, -1: 1}[i-j]
		},
		"near": func(_, i, j int) float64 { // to a tridiagonal matrix
			if i-j < 2 {
				return 1
			}
			return 1e-9 * rng.NormFloat64()
		},
		"rank one": func(_, i, j int) float64 { return math.Sin(float64(i+1)) * math.Sin(float64(j+1)) },
		"hilbert":  func(_, i, j int) float64 { return 1 / float64(i+j+1) },
		"blocks":   func(_, i, j int) float64 { return float64(max(0, 1-(i/5-j/5)*(i/5-j/5))) * rng.NormFloat64() },
	}
	for name, kind := range kinds {
		for _, n := range []int{1, 2, 3, 5, 15, 16, 17, 31, 32, 33, 34, 47, 64, 65, 100, 130, 201} {
			s, a := newSymmetric(n), newSquare(n)
			norm := 0.0
			for i := range n {
				for j := range i + 1 {
					v := kind(n, i, j)
					a.row(i)[j], a.row(j)[i], s.row(i)[j], s.row(j)[i] = v, v, v, v
				}
			}
			for i := range n {
				square, _, _ := rowOps.Products(a.row(i), a.row(i))
				norm += square
			}
			norm = math.Sqrt(norm)
			v, ok := s.eigenvectors()
			what := fmt.Sprintf("%s, %d", name, n)
			if !ok {
				t.Fatalf("%s: no vectors", what)
			}
			residual, cosine := 0.0, 0.0
			for i := range n {
				x := v.row(i)[:a.length]
				if i > 0 && s.diagonal[i] < s.diagonal[i-1] {
					t.Errorf("%s: value %d is %g, after %g", what, i, s.diagonal[i], s.diagonal[i-1])
				}
				for j := range n {
					_, dot, _ := rowOps.Products(a.row(j), x)
					residual = max(residual, math.Abs(dot-s.diagonal[i]*x[j]))
					_, dot, _ = rowOps.Products(v.row(j)[:a.length], x)
					if j == i {
						dot--
					}
					cosine = max(cosine, math.Abs(dot))
				}
			}
			if !(residual <= 2e-15*norm*math.Sqrt(float64(n)) || residual == 0) || !(cosine <= 2e-15*float64(n+8)) {
				t.Errorf("%s: residual %.2g of %.2g, cosine %.2g", what, residual, norm, cosine)
			}
		}
	}
}

// Powers of two beside a matrix are beside its values, down to the least numbers there are.
func TestEighOfAnySize(t *testing.T) {
	testdevice.NotOnGPU(t, "of the CPU's own kernel")
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	const n = 40
	noise := nd.Normal(1, nd.Float64, n, n)
	whole := noise.Add(noise.SwapAxes(0, 1)).MulScalar(0x1p20).Round() // so that no digit is lost
	results := func(by float64) [][]float64 {
		w, v, err := Eigh(ctx, whole.MulScalar(by))
		if err != nil {
			t.Fatal(err)
		}
		return values(t, []*nd.Array{w, v})
	}
	want := results(1)
	for _, by := range []float64{0x1p990, 0x1p-990, 0x1p-1060, 0x1p-1074} {
		got := results(by)
		for i, w := range want[0] {
			if !(math.Abs(got[0][i]/by-w) <= 0.5) {
				t.Errorf("by %g: value %d is %g, want %g", by, i, got[0][i]/by, w)
			}
		}
		for i, v := range want[1] {
			if got[1][i] != v {
				t.Fatalf("by %g: vectors are %g at %d, want %g", by, got[1][i], i, v)
			}
		}
	}
}

// What a GPU leaves to the CPU is evaluated there, and keeps its history on the GPU, for gradients.
func TestHistoryOfWhatTheHostComputes(t *testing.T) {
	testdevice.NotOnGPU(t, "a GPU has the CPU's place")
	dev, err := nd.Open("null")
	if err != nil {
		t.Fatal(err)
	}
	x := nd.From([]float64{2, 1, 0, 1, 3, 1, 0, 1, 4}).On(dev.Stream())
	for name, host := range map[string]func(a *nd.Array) *nd.Array{
		"eigh": func(a *nd.Array) *nd.Array { h, _ := onHostFor(a); return h },
		"eig": func(a *nd.Array) *nd.Array {
			w, err := EigValues(context.Background(), a)
			if err != nil {
				t.Fatal(err)
			}
			if err := nd.Grad(w.Real().Sum(), x)[0].Err(); err != nil {
				t.Error(err)
			}
			return w.Real()
		},
	} {
		a := x.Reshape(1, 3, 3)
		if err := nd.Eval(context.Background(), host(a)); err != nil {
			t.Fatal(name, err)
		}
		if err := nd.Grad(a.Sum(), x)[0].Err(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
