package nd_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
)

// Searches find what comparing with every element finds, in Go and by the kernel's body,
// whatever the sorted lie like, in whatever order elements come, and however many groups
// of them there are.
func TestSearchSorted(t *testing.T) {
	t.Run("float32", func(t *testing.T) { searches[float32](t, true) })
	t.Run("int32", func(t *testing.T) { searches[int32](t, false) })
	t.Run("int64", func(t *testing.T) { searches[int64](t, false) })
	t.Run("float64", func(t *testing.T) {
		testdevice.NeedsFloat64(t)
		searches[float64](t, true)
	})
}

func searches[T float32 | float64 | int32 | int64](t *testing.T, floats bool) {
	rng := rand.New(rand.NewPCG(7, 8))
	inf := math.Inf(1)
	tables := map[string][]float64{"one": {3}, "alike": {2, 2, 2, 2}, "uniform": nil, "random": nil, "geometric": nil}
	if floats {
		tables["infinite"] = []float64{-inf, -1, 0, 2, inf}
		tables["with NaN"] = []float64{-1, 0, 2, math.NaN(), math.NaN()}
	}
	for i := range 3000 {
		tables["uniform"] = append(tables["uniform"], float64(i-1500))
		tables["random"] = append(tables["random"], math.Round(rng.NormFloat64()*500))
		if i < 30 {
			tables["geometric"] = append(tables["geometric"], math.Exp2(float64(i)))
		}
	}
	slices.Sort(tables["random"])
	for name, table := range tables {
		sorted := make([]T, len(table))
		for i, v := range table {
			sorted[i] = T(v)
		}
		for _, order := range []string{"any", "up", "down"} {
			for _, n := range []int{1, 7, 100, 4096, 9001} {
				x := make([]T, n)
				for i := range x {
					x[i] = T(rng.NormFloat64() * 600)
					if rng.IntN(4) == 0 {
						x[i] = sorted[rng.IntN(len(sorted))]
					}
				}
				if order != "any" {
					slices.Sort(x)
				}
				if order == "down" {
					slices.Reverse(x)
				}
				for i := range x {
					if floats && rng.IntN(200) == 0 {
						special := []float64{math.NaN(), inf, -inf, math.Copysign(0, -1)}
						x[i] = T(special[rng.IntN(4)])
					}
				}
				want := make([]int64, n)
				for i, v := range x {
					for _, s := range sorted {
						if s <= v || v != v {
							want[i]++
						}
					}
				}
				for _, check := range []string{"", "1"} {
					if check != "" && n > 100 && (n != 9001 || len(sorted) > 30) {
						continue
					}
					t.Setenv("TWIDDLE_KERNEL_CHECK", check)
					got, err := nd.Slice[int64](t.Context(), nd.SearchSorted(nd.From(sorted), nd.From(x)))
					if err != nil || !slices.Equal(got, want) {
						t.Errorf("%d elements, %s, in %s, check %q: %v", n, order, name, check, err)
					}
				}
			}
		}
	}
}

// Interp is the line between neighbouring points, in Go and by the kernel's body.
func TestInterp(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for _, m := range []int{2, 3, 50, 700} {
		xp, fp := make([]float32, m), make([]float32, m)
		for i := range xp {
			xp[i], fp[i] = float32(i)+rng.Float32()/2, rng.Float32()
		}
		for _, ramp := range []bool{false, true} {
			x := make([]float32, 1500)
			for i := range x {
				x[i] = rng.Float32()*float32(m+2) - 1
			}
			copy(x, xp[:min(m, 500)])
			if ramp {
				slices.Sort(x)
			}
			x[700] = float32(math.NaN())
			want := make([]float64, len(x))
			for i, v := range x {
				at, hit := slices.BinarySearch(xp, v)
				switch {
				case v != v:
					want[i] = math.NaN()
				case hit:
					want[i] = float64(fp[at])
				case at == 0 || at == m:
					want[i] = float64(fp[max(at-1, 0)])
				default:
					part := (float64(v) - float64(xp[at-1])) / (float64(xp[at]) - float64(xp[at-1]))
					want[i] = float64(fp[at-1])*(1-part) + float64(fp[at])*part
				}
			}
			for _, check := range []string{"", "1"} {
				t.Setenv("TWIDDLE_KERNEL_CHECK", check)
				got, err := nd.Slice[float32](t.Context(), nd.Interp(nd.From(x, 3, 500), nd.From(xp), nd.From(fp)))
				if err != nil {
					t.Fatal(err)
				}
				for i, v := range want {
					if math.IsNaN(v) != math.IsNaN(float64(got[i])) || math.Abs(v-float64(got[i])) > 1e-6 {
						t.Errorf("%d points, check %q: %v at %v, want %v", m, check, got[i], x[i], v)
						break
					}
				}
			}
		}
	}
}

// Elements beyond the points take gradients from the last ones, and NaN from none.
func TestInterpGradientOfInfinities(t *testing.T) {
	inf := float32(math.Inf(1))
	x := nd.From([]float32{-inf, inf, inf, float32(math.NaN()), 0.25})
	xp, fp := nd.From([]float32{0, 1, 2}), nd.From([]float32{4, 6, 8})
	want := [][]float32{{0, 0, 0, 1, 2}, {-1.5, -0.5, 0}, {1.75, 0.25, 2}}
	for i, g := range nd.Grad(nd.Interp(x, xp, fp).Sum(), x, xp, fp) {
		if got, err := nd.Slice[float32](t.Context(), g); err != nil || !slices.Equal(got, want[i]) {
			t.Errorf("gradient %d: %v, %v, want %v", i, got, err, want[i])
		}
	}
}

// A search is one launch and an interpolation another: each was as many launches as the table
// has bits, and a million elements on a ramp took fifteen times as long as NumPy does.
func TestSearchesAreOneLaunch(t *testing.T) {
	x, xp := nd.From(make([]float32, 5000)), nd.From(make([]float32, 300))
	for name, a := range map[string]*nd.Array{"search": nd.SearchSorted(xp, x), "interp": nd.Interp(x, xp, xp)} {
		p, err := nd.Explain(a)
		if err != nil {
			t.Fatal(err)
		}
		if p.Launches > 2 {
			t.Errorf("%s: %d launches", name, p.Launches)
		}
	}
}
