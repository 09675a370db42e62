package layer

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/nd"
)

// Conv is the options of convolutions over one or more axes, as those of torch.nn.functional's
// conv1d, conv2d and conv3d. A slice has a number for each of these axes, or one for all.
// The zero value is a plain convolution without padding.
//
// Filters of thousands of taps are for signal.Conv, which transforms them.
type Conv struct {
	Stride   []int // elements from one position of the filter to the next; nil is 1
	Padding  []int // zeros at both ends; nil is 0. A causal layer pads x at one end with PadAxis instead
	Dilation []int // elements between taps; nil is 1
	Groups   int   // outputs of a group see only its channels; 0 is 1
}

// Apply convolves x of shape (batch, channels, ...) with filters w of shape
// (outputs, channels/Groups, taps...) and adds b of shape (outputs), which may be nil. Filters are not
// reversed, as in torch.
func (c Conv) Apply(x, w, b *nd.Array) *nd.Array {
	const op = "conv"
	g, bad := c.grid(op, x, w, b)
	if bad != nil {
		return bad
	}
	batch, channels, outputs, groups := x.Dim(0), x.Dim(1), w.Dim(0), max(1, c.Groups)
	switch {
	case channels%groups != 0 || outputs%groups != 0 || w.Dim(1) != channels/groups:
		return nd.Fail("layer", op, fmt.Errorf("x of shape %v, w of shape %v and %d groups: want (batch, channels, ...) and (outputs, channels/groups, taps...)", x.Shape(), w.Shape(), groups), x, w)
	case b != nil && b.Dim(0) != outputs:
		return nd.Fail("layer", op, fmt.Errorf("b of shape %v: want (%d)", b.Shape(), outputs), x, w, b)
	}
	out := make([]int, len(g))
	for i, a := range g {
		length := x.Dim(2+i) + 2*a.padding
		if length < a.reach() {
			return nd.Fail("layer", op, fmt.Errorf("%d elements along axis %d, with padding, are fewer than the filter reaches, %d", length, 2+i, a.reach()), x, w)
		}
		x = x.PadAxis(2+i, nd.Margin{Before: a.padding, After: a.padding}, nd.Pad{})
		out[i] = (length-a.reach())/a.stride + 1
	}
	var y *nd.Array
	if channels == groups && outputs == groups {
		y = g.depthwise(x, w, out)
	} else {
		taps := g.taps()
		columns := g.columns(x, out).Reshape(batch, groups, channels/groups*taps, -1)
		filters := w.Reshape(groups, outputs/groups, -1)
		if d, err := x.Device(); err == nil && d == nd.CPU() && outputs == groups && taps > 1 && !x.DType().IsHalf() {
			// A product of one row is a sum, for which windows are stored: its order follows from how they lie. GPUs
			// store them always.
			y = filters.BroadcastTo(groups, 2, filters.Dim(2)).MatMul(columns).SliceAxis(2, nd.Head(1))
		} else {
			y = filters.MatMul(columns)
		}
	}
	return biased(y.Reshape(append([]int{batch, outputs}, out...)...), b)
}

