package signal

import (
	"math"
	"slices"

	"github.com/twiddle-go/twiddle/internal/simd"
	medians "github.com/twiddle-go/twiddle/internal/simd/median"
	"github.com/twiddle-go/twiddle/nd"
)

var median = kernel("median", []string{"x"}, []string{"y"}, nativeMedian)

// MedFilt is the median of a window around each element, zeros beyond the ends, as
// scipy.signal.medfilt. sizes are of the window along the last axes, odd numbers:
// MedFilt(x, 5) is along lines, MedFilt(x, 3, 3) over images, MedFilt(x, 5, 1) along
// columns. At most three may be above 1, in neighbouring axes.
func MedFilt(x *nd.Array, sizes ...int) *nd.Array {
	const op = "medfilt"
	if bad := unusable(op, x); bad != nil {
		return bad
	}
	x = single(x)
	if err := checkWindow(x, sizes); err != nil {
		return nd.Fail("signal", op, err, x)
	}
	// Sizes of 1 behind the others are an axis that comes first.
	first, last := len(sizes), 0
	for i, s := range sizes {
		if s > 1 {
			first, last = min(first, i), i
		}
	}
	if first == len(sizes) || x.Len() == 0 {
		return x
	}
	if last-first > 2 {
		return fail(op, "sizes %v: want at most three neighbouring axes", sizes)(x)
	}
	at := make([]int, last-first+1)
	for i := range at {
		at[i] = x.NDim() - len(sizes) + first + i
	}
	moved := lastAxes(x, at)
	d, s := [3]int{1, 1, 1}, [3]int{1, 1, 1}
	for i, axis := range at {
		d[3-len(at)+i], s[3-len(at)+i] = x.Dim(axis), sizes[first+i]
	}
	rows := x.Len() / d[2]
	y := median.Call(nd.Launch{Inputs: []*nd.Array{moved.Reshape(rows, d[2])}, Shapes: [][]int{{rows, d[2]}}, Whole: true,
		Grid: [3]int{d[2], rows}, Threadgroup: [3]int{min(d[2], medianRun)},
		Template: map[string]any{"D0": d[0], "D1": d[1], "D2": d[2], "S0": s[0], "S1": s[1], "S2": s[2], "T": x.DType()}})[0]
	return firstAxes(y.Reshape(moved.Shape()...), at)
}

