package mixer

import (
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// How fast filters decay: to target after these parts of the longest sequence,
// the first channel slowest.
const (
	target  = 0.01
	slowest = 1.5
	fastest = 0.3
)

// Filter is the taps, (Width, length), that Apply convolves with: those for the
// positions before, and for a bidirectional block those for the positions
// after.
func (b Block) Filter(params []*nd.Array, length int) (before, after *nd.Array) {
	b, err := b.filled()
	var p map[string]*nd.Array
	if err == nil {
		p, err = b.named(params)
	}
	if err == nil && (length < 1 || length > b.Length) {
		err = fmt.Errorf("%d taps, want 1 to %d", length, b.Length)
	}
	if err != nil {
		bad := nd.Fail("mixer", "filter", err)
		return bad, bad
	}
	before = b.taps(p, "filter", length)
	if b.Bidirectional {
		after = b.taps(p, "filter.reverse", length)
	}
	return before, after
}

// taps makes a filter: a network with sines from a description of each position
// to its tap in every channel, times a decay.
func (b Block) taps(p map[string]*nd.Array, name string, length int) *nd.Array {
	like := p[name+".frequency"]
	t := line(0, 1, b.Length, like).SliceAxis(0, nd.Range{Stop: length}).ExpandDims(1)
	h := b.position(t).Cast(b.paramType()).Beside(like)
	for layer := range b.Layers + 1 {
		at := fmt.Sprintf("%s.%d", name, layer)
		h = h.MatMul(p[at+".weight"]).Add(p[at+".bias"]).Mul(p[name+".frequency"]).Sin()
	}
	h = h.MatMul(p[name+".out.weight"])
	rates := line(math.Log(target)/slowest, math.Log(target)/fastest, b.Width, like)
	decay := t.Neg().Mul(rates.Abs()).Exp().Cast(b.paramType()).Beside(like)
	return h.Mul(decay).Transpose()
}

// position describes each position t, of 0 to 1: by itself, and by cosines and
// sines of it.
func (b Block) position(t *nd.Array) *nd.Array {
	bands := (b.Embedding - 1) / 2
	// One period of the lowest whole frequency is the longest sequence, and its
	// last position is one step short of it.
	angle := t.MulScalar(2 * math.Pi * float64(b.Length-1) / float64(b.Length))
	arg := angle.Mul(line(1e-4, float64(bands-1), bands, t))
	return nd.Concat(1, t, arg.Cos(), arg.Sin().Neg())
}

// line is n evenly spaced float64 from start to stop, made on the device of an array, so
// that nothing is copied there; on the CPU for a device without float64.
func line(start, stop float64, n int, like *nd.Array) *nd.Array {
	at := nd.Arange(0, int64(n), 1)
	if d, err := like.Device(); err != nil || d.Has(nd.Float64) {
		at = at.Beside(like)
	}
	return at.Cast(nd.Float64).DivScalar(float64(max(n-1, 1))).MulScalar(stop - start).AddScalar(start)
}
