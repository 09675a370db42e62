package nd

import (
	"strings"
	"testing"
)

// The margins of a Pad show elements of its middle. What takes long is computed once and copied there;
// what takes less than storing it is computed again.
func TestMarginsComputedAgain(t *testing.T) {
	planForTwoCores(t)
	x := Uniform(1, Float32, 1024, 7, 2)
	z := Complex(x, Uniform(2, Float32, 1024, 7, 2))
	if err := Eval(t.Context(), x, z); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		y     *Array
		op    string
		steps int
	}{
		{"function of complex numbers", z.PowScalar(3), "pow", 1},
		{"sum", x.AddScalar(3), "add", 2},
	} {
		p, err := Explain(c.y.PadAxis(2, Margin{0, 1}, Pad{Mode: PadReflect}))
		if err != nil {
			t.Fatal(err)
		}
		steps := 0
		for _, s := range p.Steps {
			if strings.Contains(s.Label, c.op) {
				steps++
			}
		}
		if steps != c.steps {
			t.Errorf("%s: in %d steps, want %d\n%v", c.name, steps, c.steps, p)
		}
	}
}
