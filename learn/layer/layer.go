// Package layer has the layers of networks as plain functions on arrays. Parameters are
// arguments, so learn.Trainer, nd.Grad and nd.Compile work with them directly:
//
//	h := layer.GELU(layer.Linear(x, w1, b1))
//	loss := layer.CrossEntropy(layer.Linear(h, w2, b2), labels)
//
// They are the functions of the same names in torch.nn.functional. Features are along
// the last axis; convolutions, pooling and norms of channels have them along the second.
package layer

import (
	"fmt"
	"math"
	"slices"

	"github.com/twiddle-go/twiddle/nd"
)

func fail(op, format string, args ...any) *nd.Array {
	return nd.Fail("layer", op, fmt.Errorf(format, args...))
}

// usable gives the first array that cannot be used, or nil.
func usable(op string, arrays ...*nd.Array) *nd.Array {
	for _, a := range arrays {
		switch {
		case a == nil:
			return fail(op, "nil Array")
		case a.Err() != nil:
			return a
		}
	}
	return nil
}

// Linear is x times the transpose of w, plus b: x of shape (..., in), w (out, in) and b
// (out). b may be nil.
func Linear(x, w, b *nd.Array) *nd.Array {
	const op = "linear"
	if bad := usable(op, x, w); bad != nil {
		return bad
	}
	if x.NDim() < 1 || w.NDim() != 2 || x.Dim(-1) != w.Dim(1) {
		return nd.Fail("layer", op, fmt.Errorf("x of shape %v and w of shape %v: want (..., in) and (out, in)", x.Shape(), w.Shape()), x, w)
	}
	if b != nil {
		if bad := usable(op, b); bad != nil {
			return bad
		}
		if b.NDim() != 1 || b.Dim(0) != w.Dim(0) {
			return nd.Fail("layer", op, fmt.Errorf("b of shape %v: want (%d)", b.Shape(), w.Dim(0)), x, w, b)
		}
	}
	// One product of two matrices, whatever the leading axes are.
	shape := x.Shape()
	shape[len(shape)-1] = w.Dim(0)
	y := x.Reshape(-1, x.Dim(-1)).MatMul(w.Transpose()).Reshape(shape...)
	if b != nil {
		y = y.Add(b)
	}
	return y
}

// LayerNorm takes the mean and the variance of the last axis away, multiplies by gain
// and adds bias, which may be nil. eps is added to the variance; 0 is 1e-5.
func LayerNorm(x, gain, bias *nd.Array, eps float64) *nd.Array {
	const op = "layernorm"
	if bad := usable(op, x); bad != nil {
		return bad
	}
	if x.NDim() < 1 {
		return fail(op, "x of shape %v: want features along the last axis", x.Shape())
	}
	if eps == 0 {
		eps = 1e-5
	}
	if !(eps > 0) {
		return fail(op, "eps %g: want a positive number", eps)
	}
	if bad := alongLast(op, x, gain, bias); bad != nil {
		return bad
	}
	v := wide(x)
	d := v.Sub(v.Keep(-1).Mean())
	y := d.Mul(d.Mul(d).Mean(-1).ExpandDims(-1).AddScalar(eps).Rsqrt())
	if gain != nil {
		y = y.Mul(wide(gain))
	}
	if bias != nil {
		y = y.Add(wide(bias))
	}
	return y.Cast(x.DType())
}

// Embedding picks rows of a table by integers of any shape, from 0 on: (..., features).
func Embedding(table, ids *nd.Array) *nd.Array {
	const op = "embedding"
	if bad := usable(op, table, ids); bad != nil {
		return bad
	}
	if table.NDim() != 2 {
		return fail(op, "a table of shape %v: want (words, features)", table.Shape())
	}
	return table.Take(counted(ids, table.Dim(0)), 0)
}

// counted makes negative indices errors of the evaluation, as those above n are: nd counts them from the end, so a
// label of -1, for none, would be the last class.
func counted(indices *nd.Array, n int) *nd.Array {
	return nd.Where(indices.LessScalar(0), indices.SubScalar(n), indices)
}

// Softmax is exponentials over their sum along an axis, the last unless another is
// given. It does not overflow.
func Softmax(x *nd.Array, axis ...int) *nd.Array {
	at, bad := softened(x, axis)
	if bad != nil {
		return bad
	}
	// Whatever is subtracted, the result is the same, so the maximum needs no gradient.
	e := x.Sub(nd.StopGradient(x.Keep(at).Max())).Exp()
	return e.Div(e.Keep(at).Sum())
}

// LogSoftmax is the logarithm of Softmax, exact where that is near 0.
func LogSoftmax(x *nd.Array, axis ...int) *nd.Array {
	at, bad := softened(x, axis)
	if bad != nil {
		return bad
	}
	return x.Sub(x.LogSumExp(at).ExpandDims(at))
}

// softened is the axis of a softmax.
func softened(x *nd.Array, axis []int) (int, *nd.Array) {
	const op = "softmax"
	if bad := usable(op, x); bad != nil {
		return 0, bad
	}
	if len(axis) > 1 {
		return 0, fail(op, "axes %v: want one", axis)
	}
	at := -1
	if len(axis) == 1 {
		at = axis[0]
	}
	if x.NDim() < 1 || at < -x.NDim() || at >= x.NDim() {
		return 0, fail(op, "axis %d of shape %v", at, x.Shape())
	}
	if at < 0 {
		at += x.NDim()
	}
	return at, nil
}

// CrossEntropy is the mean of -log of the probability that Softmax gives to labels:
// logits of shape (..., classes), and integers of shape (...) from 0 to classes-1.
func CrossEntropy(logits, labels *nd.Array) *nd.Array {
	const op = "crossentropy"
	if bad := usable(op, logits, labels); bad != nil {
		return bad
	}
	if logits.NDim() < 1 || !slices.Equal(logits.Shape()[:logits.NDim()-1], labels.Shape()) {
		return nd.Fail("layer", op, fmt.Errorf("logits of shape %v and labels of shape %v: want (..., classes) and (...)", logits.Shape(), labels.Shape()), logits, labels)
	}
	chosen := logits.Gather(counted(labels, logits.Dim(-1)).ExpandDims(-1), -1)
	return chosen.Sub(logits.Keep(-1).LogSumExp()).Mean().Neg()
}

// GELU is x times the probability that a normal number is below x.
func GELU(x *nd.Array) *nd.Array {
	if bad := usable("gelu", x); bad != nil {
		return bad
	}
	return x.Mul(x.DivScalar(math.Sqrt2).Erf().AddScalar(1).MulScalar(0.5))
}

// ReLU is x where it is positive, and 0. Its gradient at 0 is 0.
func ReLU(x *nd.Array) *nd.Array {
	if bad := usable("relu", x); bad != nil {
		return bad
	}
	return nd.Where(x.LessEqualScalar(0), 0, x)
}

// SiLU is x times its sigmoid.
func SiLU(x *nd.Array) *nd.Array {
	if bad := usable("silu", x); bad != nil {
		return bad
	}
	return x.Mul(x.Sigmoid())
}
