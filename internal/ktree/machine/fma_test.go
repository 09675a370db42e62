package machine_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/flat"
	"github.com/twiddle-go/twiddle/internal/ktree/machine"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
)

// exactFMA computes x*y+z without rounding and rounds the result once.
func exactFMA(x, y, z float32) float32 {
	fx, fy, fz := float64(x), float64(y), float64(z)
	if s := fx*fy + fz; math.IsNaN(s) || math.IsInf(s, 0) || fx == 0 || fy == 0 {
		return float32(s)
	}
	exact := func(v float64) *big.Float { return new(big.Float).SetPrec(2000).SetFloat64(v) }
	sum := new(big.Float).SetPrec(2000).Mul(exact(fx), exact(fy))
	sum.Add(sum, exact(fz))
	f, _ := sum.Float32()
	return f
}

// The lanes' loop agrees with the definition, ties and tiny results included.
func TestFMALanes(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	j := job{body: tid + "y[t] = fma(a[t], float(d[t]), z[t].x);", grid: [3]int{64}, group: [3]int{64}}
	p := j.compile(t)
	fp, err := flat.Flatten(p)
	if err != nil {
		t.Fatal(err)
	}
	code := machine.Compile(fp, vec.For(simd.Active()))
	for range 500 {
		l := j.launch(p, 1)
		for i := range int64(64) {
			x, y := math.Float32frombits(r.Uint32()), math.Float32frombits(r.Uint32())
			z := math.Float32frombits(r.Uint32())
			switch r.IntN(3) {
			case 0: // exact halves of a unit, plus something far below
				x, y = float32(1+r.IntN(1<<12))/(1<<12), float32(1+2*r.IntN(1<<12))/(1<<13)
				z = float32(math.Ldexp(1, 40+r.IntN(3)))
				x *= 1 << 17
			case 1: // below the normal range
				x, y, z = float32(math.Ldexp(r.Float64(), -70)), float32(math.Ldexp(r.Float64(), -70)), float32(math.Ldexp(r.Float64(), -130))
			}
			putScalar(l.Inputs[0].Data, ktree.Float, i, ktree.Num{F: float64(x)})
			putScalar(l.Inputs[6].Data, ktree.Double, i, ktree.Num{F: float64(y)})
			putScalar(l.Inputs[2].Data, ktree.Float, 2*i, ktree.Num{F: float64(z)})
		}
		if err := code.Run(l); err != nil {
			t.Fatal(err)
		}
		for i := range int64(64) {
			x := float32(getScalar(l.Inputs[0].Data, ktree.Float, i).F)
			y := float32(getScalar(l.Inputs[6].Data, ktree.Double, i).F)
			z := float32(getScalar(l.Inputs[2].Data, ktree.Float, 2*i).F)
			got, want := float32(getScalar(l.Outputs[0].Data, ktree.Float, i).F), exactFMA(x, y, z)
			if got != want && (got == got || want == want) {
				t.Fatalf("fma(%g, %g, %g) = %g, want %g", x, y, z, got, want)
			}
		}
	}
}
