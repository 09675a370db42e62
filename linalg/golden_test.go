package linalg_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/linalg"
	"github.com/twiddle-go/twiddle/nd"
)

// goldenArray is an array as make_goldens.py writes it.
type goldenArray struct {
	Shape   []int     `json:"shape"`
	Complex bool      `json:"complex"`
	V       []float64 `json:"v"`
}

func (g goldenArray) array(single bool) *nd.Array {
	t := nd.Float64
	if single {
		t = nd.Float32
	}
	if !g.Complex {
		return nd.From(g.V, g.Shape...).Cast(t)
	}
	pairs := nd.From(g.V, append(append([]int(nil), g.Shape...), 2)...)
	part := func(i int) *nd.Array {
		return pairs.SliceAxis(-1, nd.Range{Start: i, Stop: i + 1}).Squeeze(-1).Cast(t)
	}
	return nd.Complex(part(0), part(1))
}

type golden struct {
	Op      string        `json:"op"`
	Name    string        `json:"name"`
	Cond    float64       `json:"cond"`
	Order   int           `json:"order"`
	Columns int           `json:"columns"`
	Args    []goldenArray `json:"args"`
	Results []goldenArray `json:"results"`
}

// goldenOps computes the results of a case, in the order that they are stored.
// growth is the power of the condition that errors grow with.
var goldenOps = map[string]struct {
	growth float64
	run    func(ctx context.Context, g golden, a []*nd.Array) ([]*nd.Array, error)
}{
	"svd values": {0, func(ctx context.Context, _ golden, a []*nd.Array) ([]*nd.Array, error) {
		_, s, _, err := linalg.SVD(ctx, a[0])
		return []*nd.Array{s}, err
	}},
	"eigh values": {0, func(ctx context.Context, _ golden, a []*nd.Array) ([]*nd.Array, error) {
		w, _, err := linalg.Eigh(ctx, a[0])
		return []*nd.Array{w}, err
	}},
	"norm": {0, func(ctx context.Context, _ golden, a []*nd.Array) ([]*nd.Array, error) {
		var out []*nd.Array
		for _, kind := range []linalg.NormKind{linalg.Frobenius, linalg.One, linalg.Inf, linalg.Spectral, linalg.Nuclear} {
			n, err := linalg.Norm(ctx, a[0], kind)
			if err != nil {
				return nil, err
			}
			out = append(out, n)
		}
		return out, nil
	}},
	"rank": {0, one(func(ctx context.Context, a []*nd.Array) (*nd.Array, error) { return linalg.Rank(ctx, a[0]) })},
	"cond": {1, one(func(ctx context.Context, a []*nd.Array) (*nd.Array, error) { return linalg.Cond(ctx, a[0]) })},
	"pinv": {1, one(func(ctx context.Context, a []*nd.Array) (*nd.Array, error) { return linalg.Pinv(ctx, a[0]) })},
	"qr": {1, func(_ context.Context, _ golden, a []*nd.Array) ([]*nd.Array, error) {
		q, r := linalg.QR(a[0], linalg.QROptions{NonNegative: true})
		return []*nd.Array{q, r}, nil
	}},
	"det": {1, func(_ context.Context, _ golden, a []*nd.Array) ([]*nd.Array, error) {
		sign, log := linalg.LogDet(a[0])
		return []*nd.Array{linalg.Det(a[0]), sign, log}, nil
	}},
	"solve": {1, func(ctx context.Context, _ golden, a []*nd.Array) ([]*nd.Array, error) {
		x, err := linalg.Solve(ctx, a[0], a[1])
		if err != nil {
			return nil, err
		}
		inverse, err := linalg.Inverse(ctx, a[0])
		return []*nd.Array{x, inverse}, err
	}},
	"cholesky": {1, one(func(ctx context.Context, a []*nd.Array) (*nd.Array, error) { return linalg.Cholesky(ctx, a[0]) })},
	"lstsq": {1, one(func(ctx context.Context, a []*nd.Array) (*nd.Array, error) {
		return linalg.LeastSquares(ctx, a[0], a[1], linalg.LeastSquaresOptions{MinNorm: true})
	})},
	"toeplitz": {1, func(ctx context.Context, _ golden, a []*nd.Array) ([]*nd.Array, error) {
		x, err := linalg.ToeplitzSolve(ctx, a[0], a[1], a[2])
		return []*nd.Array{linalg.Toeplitz(a[0], a[1]), linalg.ToeplitzMul(a[0], a[1], a[2]), x}, err
	}},
	"circulant": {1, func(ctx context.Context, _ golden, a []*nd.Array) ([]*nd.Array, error) {
		x, err := linalg.CirculantSolve(ctx, a[0], a[1])
		return []*nd.Array{linalg.Circulant(a[0]), linalg.CirculantMul(a[0], a[1]), x}, err
	}},
	"hankel": {0, func(_ context.Context, _ golden, a []*nd.Array) ([]*nd.Array, error) {
		return []*nd.Array{linalg.Hankel(a[0], a[1])}, nil
	}},
	"dft": {0, func(_ context.Context, _ golden, a []*nd.Array) ([]*nd.Array, error) {
		t := nd.Complex128
		if a[0].DType() == nd.Float32 {
			t = nd.Complex64
		}
		return []*nd.Array{linalg.DFT(t, a[0].Dim(0))}, nil
	}},
	"vandermonde": {0, func(_ context.Context, g golden, a []*nd.Array) ([]*nd.Array, error) {
		return []*nd.Array{linalg.Vandermonde(a[0], g.Columns, false)}, nil
	}},
	"eig values": {1, one(func(ctx context.Context, a []*nd.Array) (*nd.Array, error) {
		w, _, err := linalg.Eig(ctx, a[0])
		if err != nil {
			return nil, err
		}
		return inOrder(w), nil
	})},
	"expm": {2, func(ctx context.Context, _ golden, a []*nd.Array) ([]*nd.Array, error) {
		var out []*nd.Array
		for _, x := range []*nd.Array{a[0], a[0].MulScalar(12)} {
			e, err := linalg.Expm(ctx, x)
			if err != nil {
				return nil, err
			}
			out = append(out, e)
		}
		for _, k := range []int{5, 0, -2} {
			p, err := linalg.MatrixPower(ctx, a[0], k)
			if err != nil {
				return nil, err
			}
			out = append(out, p)
		}
		return out, nil
	}},
	"lu": {1, func(_ context.Context, _ golden, a []*nd.Array) ([]*nd.Array, error) {
		p, l, u := linalg.LU(a[0])
		return []*nd.Array{p, l, u}, nil
	}},
	"singular values": {0, one(func(ctx context.Context, a []*nd.Array) (*nd.Array, error) { return linalg.SingularValues(ctx, a[0]) })},
	"generalized eigh": {1, func(ctx context.Context, _ golden, a []*nd.Array) ([]*nd.Array, error) {
		w, v, err := linalg.GeneralizedEigh(ctx, a[1], a[0])
		if err != nil {
			return nil, err
		}
		alone, err := linalg.EighValues(ctx, a[1])
		return []*nd.Array{w, v.AbsSquared(), alone}, err
	}},
	"kron": {0, func(_ context.Context, _ golden, a []*nd.Array) ([]*nd.Array, error) {
		return []*nd.Array{linalg.Kron(a[0], a[1]), linalg.BlockDiag(a[0], a[1], a[0])}, nil
	}},
	"levinson": {1, func(_ context.Context, g golden, a []*nd.Array) ([]*nd.Array, error) {
		p := linalg.Levinson(a[0], g.Order)
		return []*nd.Array{p.A, p.Power}, nil
	}},
}

