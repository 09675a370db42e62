package signal

import (
	"slices"

	"github.com/twiddle-go/twiddle/fft"
	"github.com/twiddle-go/twiddle/internal/choice"
	"github.com/twiddle-go/twiddle/nd"
)

// Method is how a convolution is computed.
type Method uint8

const (
	AutoMethod   Method = iota // whichever should be faster
	DirectMethod               // sums of products: exact where elements are far apart in size
	FFTMethod                  // by transforms of all of it
	BlockMethod                // by transforms of blocks, as scipy.signal.oaconvolve: for arrays of very different sizes
)

var methodNames = [...]string{"auto", "direct", "fft", "blocks"}

func (m Method) String() string { return choice.Name(m, "Method", methodNames[:]) }

// ParseMethod is the method of a name: auto, direct, fft or blocks.
func ParseMethod(name string) (Method, error) {
	return choice.Parse[Method]("signal", "method", name, methodNames[:])
}

// Convolve is the options of convolution and correlation over several axes, real or
// complex, as scipy.signal.convolve, convolve2d, fftconvolve, oaconvolve and correlate.
// The zero value is the full convolution over all axes.
type Convolve struct {
	// Mode is Full, which is the default, Same, as large as x, or Valid. For one
	// that wraps around see Conv.
	Mode   Mode
	Method Method
	// Axes are those that are convolved; the others broadcast. nil is all, of x
	// and k with as many axes.
	Axes []int
}

// Apply convolves x with k.
func (c Convolve) Apply(x, k *nd.Array) *nd.Array { return c.apply("convolve", x, k, false) }

// Correlate is the cross-correlation: k is conjugated and not turned around.
func (c Convolve) Correlate(x, k *nd.Array) *nd.Array { return c.apply("correlate", x, k, true) }

func (c Convolve) apply(op string, x, k *nd.Array, correlate bool) *nd.Array {
	if bad := unusable(op, x, k); bad != nil {
		return bad
	}
	axes, bad := c.axes(op, x, k)
	if bad != nil {
		return bad
	}
	if t := x.DType(); t.IsHalf() {
		return c.apply(op, single(x), single(k), correlate).Cast(t)
	}
	mode := c.Mode.or(Full)
	// The axes that are convolved come last.
	x, k = lastAxes(x, axes), lastAxes(k, axes)
	if correlate {
		for i := range axes {
			k = k.Flip(-1 - i)
		}
		k = k.Conj()
	}
	n := len(axes)
	a, b := x.Shape()[x.NDim()-n:], k.Shape()[k.NDim()-n:]
	from, to := make([]int, n), make([]int, n)
	for i := range axes {
		from[i], to[i] = span(mode, a[i], b[i])
	}
	if mode == Valid && !covers(a, b) && !covers(b, a) {
		return fail(op, "x of shape %v and k of shape %v: valid wants one at least as large as the other along every axis", x.Shape(), k.Shape())(x, k)
	}
	var y *nd.Array
	method := c.Method
	if method == AutoMethod {
		method = fastest(a, b, from, to)
	}
	switch method {
	case DirectMethod:
		y = convolveDirect(x, k, from, to, n)
	case BlockMethod:
		y = convolveBlocks(op, x, k, from, to, n)
	default:
		y = convolveFFT(op, x, k, from, to, n)
	}
	if y.Err() != nil {
		return y
	}
	return firstAxes(y, axes)
}

// covers reports sizes that are at least as large as others.
func covers(a, b []int) bool {
	for i := range a {
		if a[i] < b[i] {
			return false
		}
	}
	return true
}

