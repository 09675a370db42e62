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
	k := kept{windows: map[windowShape][]float64{}}
	for n := 2; n < 3000; n++ {
		if w := k.get(windowShape{0, n, 0}); len(w) != n {
			t.Fatalf("%d samples, want %d", len(w), n)
		}
		sum := 0
		for _, w := range k.windows {
			sum += len(w)
		}
		if sum != k.samples || sum > keptSamples {
			t.Fatalf("%d samples are kept, %d counted, at most %d wanted", sum, k.samples, keptSamples)
		}
	}
}