// checkWindow checks sizes of a window over the last axes of an array of floats.
func checkWindow(x *nd.Array, sizes []int) error {
	if t := x.DType(); t != nd.Float32 && t != nd.Float64 {
		return fact("x is %s: want float32 or float64", t)
	}
	if len(sizes) == 0 || len(sizes) > x.NDim() {
		return fact("%d sizes for x of shape %v", len(sizes), x.Shape())
	}
	product := 1
	for _, s := range sizes {
		if s < 1 || s%2 == 0 {
			return fact("sizes %v: want odd numbers", sizes)
		}
		if s > 1<<20/product {
			return fact("sizes %v: want a window of up to %d elements", sizes, 1<<20)
		}
		product *= s
	}
	return nil
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

var medianOf = medians.For(simd.Active())

func slideMedian[T float32 | float64](g *nd.Group) {
	n := g.Inputs[0].Shape[1]
	run := min(n, medianRun)
	from := g.Position[0] * run
	to := min(from+run, n)
	y := nd.Elements[T](g.Outputs[0])[g.Position[1]*n:][from:to]
	x := nd.Elements[T](g.Inputs[0])
	size := g.Constant("S2")
	rows := windowRows(g)
	_, single := any(x).([]float32)
	if len(rows)*size <= mostColumns(len(rows), single) && medianOfColumns(y, x, rows, from, n, size) {
		return
	}
	// part is samples of a row from which the window is filled.
	part := make([]float64, len(y)+size-1)
	fill := func(row int) {
		clear(part)
		if inside, at := covered(x, row, from, n, size, len(part)); len(inside) > 0 {
			widen(part[at:], inside)
		}
	}
	if len(rows) == 1 {
		fill(rows[0])
		if out, ok := any(y).([]float64); ok {
			medianOf(out, part, size)
			return
		}
		out := make([]float64, len(y))
		medianOf(out, part, size)
		put(y, out)
		return
	}
	// Keys of column i of the window's rows are together: they go in and out at once.
	keys := make([]int64, len(part)*len(rows))
	for r, row := range rows {
		fill(row)
		for i, v := range part {
			keys[i*len(rows)+r] = medians.Key(v)
		}
	}
	window := slices.Clone(keys[:size*len(rows)])
	slices.Sort(window)
	for i := range y {
		if i > 0 {
			for r := range rows {
				medians.Replace(window, keys[(i-1)*len(rows)+r], keys[(i-1+size)*len(rows)+r])
			}
		}
		y[i] = T(medians.OfKey(window[len(window)/2]))
	}
}

// covered is the samples of a row of n that windows of some size reach, which begin at from, and
// how many zeros are before them. There are none in row -1.
func covered[T any](x []T, row, from, n, size, length int) (inside []T, at int) {
	start := from - size/2
	low, high := max(start, 0), min(start+length, n)
	if row < 0 || low >= high {
		return nil, 0
	}
	return x[row*n:][low:high], low - start
}

// mostColumns is the largest window whose median is that of columns, in vectors: larger ones take
// less time sorted, sliding along a row. Measured on Sapphire Rapids.
func mostColumns(rows int, single bool) int {
	switch level := simd.Active(); {
	case rows > 1 && level == simd.Portable:
		return 15
	case rows > 1:
		return 49
	case level == simd.AVX512 && single:
		return 9
	case level == simd.AVX512:
		return 3
	case level == simd.Portable:
		return 5
	}
	return 15
}

// medianOfColumns gives the medians at y, or reports that there is a NaN.
func medianOfColumns[T float32 | float64](y, x []T, rows []int, from, n, size int) bool {
	length := len(y) + size - 1
	parts := make([]T, len(rows)*length)
	columns := make([][]T, 0, len(rows)*size)
	for r, row := range rows {
		part := parts[r*length:][:length]
		inside, at := covered(x, row, from, n, size, length)
		copy(part[at:], inside)
		for i := range size {
			columns = append(columns, part[i:][:len(y)])
		}
	}
	var largest T
	if v, ok := any(parts).([]float64); ok {
		largest = T(vectors.F64.Largest(v))
	} else {
		largest = T(vectors.F32.Largest(any(parts).([]float32)))
	}
	if largest != largest {
		return false
	}
	switch y := any(y).(type) {
	case []float64:
		medians.Columns(&vectors.F64, y, any(columns).([][]float64))
	case []float32:
		medians.Columns(&vectors.F32, y, any(columns).([][]float32))
	}
	return true
}

// widen copies samples as float64.
func widen[T float32 | float64](dst []float64, x []T) {
	if v, ok := any(x).([]float64); ok {
		copy(dst, v)
		return
	}
	vectors.Convert.F64FromF32(dst[:len(x)], any(x).([]float32), false)
}

// windowRows is the rows that the window of a group covers; -1 is one of zeros.
func windowRows(g *nd.Group) []int {
	d0, d1, s0, s1 := g.Constant("D0"), g.Constant("D1"), g.Constant("S0"), g.Constant("S1")
	row := g.Position[1]
	i0, i1 := row/d1%d0, row%d1
	var rows []int
	for a := range s0 {
		for b := range s1 {
			p, q := i0+a-s0/2, i1+b-s1/2
			if p < 0 || p >= d0 || q < 0 || q >= d1 {
				rows = append(rows, -1)
			} else {
				rows = append(rows, row+(p-i0)*d1+q-i1)
			}
		}
	}
	return rows
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
	x = single(x)
	if err := checkWindow(x, sizes); err != nil {
		return nd.Fail("signal", op, err, x)
	}
	if !(noise >= 0) || math.IsInf(noise, 0) {
		return fail(op, "noise %g: want a positive number, or 0 for the mean of what is found", noise)(x)
	}
	if x.Len() == 0 {
		return x
	}
	product := 1
	for _, s := range sizes {
		product *= s
	}
	// What is beyond the ends is added once, for both sums.
	padded := x
	for i, s := range sizes {
		padded = padded.PadAxis(x.NDim()-len(sizes)+i, nd.Margin{Before: s / 2, After: s / 2}, nd.Pad{})
	}
	local := func(a *nd.Array) *nd.Array {
		for i, s := range sizes {
			axis := a.NDim() - len(sizes) + i
			if s > mostShifts {
				a = a.Frames(s, 1, axis).Sum(axis + 1)
				continue
			}
			n, all := x.Dim(axis), a
			a = all.SliceAxis(axis, nd.Head(n))
			for at := 1; at < s; at++ {
				a = a.Add(all.SliceAxis(axis, nd.Between(at, at+n)))
			}
		}
		return a.DivScalar(float64(product))
	}
	// A variance is the mean of squares less the square of the mean, which cancel where samples are
	// far from 0 and near one another. So both are of distances from the mean of all that is finite.
	axes := make([]int, len(sizes))
	for i := range axes {
		axes[i] = x.NDim() - len(sizes) + i
	}
	centre := nd.Where(x.Sub(x).IsNaN(), nd.FullLike(x, 0), x).Keep(axes...).Mean()
	near := padded.Sub(centre)
	middle := local(near)
	mean := middle.Add(centre)
	variance := local(near.Mul(near)).Sub(middle.Mul(middle))
	var power *nd.Array
	if noise == 0 {
		power = variance.Mean().BroadcastTo(x.Shape()...)
	} else {
		power = nd.FullLike(x, noise)
	}
	kept := nd.FullLike(x, 1).Sub(power.Div(variance)).Mul(x.Sub(mean)).Add(mean)
	return nd.Where(variance.LessEqual(power), mean, kept) // also where both are 0
}