// axes checks the arguments and gives the axes, from the first on.
func (c Convolve) axes(op string, x, k *nd.Array) ([]int, *nd.Array) {
	for _, a := range []struct {
		name string
		*nd.Array
	}{{"x", x}, {"k", k}} {
		if t := a.DType(); !t.IsFloat() && !t.IsComplex() {
			return nil, fail(op, "%s is %s: want a float or a complex dtype", a.name, t)(x, k)
		}
	}
	switch {
	case x.DType() != k.DType():
		return nil, fail(op, "x is %s, k is %s: want one dtype, use Cast", x.DType(), k.DType())(x, k)
	case x.NDim() != k.NDim() || x.NDim() == 0:
		return nil, fail(op, "x of shape %v and k of shape %v: want as many axes, and one or more", x.Shape(), k.Shape())(x, k)
	case c.Mode != DefaultMode && c.Mode != Full && c.Mode != Same && c.Mode != Valid:
		return nil, fail(op, "mode %s: want full, same or valid", c.Mode)(x, k)
	case int(c.Method) >= len(methodNames):
		return nil, fail(op, "unknown method %d: want one of %v", c.Method, methodNames)(x, k)
	}
	var axes []int
	if c.Axes == nil {
		for i := range x.NDim() {
			axes = append(axes, i)
		}
	}
	for _, a := range c.Axes {
		at, err := nd.Axis(a).Of(x)
		if err != nil {
			return nil, nd.Fail("signal", op, err, x, k)
		}
		if slices.Contains(axes, at) {
			return nil, fail(op, "axis %d twice", a)(x, k)
		}
		axes = append(axes, at)
	}
	slices.Sort(axes)
	if len(axes) == 0 {
		return nil, fail(op, "no axes")(x, k)
	}
	for i := range x.NDim() {
		p, q := x.Dim(i), k.Dim(i)
		if slices.Contains(axes, i) {
			if p == 0 || q == 0 {
				return nil, fail(op, "x of shape %v and k of shape %v: no elements along axis %d", x.Shape(), k.Shape(), i)(x, k)
			}
		} else if p != q && p != 1 && q != 1 {
			return nil, fail(op, "x of shape %v and k of shape %v do not broadcast along axis %d", x.Shape(), k.Shape(), i)(x, k)
		}
	}
	return axes, nil
}

// Up to so many products for an output are cheaper than transforms, of blocks of a line or of
// an image: 9 take 0.7 of the time and 16 1.1 in a line of a million samples, 25 0.9 and 49
// 1.3 in an image of 256 x 256 (two cores with AVX-512, float64).
const fewProducts, fewProductsOfImages = 12, 32

// longLine is from how many samples on blocks are cheaper than a transform of all of a line:
// 0.3 to 0.9 of the time at 10,000, less than a quarter at 100,000. Images gain nothing.
const longLine = 8192

// fastest is the method for arrays of sizes a and b, and outputs from from to to.
func fastest(a, b, from, to []int) Method {
	line := len(a) == 1
	few := fewProductsOfImages
	if line {
		few = fewProducts
	}
	products, outputs, all := 1, 1, 1
	for i := range a {
		products *= min(a[i], b[i])
		outputs *= to[i] - from[i]
		all *= a[i] + b[i]
	}
	switch {
	case products*outputs <= few*all:
		return DirectMethod
	case line && max(a[0], b[0]) >= max(longLine, 2*blockRatio*min(a[0], b[0])):
		return BlockMethod
	}
	return FFTMethod
}

// mostShifts is for how many products for an output each is an operation of one pass: more
// would make a long program. Up to mostPasses passes add up more of them: 101 taps over 220500
// float64 take 3.0 ms that windows take 32 for, 1000 taps 32 instead of 150, and an image of 512 x 512 float32
// by 15 x 15 10 instead of 125 (SciPy's lines: 3.2 and 18.6 ms).
const (
	mostShifts = 64
	mostPasses = 16
)

