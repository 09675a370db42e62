package fft

import (
	"math"
	"strings"
	"testing"
)

// wantError wants an error of this package that says what is wrong.
func wantError(t *testing.T, what string, err error, fact string) {
	t.Helper()
	if err == nil || !strings.HasPrefix(err.Error(), "fft: ") || !strings.Contains(err.Error(), fact) {
		t.Errorf("%s: error %v, want fft: ...%s...", what, err, fact)
	}
}

func TestBadPlans(t *testing.T) {
	fails := func(what, fact string, make func() error) {
		t.Helper()
		wantError(t, what, make(), fact)
	}
	for _, n := range []int{0, -1, math.MinInt} {
		fails("plan", "want at least 1", func() error { _, err := NewPlan[complex64](n); return err })
		fails("real plan", "want at least 1", func() error { _, err := NewRealPlan[float32, complex64](n); return err })
		fails("trig plan", "want at least 1", func() error { _, err := NewTrigPlan[float32](DCT2, n); return err })
		fails("measure", "want at least 1", func() error { _, err := Measure[complex64](n); return err })
		fails("freq", "want at least 1", func() error { _, err := Freq(n, 1); return err })
		fails("rfreq", "want at least 1", func() error { _, err := RFreq(n, 1); return err })
		fails("next fast len", "want at least 1", func() error { _, err := NextFastLen(n); return err })
	}
	fails("huge", "want at most", func() error { _, err := NewPlan[complex64](math.MaxInt); return err })
	fails("huge real", "want at most", func() error { _, err := NewRealPlan[float64, complex128](math.MaxInt); return err })
	fails("precision", "does not go with", func() error { _, err := NewRealPlan[float32, complex128](8); return err })
	fails("precision", "does not go with", func() error { _, err := NewRealNDPlan[float64, complex64]([]int{8}, nil); return err })
	fails("norm", "is not a norm", func() error { _, err := NewPlan[complex64](8, Options{Norm: 3}); return err })
	fails("norm", "is not a norm", func() error { _, err := NewPlan[complex64](8, Options{Norm: -1}); return err })
	fails("norm", "want backward", func() error { _, err := ParseNorm("none"); return err })
	fails("threads", "-2 threads", func() error { _, err := NewPlan[complex64](8, Options{Threads: -2}); return err })
	fails("options", "at most one", func() error { _, err := NewPlan[complex64](8, Options{}, Options{}); return err })
	fails("measure options", "at most one", func() error {
		_, err := Measure[complex64](8, MeasureOptions{}, MeasureOptions{})
		return err
	})
	fails("recipe", "", func() error { _, err := NewPlan[complex64](8, Options{Recipe: "nonsense"}); return err })
	other, err := NewPlan[complex64](16)
	if err != nil {
		t.Fatal(err)
	}
	fails("recipe", "is for length 16, not 8", func() error {
		_, err := NewPlan[complex64](8, Options{Recipe: other.Recipe()})
		return err
	})
	fails("trig", "is not a kind of transform", func() error { _, err := NewTrigPlan[float32](0, 8); return err })
	fails("trig", "is not a kind of transform", func() error { _, err := NewTrigPlan[float32](Hartley+1, 8); return err })
	fails("trig", "want at least 2", func() error { _, err := NewTrigPlan[float32](DCT1, 1); return err })
	fails("trig norm", "is not a norm", func() error { _, err := NewTrigPlan[float32](DCT2, 4, Options{Norm: 9}); return err })
	for _, d := range []float64{0, math.NaN(), math.Inf(-1)} {
		fails("freq", "sample spacing", func() error { _, err := Freq(4, d); return err })
		fails("rfreq", "sample spacing", func() error { _, err := RFreq(4, d); return err })
	}
	huge := int(min(int64(1)<<40, math.MaxInt)) // also with 32 bits
	for _, c := range []struct {
		shape, axes []int
		fact        string
	}{
		{nil, nil, "no axis"},
		{[]int{2, -1}, nil, "negative dimension"},
		{[]int{2, 0}, nil, "is empty"},
		{[]int{2, 3}, []int{2}, "axis 2 out of range for shape [2 3]"},
		{[]int{2, 3}, []int{-3}, "axis -3 out of range"},
		{[]int{2, 3}, []int{1, -1}, "given twice"},
		{[]int{huge, huge}, []int{0}, "more elements than can be addressed"},
		{[]int{huge}, nil, "want at most"},
	} {
		fails("nd", c.fact, func() error { _, err := NewNDPlan[complex64](c.shape, c.axes); return err })
		fails("real nd", c.fact, func() error { _, err := NewRealNDPlan[float32, complex64](c.shape, c.axes); return err })
	}
}

