package mixer

import (
	"cmp"
	"fmt"

	"github.com/twiddle-go/twiddle/fft"
	"github.com/twiddle-go/twiddle/internal/choice"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// Block describes a mixer. Only Width has to be given.
type Block struct {
	Width  int // channels
	Length int // most positions; 0 is 128. Filters are stretched over it

	// Bidirectional lets positions depend on later ones, through a second filter.
	Bidirectional bool
	// Residual adds a long convolution of the input itself.
	Residual bool
	// Short says where the three taps are; by default Causal, and Centred in a
	// bidirectional block.
	Short Short

	// The network that makes the filters.
	Order     int     // units of a layer; 0 is 16
	Layers    int     // layers between the first and the last; 0 is 2
	Embedding int     // numbers that describe a position, odd; 0 is 3
	Frequency float64 // of the sines at the start; 0 is 10

	// DType is the type of sequences: Float32 by default, or Float64; or Float16 or
	// BFloat16, in which sequences are stored. Parameters are then float32, filters
	// are computed with as float32, and products of matrices as halves.
	DType nd.DType
	// Accumulation is how the transforms of long convolutions add up: see signal.Conv.
	Accumulation nd.Accumulation
}

// Short is where the taps of the short convolution are.
type Short uint8

const (
	Natural Short = iota // as the block is
	Causal               // at t-2, t-1 and t
	Centred              // at t-1, t and t+1
)

var shortNames = [...]string{"natural", "causal", "centred"}

func (s Short) String() string { return choice.Name(s, "Short", shortNames[:]) }

// ParseShort is the place of a name: natural, causal or centred.
func ParseShort(name string) (Short, error) {
	return choice.Parse[Short]("mixer", "place", name, shortNames[:])
}

// filled is the block with every choice made, or what is wrong with it.
func (b Block) filled() (Block, error) {
	set := func(v *int, usual int) {
		if *v == 0 {
			*v = usual
		}
	}
	set(&b.Length, 128)
	set(&b.Order, 16)
	set(&b.Layers, 2)
	set(&b.Embedding, 3)
	b.Frequency = cmp.Or(b.Frequency, 10)
	b.DType = cmp.Or(b.DType, nd.Float32)
	if b.Short == Natural {
		b.Short = Causal
		if b.Bidirectional {
			b.Short = Centred
		}
	}
	switch {
	case b.Width < 1:
		return b, fmt.Errorf("width %d, want at least 1", b.Width)
	case b.Length < 1:
		return b, fmt.Errorf("length %d, want at least 1", b.Length)
	case b.Order < 1 || b.Layers < 0 || b.Order > 1<<16 || b.Layers > 1<<16:
		return b, fmt.Errorf("network of order %d with %d layers", b.Order, b.Layers)
	case b.Embedding < 3 || b.Embedding%2 == 0:
		return b, fmt.Errorf("embedding %d, want an odd number from 3 on", b.Embedding)
	case !b.DType.IsFloat():
		return b, fmt.Errorf("dtype %s: want a float dtype", b.DType)
	case b.Short > Centred:
		return b, fmt.Errorf("short %d is not Natural, Causal or Centred", b.Short)
	}
	return b, nil
}

// Apply mixes u, of shape (..., length, Width), with parameters in the order of
// Init. A sequence may be shorter than Length; it then sees the first taps of
// the filters.
func (b Block) Apply(params []*nd.Array, u *nd.Array) *nd.Array {
	const op = "apply"
	b, err := b.filled()
	if err != nil {
		return nd.Fail("mixer", op, err, u)
	}
	if err := u.Err(); err != nil {
		return nd.Fail("mixer", op, err, u)
	}
	switch {
	case u.NDim() < 2 || u.Dim(-1) != b.Width:
		err = fmt.Errorf("input of shape %v, want (..., length, %d)", u.Shape(), b.Width)
	case u.Dim(-2) < 1 || u.Dim(-2) > b.Length:
		err = fmt.Errorf("%d positions, want 1 to %d", u.Dim(-2), b.Length)
	case u.DType() != b.DType:
		err = fmt.Errorf("input is %s, the block %s", u.DType(), b.DType)
	}
	if err != nil {
		return nd.Fail("mixer", op, err, u)
	}
	p, err := b.named(params)
	if err != nil {
		return nd.Fail("mixer", op, err, u)
	}
	length := u.Dim(-2)
	// Channels come before positions from here on, and products are the other way
	// round, so that they are written as the convolutions read them.
	u = u.SwapAxes(-1, -2)
	x := p["in.weight"].Cast(b.DType).Transpose().MatMul(u).Add(p["in.bias"].Cast(b.DType).ExpandDims(-1))
	x = b.short(x, p)
	if err := x.Err(); err != nil { // such as operands on two devices
		return nd.Fail("mixer", op, err, u)
	}
	parts := nd.Split(x, 3, -2)
	y := b.long(p, "filter", parts[2], length, parts[0], parts[1])
	if b.Residual {
		y = y.Add(b.long(p, "residual", u, length, nil, nil))
	}
	return p["out.weight"].Cast(b.DType).Transpose().MatMul(y).Add(p["out.bias"].Cast(b.DType).ExpandDims(-1)).SwapAxes(-1, -2)
}

// short adds every position to two neighbours, in each channel with weights of
// its own.
func (b Block) short(x *nd.Array, p map[string]*nd.Array) *nd.Array {
	around := nd.Margin{Before: 2}
	if b.Short == Centred {
		around = nd.Margin{Before: 1, After: 1}
	}
	n := x.Dim(-1)
	x = x.PadAxis(-1, around, nd.Pad{}).Cast(b.paramType())
	w := p["short.weight"]
	y := p["short.bias"].ExpandDims(-1)
	for tap := range 3 {
		part := x.SliceAxis(-1, nd.Range{Start: tap, Stop: tap + n})
		y = part.Mul(w.SliceAxis(-1, nd.Range{Start: tap, Stop: tap + 1})).Add(y)
	}
	return y.Cast(b.DType)
}

// long is the gated convolution with the filter of a name.
func (b Block) long(p map[string]*nd.Array, name string, x *nd.Array, length int, in, out *nd.Array) *nd.Array {
	k, skip := b.taps(p, name, length), p[name+".skip"]
	if !b.Bidirectional {
		return signal.Conv{Mode: signal.Causal, Skip: skip, InGate: in, OutGate: out, Accumulation: b.Accumulation}.Apply(x, k)
	}
	x = x.Cast(b.paramType())
	if in != nil {
		x = x.Mul(in.Cast(b.paramType()))
	}
	// A filter for later positions is one for earlier ones of the reversed
	// sequence: its spectrum is conjugated. Both see the position itself.
	n := nd.FFT{N: fastLen(2*length - 1), Mode: b.Accumulation}
	h := k.RFFT(n).Add(b.taps(p, name+".reverse", length).RFFT(n).Conj())
	y := x.RFFT(n).Mul(h).IRFFT(n).SliceAxis(-1, nd.Range{Stop: length}).Add(x.Mul(skip.ExpandDims(-1)))
	if out != nil {
		y = y.Mul(out.Cast(b.paramType()))
	}
	return y.Cast(b.DType)
}

// paramType is the type of parameters, in which all but products of matrices is
// computed.
func (b Block) paramType() nd.DType {
	if b.DType.IsHalf() {
		return nd.Float32
	}
	return b.DType
}

// fastLen is a length of at least n that transforms fast.
func fastLen(n int) int {
	fast, err := fft.NextFastRealLen(n)
	if err != nil {
		return n // too long for any array: nd says so
	}
	return fast
}
