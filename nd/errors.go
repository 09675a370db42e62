package nd

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/twiddle-go/twiddle/nd/internal/caller"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

var errNilArray = errors.New("nd: nil Array")

// OpError describes a failed operation, its operands, and the caller's line. Operations do
// not panic and do not return errors one by one: the Array that they return carries the
// OpError to the call that evaluates the graph.
type OpError struct {
	Package string  // the package of the operation; nd if empty
	Op      string  // the operation, as in "matmul"
	Shapes  [][]int // of the operands, where they had any
	Err     error   // the fact
	Site    string  // file:line of the call
}

func (e *OpError) Error() string {
	// A fact of several lines, such as a fault in a kernel, may end in a caret:
	// nothing can follow it.
	fact, rest, _ := strings.Cut(fmt.Sprint(e.Err), "\n")
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s: %s", cmp.Or(e.Package, "nd"), e.Op, fact)
	if e.Site != "" {
		fmt.Fprintf(&b, " (at %s)", e.Site)
	}
	if rest != "" {
		b.WriteString("\n" + rest)
	}
	return b.String()
}

func (e *OpError) Unwrap() error { return e.Err }

// SizeError says that dimensions do not describe an array: one is negative, or
// together they hold more elements than can be counted. OpError wraps it. Its fields are
//
//	Shape    []int
//	Negative bool // otherwise too large
type SizeError = shape.SizeError

// DTypeError says that a device does not support an element type: WebGPU with neither
// float64 nor complex128. Precision is never reduced implicitly; Cast before On, or compute
// on the CPU. Its fields are
//
//	Device  string // which device
//	Type    DType  // what it does not have
//	Instead DType  // the widest type of the kind that it has
type DTypeError = device.DTypeError

// Fail is for packages that build operations on this one: it gives an Array
// that carries an OpError for the nearest caller outside nd and pkg. An
// operand's own error wins over a new one.
func Fail(pkg, op string, err error, operands ...*Array) *Array {
	return fail(&OpError{Package: pkg, Op: op, Err: err, Site: caller.Site(pkg)}, operands)
}

// failed is Fail for the operations of this package.
func failed(op string, err error, operands ...*Array) *Array {
	return fail(&OpError{Op: op, Err: err, Site: caller.Site("nd")}, operands)
}

func fail(e *OpError, operands []*Array) *Array {
	if apart, ok := e.Err.(*graph.ApartError); ok {
		e.Err = fmt.Errorf("operands are on different devices, %s and %s: move one with On or Beside", deviceName(apart.One), deviceName(apart.Other))
	}
	for _, a := range operands {
		if a.isNil() {
			continue
		}
		if a.err != nil {
			return a
		}
		e.Shapes = append(e.Shapes, a.Shape())
	}
	return &Array{err: e}
}

func deviceName(index int) string {
	d, err := engine.Device(index)
	if err != nil {
		return fmt.Sprintf("number %d", index)
	}
	return d.Info().Name
}

// unusable gives the Array that op has to return because an operand is nil or
// carries an error; nil if all of them will do.
func unusable(op string, operands ...*Array) *Array {
	for i, a := range operands {
		if a.isNil() {
			return failed(op, fmt.Errorf("operand %d is a nil Array", i), operands[:i]...)
		}
		if a.err != nil {
			return a
		}
	}
	return nil
}

// built is what an operation returns: the node a graph constructor made, or
// the reason why it did not.
func built(op string, n *graph.Node, err error, operands ...*Array) *Array {
	if err != nil {
		return failed(op, err, operands...)
	}
	return &Array{node: n}
}

// named is the result of an operation that is made of others. Its operands
// were usable, so an error is about this operation and says so.
func named(op string, result *Array) *Array {
	var e *OpError
	if !errors.As(result.err, &e) || e.Op == op {
		return result
	}
	c := *e
	c.Op = op
	return &Array{err: &c}
}