// A call that fails leaves dst alone.
func TestBadCalls(t *testing.T) {
	const n, guard = 8, 77
	p, err := NewPlan[complex128](n)
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewRealPlan[float64, complex128](n)
	if err != nil {
		t.Fatal(err)
	}
	c, err := NewTrigPlan[float64](DCT2, n)
	if err != nil {
		t.Fatal(err)
	}
	nd, err := NewNDPlan[complex128]([]int{2, 4}, nil)
	if err != nil {
		t.Fatal(err)
	}
	rnd, err := NewRealNDPlan[float64, complex128]([]int{2, 6}, nil)
	if err != nil {
		t.Fatal(err)
	}
	z, x := make([]complex128, 4*n), make([]float64, 4*n)
	spare, spareX := make([]complex128, 4*n), make([]float64, 4*n)
	for i := range z {
		z[i], x[i] = guard, guard
	}
	scratch := make([]complex128, p.ScratchLen()+r.ScratchLen()+n)
	need := p.ScratchLen()
	var noPlan *Plan[complex128]
	for _, c := range []struct {
		what, fact string
		err        error
	}{
		{"short dst", "dst has 7 elements, want 8", p.Forward(z[:n-1], spare[:n])},
		{"long dst", "dst has 9 elements", p.Forward(z[:n+1], spare[:n])},
		{"short src", "src has 7 elements", p.Inverse(z[:n], spare[:n-1])},
		{"nil", "dst has 0 elements", p.Forward(nil, nil)},
		{"overlap", "overlap", p.Forward(z[1:n+1], z[:n])},
		{"overlap the other way", "overlap", p.Inverse(z[:n], z[n-1:2*n-1])},
		{"scratch in dst", "scratch overlaps", p.ForwardScratch(z[:n], spare[:n], z[n-1:n-1+max(need, n)])},
		{"no plan", "not made by", (&Plan[complex128]{}).Forward(z[:n], spare[:n])},
		{"nil plan", "not made by", noPlan.Forward(z[:n], spare[:n])},
		{"nil plan batch", "not made by", noPlan.ForwardBatch(z, spare, Batch{Count: 1})},
		{"no real plan", "not made by", (&RealPlan[float64, complex128]{}).Forward(z[:5], spareX[:n])},
		{"no trig plan", "not made by", (&TrigPlan[float64]{}).Forward(x[:n], spareX[:n])},
		{"no nd plan", "not made by", (&NDPlan[complex128]{}).Forward(z[:n], spare[:n])},
		{"no real nd plan", "not made by", (&RealNDPlan[float64, complex128]{}).Forward(z[:n], spareX[:n])},

		{"batch count", "batch of -1", p.ForwardBatch(z, spare, Batch{Count: -1})},
		{"batch stride", "negative", p.ForwardBatch(z, spare, Batch{Count: 1, DstStride: -1})},
		{"batch dist", "negative", p.InverseBatch(z, spare, Batch{Count: 1, SrcDist: -1})},
		{"batch too long", "want at least 40", p.ForwardBatch(z, spare, Batch{Count: 5})},
		{"batch overflow", "more elements than", p.ForwardBatch(z, spare, Batch{Count: math.MaxInt})},
		{"batch overflow of the stride", "more elements than", p.ForwardBatch(z, spare, Batch{Count: 2, DstStride: math.MaxInt / 2})},
		{"batch overflow of the sum", "more elements than", p.ForwardBatch(z, spare, Batch{Count: 2, DstStride: math.MaxInt / 8, DstDist: math.MaxInt / 2})},
		{"batch lines overlap", "overlap one another", p.ForwardBatch(z, spare, Batch{Count: 2, DstDist: 3})},
		{"batch lines cross", "overlap one another", p.ForwardBatch(z, spare, Batch{Count: 3, DstDist: 4, DstStride: 2})},
		{"batch in place, other layout", "overlap", p.ForwardBatch(z, z, Batch{Count: 2, DstDist: 9, SrcDist: 10})},
		{"batch shifted", "overlap", p.ForwardBatch(z[1:], z, Batch{Count: 2})},

		{"short bins", "dst has 4 bins, want 5", r.Forward(z[:4], spareX[:n])},
		{"short samples", "src has 7 samples, want 8", r.Forward(z[:5], spareX[:n-1])},
		{"real inverse", "src has 8 bins", r.Inverse(x[:n], spare[:n])},
		{"real inverse", "dst has 9 samples", r.Inverse(x[:n+1], spare[:5])},
		{"hermitian", "src has 4 bins", r.HermitianForward(x[:n], spare[:4])},
		{"hermitian", "src has 4 samples", r.HermitianInverse(z[:5], spareX[:4])},
		{"real batch", "want at least", r.ForwardBatch(z, spareX, Batch{Count: 5})},
		{"real batch", "batch of -3", r.InverseBatch(x, spare, Batch{Count: -3})},
		{"real scratch", "scratch overlaps", r.InverseScratch(x[:n], scratch[:5], scratch[:max(5, r.ScratchLen())])},

		{"trig", "dst has 7 elements", c.Forward(x[:n-1], spareX[:n])},
		{"trig", "src has 9 elements", c.Inverse(x[:n], spareX[:n+1])},
		{"trig overlap", "overlap", c.Forward(x[:n], x[1:n+1])},
		{"nd", "dst has 9 elements, want 8", nd.Forward(z[:n+1], spare[:n])},
		{"nd", "src has 7 elements", nd.Inverse(z[:n], spare[:n-1])},
		{"nd overlap", "overlap", nd.Forward(z[:n], z[1:n+1])},
		{"real nd", "complex side has 7 elements, want 8", rnd.Forward(z[:7], spareX[:12])},
		{"real nd", "real side has 11 elements, want 12", rnd.Inverse(x[:11], spare[:8])},
	} {
		wantError(t, c.what, c.err, c.fact)
	}
	// Lines of 8 need none.
	long, err := NewPlan[complex128](9 * 11)
	if err != nil {
		t.Fatal(err)
	}
	wantError(t, "no scratch", long.InverseScratch(make([]complex128, 99), make([]complex128, 99), nil), "scratch has 0 elements")
	longReal, err := NewRealPlan[float64, complex128](98)
	if err != nil {
		t.Fatal(err)
	}
	wantError(t, "no scratch", longReal.ForwardScratch(make([]complex128, 50), make([]float64, 98), nil), "scratch has 0 elements")
	for i := range z {
		if z[i] != guard || x[i] != guard {
			t.Fatalf("element %d was written by a call that failed", i)
		}
	}
}

