package signal

import (
	"slices"
	"testing"
)

// A window that is kept is nobody's to write to, and what is kept has a bound.
func TestWindowsAreKept(t *testing.T) {
	for _, w := range []Window{{}, {Symmetric: true}, {Name: "kaiser", Param: 8}, {Name: "boxcar"}} {
		want, err := w.Samples(100)
		if err != nil {
			t.Fatal(err)
		}
		got, _ := w.Samples(100)
		clear(got)
		if got, _ = w.Samples(100); !slices.Equal(got, want) {
			t.Errorf("%+v is %v after it was written to, was %v", w, got, want)
		}
	}
	a, _ := Window{Name: "kaiser", Param: 8}.Samples(100)
	if b, _ := (Window{Name: "kaiser", Param: 9}).Samples(100); slices.Equal(a, b) {
		t.Error("windows of two parameters are one")
	}
	k := kept[int, []float64]{make: func(n int) ([]float64, error) { return make([]float64, n), nil }, samples: func(w []float64) int { return len(w) }}
	for n := range 3000 {
		if w, err := k.get(n); err != nil || len(w) != n {
			t.Fatalf("%d samples, want %d, %v", len(w), n, err)
		}
		sum := 0
		for _, w := range k.values {
			sum += len(w)
		}
		if sum != k.held || sum > keptSamples {
			t.Fatalf("%d samples are kept, %d counted, at most %d wanted", sum, k.held, keptSamples)
		}
	}
}
