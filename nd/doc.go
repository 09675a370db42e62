// Package nd is Twiddle's array engine: n-dimensional lazy arrays that are
// planned, fused and run on a device.
//
//	x := nd.From(samples, 8, 64, 1024)
//	y := x.RFFT().Mul(h).IRFFT(nd.FFT{N: 1024}).Add(bias) // nothing runs yet
//	out, err := nd.Slice[float32](ctx, y)                 // evaluates, copies out
//
// # What there is
//
//   - Make arrays: [From], [Upload], [Zeros], [Full], [Arange], [Linspace], [Normal], [Uniform].
//   - Compute: methods of [Array], such as Add, Sum, RFFT and Slice; [Where], [Concat],
//     [Stack], [Einsum]; [Kernel] for kernels of your own.
//   - Evaluate: [Eval], [Slice], [Item], [Read], [Look], [Async]; [Compile] for loops.
//   - See the plan and the run: [Explain], [Trace], [Observe], [Format].
//   - Differentiate: [Grad], [ValueAndGrad], [Custom], [Checkpoint], [StopGradient].
//   - Devices and streams: [Open], [Devices], [Device], [Stream], [Array.On], [Choose].
//   - Read ahead: [Prefetch], [Loader].
//
// # Words
//
// An array is an immutable handle on a node of the graph. A device is the CPU or a GPU. A
// stream is a queue of work on a device; work on different streams may overlap, and the
// engine inserts the fences between them. Evaluating turns a graph into a plan, a list of
// steps; each step launches one program. Plans are cached by the graph's shape, so a
// repeated computation is planned once.
//
// # Rules
//
// Operands broadcast as in NumPy: shapes are aligned at the last axis, and a
// length of 1 or a missing axis repeats. Negative axes count from the end.
//
// Element types are never promoted. Mixing them is an error, and Cast converts;
// only the constant of a scalar operation, as in x.AddScalar(1), takes the type
// of its array.
//
// Views (Slice, Transpose, BroadcastTo, Frames, ...) do not copy. An operation that has
// nothing to do, such as a Cast to the same type, returns another handle on the same
// array; releasing one handle releases both.
//
// Operations do not panic and do not return errors one by one. A mistake gives an Array that
// carries an [*OpError] with the operation, the shapes and the caller's line. Operations on
// that Array pass the error on, and the call that evaluates it returns the error.
//
// An Array that is evaluated keeps its elements and drops its graph. An intermediate result
// keeps nothing: a later use computes it again. So evaluate loop-invariant arrays once,
// before the loop. [Compile] does this automatically for everything that depends on no
// input. [Explain] notes intermediate results that are about to be computed again, and
// 'twiddle lint' finds such loops (TW015).
//
// Random numbers come from keys, not from hidden state: see [Key].
//
// An Array may have no axes, or axes of length 0; reductions of no elements give
// the identity of the operation.
package nd
