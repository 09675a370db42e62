// Package nd is Twiddle's array engine: n-dimensional lazy arrays that are
// planned, fused and run on a device.
//
//	x := nd.From(samples, 8, 64, 1024)
//	y := x.RFFT().Mul(h).IRFFT(nd.FFT{N: 1024}).Add(bias) // nothing runs yet
//	out, err := nd.Slice[float32](ctx, y)                 // evaluates, copies out
//
// # Words
//
// An array is an immutable handle on a node of the graph. A device computes. A
// stream is an order of work on a device; work on different streams may
// overlap, and edges between streams become fences by themselves. Evaluating
// turns a graph into a plan, a list of steps; each step launches one program.
// Plans are cached by the graph's shape, so a repeated computation is planned
// once.
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
// Views (Slice, Transpose, BroadcastTo, Frames, ...) do not copy. An operation
// with nothing to do, such as a Cast to the type an Array has, gives that very
// Array under another handle; releasing one releases both.
//
// Operations do not panic and do not return errors one by one. A mistake gives
// an Array that carries an [*OpError], which says what was wrong, with which
// shapes, at which line of the caller; operations on that Array pass it on,
// and whatever evaluates it returns it.
//
// An Array that is evaluated keeps its elements and forgets how they were made. One that
// is computed on the way to another keeps nothing: whatever uses it later computes it
// again. So evaluate what a loop uses and does not change once, before the loop. What a
// function given to [Compile] captures, and no input of it reaches, is kept by itself;
// [Explain] notes what was computed before and was not kept, and 'twiddle lint' finds such
// loops (TW015).
//
// Random numbers come from keys, not from hidden state: see [Key].
//
// An Array may have no axes, or axes of length 0; reductions of nothing give
// the identity of the operation.
package nd
