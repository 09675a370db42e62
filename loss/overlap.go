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
	return nd.Custom(
		func(in []*nd.Array) []*nd.Array { return []*nd.Array{gatherFrames(in[0], samples, hop)} },
		func(in, _, grads []*nd.Array) []*nd.Array {
			phases, turns, size := in[0].Dim(-3), in[0].Dim(-2), in[0].Dim(-1)
			count := countOf(samples, hop)
			cut := causalFrames(grads[0], size, hop, count)
			more := nd.Margin{After: phases*turns - count}
			return []*nd.Array{inTurns(cut.PadAxis(-2, more, nd.Pad{}), phases).SwapAxes(-2, -3)}
		},
	)(frames)[0]
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

// overlap is a thread per sample. Frames are added in their order, so nothing
// is added twice at once. All samples but the last are in as many frames as
// there are phases, and need not ask.
var overlap = nd.Kernel{
	Name: "overlap_add", Inputs: []string{"frames"}, Outputs: []string{"out"},
	Source: `
uint s = thread_position_in_grid.x, item = thread_position_in_grid.y;
uint phases = frames_shape[1], turns = frames_shape[2], size = frames_shape[3];
uint count = (threads_per_grid.x - 1) / HOP + 1;
uint base = item * phases * turns * size;
T sum = 0;
if (phases * HOP == size && s + size <= (count - 1) * HOP + 1) {
    for (uint r = 0; r < phases; r++) sum += frames[base + r * turns * size + s + size - 1 - r * HOP];
} else {
    for (uint r = 0; r < phases; r++) {
        uint at = s + size - 1 - r * HOP;
        uint b = at / TURN;
        if (s + size > r * HOP && at % TURN < size && b * phases + r < count)
            sum += frames[base + (r * turns + b) * size + at % TURN];
    }
}
out[item * threads_per_grid.x + s] = sum;`,
}

func gatherFrames(frames *nd.Array, samples, hop int) *nd.Array {
	n := frames.NDim()
	shape := frames.Shape()
	items := frames.Len() / (shape[n-1] * shape[n-2] * shape[n-3])
	return overlap.Call(nd.Launch{
		Inputs:   []*nd.Array{frames.Reshape(items, shape[n-3], shape[n-2], shape[n-1])},
		Shapes:   [][]int{append(shape[:n-3:n-3], samples)},
		Grid:     [3]int{samples, items},
		Template: map[string]any{"T": frames.DType(), "HOP": hop, "TURN": shape[n-3] * hop},
	})[0]
}
