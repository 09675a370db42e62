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
package nd
