package graph

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/nd/internal/accum"
	"github.com/twiddle-go/twiddle/nd/internal/caller"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// Attr is what an operation knows besides its inputs. AppendKey writes it so
// that two attributes of one operation are equal exactly when their keys are, and
// none is the beginning of another; plans are cached by these keys.
type Attr interface {
	AppendKey([]byte) []byte
	String() string
}

// IotaAttr names the axis whose index is the value.
type IotaAttr struct{ Axis int }

// literalAttr is that of literals.
type literalAttr struct{}

var literal Attr = literalAttr{}

// RandomAttr is one of the random draws of package scalar.
type RandomAttr struct{ Draw scalar.Op }

// MapAttr is the pointwise operation.
type MapAttr struct{ Op scalar.Op }

// TransposeAttr gives, for each output axis, the input axis it shows.
type TransposeAttr struct{ Perm []int }

// SliceAttr selects Start, Start+Step, ... along every axis; the count is the
// node's shape. Steps may be negative and are never zero.
type SliceAttr struct{ Start, Step []int }

// FramesAttr replaces Axis by two: frame f, sample i shows element f*Hop+i.
type FramesAttr struct{ Axis, Size, Hop int }

// PadMode says where padding comes from.
type PadMode uint8

const (
	PadConstant PadMode = iota // Args[0] of the node
	PadReflect                 // mirror without repeating the edge
	PadEdge                    // repeat the edge
	PadWrap                    // continue periodically
)

var padModeNames = [...]string{"constant", "reflect", "edge", "wrap"}

func (m PadMode) String() string {
	if int(m) < len(padModeNames) {
		return padModeNames[m]
	}
	return fmt.Sprintf("PadMode(%d)", m)
}

// PadAttr adds Before and After elements on every axis.
type PadAttr struct {
	Mode          PadMode
	Before, After []int
}

// AxisAttr is the one axis an operation works along.
type AxisAttr struct{ Axis int }

// IndexAttr is the axis that indices walk, and the call to blame for one that is outside;
// nil if nobody knows. The call is no part of the key.
type IndexAttr struct {
	Axis int
	From *caller.Call
}

// ReduceOp says how elements combine.
type ReduceOp uint8

const (
	Sum ReduceOp = iota
	Prod
	Max // NaN wins
	Min // NaN wins
	All // bool
	Any // bool
	ArgMax
	ArgMin
)

var reduceNames = [...]string{"sum", "prod", "max", "min", "all", "any", "argmax", "argmin"}

func (o ReduceOp) String() string { return reduceNames[o] }

// IsArg reports a reduction that gives int64 positions: the first extreme, or
// the first NaN, in row-major order over the reduced axes.
func (o ReduceOp) IsArg() bool { return o == ArgMax || o == ArgMin }

// ReduceAttr reduces over Axes (ascending, at least one). Reduced axes are
// dropped; keeping them is a Reshape on top.
type ReduceAttr struct {
	Op   ReduceOp
	Axes []int
}

// ScanAttr is a running Sum or Prod along Axis.
type ScanAttr struct {
	Op   ReduceOp
	Axis int
}

// SortAttr sorts along Axis, stably, NaN last. Arg gives int64 positions
// instead of values. K > 0 keeps the first K only.
type SortAttr struct {
	Axis       int
	Arg        bool
	Descending bool
	K          int
}

// FFTKind is which numbers go in and come out.
type FFTKind uint8

const (
	FFTComplex     FFTKind = iota // complex to complex
	FFTRealForward                // real to n/2+1 bins
	FFTRealInverse                // n/2+1 bins to real
)

// FFTAttr transforms along Axis with length N, after truncating or
// zero-padding the axis to it; the result is multiplied by Scale. Mode is how
// its sums add up. OfReals says that the numbers are real ones which nobody has as complex
// ones but this transform: a device may then read those, and the bits follow from the graph alone.
type FFTAttr struct {
	Kind    FFTKind
	Inverse bool
	Axis, N int
	Scale   float64
	Mode    accum.Mode
	OfReals bool
}

