package linalg

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
)

// Iterations for eigenvalues that took too long say how many there were, and no tolerance: they have none.
func TestEigenvaluesWithoutConvergence(t *testing.T) {
	testdevice.NeedsFloat64(t)
	a := nd.Eye(nd.Float64, 3)
	c := newCalculation("eig", []int{2}, a)
	c.sound(nd.From([]int64{-1, 9}), 3, mostShifts)
	err := c.compute(context.Background(), a)
	e := (*ConvergenceError)(nil)
	if !errors.As(err, &e) || e.Iterations != mostShifts || e.Matrix[0] != 1 || strings.Contains(err.Error(), "want") {
		t.Errorf("got %v", err)
	}
}

// Values alone are an operation of their own, also where they take the way of Eigh.
func TestEighValuesNameThemselves(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, a := range []*nd.Array{nd.Full(complex(1, 0), nd.Complex128, 2, 3), nd.Full(1.0, nd.Float64, 2, 3)} {
		if _, err := EighValues(context.Background(), a); err == nil || !strings.Contains(err.Error(), "eigh_values") {
			t.Errorf("got %v", err)
		}
	}
	inf := nd.Full(1.0, nd.Float64, 2, 2).DivScalar(0).Cast(nd.Complex128)
	if _, err := EighValues(context.Background(), inf); err == nil || !strings.Contains(err.Error(), "eigh_values") {
		t.Errorf("got %v", err)
	}
}
