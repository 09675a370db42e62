package signal_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/cmplx"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/twiddle-go/twiddle/nd"
)

// golden is a result in a file of testdata, each written by the script of its
// name: goldens.json by make_goldens.py.
type golden struct {
	Shape   []int
	Complex bool
	Values  []float64
}

var goldens = sync.OnceValues(func() (map[string]golden, error) {
	files, err := filepath.Glob("testdata/*goldens.json")
	if err != nil {
		return nil, err
	}
	all := map[string]golden{}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		var file struct{ Cases map[string]golden }
		if err := json.Unmarshal(text, &file); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		maps.Copy(all, file.Cases)
	}
	return all, nil
})

// want is the elements of a golden.
func want(t *testing.T, name string) ([]int, []complex128) {
	t.Helper()
	all, err := goldens()
	if err != nil {
		t.Fatal(err)
	}
	g, ok := all[name]
	if !ok {
		t.Fatalf("no golden %q", name)
	}
	z := make([]complex128, 0, len(g.Values))
	for i := 0; i < len(g.Values); i++ {
		if !g.Complex {
			z = append(z, complex(g.Values[i], 0))
			continue
		}
		z = append(z, complex(g.Values[i], g.Values[i+1]))
		i++
	}
	return g.Shape, z
}

// check compares an array with a golden, relative to the golden's largest
// element.
func check(t *testing.T, name string, got *nd.Array, tolerance float64) {
	t.Helper()
	shape, w := want(t, name)
	g, err := elements(got)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if !slices.Equal(got.Shape(), shape) {
		t.Errorf("%s: shape %v, want %v", name, got.Shape(), shape)
		return
	}
	compare(t, name, g, w, tolerance)
}

// checkAngles is check for angles, of which pi and -pi are one: the sign of the zero that is
// a bin's imaginary part decides, and devices differ in it.
func checkAngles(t *testing.T, name string, got *nd.Array, tolerance float64) {
	t.Helper()
	shape, w := want(t, name)
	g := floats(t, got)
	if !slices.Equal(got.Shape(), shape) {
		t.Errorf("%s: shape %v, want %v", name, got.Shape(), shape)
		return
	}
	turned := make([]complex128, len(g))
	for i, v := range g {
		turned[i] = complex(v+2*math.Pi*math.Round((real(w[i])-v)/(2*math.Pi)), 0)
	}
	compare(t, name, turned, w, tolerance)
}

// checkFloats is check for numbers on the host.
func checkFloats(t *testing.T, name string, got []float64, tolerance float64) {
	t.Helper()
	_, w := want(t, name)
	z := make([]complex128, len(got))
	for i, v := range got {
		z[i] = complex(v, 0)
	}
	compare(t, name, z, w, tolerance)
}

func compare(t *testing.T, name string, got, want []complex128, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d elements, want %d", name, len(got), len(want))
		return
	}
	top := 1e-300
	for _, v := range want {
		top = max(top, cmplx.Abs(v))
	}
	for i := range want {
		if e := cmplx.Abs(got[i] - want[i]); !(e <= tolerance*top) {
			t.Errorf("%s: element %d is %v, want %v (largest %.3g)", name, i, got[i], want[i], top)
			return
		}
	}
}

// elements is those of an array of floats or complex numbers.
func elements(a *nd.Array) ([]complex128, error) {
	if a.Err() != nil {
		return nil, a.Err()
	}
	if !a.DType().IsComplex() {
		a = nd.Complex(a.Cast(nd.Float64), nd.Zeros(nd.Float64, a.Shape()...))
	}
	return nd.Slice[complex128](context.Background(), a.Cast(nd.Complex128))
}

// wave is the signal of goldens: the same formula as in make_goldens.py.
func wave(shape ...int) []float64 {
	n := 1
	for _, d := range shape {
		n *= d
	}
	x := make([]float64, n)
	for i := range x {
		x[i] = float64((i*i*7+i*13)%97)/97 - 0.4 + float64(i%11)*0.05
	}
	return x
}

func waves(shape ...int) *nd.Array { return nd.From(wave(shape...), shape...) }

// swirls is complex: a wave, and itself reversed along the last axis.
func swirls(shape ...int) *nd.Array {
	w := waves(shape...)
	return nd.Complex(w, w.Flip(-1))
}

// floats is the elements of an array of float64.
func floats(t *testing.T, a *nd.Array) []float64 {
	t.Helper()
	v, err := nd.Slice[float64](context.Background(), a)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// near reports whether numbers agree to a tolerance.
func near(got, want []float64, tolerance float64) bool {
	return slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) <= tolerance })
}
