package linalg

import (
	"context"

	"github.com/twiddle-go/twiddle/nd"
)

// Eig returns the eigenvalues w (..., n) and the eigenvectors, the columns of v (..., n, n),
// of square matrices, which need not be symmetric: a v is v diag(w). Both are complex, also
// those of real matrices. Vectors have length 1, and their largest element is real; those of
// a defective matrix are not independent. The values are in no order, but pairs of complex
// ones of a real matrix are next to each other, the one with the positive imaginary part
// first.
//
// It computes in float64 or complex128, on the CPU, by QR iterations on a Hessenberg form of
// the balanced matrix. It has gradients: a loss must not depend on the phase of vectors, nor
// on which vectors stand for equal eigenvalues. For symmetric and Hermitian matrices Eigh is
// faster and more exact.
func Eig(ctx context.Context, a *nd.Array) (w, v *nd.Array, err error) {
	const op = "eig"
	x, host, home, done, err := onHost(op, a)
	if err != nil || done {
		if done {
			w = complexOf(a.DType(), x.back(x.Sum(2)))
			v = complexOf(a.DType(), a)
			err = w.Err()
		}
		return w, v, err
	}
	c := newCalculation(op, x.lead, a)
	w, v, fault := eigOf(host.Cast(widest(a.DType())), true)
	c.sound(fault, x.Dim(1), mostShifts)
	out, err := c.keptFromHost(ctx, x, home, pullEig, complexOf(a.DType(), w), complexOf(a.DType(), v))
	if err != nil {
		return nil, nil, err
	}
	return out[0], out[1], nil
}

// EigValues is the eigenvalues of Eig, without the vectors.
func EigValues(ctx context.Context, a *nd.Array) (*nd.Array, error) {
	const op = "eig_values"
	x, host, home, done, err := onHost(op, a)
	if err != nil {
		return nil, err
	}
	if done {
		return known(complexOf(a.DType(), x.back(x.Sum(2))))
	}
	c := newCalculation(op, x.lead, a)
	w, _, fault := eigOf(host.Cast(widest(a.DType())), false)
	c.sound(fault, x.Dim(1), mostShifts)
	out, err := c.keptFromHost(ctx, x, home, func(in, _, grads []*nd.Array) []*nd.Array {
		w, v, _ := eigOf(in[0].Cast(widest(in[0].DType())), true)
		return pullEig(in, []*nd.Array{w, v}, []*nd.Array{grads[0], nd.FullLike(v, 0)})
	}, complexOf(a.DType(), w))
	if err != nil {
		return nil, err
	}
	return out[0], nil
}

// Schur factors square matrices into z t z', with the columns of z orthonormal. Of complex matrices t is an upper triangle,
// with the eigenvalues on its diagonal. Of real ones it has blocks of two rows on its diagonal for pairs of
// complex eigenvalues, the real part twice on the diagonal of a block; cast them to a complex type for a triangle. It
// computes in float64 or complex128, on the CPU, and has no gradient.
func Schur(ctx context.Context, a *nd.Array) (t, z *nd.Array, err error) {
	const op = "schur"
	x, host, home, done, err := onHost(op, a)
	if err != nil || done {
		return a, a, err
	}
	c := newCalculation(op, x.lead, a)
	t, z, fault := schurOf(host.Cast(widest(a.DType())))
	c.sound(fault, x.Dim(1), mostShifts)
	t, z = x.back(t.Cast(a.DType())), x.back(z.Cast(a.DType()))
	if err := c.compute(ctx, t, z); err != nil {
		return nil, nil, err
	}
	return home(t), home(z), nil
}

// onHost checks square matrices. host is them on the CPU; home takes results back. empty says that there is nothing to compute.
func onHost(op string, a *nd.Array) (x matrices, host *nd.Array, home func(*nd.Array) *nd.Array, empty bool, err error) {
	x, bad := argument{op: op, name: "a", square: true, complex: true}.matrices(a)
	if bad != nil {
		return x, nil, nil, false, bad.Err()
	}
	if x.empty() {
		return x, nil, nil, true, nil
	}
	host, home = onHostFor(x.Array)
	return x, host, home, false, nil
}

// keptFromHost is kept for results that the CPU computes of x, and that home takes back. Their gradient
// is computed there, too.
func (c *calculation) keptFromHost(ctx context.Context, x matrices, home func(*nd.Array) *nd.Array, pull func(in, out, grads []*nd.Array) []*nd.Array, results ...*nd.Array) ([]*nd.Array, error) {
	done := ofEach(results, x.back)
	if err := c.compute(ctx, done...); err != nil {
		return nil, err
	}
	there := func(a *nd.Array) *nd.Array { host, _ := onHostFor(a); return host }
	return x.pulled(func(in, out, grads []*nd.Array) []*nd.Array {
		return ofEach(pull(ofEach(in, there), ofEach(out, there), ofEach(grads, there)), home)
	}, ofEach(done, home)...), nil
}

// ofEach is f of every array.
func ofEach(list []*nd.Array, f func(*nd.Array) *nd.Array) []*nd.Array {
	out := make([]*nd.Array, len(list))
	for i, a := range list {
		out[i] = f(a)
	}
	return out
}

// complexOf gives results the complex type with the digits of t.
func complexOf(t nd.DType, r *nd.Array) *nd.Array {
	if t == nd.Float32 || t == nd.Complex64 {
		return r.Cast(nd.Complex64)
	}
	return r.Cast(nd.Complex128)
}

// pullEig is the gradient of eigenvalues, and of vectors of length 1: with M = v' gv - v' v diag(Re(v' gv)),
// it is v'^-1 (diag(gw) + M / conj(w[j] - w[i])) v'. Among equal eigenvalues M counts for nothing, as in pullEigh.
func pullEig(in, out, grads []*nd.Array) []*nd.Array {
	wide := func(a *nd.Array) *nd.Array { return a.Cast(nd.Complex128) }
	w, v, gw, gv := wide(out[0]), wide(out[1]), wide(grads[0]), wide(grads[1])
	n := w.Dim(1)
	gap := w.ExpandDims(1).Sub(w.ExpandDims(2)).Conj()
	along := adjoint(v).MatMul(gv)
	length := diagonal(along).Real().Cast(nd.Complex128).ExpandDims(1)
	m := along.Sub(adjoint(v).MatMul(v).Mul(length)).Mul(reciprocal(gap, equalValues(w)))
	m = m.Add(eye(v, n, n).Mul(gw.ExpandDims(1)))
	g := eliminated(adjoint(v), m.MatMul(adjoint(v)))
	t := in[0].DType()
	if !t.IsComplex() {
		g = g.Real()
	}
	return []*nd.Array{g.Cast(t)}
}