// convolveDirect is sums of products over windows of the larger array.
func convolveDirect(x, k *nd.Array, from, to []int, n int) *nd.Array {
	a, b := x.Shape()[x.NDim()-n:], k.Shape()[k.NDim()-n:]
	large, small := x, k
	if covers(b, a) && !covers(a, b) {
		large, small = k, x
		a, b = b, a
	}
	// Output i is the sum over j of small[j] large[i-j]: zeros around, then the
	// windows that end at i.
	for i := range n {
		axis := large.NDim() - n + i
		large = large.PadAxis(axis, nd.Margin{Before: max(0, b[i]-1-from[i]), After: max(0, to[i]-a[i])}, nd.Pad{})
		if skip := from[i] - (b[i] - 1); skip > 0 {
			large = large.SliceAxis(axis, nd.Range{Start: skip, Stop: nd.End})
		}
		if need := to[i] - from[i] + b[i] - 1; large.Dim(axis) > need {
			large = large.SliceAxis(axis, nd.Range{Stop: need})
		}
	}
	if count := size(small, n); count <= mostPasses*mostShifts {
		y := convolveShifts(large, small, n, 0, min(count, mostShifts))
		for first := mostShifts; first < count; first += mostShifts {
			y = y.Add(convolveShifts(large, small, n, first, min(count, first+mostShifts)))
		}
		return y
	}
	// (..., rows, cols) becomes (..., rows, cols, window rows, window cols).
	for i := range n {
		axis := large.NDim() - i - (n - i)
		large = large.Frames(b[i], 1, axis)
		large = moveAxis(large, axis+1, large.NDim()-1)
	}
	for i := range n {
		small = small.Flip(-1 - i)
	}
	shape := small.Shape()
	lead := slices.Clone(shape[:len(shape)-n])
	small = small.Reshape(slices.Concat(lead, slices.Repeat([]int{1}, n), shape[len(shape)-n:])...)
	over := make([]int, n)
	for i := range over {
		over[i] = -1 - i
	}
	return large.Mul(small).Sum(over...)
}

// convolveShifts adds up views of the larger array, each multiplied by its element of the
// smaller one from first to end-1, in one pass over memory.
func convolveShifts(large, small *nd.Array, n, first, end int) *nd.Array {
	rank := large.NDim()
	taps := small.Shape()[rank-n:]
	at, views, factors := make([]int, n), make([]nd.Range, rank), make([]nd.Range, rank)
	for i := range rank {
		views[i], factors[i] = nd.All, nd.All
	}
	var y *nd.Array
	for term := first; term < end; term++ {
		for i, rest := n-1, term; i >= 0; i-- {
			at[i], rest = rest%taps[i], rest/taps[i]
			axis := rank - n + i
			views[axis] = nd.Between(taps[i]-1-at[i], large.Dim(axis)-at[i])
			factors[axis] = nd.Between(at[i], at[i]+1)
		}
		product := large.Slice(views...).Mul(small.Slice(factors...))
		if y == nil {
			y = product
		} else {
			y = y.Add(product)
		}
	}
	return y
}

// convolveFFT is a product of spectra.
func convolveFFT(op string, x, k *nd.Array, from, to []int, n int) *nd.Array {
	real := !x.DType().IsComplex()
	size, axes := make([]int, n), make([]int, n)
	for i := range n {
		axes[i] = -n + i
		full := x.Dim(-n+i) + k.Dim(-n+i) - 1
		fast, err := fft.NextFastLen(full)
		if real && i == n-1 {
			fast, err = fft.NextFastRealLen(full)
		}
		if err != nil {
			return nd.Fail("signal", op, err, x, k)
		}
		size[i] = fast
	}
	o := nd.FFTN{Shape: size, Axes: axes}
	var y *nd.Array
	if real {
		y = x.RFFTN(o).Mul(k.RFFTN(o)).IRFFTN(o)
	} else {
		y = x.FFTN(o).Mul(k.FFTN(o)).IFFTN(o)
	}
	for i := range n {
		y = y.SliceAxis(-n+i, nd.Range{Start: from[i], Stop: to[i]})
	}
	return y
}

// lastAxes brings axes to the end, in their order; firstAxes puts them back.
func lastAxes(x *nd.Array, axes []int) *nd.Array { return x.Transpose(orderOf(x.NDim(), axes)...) }

func firstAxes(x *nd.Array, axes []int) *nd.Array {
	order := orderOf(x.NDim(), axes)
	back := make([]int, len(order))
	for i, a := range order {
		back[a] = i
	}
	return x.Transpose(back...)
}

func orderOf(rank int, axes []int) []int {
	var order []int
	for i := range rank {
		if !slices.Contains(axes, i) {
			order = append(order, i)
		}
	}
	return append(order, axes...)
}
