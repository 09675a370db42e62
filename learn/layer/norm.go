package layer

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd"
)

// BatchNorm normalizes every channel, the second axis of x, over the batch and all other axes, as batch_norm of
// a model that trains. It returns the mean and the variance of each channel, too, for running
// averages: the variance over n elements, of which torch averages n/(n-1) times as much. Both are float32 for x of 16 bits. gain
// and bias, of shape (channels), may be nil. eps is added to the variance; 0 is 1e-5.
func BatchNorm(x, gain, bias *nd.Array, eps float64) (y, mean, variance *nd.Array) {
	const op = "batchnorm"
	eps, bad := normal(op, x, gain, bias, eps)
	if bad != nil {
		return bad, bad, bad
	}
	axes := []int{0}
	for i := 2; i < x.NDim(); i++ {
		axes = append(axes, i)
	}
	v := wide(x)
	mean = v.Mean(axes...)
	d := v.Sub(alongChannels(mean, v))
	variance = d.Mul(d).Mean(axes...)
	y = d.Mul(alongChannels(variance.AddScalar(eps).Rsqrt(), v))
	return affine(y, gain, bias).Cast(x.DType()), mean, variance
}

// BatchNormWith normalizes with a mean and a variance of each channel that are given, as batch_norm of a model that
// is evaluated.
func BatchNormWith(x, mean, variance, gain, bias *nd.Array, eps float64) *nd.Array {
	const op = "batchnorm"
	eps, bad := normal(op, x, gain, bias, eps)
	if bad == nil {
		_, bad = normal(op, x, mean, variance, eps)
	}
	if bad != nil {
		return bad
	}
	if mean == nil || variance == nil {
		return fail(op, "nil mean or variance")
	}
	factor := wide(variance).AddScalar(eps).Rsqrt()
	y := wide(x).Sub(alongChannels(wide(mean), x)).Mul(alongChannels(factor, x))
	return affine(y, gain, bias).Cast(x.DType())
}

// GroupNorm normalizes each group of channels of an item over all of its other axes: one group is all channels, and as
// many groups as channels is an instance norm. gain and bias, of shape (channels), may be nil.
func GroupNorm(x *nd.Array, groups int, gain, bias *nd.Array, eps float64) *nd.Array {
	const op = "groupnorm"
	eps, bad := normal(op, x, gain, bias, eps)
	if bad != nil {
		return bad
	}
	if groups < 1 || x.Dim(1)%groups != 0 {
		return fail(op, "%d groups of %d channels: want a divisor", groups, x.Dim(1))
	}
	y := LayerNorm(wide(x).Reshape(x.Dim(0), groups, -1), nil, nil, eps).Reshape(x.Shape()...)
	return affine(y, gain, bias).Cast(x.DType())
}

// RMSNorm divides by the root of the mean square of the last axis, and multiplies by gain, which may be nil. eps is
// added to the mean square; 0 is 1e-6.
func RMSNorm(x, gain *nd.Array, eps float64) *nd.Array {
	const op = "rmsnorm"
	if bad := usable(op, x); bad != nil {
		return bad
	}
	if eps == 0 {
		eps = 1e-6
	}
	if x.NDim() < 1 || !(eps > 0) {
		return fail(op, "x of shape %v and eps %g: want features along the last axis, and a positive number", x.Shape(), eps)
	}
	if bad := alongLast(op, x, gain); bad != nil {
		return bad
	}
	v := wide(x)
	y := v.Mul(v.Mul(v).Mean(-1).ExpandDims(-1).AddScalar(eps).Rsqrt())
	if gain != nil {
		y = y.Mul(wide(gain))
	}
	return y.Cast(x.DType())
}

// wide is floats of 16 bits as float32: squares of float16 overflow from 256 on, and sums of bfloat16 have few digits.
func wide(x *nd.Array) *nd.Array {
	if x.DType().IsHalf() {
		return x.Cast(nd.Float32)
	}
	return x
}

// alongLast checks parameters with a number for each feature. Broadcasting would take others, too, and give another shape.
func alongLast(op string, x *nd.Array, params ...*nd.Array) *nd.Array {
	for _, p := range params {
		if p == nil {
			continue
		}
		if bad := usable(op, p); bad != nil {
			return bad
		}
		if p.NDim() != 1 || p.Dim(0) != x.Dim(-1) {
			return nd.Fail("layer", op, fmt.Errorf("a number for each feature of shape %v: want (%d)", p.Shape(), x.Dim(-1)), x, p)
		}
	}
	return nil
}

// normal checks what norms of channels are given.
func normal(op string, x, gain, bias *nd.Array, eps float64) (float64, *nd.Array) {
	if bad := usable(op, x); bad != nil {
		return 0, bad
	}
	if eps == 0 {
		eps = 1e-5
	}
	if x.NDim() < 2 || x.Len() == 0 || !(eps > 0) {
		return 0, fail(op, "x of shape %v and eps %g: want (batch, channels, ...) with elements, and a positive number", x.Shape(), eps)
	}
	for _, p := range []*nd.Array{gain, bias} {
		if p == nil {
			continue
		}
		if bad := usable(op, p); bad != nil {
			return 0, bad
		}
		if p.NDim() != 1 || p.Dim(0) != x.Dim(1) {
			return 0, nd.Fail("layer", op, fmt.Errorf("a number for each channel of shape %v: want (%d)", p.Shape(), x.Dim(1)), x, p)
		}
	}
	return eps, nil
}

func affine(y, gain, bias *nd.Array) *nd.Array {
	if gain != nil {
		y = y.Mul(alongChannels(wide(gain), y))
	}
	if bias != nil {
		bias = wide(bias)
	}
	return biased(y, bias)
}
