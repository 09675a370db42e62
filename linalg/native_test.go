package linalg

import (
	"context"
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
)

// Native forms compute what the bodies do: checked launches run the bodies.
func TestNativeForms(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, c := range []struct {
		name      string
		tolerance float64
		build     func() []*nd.Array
	}{
		{"gram factor", 1e-10, func() []*nd.Array {
			var out []*nd.Array
			for _, n := range []int{1, 7, 16, 40, gramMost} {
				a := nd.Normal(1, nd.Float64, 2, 70, n)
				// One column in two is a copy of another.
				twice := nd.Concat(2, a, a).SliceAxis(2, nd.Range{Stop: n})
				for _, x := range []*nd.Array{a, twice} {
					own, given := gramOf(x).factors(nd.Float64, nil, true), gramOf(x).factors(nd.Float64, nd.Full(100.0, nd.Float64, 2, n), true)
					out = append(out, own.r, own.inverse, own.lost, given.r, given.inverse, given.lost)
				}
				definite := gram{gramOf(a).Add(nd.Eye(nd.Float64, n))}.triangle()
				out = append(out, definite.r, definite.inverse, definite.lost)
			}
			return out
		}},
		{"reconstruct", 1e-12, func() []*nd.Array {
			var out []*nd.Array
			for _, n := range []int{1, 5, 17, panel} {
				out = append(out, onSquares(reconstruct, OrthonormalColumns(nd.Normal(2, nd.Float64, 3, n, n)))...)
			}
			return out
		}},
		{"gram-schmidt", 1e-6, func() []*nd.Array {
			var out []*nd.Array
			for _, shape := range [][]int{{1, 1, 1}, {2, 9, 5}, {1, 40, 33}, {2, 70, 40}} {
				for _, dt := range []nd.DType{nd.Float32, nd.Float64} {
					a := nd.Normal(3, dt, shape...)
					if shape[2] > 4 {
						// A column twice, and one of zeros.
						a = nd.Concat(2, columns(a, 0, 3), columns(a, 1, 2), columns(a, 4, shape[2]-1), nd.Zeros(dt, shape[0], shape[1], 1))
					}
					q, r := gramSchmidtQR(a)
					out = append(out, q, r)
				}
			}
			return out
		}},
		{"jacobi of small matrices", 1e-9, func() []*nd.Array {
			var out []*nd.Array
			for _, shape := range [][]int{{2, 1, 1}, {2, 5, 5}, {2, 17, 17}, {1, smallMost, smallMost}} {
				n := shape[1]
				a := OrthonormalRows(nd.Normal(4, nd.Float64, shape...)).Mul(nd.Arange(1.0, float64(n+1), 1).Reshape(n, 1))
				turned := OrthonormalColumns(nd.Normal(5, nd.Float64, shape...)).MatMul(a)
				u, s, v := newCalculation("small", nil).rotatedSmall(turned)
				whole := u.Mul(s.ExpandDims(1)).MatMul(transposed(v)).Sub(turned)
				out = append(out, s, v.Abs(), whole, transposed(u).MatMul(u), transposed(v).MatMul(v))
			}
			// Rows of zeros, and twice the same: what is left of them has no direction.
			a := nd.Normal(6, nd.Float64, 1, 6, 12)
			_, s, _ := newCalculation("small", nil).rotatedSmall(nd.Concat(1, a, a.SliceAxis(1, nd.Range{Stop: 4}), nd.Zeros(nd.Float64, 1, 2, 12)))
			_, none, v := newCalculation("small", nil).rotatedSmall(nd.Zeros(nd.Float64, 1, 9, 9))
			return append(out, s, none, v)
		}},
		{"gram-schmidt of complex numbers", 1e-11, func() []*nd.Array {
			var out []*nd.Array
			for _, shape := range [][]int{{1, 1, 1}, {2, 9, 5}, {1, 70, 40}} {
				a := drawn(13, nd.Complex128, shape...)
				if shape[2] > 4 {
					a = nd.Concat(2, columns(a, 0, 3), columns(a, 1, 2), columns(a, 4, shape[2]-1), nd.Zeros(nd.Complex128, shape[0], shape[1], 1))
				}
				q, r := complexGramSchmidt(a, 1e-10, 3)
				out = append(out, parts(q)...)
				out = append(out, parts(r)...)
			}
			return out
		}},
		{"jacobi of complex numbers", 1e-11, func() []*nd.Array {
			var out []*nd.Array
			for _, n := range []int{1, 5, 20} {
				a := drawn(11, nd.Complex128, 2, n, n)
				o := jacobi(a)
				// Rows may differ in phase.
				out = append(out, o.lengths, o.w.Abs(), o.v.Abs(), adjoint(o.v).MatMul(o.w).Sub(a).Abs())
			}
			return out
		}},
		{"lu panel", 1e-5, func() []*nd.Array {
			var out []*nd.Array
			for _, shape := range [][]int{{1, 1, 1}, {2, 9, 5}, {1, 100, luPanel}, {1, 70, 64}} {
				for _, dt := range []nd.DType{nd.Float32, nd.Float64, nd.Complex128} {
					a := drawn(8, dt, shape...)
					for _, x := range []*nd.Array{a, nd.Concat(2, nd.Zeros(dt, shape[0], shape[1], 1), a).SliceAxis(2, nd.Range{Stop: shape[2]})} {
						f := luOfPanel(x)
						out = append(out, parts(f.packed)...)
						out = append(out, f.order, f.swaps)
					}
				}
			}
			return out
		}},
		{"toeplitz", 1e-11, func() []*nd.Array {
			var out []*nd.Array
			for _, n := range []int{1, 2, 5, 16, 33, 70} {
				diagonal := nd.Concat(1, nd.Full(4.0, nd.Float64, 2, 1), nd.Zeros(nd.Float64, 2, n-1))
				c := nd.Normal(14, nd.Float64, 2, n).MulScalar(0.1).Add(diagonal)
				r := nd.Normal(15, nd.Float64, 2, n).MulScalar(0.1).Add(diagonal)
				r = nd.Concat(1, c.SliceAxis(1, nd.Range{Stop: 1}), r.SliceAxis(1, nd.Range{Start: 1, Stop: n}))
				out = append(out, newCalculation("toeplitz", nil).toeplitzInverse(c, r)(nd.Normal(16, nd.Float64, 2, n)))
			}
			return out
		}},
		{"substitute", 1e-5, func() []*nd.Array {
			var out []*nd.Array
			for _, n := range []int{1, 6, substitutePanel, 70} {
				for _, dt := range []nd.DType{nd.Float32, nd.Float64, nd.Complex128} {
					l := drawn(9, dt, 2, n, n).MulScalar(0.2).Add(eye(nd.Zeros(dt, 1), n, n).MulScalar(2))
					for _, k := range []int{1, 7, 100} {
						b := drawn(10, dt, 2, n, k)
						out = append(out, parts(substituted(l, b, false, false))...)
						out = append(out, parts(substituted(l, b, false, true))...)
					}
				}
			}
			return out
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			native := values(t, c.build())
			t.Setenv("TWIDDLE_KERNEL_CHECK", "1")
			for i, want := range values(t, c.build()) {
				for j, w := range want {
					if d := math.Abs(native[i][j] - w); !(d <= c.tolerance*(1+math.Abs(w))) {
						t.Fatalf("output %d: %g at %d, the body gives %g", i, native[i][j], j, w)
					}
				}
			}
		})
	}
}

// drawn is random numbers, real or complex.
func drawn(k nd.Key, t nd.DType, shape ...int) *nd.Array {
	if t == nd.Complex128 {
		return nd.Complex(nd.Normal(k, nd.Float64, shape...), nd.Normal(k+100, nd.Float64, shape...))
	}
	return nd.Normal(k, t, shape...)
}

// parts is the real and the imaginary parts of complex numbers, or a itself.
func parts(a *nd.Array) []*nd.Array {
	if a.DType().IsComplex() {
		return []*nd.Array{a.Real(), a.Imag()}
	}
	return []*nd.Array{a}
}

func values(t *testing.T, arrays []*nd.Array) [][]float64 {
	t.Helper()
	var out [][]float64
	for _, a := range arrays {
		v, err := nd.Slice[float64](context.Background(), a.Cast(nd.Float64))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}