// Transposed is the gradient of Apply with respect to its input, as conv_transpose1d and
// its kin: x of shape (batch, channels, ...), w (channels, outputs/Groups, taps...) and b
// (outputs). more elements are computed at the end of each axis, up to Stride-1, because a convolution
// with a stride gives as many results for them; nil is 0, one number is for all axes.
func (c Conv) Transposed(x, w, b *nd.Array, more ...int) *nd.Array {
	const op = "conv.transposed"
	g, bad := c.grid(op, x, w, b)
	if bad != nil {
		return bad
	}
	batch, channels, groups := x.Dim(0), x.Dim(1), max(1, c.Groups)
	extra, err := each("more", more, len(g), 0, 0)
	switch {
	case err != nil:
	case channels%groups != 0 || w.Dim(0) != channels:
		err = fmt.Errorf("x of shape %v, w of shape %v and %d groups: want (batch, channels, ...) and (channels, outputs/groups, taps...)", x.Shape(), w.Shape(), groups)
	case b != nil && b.Dim(0) != w.Dim(1)*groups:
		err = fmt.Errorf("b of shape %v: want (%d)", b.Shape(), w.Dim(1)*groups)
	}
	outputs := w.Dim(1)
	length := make([]int, len(g))
	for i, a := range g {
		length[i] = (x.Dim(2+i)-1)*a.stride + a.reach() + extra[i] - 2*a.padding
		switch {
		case err != nil:
		case extra[i] >= a.stride && extra[i] > 0:
			err = fmt.Errorf("%d more elements along axis %d: want fewer than its stride, %d", extra[i], 2+i, a.stride)
		case length[i] < 1:
			err = fmt.Errorf("axis %d has Padding %d, which leaves %d elements", 2+i, a.padding, length[i])
		}
	}
	if err != nil {
		return nd.Fail("layer", op, err, x, w)
	}
	spatial := x.Shape()[2:]
	y := wide(w).Reshape(groups, channels/groups, -1).SwapAxes(1, 2).MatMul(wide(x).Reshape(batch, groups, channels/groups, -1))
	// Axes: batch and outputs, taps of each axis, positions of each axis. The frames of one axis after another
	// are added up, each time the first taps and positions that are left.
	y = y.Reshape(append(append([]int{batch * groups * outputs}, g.sizes()...), spatial...)...)
	for i, a := range g {
		left := len(g) - i
		order := []int{0}
		for j := 1; j < y.NDim(); j++ {
			if j != 1 && j != 1+left {
				order = append(order, j)
			}
		}
		y = y.Transpose(append(order, 1+left, 1)...)
		if a.dilation > 1 {
			shape := y.Shape()
			y = y.ExpandDims(-1).PadAxis(-1, nd.Margin{After: a.dilation - 1}, nd.Pad{})
			shape[len(shape)-1] *= a.dilation
			y = y.Reshape(shape...).SliceAxis(-1, nd.Head(a.reach()))
		}
		y = y.OverlapAdd(nd.Overlap{Hop: a.stride, Skip: a.padding, Length: length[i]})
	}
	return biased(y.Reshape(append([]int{batch, outputs * groups}, length...)...).Cast(x.DType()), b)
}

// gridAxis is how a filter moves along an axis.
type gridAxis struct{ size, stride, padding, dilation int }

// reach is how many elements a filter spans.
func (a gridAxis) reach() int { return (a.size-1)*a.dilation + 1 }

// at is the elements that a tap meets.
func (a gridAxis) at(tap, out int) nd.Range {
	from := tap * a.dilation
	return nd.Range{Start: from, Stop: from + (out-1)*a.stride + 1, Step: a.stride}
}

type grid []gridAxis

func (c Conv) grid(op string, x, w, b *nd.Array) (grid, *nd.Array) {
	if bad := usable(op, x, w); bad != nil {
		return nil, bad
	}
	if b != nil {
		if bad := usable(op, b); bad != nil {
			return nil, bad
		}
	}
	n := x.NDim() - 2
	var err error
	switch {
	case n < 1 || w.NDim() != x.NDim():
		err = fmt.Errorf("x of shape %v and w of shape %v: want (batch, channels, ...) and as many axes", x.Shape(), w.Shape())
	case b != nil && b.NDim() != 1:
		err = fmt.Errorf("b of shape %v: want (outputs)", b.Shape())
	case c.Groups < 0:
		err = fmt.Errorf("%d groups: want 1 or more", c.Groups)
	case x.Len() == 0 || w.Len() == 0:
		err = fmt.Errorf("x of shape %v and w of shape %v: want elements", x.Shape(), w.Shape())
	}
	if err != nil {
		return nil, nd.Fail("layer", op, err, x, w)
	}
	stride, err := each("Stride", c.Stride, n, 1, 1)
	padding, err2 := each("Padding", c.Padding, n, 0, 0)
	dilation, err3 := each("Dilation", c.Dilation, n, 1, 1)
	for _, err := range []error{err, err2, err3} {
		if err != nil {
			return nil, nd.Fail("layer", op, err, x, w)
		}
	}
	g := make(grid, n)
	for i := range g {
		g[i] = gridAxis{w.Dim(2 + i), stride[i], padding[i], dilation[i]}
	}
	return g, nil
}

