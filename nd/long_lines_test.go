package nd

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Maps around a transform of lines that do not stay on chip run in its load and
// in its store if there are lines for all cores, and the bits are those of one operation
// after the other.
func TestLongLines(t *testing.T) {
	planForTwoCores(t)
	ctx := soon(t)
	for _, dtype := range []DType{Float32, Float64} {
		for _, n := range []int{1 << 17, 3 << 15, 70001} {
			x, w := Uniform(Key(1), dtype, 2, n), Uniform(Key(2), dtype, n)
			z := Complex(x, Uniform(Key(3), dtype, 2, n))
			columns := Uniform(Key(4), dtype, n, 2)
			many, wide := Uniform(Key(5), Float64, n, 16), w.Cast(Float64) // of float32 they fit on chip
			if err := Eval(ctx, x, w, z, columns, many, wide); err != nil {
				t.Fatal(err)
			}
			for _, c := range []struct {
				name  string
				start *Array
				steps []func(*Array) *Array
				want  string // programs
			}{
				{"load and store", x, []func(*Array) *Array{
					func(a *Array) *Array { return a.Mul(w) },
					func(a *Array) *Array { return a.RFFT() },
					func(a *Array) *Array { return a.AbsSquared() },
				}, "line"},
				{"store", x, []func(*Array) *Array{
					func(a *Array) *Array { return a.RFFT() },
					func(a *Array) *Array { return a.MulScalar(2) },
				}, "line"},
				{"load of columns", columns, []func(*Array) *Array{
					func(a *Array) *Array { return a.Transpose().Mul(w) },
					func(a *Array) *Array { return a.RFFT() },
				}, "line"},
				{"load of columns that share cache lines", many, []func(*Array) *Array{
					func(a *Array) *Array { return a.Transpose().Mul(wide) },
					func(a *Array) *Array { return a.RFFT() },
				}, "map fft"},
				{"complex", z, []func(*Array) *Array{
					func(a *Array) *Array { return a.Conj() },
					func(a *Array) *Array { return a.IFFT() },
				}, "line"},
				{"back", z.SliceAxis(1, Range{Start: 0, Stop: n/2 + 1}), []func(*Array) *Array{
					func(a *Array) *Array { return a.MulScalar(3) },
					func(a *Array) *Array { return a.IRFFT(FFT{N: n}) },
					func(a *Array) *Array { return a.AddScalar(1) },
				}, "line map"},
				{"one line, and maps that cores share", x.SliceAxis(0, Head(1)), []func(*Array) *Array{
					func(a *Array) *Array { return a.Mul(w) },
					func(a *Array) *Array { return a.RFFT() },
					func(a *Array) *Array { return a.AbsSquared() },
				}, "map fft map"},
			} {
				t.Run(fmt.Sprint(c.name, " ", dtype, " ", n), func(t *testing.T) {
					fused, apart := c.start, c.start
					for _, step := range c.steps {
						fused, apart = step(fused), step(apart)
						if err := Eval(ctx, apart); err != nil {
							t.Fatal(err)
						}
					}
					p, err := Explain(fused)
					if err != nil {
						t.Fatal(err)
					}
					var programs []string
					for _, s := range p.Steps {
						programs = append(programs, s.Program)
					}
					if got := strings.Join(programs, " "); got != c.want {
						t.Fatalf("programs %q, want %q\n%s", got, c.want, p)
					}
					parts := func(a *Array) []float64 {
						if a.DType().IsComplex() {
							a = Concat(0, a.Real(), a.Imag())
						}
						got, err := Slice[float64](ctx, a.Cast(Float64))
						if err != nil {
							t.Fatal(err)
						}
						return got
					}
					if !slices.Equal(parts(fused), parts(apart)) {
						t.Errorf("other bits than apart")
					}
				})
			}
		}
	}
}
