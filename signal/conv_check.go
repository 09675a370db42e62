package signal

import (
	"errors"
	"fmt"

	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/nd"
)

// check gives the Array that Apply has to return, or nil if all is well.
func (c Conv) check(x, k *nd.Array) *nd.Array {
	c.Mode = c.Mode.or(Causal)
	fail := func(format string, args ...any) *nd.Array {
		return nd.Fail("signal", convOp, fmt.Errorf(format, args...), x, k)
	}
	named := []struct {
		name     string
		array    *nd.Array
		required bool
	}{{"x", x, true}, {"k", k, true}, {"Bias", c.Bias, false}, {"Skip", c.Skip, false}, {"InGate", c.InGate, false}, {"OutGate", c.OutGate, false}}
	for _, a := range named {
		switch {
		case a.array == nil && a.required:
			return nd.Fail("signal", convOp, errors.New(a.name+" is a nil Array"))
		case a.array == nil:
		case a.array.Err() != nil:
			return a.array
		}
	}
	if c.Axis != (nd.AxisChoice{}) {
		return fail("Axis is for Apply of Conv: transpose x")
	}
	if int(c.Mode) >= len(modeNames) {
		return fail("unknown mode %d: want one of %v", c.Mode, modeNames)
	}
	if !c.Accumulation.Valid() {
		return fail("there is no accumulation %d", c.Accumulation)
	}
	real := x.DType()
	if !real.IsFloat() {
		return fail("x is %s: want a float dtype", real)
	}
	// Filters of signals that are stored as halves may have more digits than those.
	fits := func(t nd.DType) bool { return t == real || real.IsHalf() && t == nd.Float32 }
	switch {
	case x.NDim() < 1 || x.Dim(-1) == 0:
		return fail("x of shape %v has no samples", x.Shape())
	case k.NDim() < 1 || k.NDim() > 2 || k.Dim(-1) == 0:
		return fail("k of shape %v: want (channels, taps) or (taps)", k.Shape())
	}
	channels := 1
	if x.NDim() > 1 {
		channels = x.Dim(-2)
	}
	if k.NDim() == 2 && k.Dim(0) != channels {
		return fail("k of shape %v has %s, x of shape %v has %s", k.Shape(), counted.Of(k.Dim(0), "filter"), x.Shape(), counted.Of(channels, "channel"))
	}
	if k.DType().IsComplex() {
		bins := x.Dim(-1)/2 + 1
		switch {
		case c.Mode != Circular && c.Mode != Causal:
			return fail("k is a spectrum, which mode %s cannot use", c.Mode)
		case c.Mode == Causal && 2*(k.Dim(-1)-1) < x.Dim(-1):
			return fail("k of shape %v is a spectrum of %d samples, x of shape %v has more", k.Shape(), 2*(k.Dim(-1)-1), x.Shape())
		case c.Block > 0:
			return fail("Block %d cuts x into blocks, which a filter's spectrum of another length cannot serve", c.Block)
		case c.Mode == Circular && k.Dim(-1) != bins:
			return fail("k of shape %v is a spectrum of %d bins, x of shape %v needs %d", k.Shape(), k.Dim(-1), x.Shape(), bins)
		case k.DType() != complexOf(real):
			return fail("k is %s, x is %s: want a spectrum that is %s, use Cast", k.DType(), real, complexOf(real))
		}
	} else if !fits(k.DType()) {
		return fail("k is %s, x is %s: want one dtype, use Cast", k.DType(), real)
	}
	for _, a := range []struct {
		name  string
		array *nd.Array
	}{{"Bias", c.Bias}, {"Skip", c.Skip}} {
		if a.array == nil {
			continue
		}
		if a.array.NDim() != 1 || a.array.Dim(0) != channels || x.NDim() < 2 {
			return fail("%s of shape %v: want one number for each of %d channels of x of shape %v", a.name, a.array.Shape(), channels, x.Shape())
		}
		if !fits(a.array.DType()) {
			return fail("%s is %s, x is %s", a.name, a.array.DType(), real)
		}
	}
	return c.checkParts(x, k, fail)
}

// checkParts checks what has to do with the length of the result.
func (c Conv) checkParts(x, k *nd.Array, fail func(string, ...any) *nd.Array) *nd.Array {
	l, out := x.Dim(-1), x.Dim(-1)
	if c.Mode != Circular {
		from, to := span(c.Mode, l, k.Dim(-1))
		out = to - from
	}
	if c.Skip != nil && out != l {
		return fail("Skip adds x of %d samples to a result of %d: mode %s cannot use it", l, out, c.Mode)
	}
	if c.Block > 0 {
		if taps := k.Dim(-1); c.Mode == Circular || c.Block < 2*taps {
			return fail("Block %d: want at least twice the %d taps, and a mode other than circular", c.Block, taps)
		}
	}
	shape := x.Shape()
	for _, g := range []struct {
		name  string
		array *nd.Array
		last  int
	}{{"InGate", c.InGate, l}, {"OutGate", c.OutGate, out}} {
		if g.array == nil {
			continue
		}
		shape[len(shape)-1] = g.last
		if g.array.DType() != x.DType() {
			return fail("%s is %s, x is %s", g.name, g.array.DType(), x.DType())
		}
		if !broadcasts(g.array.Shape(), shape) {
			return fail("%s of shape %v does not broadcast to %v", g.name, g.array.Shape(), shape)
		}
	}
	return nil
}

// broadcasts reports whether an array of one shape can be used as another
// without changing the latter.
func broadcasts(from, to []int) bool {
	if len(from) > len(to) {
		return false
	}
	to = to[len(to)-len(from):]
	for i, d := range from {
		if d != 1 && d != to[i] {
			return false
		}
	}
	return true
}

func complexOf(real nd.DType) nd.DType {
	if real == nd.Float64 {
		return nd.Complex128
	}
	return nd.Complex64
}