func key(dst []byte, v ...int) []byte {
	for _, x := range v {
		dst = binary.AppendVarint(dst, int64(x))
	}
	return dst
}

func keys(dst []byte, lists ...[]int) []byte {
	for _, l := range lists {
		dst = key(key(dst, len(l)), l...)
	}
	return dst
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (a literalAttr) AppendKey(d []byte) []byte   { return d }
func (a IotaAttr) AppendKey(d []byte) []byte      { return key(d, a.Axis) }
func (a RandomAttr) AppendKey(d []byte) []byte    { return key(d, int(a.Draw)) }
func (a MapAttr) AppendKey(d []byte) []byte       { return key(d, int(a.Op)) }
func (a TransposeAttr) AppendKey(d []byte) []byte { return keys(d, a.Perm) }
func (a SliceAttr) AppendKey(d []byte) []byte     { return keys(d, a.Start, a.Step) }
func (a FramesAttr) AppendKey(d []byte) []byte    { return key(d, a.Axis, a.Size, a.Hop) }
func (a PadAttr) AppendKey(d []byte) []byte {
	return keys(key(d, int(a.Mode)), a.Before, a.After)
}
func (a AxisAttr) AppendKey(d []byte) []byte   { return key(d, a.Axis) }
func (a IndexAttr) AppendKey(d []byte) []byte  { return key(d, a.Axis) }
func (a ReduceAttr) AppendKey(d []byte) []byte { return keys(key(d, int(a.Op)), a.Axes) }
func (a ScanAttr) AppendKey(d []byte) []byte   { return key(d, int(a.Op), a.Axis) }
func (a SortAttr) AppendKey(d []byte) []byte {
	return key(d, a.Axis, flag(a.Arg), flag(a.Descending), a.K)
}
func (a FFTAttr) AppendKey(d []byte) []byte {
	d = key(d, int(a.Kind), flag(a.Inverse), a.Axis, a.N, int(a.Mode), flag(a.OfReals))
	return binary.AppendUvarint(d, math.Float64bits(a.Scale))
}

func (a literalAttr) String() string   { return "literal" }
func (a IotaAttr) String() string      { return fmt.Sprintf("axis=%d", a.Axis) }
func (a RandomAttr) String() string    { return a.Draw.String() }
func (a MapAttr) String() string       { return a.Op.String() }
func (a TransposeAttr) String() string { return fmt.Sprintf("perm=%v", a.Perm) }
func (a SliceAttr) String() string     { return fmt.Sprintf("start=%v step=%v", a.Start, a.Step) }
func (a FramesAttr) String() string {
	return fmt.Sprintf("axis=%d size=%d hop=%d", a.Axis, a.Size, a.Hop)
}
func (a PadAttr) String() string {
	return fmt.Sprintf("%s before=%v after=%v", a.Mode, a.Before, a.After)
}
func (a AxisAttr) String() string   { return fmt.Sprintf("axis=%d", a.Axis) }
func (a IndexAttr) String() string  { return fmt.Sprintf("axis=%d", a.Axis) }
func (a ReduceAttr) String() string { return fmt.Sprintf("%s axes=%v", a.Op, a.Axes) }
func (a ScanAttr) String() string   { return fmt.Sprintf("cum%s axis=%d", a.Op, a.Axis) }
func (a SortAttr) String() string {
	return fmt.Sprintf("axis=%d arg=%t descending=%t k=%d", a.Axis, a.Arg, a.Descending, a.K)
}
func (a FFTAttr) String() string {
	name := [...]string{"c2c", "r2c", "c2r"}[a.Kind]
	text := fmt.Sprintf("%s inverse=%t axis=%d n=%d scale=%g", name, a.Inverse, a.Axis, a.N, a.Scale)
	if a.Mode != accum.Pairwise {
		text += " " + a.Mode.String()
	}
	return text
}
