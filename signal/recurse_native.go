package signal

import (
	"context"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
	recurse8 "github.com/twiddle-go/twiddle/internal/simd/recurse"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
	"github.com/twiddle-go/twiddle/nd"
)

// lanes is how many lines are filtered at a time.
const lanes = recurse8.Lanes

// blockSamples is how many samples of them are taken through one section before
// the next: 16 KiB, a third of a first-level cache.
const blockSamples = 256

type rows = []recurse8.Row

var (
	filterSection = recurse8.For(simd.Active())
	filterCascade = recurse8.CascadeFor(simd.Active())
	vectors       = vec.For(simd.Active())
)

// nativeRecurse is body/recurse.
func nativeRecurse(g *nd.Group) {
	if g.Inputs[0].Type == nd.Float64 {
		recurseGroup[float64](g, false)
		return
	}
	recurseGroup[float32](g, false)
}

// nativeRecurseBack is body/recurse_back.
func nativeRecurseBack(g *nd.Group) {
	if g.Inputs[0].Type == nd.Float64 {
		recurseGroup[float64](g, true)
		return
	}
	recurseGroup[float32](g, true)
}

func recurseGroup[T float32 | float64](g *nd.Group, back bool) {
	lines, n := g.Inputs[0].Shape[0], g.Inputs[0].Shape[1]
	x, y := nd.Elements[T](g.Inputs[0]), nd.Elements[T](g.Outputs[0])
	sections, taps := g.Inputs[1].Shape[0], g.Inputs[1].Shape[2]
	c := nd.Elements[float64](g.Inputs[1])
	zi, zf := nd.Elements[float64](g.Inputs[2]), nd.Elements[float64](g.Outputs[1])
	states := sections * (taps - 1)
	per := g.Constant("LINES")
	from := g.Position[0] * per
	to := min(from+per, lines)
	block, state := make(rows, min(n, blockSamples)), make(rows, states)
	turn := newTurner[T](len(block))
	for l := from; l < to; l += lanes {
		count := min(lanes, to-l)
		// All sections of a line take as long as one section of eight lines.
		if filterCascade != nil && !back && taps == 3 && count < sections {
			for k := l; k < l+count; k++ {
				copy(zf[k*states:][:states], zi[k*states:])
				cascadeLine(g.Context, y[k*n:][:n], x[k*n:], c, zf[k*states:][:states])
			}
			continue
		}
		for i := range state {
			for k := range count {
				state[i][k] = zi[(l+k)*states+i]
			}
		}
		for done := 0; done < n; done += blockSamples {
			if g.Context.Err() != nil {
				return
			}
			size := min(blockSamples, n-done)
			at := done
			if back {
				at = n - done - size
			}
			block = block[:size]
			turn.in(block, x[l*n+at:], n, count)
			for s := range sections {
				if back {
					s = sections - 1 - s
				}
				b, z := c[2*s*taps:2*(s+1)*taps], state[s*(taps-1):(s+1)*(taps-1)]
				if back {
					sectionBack(b, block, z)
				} else {
					filterSection(block, b, z)
				}
			}
			turn.out(y[l*n+at:], block, n, count)
		}
		for i := range state {
			for k := range count {
				zf[(l+k)*states+i] = state[i][k]
			}
		}
	}
}

// cascadeSamples is how many samples of one line are filtered at a time: 16 KiB.
const cascadeSamples = 2048

// cascadeLine takes a line through all sections, from a state that it moves on.
func cascadeLine[T float32 | float64](ctx context.Context, y, x []T, c, state []float64) {
	var room [cascadeSamples]float64
	for len(y) > 0 && ctx.Err() == nil {
		part := room[:min(len(y), cascadeSamples)]
		for i, v := range x[:len(part)] {
			part[i] = float64(v)
		}
		filterCascade(part, c, state)
		for i, v := range part {
			y[i] = T(v)
		}
		x, y = x[len(part):], y[len(part):]
	}
}

// fewLines are faster to move one by one than by a transpose of eight.
const fewLines = 2

// turner brings samples of lines into the rows of a block, and back.
type turner[T float32 | float64] struct{ narrow []T }

func newTurner[T float32 | float64](samples int) turner[T] {
	var t turner[T]
	if unsafe.Sizeof(T(0)) == 4 {
		t.narrow = make([]T, samples*lanes)
	}
	return t
}

// in takes a block from lines that begin n elements apart.
func (t turner[T]) in(block rows, x []T, n, lines int) {
	if lines <= fewLines {
		for k := range lines {
			for i, v := range x[k*n:][:len(block)] {
				block[i][k] = float64(v)
			}
		}
		return
	}
	if t.narrow == nil {
		vectors.Move.Transpose(8, unsafe.Pointer(&block[0]), unsafe.Pointer(&x[0]), lanes, n, lines, len(block), false)
		return
	}
	part := t.narrow[:len(block)*lanes]
	vectors.Move.Transpose(4, unsafe.Pointer(&part[0]), unsafe.Pointer(&x[0]), lanes, n, lines, len(block), false)
	vectors.Convert.F64FromF32(flat(block), any(part).([]float32), false)
}

func (t turner[T]) out(y []T, block rows, n, lines int) {
	if lines <= fewLines {
		for k := range lines {
			for i := range y[k*n:][:len(block)] {
				y[k*n+i] = T(block[i][k])
			}
		}
		return
	}
	if t.narrow == nil {
		vectors.Move.Transpose(8, unsafe.Pointer(&y[0]), unsafe.Pointer(&block[0]), n, lanes, len(block), lines, false)
		return
	}
	part := t.narrow[:len(block)*lanes]
	vectors.Convert.F32FromF64(any(part).([]float32), flat(block), false)
	vectors.Move.Transpose(4, unsafe.Pointer(&y[0]), unsafe.Pointer(&part[0]), n, lanes, len(block), lines, false)
}

// flat is the numbers of a block.
func flat(block rows) []float64 { return unsafe.Slice(&block[0][0], len(block)*lanes) }

// sectionBack is the transpose of a section, from the last sample to the first.
func sectionBack(c []float64, block, state rows) {
	taps := len(c) / 2
	b, a := c[:taps], c[taps:]
	for t := len(block) - 1; t >= 0; t-- {
		p := &block[t]
		in := *p
		for j := range state {
			for k := range in {
				in[k] -= a[j+1] * state[j][k]
			}
		}
		for k := range in {
			p[k] = b[0] * in[k]
		}
		for j := len(state) - 1; j >= 0; j-- {
			for k := range in {
				p[k] += b[j+1] * state[j][k]
			}
			if j > 0 {
				state[j] = state[j-1]
			}
		}
		state[0] = in
	}
}
