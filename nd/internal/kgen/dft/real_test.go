package dft_test

import (
	"fmt"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/dft"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// Transforms from and to real numbers are those of the definition.
func TestRealTransforms(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	all := func(int) bool { return false }
	for _, kind := range []ktree.Kind{ktree.Float, ktree.Double} {
		for n := 2; n <= 64; n *= 2 {
			bins := n/2 + 1
			there := kernel(kind, lines, n, bins, all, func(a dft.Arith, x []dft.Number) []dft.Number {
				return a.RealDFT(lists.Map(x, func(v dft.Number) build.Val { return v.Re }))
			})
			back := kernel(kind, lines, bins, n, all, func(a dft.Arith, x []dft.Number) []dft.Number {
				return lists.Map(a.RealInverse(x), a.Real)
			})
			x, spectra := random(rng, lines*n), random(rng, lines*bins)
			bin, sample := run(t, there, kind, x, lines*bins), run(t, back, kind, spectra, lines*n)
			for l := range lines {
				line := lists.Map(x[l*n:(l+1)*n], func(v complex128) complex128 { return complex(real(v), 0) })
				near(t, fmt.Sprintf("%v, %d numbers", kind, n), kind, bin[l*bins:(l+1)*bins], transform(line, false)[:bins])
				whole := make([]complex128, n)
				for k, v := range spectra[l*bins : (l+1)*bins] {
					if k == 0 || 2*k == n {
						v = complex(real(v), 0)
					}
					whole[k], whole[(n-k)%n] = v, cmplx.Conj(v)
				}
				near(t, fmt.Sprintf("%v, back to %d numbers", kind, n), kind, sample[l*n:(l+1)*n], transform(whole, true))
			}
		}
	}
}

// Transforms of 64 real numbers are 420 operations.
func TestRealTransformsAreShort(t *testing.T) {
	k := build.NewKernel("count", 1)
	in := k.Buffer("in", ktree.Scalar(ktree.Float), false)
	count := 0
	a := dft.Arith{Kind: ktree.Float, Let: func(v build.Val) build.Val {
		count++
		return k.Let("v", v)
	}}
	x := lists.Make(64, func(i int) build.Val { return k.Let("x", in.At(i)) })
	bins := a.RealDFT(x)
	if there := count; there != 420 {
		t.Errorf("%d operations", there)
	}
	count = 0
	a.RealInverse(bins)
	if count != 420 {
		t.Errorf("%d operations back", count)
	}
}
