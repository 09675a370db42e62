package signal

import (
	"slices"
	"sync"

	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/row"
	"github.com/twiddle-go/twiddle/nd"
)

var fir = kernel("fir", []string{"x", "b", "zi"}, []string{"y", "zf"}, nativeFIR)

// tapped is a filter with a finite impulse response, which needs no recursion: every
// output is a sum of its own, so that all of a line are computed side by side, and an
// infinity or a NaN is in no more outputs than there are taps. It has two taps or more.
type tapped struct{ b []float64 }

func (f tapped) states() int { return len(f.b) - 1 }

func (f tapped) filter(x, state *nd.Array) (y, end *nd.Array) {
	return inParts(f.lines, x, state, f.states())
}

// gain is a filter of one tap. Its state is one number that means nothing, as that of the
// cascade that TF makes of it. Computed as a cascade, a sample after an infinity would be NaN:
// the state would be 0 times infinity.
type gain struct{ by float64 }

func (f gain) filter(x, state *nd.Array) (y, end *nd.Array) {
	return inParts(func(x, state *nd.Array) (y, end *nd.Array) {
		return x.Cast(nd.Float64).MulScalar(f.by).Cast(x.DType()), nd.Zeros(nd.Float64, state.Shape()...).Beside(x)
	}, x, state, 1)
}

func (f tapped) lines(x, state *nd.Array) (y, end *nd.Array) {
	n, order := x.Dim(-1), f.states()
	lines := x.Len() / n
	call := func(in []*nd.Array) []*nd.Array {
		return fir.Call(nd.Launch{
			Inputs: []*nd.Array{in[0].Reshape(lines, n), constant(f.b, in[1], len(f.b)), in[1].Reshape(lines, order)},
			Shapes: [][]int{{lines, n}, {lines, order}}, DTypes: []nd.DType{x.DType(), nd.Float64},
			Grid: [3]int{n + order, lines}, Threadgroup: [3]int{min(n+order, firRun)}, Whole: true,
			Ops:      float64(lines) * float64(n) * float64(2*len(f.b)),
			Template: map[string]any{"T": x.DType()},
		})
	}
	out := nd.Custom(call, func(_, _, grads []*nd.Array) []*nd.Array {
		// The transpose filters backwards, which is forwards with the taps in reverse.
		g := nd.Concat(-1, grads[0].Reshape(lines, n).Cast(nd.Float64), grads[1].Reshape(lines, order))
		back := tapped{slices.Clone(f.b)}
		slices.Reverse(back.b)
		dx, _ := back.filter(g, nil)
		dx = dx.SliceAxis(-1, nd.Skip(order)).Cast(x.DType())
		return []*nd.Array{dx.Reshape(x.Shape()...), g.SliceAxis(-1, nd.Head(order)).Reshape(state.Shape()...)}
	})(x, state)
	return out[0].Reshape(x.Shape()...), out[1].Reshape(state.Shape()...)
}

// firRun is how many outputs of a line a threadgroup makes: of float64 they and the
// samples they are made of fit a first-level cache.
const firRun = 1024

// firRoom is what a threadgroup needs besides its arrays.
type firRoom struct {
	sums    [firRun]float64
	samples [2 * firRun]float64
}

var firRooms = sync.Pool{New: func() any { return new(firRoom) }}

var addFused = row.For(simd.Active()).AddFused

// nativeFIR is body/fir.
func nativeFIR(g *nd.Group) {
	if g.Inputs[0].Type == nd.Float64 {
		firGroup[float64](g)
		return
	}
	firGroup[float32](g)
}

func firGroup[T float32 | float64](g *nd.Group) {
	n := g.Inputs[0].Shape[1]
	line := g.Position[1]
	x, y := nd.Elements[T](g.Inputs[0])[line*n:][:n], nd.Elements[T](g.Outputs[0])[line*n:][:n]
	b := nd.Elements[float64](g.Inputs[1])
	order := len(b) - 1
	zi, zf := nd.Elements[float64](g.Inputs[2])[line*order:][:order], nd.Elements[float64](g.Outputs[1])[line*order:][:order]
	run := min(n+order, firRun)
	from := g.Position[0] * run
	to := min(from+run, n+order)
	room := firRooms.Get().(*firRoom)
	defer firRooms.Put(room)
	out := room.sums[:to-from]
	clear(out)
	if from < order {
		copy(out, zi[from:])
	}
	for high := order; high >= 0; high -= firRun {
		low := max(0, high-firRun+1)
		first := max(0, from-high)
		in := wide(x[min(n, first):max(0, min(n, to-low))], &room.samples)
		for k := high; k >= low; k-- {
			// Output t takes sample t-k, if there is one.
			if t, end := max(from, k), min(to, n+k); t < end {
				addFused(out[t-from:end-from], in[t-k-first:end-k-first], b[k])
			}
		}
	}
	if from < n {
		put(y[from:min(to, n)], out)
	}
	if to > n {
		copy(zf[max(0, from-n):], out[max(0, n-from):])
	}
}

// wide is samples as float64: themselves, or in a room that they fit.
func wide[T float32 | float64](x []T, room *[2 * firRun]float64) []float64 {
	if v, ok := any(x).([]float64); ok {
		return v
	}
	v := room[:len(x)]
	vectors.Convert.F64FromF32(v, any(x).([]float32), false)
	return v
}

// put rounds numbers to the type of samples.
func put[T float32 | float64](dst []T, x []float64) {
	if v, ok := any(dst).([]float64); ok {
		copy(v, x)
		return
	}
	vectors.Convert.F32FromF64(any(dst).([]float32), x[:len(dst)], false)
}
