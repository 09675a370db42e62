package nd_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/nd"
)

// what describes an Array: "dtype shape", or the error without its site.
func what(a *nd.Array) string {
	if err := a.Err(); err != nil {
		text, _, _ := strings.Cut(err.Error(), " (at ")
		return text
	}
	return fmt.Sprint(a.DType(), " ", a.Shape())
}

func TestShapes(t *testing.T) {
	x := nd.Zeros(nd.Float32, 8, 64)
	d := nd.Zeros(nd.Float64, 8, 64)
	z := nd.Zeros(nd.Complex64, 8, 64)
	i := nd.Zeros(nd.Int64, 8, 3)
	u := nd.Zeros(nd.Uint8, 5)
	flags := nd.Zeros(nd.Bool, 8, 64)
	half := nd.Zeros(nd.Float16, 8, 64)
	empty := nd.Zeros(nd.Float32, 3, 0)
	one := nd.Ones(nd.Float32)
	cube := nd.Zeros(nd.Float32, 2, 3, 4)
	values, positions := x.TopK(3, -1)
	noValues, noPositions := x.TopK(0, 1)
	badValues, badPositions := x.TopK(65, 1)
	complexTop, _ := z.TopK(1, 0)

	tests := []struct {
		name string
		got  *nd.Array
		want string
	}{
		// Making.
		{"from", nd.From([]float32{1, 2, 3}), "float32 [3]"},
		{"from shape", nd.From([]int32{1, 2, 3, 4}, 2, -1), "int32 [2 2]"},
		{"from nothing", nd.From([]bool(nil)), "bool [0]"},
		{"from nothing shaped", nd.From([]nd.BF16{}, 3, 0), "bfloat16 [3 0]"},
		{"from one", nd.From([]complex64{1i}, 1, 1), "complex64 [1 1]"},
		{"from wrong", nd.From([]float32{1, 2, 3}, 2, 2), "nd: from: 3 elements do not fill shape [2 2]"},
		{"from negative", nd.From([]float32{1, 2, 3}, -3), "nd: from: negative dimension in shape [-3]"},
		{"from overflow", nd.From([]float32{1}, math.MaxInt, math.MaxInt), "nd: from: shape [9223372036854775807 9223372036854775807] has too many elements"},
		{"scalar", nd.Scalar(2.5), "float64 []"},
		{"scalar bool", nd.Scalar(true), "bool []"},
		{"zeros", nd.Zeros(nd.Uint32, 2, 0), "uint32 [2 0]"},
		{"zeros huge", nd.Zeros(nd.Uint8, math.MaxInt/2+1, math.MaxInt/2+1), fmt.Sprintf("nd: zeros: shape [%d %[1]d] has too many elements", math.MaxInt/2+1)},
		{"ones", nd.Ones(nd.BFloat16), "bfloat16 []"},
		{"ones untyped", nd.Ones(nd.DType(0), 2), "nd: ones: invalid is not a dtype: want one before the shape"},
		{"full", nd.Full(1i, nd.Complex128, 4), "complex128 [4]"},
		{"full untyped", nd.Full(1.5, 64, 4), "nd: full: DType(64) is not a dtype: want one before the shape"},
		{"full fraction", nd.Full(1.5, nd.Int32, 4), "nd: full: constant 1.5 does not fit int32"},
		{"full like", nd.FullLike(x, 2), "float32 [8 64]"},
		{"arange", nd.Arange[float32](0, 1, 0.25), "float32 [4]"},
		{"arange down", nd.Arange[int32](5, 0, -2), "int32 [3]"},
		{"arange unsigned", nd.Arange[uint8](250, 255, 2), "uint8 [3]"},
		{"arange none", nd.Arange[int64](5, 5, -2), "int64 [0]"},
		{"arange away", nd.Arange(5.0, 9, -2), "float64 [0]"},
		{"arange still", nd.Arange[int64](0, 5, 0), "nd: arange: no steps of 0 from 0 to 5"},
		{"arange still float", nd.Arange(0.0, 5, 0), "nd: arange: no steps of 0 from 0 to 5"},
		{"arange nan", nd.Arange(0, math.NaN(), 1), "nd: arange: no steps of 1 from 0 to NaN"},
		{"arange inf", nd.Arange(0, math.Inf(1), 1), "nd: arange: too many steps of 1 from 0 to +Inf"},
		{"arange far", nd.Arange[int64](math.MinInt64, math.MaxInt64, 1), "nd: arange: too many steps of 1 from -9223372036854775808 to 9223372036854775807"},
		{"arange strides", nd.Arange[int64](math.MinInt64, math.MaxInt64, math.MaxInt64), "int64 [3]"},
		{"arange backwards", nd.Arange[int64](math.MaxInt64, math.MinInt64, math.MinInt64), "int64 [2]"},
		{"linspace", nd.Linspace[float32](0, 1, 5), "float32 [5]"},
		{"linspace none", nd.Linspace(0.0, 1, 0), "float64 [0]"},
		{"linspace negative", nd.Linspace(0.0, 1, -1), "nd: linspace: -1 numbers"},
		{"eye", nd.Eye(nd.Bool, 4), "bool [4 4]"},
		{"eye negative", nd.Eye(nd.Float32, -1), "nd: eye: negative dimension in shape [-1 -1]"},

		// Random.
		{"uniform", nd.Uniform(1, nd.Float16, 2, 3), "float16 [2 3]"},
		{"uniform int", nd.Uniform(1, nd.Int32, 2, 3), "nd: uniform: dtype int32: want a float dtype"},
		{"normal", nd.Normal(1, nd.Float64), "float64 []"},
		{"normal complex", nd.Normal(1, nd.Complex64, 3), "nd: normal: dtype complex64: want a float dtype"},
		{"randint", nd.Randint(1, -3, 4, nd.Int32, 5), "int32 [5]"},
		{"randint full", nd.Randint(1, 0, 256, nd.Uint8, 5), "uint8 [5]"},
		{"randint past", nd.Randint(1, 0, 257, nd.Uint8, 5), "nd: randint: bounds [0, 257) are not in uint8"},
		{"randint empty", nd.Randint(1, 4, 4, nd.Int32, 5), "nd: randint: bounds [4, 4) are empty"},
		{"randint float", nd.Randint(1, 0, 4, nd.Float32, 5), "nd: randint: dtype float32: want an integer dtype"},
		{"permutation", nd.Permutation(1, 10), "int64 [10]"},
		{"permutation negative", nd.Permutation(1, -1), "nd: permutation: negative dimension in shape [-1]"},

		// Element by element.
		{"add", x.Add(nd.Zeros(nd.Float32, 64)), "float32 [8 64]"},
		{"add mixed", x.Add(d), "nd: add: dtypes [float32 float64]: want one dtype; nothing is promoted, use Cast"},
		{"mul by real", x.Cast(nd.Complex64).Mul(x), "nd: mul: dtypes [complex64 float32]: want one dtype; nothing is promoted, use MulReal (by 1/y to divide) or Cast"},
		{"add shapes", x.Add(nd.Zeros(nd.Float32, 3)), "nd: add: shapes [8 64] and [3] do not broadcast"},
		{"add bool", flags.Add(flags), "nd: add: dtypes [bool bool]: want a number"},
		{"add scalar", u.AddScalar(255), "uint8 [5]"},
		{"add scalar big", u.AddScalar(256), "nd: add: constant 256 overflows uint8"},
		{"add scalar fraction", u.AddScalar(0.5), "nd: add: constant 0.5 does not fit uint8"},
		{"add scalar complex", x.AddScalar(1i), "nd: add: constant (0+1i) does not fit float32"},
		{"add scalar text", x.AddScalar("1"), "nd: add: constant of type string is not a number"},
		{"add scalar nil", x.AddScalar(nil), "nd: add: constant of type <nil> is not a number"},
		{"mul scalar complex", z.MulScalar(2i), "complex64 [8 64]"},
		{"mul nan", x.MulScalar(math.NaN()), "float32 [8 64]"},
		{"mul nan int", i.MulScalar(math.NaN()), "nd: mul: constant NaN does not fit int64"},
		{"pow", x.PowScalar(2), "float32 [8 64]"},
		{"rem complex", z.Rem(z), "nd: rem: dtypes [complex64 complex64]: want a real dtype"},
		{"exp int", i.Exp(), "nd: exp: dtype int64: want a float or complex dtype"},
		{"erf complex", z.Erf(), "nd: erf: dtype complex64: want a float dtype"},
		{"abs complex", z.Abs(), "float32 [8 64]"},
		{"abs empty", empty.Abs(), "float32 [3 0]"},
		{"clip", x.Clip(0, nil), "float32 [8 64]"},
		{"clip wrong", u.Clip(-1, 9), "nd: clip: constant -1 overflows uint8"},
		{"clip nothing", x.Clip(nil, nil), "float32 [8 64]"},
		{"cast", x.Cast(nd.Uint8), "uint8 [8 64]"},
		{"cast wrong", x.Cast(nd.DType(99)), "nd: cast: no cast from float32 to DType(99)"},
		{"bitcast", x.BitCast(nd.Int32), "int32 [8 64]"},
		{"bitcast size", x.BitCast(nd.Float64), "nd: bitcast: float32 and float64 differ in size"},
		{"equal", z.Equal(z), "bool [8 64]"},
		{"less complex", z.Less(z), "nd: less: dtypes [complex64 complex64]: want an ordered dtype"},
		{"less scalar", x.LessScalar(0), "bool [8 64]"},
		{"and", flags.And(flags.Not()), "bool [8 64]"},
		{"and float", x.And(x), "nd: and: dtypes [float32 float32]: want bool"},
		{"where", nd.Where(flags, x, one), "float32 [8 64]"},
		{"where float", nd.Where(x, x, x), "nd: where: dtypes [float32 float32 float32]: want a bool condition"},
		{"complex", nd.Complex(d, d), "complex128 [8 64]"},
		{"complex half", nd.Complex(half, half), "nd: complex: dtypes [float16 float16]: want float32 or float64 parts"},
		{"real", z.Real(), "float32 [8 64]"},
		{"real of real", x.Real(), "nd: real: dtype float32: want a complex dtype"},
		{"abs squared", z.AbsSquared(), "float32 [8 64]"},

		// Views.
		{"reshape", x.Reshape(4, -1), "float32 [4 128]"},
		{"reshape scalar", one.Reshape(), "float32 []"},
		{"reshape grown", one.Reshape(1, 1), "float32 [1 1]"},
		{"reshape wrong", x.Reshape(5, -1), "nd: reshape: 512 elements do not fill shape [5 -1]"},
		{"flatten", cube.Flatten(), "float32 [24]"},
		{"flatten empty", empty.Flatten(), "float32 [0]"},
		{"transpose", cube.Transpose(), "float32 [4 3 2]"},
		{"transpose perm", cube.Transpose(1, 2, 0), "float32 [3 4 2]"},
		{"transpose short", cube.Transpose(1, 0), "nd: transpose: permutation [1 0] has 2 axes, shape [2 3 4] has 3"},
		{"swap", cube.SwapAxes(0, -1), "float32 [4 3 2]"},
		{"swap axis", cube.SwapAxes(0, 3), "nd: swap_axes: axis 3 out of range for shape [2 3 4]"},
		{"broadcast", one.BroadcastTo(2, 3), "float32 [2 3]"},
		{"broadcast huge", one.BroadcastTo(math.MaxInt, 3), "nd: broadcast_to: shape [9223372036854775807 3] has too many elements"},
		{"broadcast wrong", x.BroadcastTo(8, 32), "nd: broadcast_to: shape [8 64] does not broadcast to [8 32]"},
		{"squeeze", nd.Zeros(nd.Float32, 1, 3, 1).Squeeze(), "float32 [3]"},
		{"squeeze axis", nd.Zeros(nd.Float32, 1, 3, 1).Squeeze(-1), "float32 [1 3]"},
		{"squeeze long", x.Squeeze(0), "nd: squeeze: axis 0 of shape [8 64] is not 1"},
		{"expand", x.ExpandDims(0, -1), "float32 [1 8 64 1]"},
		{"expand scalar", one.ExpandDims(0), "float32 [1]"},
		{"expand far", x.ExpandDims(4), "nd: expand_dims: axes [4] are not distinct axes of a result with 3"},
		{"frames", x.Frames(16, 8), "float32 [8 7 16]"},
		{"frames axis", x.Frames(3, 2, 0), "float32 [3 3 64]"},
		{"frames long", x.Frames(65, 8), "nd: frames: frame size 65 is longer than the axis, 64"},
		{"frames still", x.Frames(6, 0), "nd: frames: frame hop 0 is not positive"},
		{"frames two axes", x.Frames(6, 1, 0, 1), "nd: frames: 2 axes given, want one"},
		{"slice", x.Slice(nd.Range{Start: 1, Stop: -1}, nd.Range{Start: -1, Stop: nd.End, Step: -3}), "float32 [6 22]"},
		{"slice one", x.Slice(nd.Range{Stop: 3}), "float32 [3 64]"},
		{"slice zero range", x.Slice(nd.Range{}), "float32 [0 64]"},
		{"slice all", x.Slice(nd.All, nd.All), "float32 [8 64]"},
		{"slice extreme", x.Slice(nd.Range{Start: math.MinInt, Stop: math.MaxInt, Step: math.MaxInt}, nd.Range{Start: math.MaxInt, Stop: math.MinInt, Step: math.MinInt}), "float32 [1 1]"},
		{"slice many", x.Slice(nd.All, nd.All, nd.All), "nd: slice: 3 ranges for shape [8 64]"},
		{"slice axis", x.SliceAxis(-1, nd.Range{Stop: 5}), "float32 [8 5]"},
		{"slice axis wrong", x.SliceAxis(2, nd.Range{Stop: 5}), "nd: slice: axis 2 out of range for shape [8 64]"},
		{"at", x.At(-1, 3), "float32 []"},
		{"at row", x.At(2), "float32 [64]"},
		{"at past", x.At(8), "nd: at: place 8 out of range for axis 0 of shape [8 64]"},
		{"at many", x.At(0, 0, 0), "nd: at: 3 places for shape [8 64]"},
		{"flip", x.Flip(1), "float32 [8 64]"},
		{"flip empty", empty.Flip(), "float32 [3 0]"},
		{"flip axis", x.Flip(5), "nd: flip: axis 5 out of range for shape [8 64]"},

		// Moves.
		{"concat", nd.Concat(-1, x, x), "float32 [8 128]"},
		{"concat none", nd.Concat(0), "nd: concat: no arrays"},
		{"concat scalars", nd.Concat(0, one, one), "nd: concat: axis 0 out of range for shape []"},
		{"stack", nd.Stack(1, x, x, x), "float32 [8 3 64]"},
		{"stack end", nd.Stack(-1, one, one), "float32 [2]"},
		{"stack shapes", nd.Stack(0, x, one), "nd: stack: shapes [8 64] and [] differ"},
		{"stack axis", nd.Stack(3, x, x), "nd: stack: axis 3 for 2 arrays of shape [8 64]"},
		{"roll", x.Roll(math.MinInt, 0), "float32 [8 64]"},
		{"roll empty", empty.Roll(2, 1), "float32 [3 0]"},
		{"tile", x.Tile(2), "float32 [8 128]"},
		{"tile more", x.Tile(3, 1, 2), "float32 [3 8 128]"},
		{"tile zero", x.Tile(0), "float32 [8 0]"},
		{"tile negative", x.Tile(-1), "nd: tile: -1 repetitions of axis 1"},
		{"tile overflow", x.Tile(math.MaxInt), "nd: tile: 9223372036854775807 repetitions of axis 1, of length 64, are too many"},
		{"tile much", x.Tile(1<<30, 1<<30), "nd: tile: shape [1073741824 8 1073741824 64] has too many elements"},
		{"repeat", x.Repeat(3, 0), "float32 [24 64]"},
		{"pad", x.Pad(nd.Pad{}, nd.Margin{Before: 1}, nd.Margin{After: 2}), "float32 [9 66]"},
		{"pad axis", x.PadAxis(-1, nd.Margin{Before: 1, After: 2}, nd.Pad{Mode: nd.PadEdge}), "float32 [8 67]"},
		{"pad value", u.PadAxis(0, nd.Margin{Before: 1}, nd.Pad{Value: -1}), "nd: pad: constant -1 overflows uint8"},
		{"pad margins", x.Pad(nd.Pad{}, nd.Margin{}), "nd: pad: 1 margins for shape [8 64]"},
		{"pad negative", x.PadAxis(0, nd.Margin{Before: -1}, nd.Pad{}), "nd: pad: negative width -1 on axis 0"},
		{"pad negative wrap", x.PadAxis(0, nd.Margin{Before: -1}, nd.Pad{Mode: nd.PadWrap}), "nd: pad: negative width -1 on axis 0"},
		{"pad reflect", x.PadAxis(0, nd.Margin{Before: 8}, nd.Pad{Mode: nd.PadReflect}), "nd: pad: width 8 on axis 0 of shape [8 64]: reflect needs a longer axis"},
		{"pad wrap long", x.PadAxis(0, nd.Margin{Before: 20, After: 1}, nd.Pad{Mode: nd.PadWrap}), "float32 [29 64]"},
		{"pad wrap empty", empty.PadAxis(1, nd.Margin{Before: 1}, nd.Pad{Mode: nd.PadWrap}), "nd: pad: axis 1 of shape [3 0] is empty, nothing to wrap"},
		{"pad mode", x.PadAxis(0, nd.Margin{Before: 1}, nd.Pad{Mode: 9}), "nd: pad: pad mode 9 is not known"},
		{"pad overflow", x.PadAxis(0, nd.Margin{Before: math.MaxInt}, nd.Pad{Mode: nd.PadWrap}), "nd: pad: width 9223372036854775807 on axis 0 is too large"},
		{"take", x.Take(i, 0), "float32 [8 3 64]"},
		{"take mask", x.Take(flags, 0), "nd: take: indices of dtype bool: want int32 or int64; Nonzero gives those of a mask"},
		{"take float", x.Take(x, 0), "nd: take: indices of dtype float32: want int32 or int64"},
		{"gather", x.Gather(i, 1), "float32 [8 3]"},
		{"scatter add", x.ScatterAdd(i, one, 1), "float32 [8 64]"},

		// Reductions.
		{"sum", x.Sum(), "float32 []"},
		{"sum axis", x.Sum(-1), "float32 [8]"},
		{"sum scalar", one.Sum(), "float32 []"},
		{"sum far", x.Sum(3), "nd: sum: axis 3 out of range for shape [8 64]"},
		{"sum twice", x.Sum(0, -2), "nd: sum: axis -2 given twice for shape [8 64]"},
		{"max empty", empty.Max(1), "float32 [3]"},
		{"argmax", x.ArgMax(0), "int64 [64]"},
		{"argmax empty", empty.ArgMax(), "nd: argmax: no elements over axes [0 1] of shape [3 0]"},
		{"mean", z.Mean(0), "complex64 [64]"},
		{"mean int", i.Mean(), "nd: mean: dtype int64: want a float or complex dtype"},
		{"mean far", x.Mean(2), "nd: mean: axis 2 out of range for shape [8 64]"},
		{"mean half", half.Mean(1), "float16 [8]"},
		{"var complex", z.Var(1), "float32 [8]"},
		{"var int", i.Var(1), "nd: var: dtype int64: want a float or complex dtype"},
		{"std", half.Std(), "float16 []"},
		{"logsumexp", x.LogSumExp(1), "float32 [8]"},
		{"logsumexp complex", z.LogSumExp(1), "nd: log_sum_exp: dtype complex64: want a float dtype"},
		{"norm", z.Norm(), "float32 []"},
		{"all", flags.All(0), "bool [64]"},
		{"any float", x.Any(), "nd: any: dtype float32: want bool"},

		// Order.
		{"cumsum", i.CumSum(0), "int64 [8 3]"},
		{"cumsum bool", flags.CumSum(0), "nd: cumsum: dtype bool: want a number"},
		{"cumprod scalar", one.CumProd(0), "nd: cumprod: axis 0 out of range for shape []"},
		{"sort", x.Sort(-1), "float32 [8 64]"},
		{"sort complex", z.Sort(0), "nd: sort: dtype complex64: want an ordered dtype"},
		{"argsort", x.ArgSortDescending(0), "int64 [8 64]"},
		{"topk", values, "float32 [8 3]"},
		{"topk positions", positions, "int64 [8 3]"},
		{"topk none", noValues, "float32 [8 0]"},
		{"topk no positions", noPositions, "int64 [8 0]"},
		{"topk many", badValues, "nd: topk: k 65: want 0 to the 64 elements of axis 1 of shape [8 64]"},
		{"topk many positions", badPositions, "nd: topk: k 65: want 0 to the 64 elements of axis 1 of shape [8 64]"},
		{"topk complex", complexTop, "nd: topk: dtype complex64: want an ordered dtype"},

		// Matrices.
		{"matmul", x.MatMul(x.Transpose()), "float32 [8 8]"},
		{"matmul vector", x.MatMul(nd.Zeros(nd.Float32, 64)), "float32 [8]"},
		{"matmul row", nd.Zeros(nd.Float32, 5, 3).At(0).MatMul(cube), "float32 [2 4]"},
		{"matmul dot", x.At(0).MatMul(x.At(1)), "float32 []"},
		{"matmul scalar", x.MatMul(one), "nd: matmul: shapes [8 64] and []: a scalar is not a matrix, use Mul"},
		{"matmul inner", x.MatMul(x), "nd: matmul: inner lengths 64 and 8 differ in shapes [8 64] and [8 64]"},

		// Transforms.
		{"fft", z.FFT(), "complex64 [8 64]"},
		{"fft real", d.FFT(nd.FFT{Axis: nd.Axis(0), N: 5}), "complex128 [5 64]"},
		{"irfft half", half.IRFFT(), "nd: irfft: dtype float16: want a complex dtype"},
		{"stored bins", half.RFFT(nd.FFT{Store: nd.Float16}), "nd: rfft: a Store of float16, but the result is complex64: only real results are stored so"},
		{"stored integers", z.IRFFT(nd.FFT{Store: nd.Int32}), "nd: irfft: a Store of int32: want Float16 or BFloat16"},
		{"fft axis", z.FFT(nd.FFT{Axis: nd.Axis(3)}), "nd: fft: axis 3 out of range for shape [8 64]"},
		{"fft n", z.FFT(nd.FFT{N: -1}), "nd: fft: n -1 is not a length, for shape [8 64]"},
		{"fft huge", z.FFT(nd.FFT{N: math.MaxInt}), "nd: fft: n 9223372036854775807 is not a length, for shape [8 64]"},
		{"fft norm", z.FFT(nd.FFT{Norm: 7}), "nd: fft: norm 7 is not Backward, Ortho or Forward"},
		{"fft scalar", one.FFT(), "nd: fft: a 0-d array has no axis to transform"},
		{"fft empty", empty.FFT(), "nd: fft: axis 1 of shape [3 0] is empty"},
		{"fft twice", z.FFT(nd.FFT{}, nd.FFT{}), "nd: fft: 2 options given, want one"},
		{"ifft", z.IFFT(nd.FFT{N: 100}), "complex64 [8 100]"},
		{"rfft", x.RFFT(), "complex64 [8 33]"},
		{"rfft odd", d.RFFT(nd.FFT{N: 63}), "complex128 [8 32]"},
		{"rfft complex", z.RFFT(), "nd: rfft: dtype complex64: want float32 or float64"},
		{"irfft", z.IRFFT(), "float32 [8 126]"},
		{"irfft odd", z.IRFFT(nd.FFT{N: 127}), "float32 [8 127]"},
		{"irfft one bin", z.Slice(nd.All, nd.Range{Stop: 1}).IRFFT(), "nd: irfft: n 0 is not a length, for shape [8 1]"},
		{"irfft real", x.IRFFT(), "nd: irfft: dtype float32: want a complex dtype"},
		{"hfft", z.HFFT(), "float32 [8 126]"},
		{"hfft int", i.HFFT(), "nd: hfft: dtype int64: want a float or complex dtype"},
		{"ihfft", x.IHFFT(), "complex64 [8 33]"},
		{"ihfft complex", z.IHFFT(), "nd: ihfft: dtype complex64: want float32 or float64"},
		{"fftn", cube.FFTN(), "complex64 [2 3 4]"},
		{"fftn shape", cube.FFTN(nd.FFTN{Shape: []int{5, 6}}), "complex64 [2 5 6]"},
		{"fftn axes", cube.FFTN(nd.FFTN{Axes: []int{0, -3}}), "nd: fftn: axis -3 given twice for shape [2 3 4]"},
		{"fftn lengths", cube.FFTN(nd.FFTN{Axes: []int{0}, Shape: []int{5, 6}}), "nd: fftn: 2 lengths for 1 axis"},
		{"fftn many", cube.FFTN(nd.FFTN{Shape: []int{5, 6, 7, 8}}), "nd: fftn: 4 lengths for shape [2 3 4]"},
		{"fftn zero", cube.FFTN(nd.FFTN{Shape: []int{0, 6}}), "nd: fftn: n 0 is not a length, for shape [2 3 6]"},
		{"ifftn scalar", one.IFFTN(), "nd: ifftn: a 0-d array has no axis to transform"},
		{"rfftn", cube.RFFTN(), "complex64 [2 3 3]"},
		{"rfftn complex", z.RFFTN(), "nd: rfftn: dtype complex64: want float32 or float64"},
		{"irfftn", z.IRFFTN(nd.FFTN{Shape: []int{8, 127}}), "float32 [8 127]"},
		{"hfftn", z.HFFTN(), "float32 [8 126]"},
		{"hfftn int", i.HFFTN(), "nd: hfftn: dtype int64: want a float or complex dtype"},
		{"hfftn real", x.HFFTN(nd.FFTN{Axes: []int{1}}), "nd: hfftn: dtype float32: want a complex dtype"},
		{"ihfftn", x.IHFFTN(), "complex64 [8 33]"},
		{"ihfftn axes", x.IHFFTN(nd.FFTN{Axes: []int{1, 1}}), "nd: ihfftn: axis 1 given twice for shape [8 64]"},
		{"fftfreq", nd.FFTFreq(8, 0.5), "float64 [8]"},
		{"fftfreq none", nd.FFTFreq[float32](0, 0.5), "nd: fftfreq: n 0 is not a length"},
		{"fftfreq still", nd.FFTFreq(8, 0.0), "nd: fftfreq: sample distance 0 is not a finite number other than 0"},
		{"rfftfreq", nd.RFFTFreq[float32](9, 2), "float32 [5]"},
		{"fftshift", cube.FFTShift(), "float32 [2 3 4]"},
		{"ifftshift axis", cube.IFFTShift(3), "nd: ifftshift: axis 3 out of range for shape [2 3 4]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := what(tt.got); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

// TestWrongNames prints values that there are none of.
func TestWrongNames(t *testing.T) {
	for got, want := range map[fmt.Stringer]string{
		nd.DType(99): "DType(99)", nd.PadMode(99): "PadMode(99)", nd.PadReflect: "reflect", nd.CPU(): nd.CPU().Info().Name,
	} {
		if got.String() != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestSplit(t *testing.T) {
	x := nd.Zeros(nd.Float32, 7, 2)
	tests := []struct {
		n, axis int
		want    []string
	}{
		{3, 0, []string{"float32 [3 2]", "float32 [2 2]", "float32 [2 2]"}},
		{1, -1, []string{"float32 [7 2]"}},
		{7, 0, []string{"float32 [1 2]", "float32 [1 2]", "float32 [1 2]", "float32 [1 2]", "float32 [1 2]", "float32 [1 2]", "float32 [1 2]"}},
		{8, 0, []string{"nd: split: 8 parts of axis 0 of shape [7 2]"}},
		{0, 0, []string{"nd: split: 0 parts of axis 0 of shape [7 2]"}},
		{math.MaxInt, 0, []string{"nd: split: 9223372036854775807 parts of axis 0 of shape [7 2]"}},
		{2, 2, []string{"nd: split: axis 2 out of range for shape [7 2]"}},
	}
	const trillion = math.MaxInt>>23 + 1 // less where int has 32 bits
	far := nd.Zeros(nd.Uint8, trillion)
	if got := what(nd.Split(far, trillion, 0)[0]); got != fmt.Sprintf("nd: split: %d parts of axis 0 of shape [%[1]d]", trillion) {
		t.Errorf("a trillion parts: %s", got)
	}
	for _, tt := range tests {
		var got []string
		for _, p := range nd.Split(x, tt.n, tt.axis) {
			got = append(got, what(p))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("Split(%d, %d) = %q", tt.n, tt.axis, got)
		}
	}
}