func TestOneShots(t *testing.T) {
	z := elements(12)
	y, err := Forward(nil, z)
	if err != nil {
		t.Fatal(err)
	}
	back, err := Inverse(nil, y)
	if err != nil {
		t.Fatal(err)
	}
	if d := distanceOf(back, z); d > 1e-15 {
		t.Errorf("complex round trip: off by %g", d)
	}
	for _, n := range []int{1, 9, 12} {
		x := samples(n)
		bins, err := RealForward([]complex128(nil), x)
		if err != nil {
			t.Fatal(err)
		}
		again, err := RealInverse(make([]float64, n), bins)
		if err != nil {
			t.Fatal(err)
		}
		for i := range x {
			if math.Abs(again[i]-x[i]) > 1e-14 {
				t.Errorf("n %d: sample %d came back as %v, want %v", n, i, again[i], x[i])
			}
		}
	}
	if x, err := RealInverse([]float64(nil), make([]complex128, 5)); err != nil || len(x) != 8 {
		t.Errorf("5 bins: %d samples, %v; want 8", len(x), err)
	}
	_, err = Forward[complex64](nil, nil)
	wantError(t, "empty", err, "want at least 1")
	_, err = Forward(make([]complex64, 3), make([]complex64, 4))
	wantError(t, "lengths", err, "dst has 3")
	_, err = RealInverse([]float64(nil), make([]complex128, 1))
	wantError(t, "one bin", err, "pass dst")
	_, err = RealForward([]complex64(nil), make([]float64, 4))
	wantError(t, "precision", err, "does not go with")
	for n := 1; n < 2*mostCached; n++ {
		if _, err := Forward(nil, make([]complex64, n)); err != nil {
			t.Fatal(err)
		}
	}
	if len(cached.plans) > mostCached {
		t.Errorf("%d plans kept, want at most %d", len(cached.plans), mostCached)
	}
}
