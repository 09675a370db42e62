package signal_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/cmplx"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

func TestMoreWindows(t *testing.T) {
	for _, text := range []string{"triang", "bohman", "barthann", "lanczos", "chebwin:70", "dpss:2.5", "taylor:4:30", "taylor:6:45",
		"exponential:3.0", "general_gaussian:1.5:4", "general_hamming:0.6", "tukey:0.0", "kaiser:0.0"} {
		w, err := signal.ParseWindow(text)
		if err != nil {
			t.Fatal(err)
		}
		checkWindow(t, text, w)
	}
	checkWindow(t, "general_cosine:[0.5, 0.3, 0.2]", signal.CosineWindow(0.5, 0.3, 0.2))
	s, err := signal.Window{Name: "kaiser_bessel_derived", Param: 4}.Samples(16)
	if err != nil {
		t.Fatal(err)
	}
	checkFloats(t, "window kaiser_bessel_derived:4 16 symmetric", s, 1e-13)
}

func checkWindow(t *testing.T, name string, w signal.Window) {
	t.Helper()
	for _, n := range []int{7, 9, 16} {
		for kind, symmetric := range map[string]bool{"periodic": false, "symmetric": true} {
			w.Symmetric = symmetric
			s, err := w.Samples(n)
			if err != nil {
				t.Fatal(err)
			}
			checkFloats(t, fmt.Sprintf("window %s %d %s", name, n, kind), s, 1e-12)
		}
	}
}

// A window that needs a parameter does not go without, and 0 is one.
func TestWindowParameters(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, name := range []string{"kaiser", "gaussian", "chebwin", "dpss", "general_hamming", "general_gaussian:1", "general_cosine", "hann:1", "tukey:x"} {
		if _, err := signal.ParseWindow(name); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
	wide, err := signal.ParseWindow("dpss:8")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := wide.Samples(17); err != nil {
		t.Error(err)
	}
	if _, err := wide.Samples(15); err == nil {
		t.Error("a band of all frequencies was accepted")
	}
	for _, w := range []signal.Window{{Name: "hann", Param: 3}, {Param: 3}, {Name: "kaiser", Param: 5, Param2: 1}} {
		if s, err := w.Samples(5); err == nil {
			t.Errorf("%+v was accepted: %v", w, s)
		}
	}
	for _, w := range []signal.Window{{Name: "tukey", Param: signal.Zero}, {Name: "kaiser", Param: signal.Zero}} {
		s, err := w.Samples(5)
		if err != nil || !near(s, []float64{1, 1, 1, 1, 1}, 0) {
			t.Errorf("%s of Zero is %v, %v: want a boxcar", w.Name, s, err)
		}
	}
	db := floats(t, signal.PowerToDB(nd.From([]float64{1, 10, 100}), signal.Decibels{TopDB: signal.Zero}))
	if !near(db, []float64{20, 20, 20}, 1e-12) {
		t.Errorf("TopDB of Zero gives %v", db)
	}
}

// Spirals, whose chirps span 1e45 and more.
func TestCZTSpirals(t *testing.T) {
	testdevice.NeedsFloat64(t)
	in := signal.CZT{M: 20, W: 0.97 * cmplx.Exp(-0.1i)}
	check(t, "czt spiral in", in.Apply(waves(300)), 1e-13)
	check(t, "czt spiral in", in.Apply(waves(300).Cast(nd.Float32)), 1e-6)
	check(t, "czt spiral out", signal.CZT{M: 50, W: 1.02 * cmplx.Exp(-0.2i), A: 0.9 * cmplx.Exp(0.3i)}.Apply(waves(60)), 1e-12)
	var refused *signal.SpiralError
	if err := (signal.CZT{W: 0.9}).Apply(waves(5000)).Err(); !errors.As(err, &refused) || refused.N != 5000 {
		t.Errorf("a spiral of 5000 points: %v", err)
	}
	// float32 chirps used to lose the phase of long lines.
	n := 1 << 15
	z, err := nd.Slice[complex64](context.Background(), signal.CZT{M: 8}.Apply(nd.Ones(nd.Float32, n)))
	if err != nil || math.Abs(real(complex128(z[0]))-float64(n)) > 1 {
		t.Errorf("%v, %v", z, err)
	}
}

// Errors are about the arrays that were given, at the line that gave them.
func TestErrorsOfPairs(t *testing.T) {
	x, y := waves(2, 64), waves(3, 64)
	for name, err := range map[string]error{
		"csd":       signal.CSD(x, y).Err(),
		"coherence": signal.Coherence(x, y).Err(),
		"correlate": signal.Correlate(x, y, signal.Full).Err(),
		"gccphat":   signal.GCCPHAT{}.Apply(x, y).Err(),
	} {
		if err == nil || !strings.HasPrefix(err.Error(), "signal: "+name+": x of shape [2 64] and y of shape [3 64]") ||
			!strings.Contains(err.Error(), "window_kinds_test.go") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