// most bounds what an axis can be told, so that sums of a few do not overflow.
const most = 1 << 30

// each is a number for each of n axes.
func each(name string, v []int, n, least, otherwise int) ([]int, error) {
	switch len(v) {
	case 0:
		v = []int{otherwise}
		fallthrough
	case 1:
		all := make([]int, n)
		for i := range all {
			all[i] = v[0]
		}
		v = all
	case n:
	default:
		return nil, fmt.Errorf("%s %v: want one number, or one for each of %d axes", name, v, n)
	}
	for _, k := range v {
		if k < least || k > most {
			return nil, fmt.Errorf("%s %v: want numbers from %d to %d", name, v, least, most)
		}
	}
	return v, nil
}

func (g grid) taps() int {
	n := 1
	for _, a := range g {
		n *= a.size
	}
	return n
}

func (g grid) sizes() []int {
	s := make([]int, len(g))
	for i, a := range g {
		s[i] = a.size
	}
	return s
}

// met is the elements of x that each tap meets, tap after tap.
func (g grid) met(x *nd.Array, out []int) []*nd.Array {
	list := []*nd.Array{x}
	for i, a := range g {
		var next []*nd.Array
		for _, v := range list {
			for tap := range a.size {
				next = append(next, v.SliceAxis(2+i, a.at(tap, out[i])))
			}
		}
		list = next
	}
	return list
}

// columns is x with axes of taps after the channels: (batch, channels, taps..., positions...). It is a view, which matrix
// products read as it is, but for two axes or more with strides, or of 16 bits.
func (g grid) columns(x *nd.Array, out []int) *nd.Array {
	if len(g) == 1 && g[0].stride > 1 {
		a := g[0]
		return x.Frames(a.reach(), a.stride).SliceAxis(-1, nd.Range{Stop: nd.End, Step: a.dilation}).SwapAxes(-1, -2)
	}
	if len(g) > 1 && (x.DType().IsHalf() || slices.ContainsFunc(g, func(a gridAxis) bool { return a.stride > 1 })) {
		return nd.Stack(2, g.met(x, out)...)
	}
	order := []int{0, 1}
	for i, a := range g {
		axis := 2 + 2*i                        // those before it are two each by now: taps and positions
		x = x.Frames(out[i], a.dilation, axis) // every frame is what a tap meets: long rows, which are fast to copy and to add up
		order = append(order, axis)
	}
	for i := range g {
		order = append(order, 3+2*i)
	}
	return x.Transpose(order...)
}

// depthwise sums products of every channel with its own filter: a product of matrices of one row each is slow.
func (g grid) depthwise(x, w *nd.Array, out []int) *nd.Array {
	shape := []int{w.Dim(0)}
	for range g {
		shape = append(shape, 1)
	}
	w = w.Reshape(w.Dim(0), -1)
	var y *nd.Array
	for tap, v := range g.met(x, out) {
		p := v.Mul(w.SliceAxis(1, nd.Between(tap, tap+1)).Reshape(shape...))
		if y == nil {
			y = p
		} else {
			y = y.Add(p)
		}
	}
	return y
}

// biased adds a number for each channel, the second axis.
func biased(y, b *nd.Array) *nd.Array {
	if b == nil {
		return y
	}
	return y.Add(alongChannels(b, y))
}

// alongChannels is numbers for the second axis of x.
func alongChannels(b, x *nd.Array) *nd.Array {
	shape := []int{b.Dim(0)}
	for range x.NDim() - 2 {
		shape = append(shape, 1)
	}
	return b.Reshape(shape...)
}
