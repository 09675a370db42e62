package signal_test

import (
	"encoding/json"
	"math"
	"math/cmplx"
	"os"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// The transform is its definition, with librosa's filters.
func TestConstantQ(t *testing.T) {
	testdevice.NeedsFloat64(t)
	var want struct {
		Re, Im  []float64
		Frames  int
		Librosa float64 // how far librosa's own is from the definition
	}
	text, err := os.ReadFile("testdata/cqt_goldens.json")
	if err == nil {
		err = json.Unmarshal(text, &want)
	}
	if err != nil {
		t.Fatal(err)
	}
	const n, fs, bins = 22050, 22050, 36
	x := make([]float64, n)
	for i := range x {
		at := float64(i) / fs
		x[i] = math.Sin(2*math.Pi*220*at) + 0.5*math.Sin(2*math.Pi*(400+150*at)*at)
	}
	c := signal.ConstantQ{FMin: 110, Bins: bins, Border: signal.BorderZeros}
	z := c.Apply(nd.From(x))
	if z.Err() != nil || z.Dim(0) != bins || z.Dim(1) != want.Frames {
		t.Fatalf("%v of shape %v", z.Err(), z.Shape())
	}
	got, err := nd.Slice[complex128](t.Context(), z)
	if err != nil {
		t.Fatal(err)
	}
	greatest, off := 0.0, 0.0
	for i, v := range got {
		w := complex(want.Re[i], want.Im[i])
		greatest, off = max(greatest, cmplx.Abs(w)), max(off, cmplx.Abs(v-w))
	}
	if off > 1e-7*greatest || want.Librosa > 0.01 {
		t.Errorf("off by %.2g of the greatest; librosa by %.2g", off/greatest, want.Librosa)
	}
	t.Logf("off by %.2g of the greatest; librosa by %.2g", off/greatest, want.Librosa)
	// A tone is in its bin: 220 Hz is bin 12.
	if f, err := c.Frequencies(); err != nil || math.Abs(f[12]-220) > 1e-9 {
		t.Errorf("%v, %v", f, err)
	}
	for _, bad := range []signal.ConstantQ{{FS: -1}, {FMin: 20000}, {Bins: -1}, {Hop: -1}, {Scale: math.NaN()}, {Tuning: math.NaN()}, {Border: 99}, {FMin: 1e-9}, {Bins: 1 << 30}} {
		if y := bad.Apply(nd.From(x)); y.Err() == nil {
			t.Errorf("%+v: no error", bad)
		}
	}
	// The error names options that there are: a transform has no NFFT.
	if err := (signal.ConstantQ{}).Apply(nd.From(x[:4000])).Err(); err == nil || !strings.Contains(err.Error(), "want BorderZeros, a higher FMin or a smaller Scale") {
		t.Errorf("4000 samples: %v", err)
	}
}
