package nd_test

import (
	"context"
	"errors"
	"testing"

	"github.com/twiddle-go/twiddle/nd"
)

// A device without float64 says so with a type, and narrows nothing.
func TestDTypeError(t *testing.T) {
	adapter, err := nd.Open("webgpu:0")
	if err != nil {
		t.Skip(err)
	}
	for dtype, instead := range map[nd.DType]nd.DType{nd.Float64: nd.Float32, nd.Complex128: nd.Complex64} {
		x := nd.Ones(dtype, 4).On(adapter.Stream())
		err := nd.Eval(context.Background(), x.Add(x))
		var missing *nd.DTypeError
		if !errors.As(err, &missing) || *missing != (nd.DTypeError{Device: "webgpu:0", Type: dtype, Instead: instead}) {
			t.Errorf("%v: %v", dtype, err)
		}
		if err := nd.Eval(context.Background(), nd.Ones(dtype, 4).Cast(instead).On(adapter.Stream()).Neg()); err != nil {
			t.Errorf("%v as %v: %v", dtype, instead, err)
		}
	}
}
