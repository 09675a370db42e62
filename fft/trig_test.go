package fft

import (
	"fmt"
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/internal/oracle"
	"github.com/twiddle-go/twiddle/internal/simd"
)

// angle is the cosine's or sine's argument for sample j and coefficient k, as
// a fraction of a full turn, and the weight of the sample.
func (t Trig) angle(n, j, k int) (numerator, denominator int, weight float64) {
	weight = 2
	switch t {
	case DCT1:
		if j == 0 || j == n-1 {
			weight = 1
		}
		return j * k, 2 * (n - 1), weight
	case DCT2:
		return k * (2*j + 1), 4 * n, weight
	case DCT3:
		if j == 0 {
			weight = 1
		}
		return (2*k + 1) * j, 4 * n, weight
	case DCT4, DST4:
		return (2*k + 1) * (2*j + 1), 8 * n, weight
	case DST1:
		return (k + 1) * (j + 1), 2 * (n + 1), weight
	case DST2:
		return (k + 1) * (2*j + 1), 4 * n, weight
	case DST3:
		if j == n-1 {
			weight = 1
		}
		return (2*k + 1) * (j + 1), 4 * n, weight
	}
	return j * k, n, 1
}

// definition sums what the package documentation says, with angles reduced in
// integers first.
func (t Trig) definition(x []float64) []complex128 {
	n := len(x)
	_, turn, _ := t.angle(n, 0, 0)
	cos, sin := make([]float64, turn), make([]float64, turn)
	for i := range cos {
		cos[i], sin[i] = math.Cos(2*math.Pi*float64(i)/float64(turn)), math.Sin(2*math.Pi*float64(i)/float64(turn))
	}
	y := make([]complex128, n)
	for k := range y {
		var sum float64
		for j, v := range x {
			a, _, weight := t.angle(n, j, k)
			switch {
			case t == Hartley:
				sum += v * (cos[a%turn] + sin[a%turn])
			case t >= DST1:
				sum += weight * v * sin[a%turn]
			default:
				sum += weight * v * cos[a%turn]
			}
		}
		y[k] = complex(sum, 0)
	}
	return y
}

func TestTrigAgainstDefinition(t *testing.T) {
	lengths := []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 23, 25, 31, 33, 48, 63, 64, 65, 100, 101, 127, 129, 255, 256, 257, 360, 500, 509}
	for _, level := range simd.Available() {
		for kind := DCT1; kind <= Hartley; kind++ {
			for _, n := range lengths {
				if kind == DCT1 && n == 1 || testing.Short() && n > 130 {
					continue
				}
				checkTrig[float64](t, kind, n, level, 8*oracle.Epsilon64)
				checkTrig[float32](t, kind, n, level, 8*oracle.Epsilon32)
			}
		}
	}
}

func checkTrig[R Float](t *testing.T, kind Trig, n int, level simd.Level, unit float64) {
	t.Helper()
	what := fmt.Sprintf("%v of %d %T, %v", kind, n, R(0), level)
	p, err := NewTrigPlan[R](kind, n, Options{level: level + 1})
	if err != nil {
		t.Fatal(err)
	}
	x := realPart[R](uniform(n))
	exact := realPart[float64](uniform(n))
	want := oracle.Exact(kind.definition(exact))
	y := make([]R, n)
	if err := p.Forward(y, x); err != nil {
		t.Fatal(err)
	}
	tolerance := unit * oracle.Law(n)
	if e := oracle.RelativeError(widened(y), want); !(e <= tolerance) {
		t.Errorf("%s: off by %.3g, tolerance %.3g", what, e, tolerance)
	}
	inPlace := append([]R(nil), x...)
	if err := p.Forward(inPlace, inPlace); err != nil {
		t.Fatal(err)
	}
	for i := range y {
		if inPlace[i] != y[i] {
			t.Fatalf("%s: in place, element %d is %v, want %v", what, i, inPlace[i], y[i])
		}
	}
	if err := p.Inverse(inPlace, inPlace); err != nil {
		t.Fatal(err)
	}
	if e := oracle.RelativeError(widened(inPlace), oracle.Exact(widened(x))); !(e <= 2*tolerance) {
		t.Errorf("%s: round trip off by %.3g", what, e)
	}
	checkOrthogonal[R](t, what, kind, n, level, 2*tolerance)
}

// checkOrthogonal: an orthogonal transform keeps the norm and comes back.
func checkOrthogonal[R Float](t *testing.T, what string, kind Trig, n int, level simd.Level, tolerance float64) {
	t.Helper()
	p, err := NewTrigPlan[R](kind, n, Options{Norm: NormOrtho, level: level + 1})
	if err != nil {
		t.Fatal(err)
	}
	x, y := realPart[R](uniform(n)), make([]R, n)
	if err := p.Forward(y, x); err != nil {
		t.Fatal(err)
	}
	var before, after float64
	for i := range x {
		before += float64(x[i]) * float64(x[i])
		after += float64(y[i]) * float64(y[i])
	}
	if d := math.Abs(math.Sqrt(after/before) - 1); !(d <= tolerance) {
		t.Errorf("%s: ortho changes the norm by %.3g", what, d)
	}
	if err := p.Inverse(y, y); err != nil {
		t.Fatal(err)
	}
	if e := oracle.RelativeError(widened(y), oracle.Exact(widened(x))); !(e <= tolerance) {
		t.Errorf("%s: ortho round trip off by %.3g", what, e)
	}
}

func widened[R Float](x []R) []complex128 {
	out := make([]complex128, len(x))
	for i, v := range x {
		out[i] = complex(float64(v), 0)
	}
	return out
}

func TestTrigNames(t *testing.T) {
	for kind, want := range map[Trig]string{DCT2: "DCT-II", DST4: "DST-IV", Hartley: "Hartley", 0: "Trig(0)", 99: "Trig(99)"} {
		if got := kind.String(); got != want {
			t.Errorf("Trig %d is %q, want %q", int(kind), got, want)
		}
	}
	p, err := NewTrigPlan[float32](DST3, 5)
	if err != nil || p.Kind() != DST3 || p.Len() != 5 {
		t.Errorf("%v of %d, %v", p.Kind(), p.Len(), err)
	}
	if NormOrtho.String() != "ortho" || Norm(7).String() != "Norm(7)" {
		t.Errorf("norms print as %v and %v", NormOrtho, Norm(7))
	}
}
