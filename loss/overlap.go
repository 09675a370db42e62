package loss

import "github.com/twiddle-go/twiddle/nd"

// phasesOf is how many frames after one another begin before the first ends. The
// frames of one phase, every phases-th, do not overlap.
func phasesOf(size, hop int) int { return (size + hop - 1) / hop }

// countOf is how many frames end at a sample.
func countOf(samples, hop int) int { return (samples-1)/hop + 1 }

// overlapAdd puts causal frames together: frame t ends at sample t*hop of the
// result, in which each sample is the sum over the frames that hold it and end
// at a sample. It is the adjoint of cutting a signal that zeros precede into frames.
//
// Frames come as (..., phase, turn, size), frame t in phase t mod phases. So a
// phase is a stretch of signal, and where its frames leave no gap between them
// what is added to neighbouring samples lies side by side.
func overlapAdd(frames *nd.Array, samples, hop int) *nd.Array {
	return frames.SwapAxes(-2, -3).OverlapAdd(nd.Overlap{
		Hop: hop, Skip: frames.Dim(-1) - 1, Length: samples, Turns: true, Count: countOf(samples, hop),
	})
}

// causalFrames cuts a signal into count frames, the first of which ends at its
// first sample. The signal goes on with zeros on both sides.
func causalFrames(a *nd.Array, size, hop, count int) *nd.Array {
	after := max(0, (count-1)*hop+1-a.Dim(-1))
	return a.PadAxis(-1, nd.Margin{Before: size - 1, After: after}, nd.Pad{}).Frames(size, hop).
		SliceAxis(-2, nd.Range{Stop: count})
}

// inTurns is frames of shape (..., count, size) as (..., turn, phase, size).
func inTurns(frames *nd.Array, phases int) *nd.Array {
	n := frames.NDim()
	shape := frames.Shape()
	return frames.Reshape(append(shape[:n-2], shape[n-2]/phases, phases, shape[n-1])...)
}
