package linalg_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/nd"
)

// mat is a matrix of the reference: plain loops in float64.
type mat struct {
	m, n int
	v    []float64
}

func newMat(m, n int) mat { return mat{m, n, make([]float64, m*n)} }

func (a mat) at(i, j int) *float64 { return &a.v[i*a.n+j] }

func (a mat) t() mat {
	out := newMat(a.n, a.m)
	for i := range a.m {
		for j := range a.n {
			*out.at(j, i) = *a.at(i, j)
		}
	}
	return out
}

func (a mat) mul(b mat) mat {
	out := newMat(a.m, b.n)
	for i := range a.m {
		row := out.v[i*b.n : (i+1)*b.n]
		for k := range a.n {
			x := a.v[i*a.n+k]
			for j, y := range b.v[k*b.n : (k+1)*b.n] {
				row[j] += x * y
			}
		}
	}
	return out
}

func (a mat) sub(b mat) mat {
	out := newMat(a.m, a.n)
	for i := range out.v {
		out.v[i] = a.v[i] - b.v[i]
	}
	return out
}

func identity(n int) mat {
	out := newMat(n, n)
	for i := range n {
		*out.at(i, i) = 1
	}
	return out
}

func (a mat) frobenius() float64 {
	s := 0.0
	for _, v := range a.v {
		s += v * v
	}
	return math.Sqrt(s)
}

// spectral is the largest singular value, by power iteration.
func (a mat) spectral() float64 {
	r := rand.New(rand.NewPCG(1, 2))
	x := newMat(a.n, 1)
	for i := range x.v {
		x.v[i] = r.NormFloat64()
	}
	t := a.t()
	s := 0.0
	for range 40 {
		f := x.frobenius()
		if f == 0 {
			return 0
		}
		for i := range x.v {
			x.v[i] /= f
		}
		y := a.mul(x)
		s = y.frobenius()
		x = t.mul(y)
	}
	return s
}

// array is a matrix as an Array; the matrix is rounded to what it holds.
func (a mat) array(t nd.DType) *nd.Array {
	if t == nd.Float64 {
		return nd.From(a.v, a.m, a.n)
	}
	f := make([]float32, len(a.v))
	for i, v := range a.v {
		f[i] = float32(v)
		a.v[i] = float64(f[i])
	}
	return nd.From(f, a.m, a.n)
}

// matOf reads a matrix, the last two axes of one.
func matOf(t testing.TB, a *nd.Array) mat {
	t.Helper()
	v, err := nd.Slice[float64](context.Background(), a.Cast(nd.Float64))
	if err != nil {
		t.Fatal(err)
	}
	s := a.Shape()
	return mat{s[len(s)-2], s[len(s)-1], v}
}

func normal(seed uint64, m, n int) mat {
	r := rand.New(rand.NewPCG(seed, 3))
	a := newMat(m, n)
	for i := range a.v {
		a.v[i] = r.NormFloat64()
	}
	return a
}

func hilbert(n int) mat {
	a := newMat(n, n)
	for i := range n {
		for j := range n {
			*a.at(i, j) = 1 / float64(i+j+1)
		}
	}
	return a
}

// kahan is a triangle whose condition a QR without exchanges does not show.
func kahan(n int) mat {
	s, c := math.Sincos(1.2)
	a := newMat(n, n)
	scale := 1.0
	for i := range n {
		*a.at(i, i) = scale
		for j := i + 1; j < n; j++ {
			*a.at(i, j) = -c * scale
		}
		scale *= s
	}
	return a
}

// with is a copy of a with columns changed.
func (a mat) with(change func(a mat, i int)) mat {
	out := mat{a.m, a.n, append([]float64(nil), a.v...)}
	for i := range a.m {
		change(out, i)
	}
	return out
}

// orthonormality is how far the columns are from orthonormal.
func orthonormality(q mat) float64 { return q.t().mul(q).sub(identity(q.n)).spectral() }