// inOrder sorts eigenvalues by their real parts, and those of pairs by the imaginary ones.
func inOrder(w *nd.Array) *nd.Array {
	// Rounding must not tell the real parts of a pair apart.
	key := w.Cast(nd.Complex128)
	rank := key.Real().MulScalar(1e4).Round().Add(key.Imag().MulScalar(1e-6))
	return key.Gather(rank.ArgSort(-1), -1)
}

// one is an operation with one result.
func one(f func(ctx context.Context, a []*nd.Array) (*nd.Array, error)) func(context.Context, golden, []*nd.Array) ([]*nd.Array, error) {
	return func(ctx context.Context, _ golden, a []*nd.Array) ([]*nd.Array, error) {
		y, err := f(ctx, a)
		return []*nd.Array{y}, err
	}
}

// Results are those of NumPy and SciPy, in units of the largest element.
func TestGoldens(t *testing.T) {
	testdevice.NeedsFloat64(t)
	data, err := os.ReadFile("testdata/goldens.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []golden }
	if err := json.Unmarshal(data, &file); err != nil || len(file.Cases) < 100 {
		t.Fatalf("%d cases, %v", len(file.Cases), err)
	}
	ctx := context.Background()
	for _, g := range file.Cases {
		if g.Op == "eig values" && testdevice.Name() != "" {
			continue // it needs the CPU, whose place a GPU has
		}
		op, ok := goldenOps[g.Op]
		if !ok {
			t.Fatalf("no operation %q", g.Op)
		}
		for _, single := range []bool{false, true} {
			spacing := 0x1p-52
			if single {
				spacing = 0x1p-23
			}
			allowed := 30 * spacing * math.Pow(g.Cond, op.growth)
			if allowed > 1e-2 || single && g.Op == "rank" {
				continue // float32 has no digits left, or sees another rank
			}
			var args []*nd.Array
			for _, a := range g.Args {
				args = append(args, a.array(single))
			}
			name := fmt.Sprintf("%s of %s, float32 %t", g.Op, g.Name, single)
			got, err := op.run(ctx, g, args)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			for i, want := range g.Results {
				w := want.array(false)
				if fmt.Sprint(got[i].Shape()) != fmt.Sprint(want.Shape) {
					t.Errorf("%s: result %d has shape %v, want %v", name, i, got[i].Shape(), want.Shape)
					continue
				}
				size := math.Max(read(t, w.Abs().Max())[0], math.SmallestNonzeroFloat64)
				off := read(t, got[i].Cast(w.DType()).Sub(w).Abs().Max())[0] / size
				if !(off <= allowed) {
					t.Errorf("%s: result %d is off by %.2g, allowed %.2g", name, i, off, allowed)
				}
			}
		}
	}
}
