package nd

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
)

var errNilArray = errors.New("nd: nil Array")

// OpError says which operation was given what, and where the caller is. Ops
// do not panic and do not return errors one by one: the Array they give
// carries the OpError to wherever the graph is evaluated.
type OpError struct {
	Op     string  // the operation, as in "matmul"
	Shapes [][]int // of the operands, where they had any
	Err    error   // the fact
	Site   string  // file:line of the call
}

func (e *OpError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "nd: %s: %v", e.Op, e.Err)
	if e.Site != "" {
		fmt.Fprintf(&b, " (at %s)", e.Site)
	}
	return b.String()
}

func (e *OpError) Unwrap() error { return e.Err }

// failed gives an Array that carries an OpError for the nearest caller outside
// this package. An operand's own error wins over a new one.
func failed(op string, err error, operands ...*Array) *Array {
	e := &OpError{Op: op, Err: err, Site: callSite()}
	for _, a := range operands {
		if a != nil && a.err != nil {
			return a
		}
		if a != nil {
			e.Shapes = append(e.Shapes, a.Shape())
		}
	}
	return &Array{err: e}
}

// callSite is the file:line of the first frame outside package nd. Only
// failures pay for it.
func callSite() string {
	pcs := make([]uintptr, 32)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for {
		f, more := frames.Next()
		if !strings.Contains(f.Function, "twiddle/nd.") || strings.HasSuffix(f.File, "_test.go") {
			return fmt.Sprintf("%s:%d", f.File, f.Line)
		}
		if !more {
			return ""
		}
	}
}
