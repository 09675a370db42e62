package nd

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
)

// TestGradRandomGraphs compares the gradients of random graphs with differences.
func TestGradRandomGraphs(t *testing.T) {
	testdevice.NeedsFloat64(t)
	n := 300
	if testing.Short() {
		n = 50
	}
	for seed := range n {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { checkRandomGrad(t, uint64(seed)) })
	}
}

func FuzzGrad(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed + 1000)
	}
	f.Fuzz(checkRandomGrad)
}

// checkRandomGrad builds a graph of a few smooth operations on two arrays. The
// same numbers decide it each time, so it can be built again at other points.
func checkRandomGrad(t *testing.T, seed uint64) {
	d := newDraws(seed)
	shape := make([]int, 1+d.r.IntN(3))
	for i := range shape {
		shape[i] = 1 + d.r.IntN(4)
	}
	in := []*Array{d.reals(-1, 1, shape...), d.reals(-1, 1, shape...)}
	steps := 2 + d.r.IntN(6)
	script := d.r.Uint64()
	checkGrad(t, func(in []*Array) *Array {
		r := rand.New(rand.NewPCG(script, 1))
		pool := append([]*Array(nil), in...)
		for range steps {
			x := pool[r.IntN(len(pool))]
			y := smoothStep(r, x, pool)
			if y.Len() > 400 {
				y = y.Sum()
			}
			pool = append(pool, y)
		}
		out := pool[len(pool)-1]
		for _, p := range pool {
			out = out.Sum().Add(p.Sum())
		}
		return out
	}, in...)
}

// smoothStep applies one operation. All keep numbers small, so that the
// differences stay accurate.
func smoothStep(r *rand.Rand, x *Array, pool []*Array) *Array {
	if x.NDim() == 0 {
		x = x.Reshape(1)
	}
	axis := r.IntN(x.NDim())
	n := x.Dim(axis)
	switch r.IntN(17) {
	case 0:
		return x.Sin()
	case 1:
		return x.Tanh().MulScalar(0.5)
	case 2:
		return x.Sigmoid().Mul(x)
	case 3:
		return x.Mul(x).AddScalar(1).Log()
	case 4:
		return x.Mul(x).AddScalar(1).Rsqrt()
	case 5:
		o := pool[r.IntN(len(pool))].Mean()
		return x.Mul(o).Add(o)
	case 6:
		return x.Transpose(r.Perm(x.NDim())...)
	case 7:
		return x.SliceAxis(axis, Range{Start: r.IntN(n), Stop: End, Step: 1 + r.IntN(2)})
	case 8:
		return x.Flip(axis).CumSum(axis).MulScalar(0.3)
	case 9:
		return x.PadAxis(axis, Margin{r.IntN(n), r.IntN(n)}, Pad{Mode: PadMode(r.IntN(4))})
	case 10:
		size := 1 + r.IntN(n)
		return x.Frames(size, 1+r.IntN(3), axis).Sin()
	case 11:
		return Concat(axis, x, x.Cos())
	case 12:
		return x.RFFT(FFT{Axis: Axis(axis), N: 1 + r.IntN(6), Norm: Ortho}).AbsSquared()
	case 13:
		bins := x.Cast(Complex128).Mul(From([]complex128{0.5 + 0.5i}))
		return bins.IRFFT(FFT{Axis: Axis(axis), N: 1 + r.IntN(6), Norm: Ortho})
	case 14:
		return x.Mean(axis)
	case 15:
		return x.Sin().Prod(axis)
	}
	flat := x.Reshape(-1, x.Dim(-1))
	return flat.MatMul(flat.Transpose()).MulScalar(0.2)
}
