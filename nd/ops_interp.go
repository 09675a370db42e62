package nd

import (
	"fmt"
	"math"
)

// Interp is the piecewise linear function through the points (xp, fp) at each
// element of x. xp and fp have one axis, and xp ascends. Left of the first point
// it is fp's first element, right of the last its last; NaN gives NaN.
func Interp(x, xp, fp *Array) *Array {
	if bad := searchable("interp", xp, x); bad != nil {
		return bad
	}
	if bad := unusable("interp", fp); bad != nil {
		return bad
	}
	switch {
	case !x.node.Type.IsFloat() || fp.node.Type != x.node.Type:
		return failed("interp", fmt.Errorf("%s values at %s points: want one float dtype", fp.node.Type, x.node.Type), x, xp, fp)
	case fp.NDim() != 1 || fp.Len() != xp.Len() || xp.Len() == 0:
		return failed("interp", fmt.Errorf("points %v and values %v: want one axis of the same length, not empty", xp.node.Shape, fp.node.Shape), x, xp, fp)
	}
	if xp.Len() == 1 {
		return named("interp", Where(x.IsNaN(), x, fp.Reshape()))
	}
	t, most := x.DType(), max(x.Len(), xp.Len())
	if (t == Float32 || t == Float64) && x.Len() > 0 && most < math.MaxInt32/2 {
		return named("interp", interpByGroups(x, xp, fp))
	}
	return named("interp", interpByTakes(x, xp, fp))
}

// interpByTakes is Interp of two points at least, made of operations that have gradients.
func interpByTakes(x, xp, fp *Array) *Array {
	n := xp.Len()
	left := searched(xp, x).SubScalar(1).Clip(0, n-2)
	right := left.AddScalar(1)
	x0, x1, f0, f1 := xp.Take(left, 0), xp.Take(right, 0), fp.Take(left, 0), fp.Take(right, 0)
	// Within the segment, and exact at both of its ends.
	beyond, before, isNaN := x.GreaterEqual(x1), x.LessEqual(x0), x.IsNaN()
	at := x.Sub(x0).Div(x1.Sub(x0))
	// An infinite at would make NaN of the 0 that the values get as a gradient.
	at = Where(beyond.Or(before).Or(isNaN), FullLike(at, 0), at)
	inner := f0.Add(f1.Sub(f0).Mul(at))
	return Where(isNaN, x, Where(beyond, f1, Where(before, f0, inner)))
}

// interpolate does the same in one pass.
var interpolate = Kernel{
	Name: "interp", Inputs: []string{"x", "xp", "fp"}, Outputs: []string{"y"},
	Source: `int n = x_shape[0];
int first = threadgroup_position_in_grid.x * PART;
int end = min(PART, n - first);
for (int i = thread_position_in_threadgroup.x; i < end; i += THREADS) {
    T v = x[first + i];
    int place = 0;
    for (int step = HALF; step > 0; step /= 2)
        if (place + step <= COUNT && xp[place + step - 1] <= v)
            place += step;
    int left = clamp(place - 1, 0, COUNT - 2);
    T x0 = xp[left], x1 = xp[left + 1], f0 = fp[left], f1 = fp[left + 1];
    T r = f0 + (f1 - f0) * ((v - x0) / (x1 - x0));
    if (v <= x0) r = f0;
    if (v >= x1) r = f1;
    if (isnan(v)) r = v;
    y[first + i] = r;
}
`,
	Native: NewNative(func(g *Group) {
		if g.Inputs[0].Type == Float32 {
			interpGroup[float32](g)
		} else {
			interpGroup[float64](g)
		}
	}),
}

func interpByGroups(x, xp, fp *Array) *Array {
	return Custom(func(in []*Array) []*Array {
		x, m := in[0].Flatten(), in[1].Len()
		grid := searchGrid(x, m)
		grid.Inputs = []*Array{x, in[1], in[2]}
		grid.Shapes = [][]int{{x.Len()}}
		grid.Template["T"] = x.DType()
		y := interpolate.Call(grid)[0]
		return []*Array{y.Reshape(in[0].Shape()...)}
	}, func(in, _, grads []*Array) []*Array {
		return Grad(interpByTakes(in[0], in[1], in[2]).Mul(grads[0]).Sum(), in...)
	})(x, xp, fp)[0]
}
