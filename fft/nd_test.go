package fft

import (
	"fmt"
	"testing"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// along transforms one axis line by line, with gathered lines.
func along(t *testing.T, x []complex128, shape []int, axis int) []complex128 {
	t.Helper()
	l := axisLines(shape, shape, axis)
	p, err := NewPlan[complex128](shape[axis])
	if err != nil {
		t.Fatal(err)
	}
	y := make([]complex128, len(x))
	line := make([]complex128, shape[axis])
	for o := range l.outer {
		for i := range l.inner {
			base := o*l.src.outer + i*l.src.dist
			for j := range line {
				line[j] = x[base+j*l.src.stride]
			}
			if err := p.Forward(line, line); err != nil {
				t.Fatal(err)
			}
			for j := range line {
				y[base+j*l.src.stride] = line[j]
			}
		}
	}
	return y
}

// Arrays large enough to be shared between goroutines, at every level.
func TestLargeArrays(t *testing.T) {
	processors(t, 5)
	for _, c := range []struct{ shape, axes []int }{
		{[]int{64, 100, 30}, []int{0, 1, 2}},
		{[]int{7, 256, 128}, []int{1}},
		{[]int{300, 200}, []int{0, 1}},
		{[]int{3, 5, 4096, 3}, []int{2, 0}},
		{[]int{1, 1 << 16, 1}, []int{1}},
	} {
		if testing.Short() && elementsOf(c.shape) > 70000 {
			continue
		}
		x := uniform(elementsOf(c.shape))
		want := x
		for _, axis := range c.axes {
			want = along(t, want, c.shape, axis)
		}
		for _, level := range simd.Available() {
			var first []complex64
			for _, threads := range []int{1, 2, 5} {
				o := Options{Threads: threads, level: level + 1}
				what := fmt.Sprintf("%v axes %v, %v, %d threads", c.shape, c.axes, level, threads)
				p, err := NewNDPlan[complex128](c.shape, c.axes, o)
				if err != nil {
					t.Fatal(err)
				}
				y := make([]complex128, len(x))
				if err := p.Forward(y, x); err != nil {
					t.Fatal(err)
				}
				if d := distanceOf(y, want); d > 2e-15 {
					t.Errorf("%s: forward off by %.3g", what, d)
				}
				if err := p.Inverse(y, y); err != nil {
					t.Fatal(err)
				}
				if d := distanceOf(y, x); d > 2e-15 {
					t.Errorf("%s: round trip off by %.3g", what, d)
				}
				single, err := NewNDPlan[complex64](c.shape, c.axes, o)
				if err != nil {
					t.Fatal(err)
				}
				z := narrowed[complex64](x)
				if err := single.Forward(z, z); err != nil {
					t.Fatal(err)
				}
				if first == nil {
					first = z
				}
				same(t, what, z, first)
				checkRealArray(t, what, c.shape, c.axes, o, x)
			}
		}
	}
}

// checkRealArray compares a real transform with the complex one, and comes
// back.
func checkRealArray(t *testing.T, what string, shape, axes []int, o Options, z []complex128) {
	t.Helper()
	x := realPart[float64](z)
	r, err := NewRealNDPlan[float64, complex128](shape, axes, o)
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewNDPlan[complex128](shape, axes, o)
	if err != nil {
		t.Fatal(err)
	}
	full := make([]complex128, len(x))
	for i, v := range x {
		full[i] = complex(v, 0)
	}
	if err := p.Forward(full, full); err != nil {
		t.Fatal(err)
	}
	// Keep the first bins of the last axis transformed.
	last := axes[len(axes)-1]
	inner := elementsOf(shape[last+1:])
	bins := shape[last]/2 + 1
	var want []complex128
	for o := 0; o < len(full); o += shape[last] * inner {
		want = append(want, full[o:o+bins*inner]...)
	}
	got := make([]complex128, r.Bins())
	if err := r.Forward(got, x); err != nil {
		t.Fatal(err)
	}
	if d := distanceOf(got, want); d > 2e-15 {
		t.Errorf("%s: real forward off by %.3g", what, d)
	}
	if len(r.BinsShape()) != len(shape) || elementsOf(r.BinsShape()) != r.Bins() || r.Len() != len(x) {
		t.Errorf("%s: bins shape %v of %d bins", what, r.BinsShape(), r.Bins())
	}
	back := make([]float64, len(x))
	before := append([]complex128(nil), got...)
	if err := r.Inverse(back, got); err != nil {
		t.Fatal(err)
	}
	same(t, what+": bins after the inverse", got, before)
	for i := range x {
		if d := back[i] - x[i]; d > 1e-13 || d < -1e-13 {
			t.Fatalf("%s: sample %d came back as %v, want %v", what, i, back[i], x[i])
		}
	}
}

func TestArraysWithoutLines(t *testing.T) {
	p, err := NewNDPlan[complex64]([]int{0, 4}, []int{1})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Forward(nil, nil); err != nil || p.Len() != 0 {
		t.Errorf("len %d, %v", p.Len(), err)
	}
	r, err := NewRealNDPlan[float32, complex64]([]int{4, 0, 3}, []int{0, 2})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Forward(nil, nil); err != nil || r.Bins() != 0 {
		t.Errorf("bins %d, %v", r.Bins(), err)
	}
}
