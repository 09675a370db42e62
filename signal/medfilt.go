package signal

import (
	"slices"
	"sort"

	"github.com/twiddle-go/twiddle/nd"
)

var median = kernel("median", []string{"x"}, []string{"y"}, nativeMedian)

// MedFilt is the median of size samples around each, zeros beyond the ends, along
// an axis, the last unless one is given, as scipy.signal.medfilt of a line. size
// is odd.
func MedFilt(x *nd.Array, size int, axis ...nd.AxisChoice) *nd.Array {
	const op = "medfilt"
	l, bad := along(op, x, first(axis), false)
	if bad != nil {
		return bad
	}
	if size < 1 || size%2 == 0 {
		return fail(op, "size %d: want an odd number", size)(x)
	}
	if size == 1 {
		return x
	}
	if err := checkSize("size", size); err != nil {
		return nd.Fail("signal", op, err, x)
	}
	n := l.Dim(-1)
	lines := l.Len() / n
	y := median.Call(nd.Launch{Inputs: []*nd.Array{l.Reshape(lines, n)}, Shapes: [][]int{{lines, n}}, Whole: true,
		Grid: [3]int{n, lines}, Threadgroup: [3]int{min(n, medianRun)}, Template: map[string]any{"SIZE": size, "T": x.DType()}})[0]
	return l.back(y.Reshape(l.Shape()...))
}

// medianRun is how many outputs of a line a threadgroup makes: enough that the
// window which slides over them costs little to fill.
const medianRun = 1024

// nativeMedian is body/median: a sorted window slides along the line.
func nativeMedian(g *nd.Group) {
	if g.Inputs[0].Type == nd.Float64 {
		slideMedian[float64](g)
		return
	}
	slideMedian[float32](g)
}

func slideMedian[T float32 | float64](g *nd.Group) {
	n, size := g.Inputs[0].Shape[1], g.Constant("SIZE")
	at := g.Position[1] * n
	x, y := nd.Elements[T](g.Inputs[0])[at:at+n], nd.Elements[T](g.Outputs[0])[at:at+n]
	run := min(n, medianRun)
	from := g.Position[0] * run
	to, half := min(from+run, n), size/2
	sample := func(i int) T {
		if i < 0 || i >= n {
			return 0
		}
		return x[i]
	}
	window := make([]T, 0, size)
	for i := from - half; i <= from+half; i++ {
		window = append(window, sample(i))
	}
	slices.Sort(window)
	for i := from; ; {
		y[i] = window[half]
		if i++; i == to {
			return
		}
		replace(window, sample(i-half-1), sample(i+half))
	}
}

// replace takes a value out of a sorted list and puts another one in.
func replace[T float32 | float64](list []T, old, v T) {
	if old == v {
		return
	}
	i := sort.Search(len(list), func(i int) bool { return list[i] >= old })
	if i == len(list) { // a NaN: the order is lost
		i = 0
	}
	for ; i+1 < len(list) && list[i+1] < v; i++ {
		list[i] = list[i+1]
	}
	for ; i > 0 && list[i-1] > v; i-- {
		list[i] = list[i-1]
	}
	list[i] = v
}

// Wiener takes noise off by how much samples differ around each, over windows of
// the given sizes along the last axes, odd ones, as scipy.signal.wiener. noise is
// its power; 0 is the mean of what is found.
func Wiener(x *nd.Array, noise float64, sizes ...int) *nd.Array {
	const op = "wiener"
	if bad := unusable(op, x); bad != nil {
		return bad
	}
	if len(sizes) == 0 {
		sizes = slices.Repeat([]int{3}, x.NDim())
	}
	if t := x.DType(); t != nd.Float32 && t != nd.Float64 {
		return fail(op, "x is %s: want float32 or float64", t)(x)
	}
	if len(sizes) > x.NDim() || x.Len() == 0 {
		return fail(op, "%d sizes for x of shape %v", len(sizes), x.Shape())(x)
	}
	product := 1
	for _, s := range sizes {
		if s < 1 || s%2 == 0 {
			return fail(op, "sizes %v: want odd numbers", sizes)(x)
		}
		product *= s
	}
	local := func(a *nd.Array) *nd.Array {
		for i, s := range sizes {
			axis := a.NDim() - len(sizes) + i
			a = a.PadAxis(axis, nd.Margin{Before: s / 2, After: s / 2}, nd.Pad{}).Frames(s, 1, axis).Sum(axis + 1)
		}
		return a.DivScalar(float64(product))
	}
	mean := local(x)
	variance := local(x.Mul(x)).Sub(mean.Mul(mean))
	var power *nd.Array
	if noise == 0 {
		power = variance.Mean().BroadcastTo(x.Shape()...)
	} else {
		power = nd.FullLike(x, noise)
	}
	kept := nd.FullLike(x, 1).Sub(power.Div(variance)).Mul(x.Sub(mean)).Add(mean)
	return nd.Where(variance.Less(power), mean, kept)
}
