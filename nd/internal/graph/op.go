package graph

import "fmt"

// Op is a graph operation.
type Op uint8

const (
	Invalid Op = iota

	// Sources.
	Data   // elements given by the caller or already computed
	Full   // one value everywhere; the value is Args[0]
	Iota   // the index along IotaAttr.Axis
	Random // RandomAttr.Draw of the row-major element counter; key in Args

	// Maps.
	Map // MapAttr.Op applied element by element to inputs of one shape

	// Views: they rename indices and never touch elements.
	Transpose // TransposeAttr
	Broadcast // to the node's shape, NumPy rules
	Slice     // SliceAttr
	Reshape   // to the node's shape; a copy only where strides cannot express it
	Frames    // FramesAttr: one axis becomes (frame, sample), overlapping
	BitCast   // same bits, another type of the same size

	// Moves.
	Pad        // PadAttr
	Concat     // AxisAttr
	Take       // (data, indices): IndexAttr; the index shape replaces the axis
	Gather     // (data, indices): IndexAttr; indices are per element, as take_along_axis
	ScatterAdd // (base, indices, updates): IndexAttr; the reverse of Gather

	// Along an axis.
	Reduce // ReduceAttr
	Scan   // ScanAttr
	Sort   // SortAttr
	MatMul // (..., m, k) x (..., k, n), batch axes already broadcast
	FFT    // FFTAttr

	Overlap // OverlapAttr: frames added where they overlap

	Butterfly // (lines, w): ButterflyAttr; along the last axis

	// Custom is one output of a kernel of the user's: CustomAttr.
	Custom

	// Transfer copies its input, which lives on another device, to this one.
	Transfer

	opCount
)

var opNames = [opCount]string{
	Invalid: "invalid", Data: "data", Full: "full", Iota: "iota", Random: "random", Map: "map",
	Transpose: "transpose", Broadcast: "broadcast", Slice: "slice", Reshape: "reshape",
	Frames: "frames", BitCast: "bitcast", Pad: "pad", Concat: "concat", Take: "take",
	Gather: "gather", ScatterAdd: "scatter_add", Reduce: "reduce", Scan: "scan", Sort: "sort",
	MatMul: "matmul", FFT: "fft", Overlap: "overlap_add", Butterfly: "butterfly", Custom: "custom", Transfer: "transfer",
}

func (o Op) String() string {
	if o >= opCount {
		return fmt.Sprintf("graph.Op(%d)", uint8(o))
	}
	return opNames[o]
}

// IsSource reports an operation without inputs.
func (o Op) IsSource() bool { return o >= Data && o <= Random }

// IsView reports an operation that only renames indices.
func (o Op) IsView() bool { return o >= Transpose && o <= BitCast }
