package signal_test

import (
	"math"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// glide is a tone, and one that rises: that of make_music_goldens.py.
func glide(n int) *nd.Array {
	x := make([]float64, n)
	for i := range x {
		at := float64(i) / 22050
		x[i] = math.Sin(2*math.Pi*660*at) + 0.5*math.Sin(2*math.Pi*(900+1500*at)*at)
	}
	return nd.From(x)
}

func TestInverseConstantQ(t *testing.T) {
	testdevice.NeedsFloat64(t)
	q := signal.ConstantQ{Hop: 127, FMin: 440, Bins: 30, Tuning: 0.3, Border: signal.BorderZeros}
	// librosa's windows with an odd number of samples are a sample later.
	check(t, "cqt librosa", q.Apply(glide(6000)), 1e-2)
	_, c := want(t, "cqt librosa")
	z := nd.From(c, 30, len(c)/30)
	check(t, "icqt", q.Inverse(z, 0), 1e-7)
	check(t, "icqt librosa", q.Inverse(z, 0), 1e-2)
	y := q.Inverse(z, 6000)
	if y.Dim(-1) != 6000 {
		t.Fatalf("shape %v", y.Shape())
	}
	check(t, "icqt length", y.SliceAxis(-1, nd.Skip(5800)), 1e-2)
	if n := q.Inverse(z, 7000); n.Dim(-1) != 7000 {
		t.Errorf("shape %v", n.Shape())
	}
	for name, bad := range map[string]*nd.Array{
		"bins": q.Inverse(z.SliceAxis(0, nd.Head(29)), 0), "real": q.Inverse(z.Abs(), 0), "length": q.Inverse(z, -1),
		"axes": q.Inverse(z.At(0), 0), "options": signal.ConstantQ{Hop: -1}.Inverse(z, 0), "frames": q.Inverse(z.SliceAxis(1, nd.Head(1)), 0),
	} {
		if bad.Err() == nil || !strings.Contains(bad.Err().Error(), "signal: icqt: ") {
			t.Errorf("%s: %v", name, bad.Err())
		}
	}
}

// Tones come back, of batches and with every border.
func TestConstantQBack(t *testing.T) {
	testdevice.NeedsFloat64(t)
	const n = 16384
	x := make([]float64, 2*n)
	for i := range x {
		at := 2 * math.Pi * float64(i%n) / 22050
		x[i] = math.Sin(at*(500+100*float64(i/n))) + math.Sin(at*331)
	}
	for _, border := range []signal.Border{signal.BorderZeros, signal.BorderReflect, signal.BorderNone} {
		q := signal.ConstantQ{Hop: 32, FMin: 130, Bins: 36, Border: border}
		y := q.Inverse(q.Apply(nd.From(x, 2, n)), 0)
		if y.Err() != nil {
			t.Fatal(y.Err())
		}
		got, size, worst := floats(t, y.Flatten()), y.Dim(-1), 0.0
		if size > n || size < n-32 {
			t.Fatalf("%v: %d samples", border, size)
		}
		for i, v := range got {
			if at := i % size; at > 4096 && at < size-4096 {
				worst = max(worst, math.Abs(v-x[i/size*n+at]))
			}
		}
		if worst > 0.01 {
			t.Errorf("%v: off by %g", border, worst)
		}
	}
	q := signal.ConstantQ{Hop: 64, FMin: 880, Bins: 14, Border: signal.BorderZeros}
	checkGradient(t, "both ways", func(x *nd.Array) *nd.Array { return q.Inverse(q.Apply(x), 0).PowScalar(3).Sum() }, waves(2, 400), 1e-6)
}
