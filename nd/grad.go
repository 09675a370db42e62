package nd

import (
	"errors"
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/grad"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// HistoryError says that there is no gradient with respect to an array, because an array
// between it and the loss was evaluated first. Evaluated arrays do not keep the operations
// that made them. Call Grad first, and evaluate loss and gradients together. Its fields are
//
//	Input     int    // of the arrays given to Grad, from 0
//	Evaluated string // the array whose history is gone: its operation, element type and shape
type HistoryError = grad.HistoryError

// NoGradientError names a Kernel without a gradient between the loss and an array. Custom
// gives a kernel a gradient. Its field is
//
//	Kernel string // the kernel's name
type NoGradientError = grad.NoGradientError

// Grad returns, for each array of wrt, the gradient of the loss with respect to it: an
// array of the same shape and element type. The loss is a float array of one element.
// Nothing is computed yet. Gradients are arrays like any other: they fuse with the loss
// when both are evaluated together, and can be differentiated again.
//
//	loss := x.MatMul(w).Sub(y).AbsSquared().Mean()
//	g := nd.Grad(loss, w)[0]
//	w = w.Sub(g.MulScalar(0.1))
//
// The gradient with respect to a complex z = x+iy is dL/dx + i dL/dy, as in PyTorch: twice
// the derivative with respect to the conjugate of z, and the direction of steepest ascent.
//
// Comparisons, Floor, Ceil, Round, the Sign of a real number, ArgMax, ArgSort, BitCast and
// casts to integers pass no gradient on. Equal operands of Maximum and Minimum, and equal
// extremes of Max and Min, share theirs. Where there is no derivative, Abs, Sqrt, Norm,
// Angle and Atan2 at 0, the gradient is 0. The branch that Where does not choose gets 0, even
// where a function in it has an infinite derivative or none, such as Log or Div at 0. Factors
// of products are the exception: 0 times a factor that is infinite or NaN is NaN, in Mul as in
// MatMul. Choose such a factor with Where before it is multiplied.
//
// An array that the loss does not depend on has a gradient of zeros; with Gradient.Strict
// it is an error. The arrays returned carry errors; there is always one for each array of
// wrt.
func Grad(loss *Array, wrt ...*Array) []*Array {
	return Gradient{}.Of(loss, wrt...)
}

// ValueAndGrad returns the loss along with its gradients. Evaluate them together, so that
// their common nodes are computed once. The loss carries the error of the gradients, if
// there is one.
//
//	loss, g := nd.ValueAndGrad(loss, w, b)
//	err := nd.Eval(ctx, append(g, loss)...)
func ValueAndGrad(loss *Array, wrt ...*Array) (*Array, []*Array) {
	grads := Grad(loss, wrt...)
	for _, g := range grads {
		if g.err != nil {
			return g, grads
		}
	}
	return loss, grads
}

// Gradient is the options of differentiation. The zero value does what Grad does.
type Gradient struct {
	// Strict makes it an error if the loss does not depend on an array in a way
	// that has a gradient.
	Strict bool
	// Seed is the gradient of something further on by the array that is
	// differentiated, which then need not have one element: Of gives the
	// product of Seed and the Jacobian.
	Seed *Array
}

// ErrUnreached is wrapped by the error of a Strict Gradient.
var ErrUnreached = errors.New("the loss does not depend on it")

// Of gives the gradients of a loss as Grad does.
func (o Gradient) Of(loss *Array, wrt ...*Array) []*Array {
	const op = "grad"
	out := make([]*Array, len(wrt))
	operands := append([]*Array{loss}, wrt...)
	if o.Seed != nil {
		operands = append(operands, o.Seed)
	}
	if bad := unusable(op, operands...); bad != nil {
		return fillArrays(out, bad)
	}
	seed, err := o.seed(loss)
	if err != nil {
		return fillArrays(out, failed(op, err, loss))
	}
	nodes := make([]*graph.Node, len(wrt))
	for i, a := range wrt {
		if nodes[i] = a.node; !isContinuous(a.node.Type) {
			return fillArrays(out, failed(op, fmt.Errorf("input %d: %w", i, floatsWanted(a)), loss))
		}
	}
	grads, err := grad.Of([]*graph.Node{loss.node}, []*graph.Node{seed}, nodes)
	if err != nil {
		return fillArrays(out, failed(op, err, loss))
	}
	for i, g := range grads {
		switch {
		case g != nil:
			out[i] = &Array{node: graph.Shown(g)}
		case o.Strict:
			return fillArrays(out, failed(op, fmt.Errorf("input %d of shape %v: %w", i, wrt[i].node.Shape, ErrUnreached), loss))
		default:
			out[i] = FullLike(wrt[i], 0)
		}
	}
	return out
}

// seed is the gradient that differentiation starts from.
func (o Gradient) seed(loss *Array) (*graph.Node, error) {
	n := loss.node
	if s := o.Seed; s != nil {
		switch {
		case !isContinuous(n.Type):
			return nil, floatsWanted(loss)
		case s.node.Type != n.Type || !slices.Equal(s.node.Shape, n.Shape):
			return nil, fmt.Errorf("seed is %s %v, the array %s %v", s.node.Type, s.node.Shape, n.Type, n.Shape)
		}
		return s.node, nil
	}
	switch {
	case n.Len() != 1:
		return nil, fmt.Errorf("loss has shape %v: want one element, as Sum or Mean give, or a Seed", n.Shape)
	case !n.Type.IsFloat():
		return nil, fmt.Errorf("loss: %w", &scalar.TypeError{In: []elem.Type{n.Type}, Want: "a float dtype"})
	}
	return literal(n, 1)
}

// isContinuous reports an element type that has gradients.
func isContinuous(t DType) bool { return t.IsFloat() || t.IsComplex() }

func floatsWanted(a *Array) error {
	return &scalar.TypeError{In: []elem.Type{a.node.Type}, Want: "a float or complex dtype"}
}

// StopGradient is the array as a constant: its elements, and no gradient.
func StopGradient(a *Array) *Array {
	if bad := unusable("stop_gradient", a); bad != nil {
		return bad
	}
	return &Array{node: grad.Stop(a.node)}
}
