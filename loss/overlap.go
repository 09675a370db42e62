package loss

import "github.com/twiddle-go/twiddle/nd"

// overlapAdd puts causal frames together: frames is of shape (..., size,
// count), and frame t ends at sample t*hop of the result, in which each sample
// is the sum over the frames that hold it. It is the adjoint of cutting a
// signal that zeros precede into frames.
func overlapAdd(frames *nd.Array, samples, hop int) *nd.Array {
	return nd.Custom(
		func(in []*nd.Array) []*nd.Array { return []*nd.Array{gatherFrames(in[0], samples, hop)} },
		func(in, _, grads []*nd.Array) []*nd.Array {
			size := in[0].Dim(-2)
			padded := grads[0].PadAxis(-1, nd.Margin{Before: size - 1}, nd.Pad{})
			return []*nd.Array{padded.Frames(size, hop).SwapAxes(-1, -2)}
		},
	)(frames)[0]
}

// overlap is a thread per sample. Neighbours read neighbours, and frames are
// added in their order, so nothing is added twice at once. Where every sample
// has a frame of its own, all but the last are in whole windows.
var overlap = nd.Kernel{
	Name: "overlap_add", Inputs: []string{"frames"}, Outputs: []string{"out"},
	Source: `
uint s = thread_position_in_grid.x, item = thread_position_in_grid.y;
uint size = frames_shape[1], count = frames_shape[2];
T sum = 0;
if (HOP == 1 && s + size <= count) {
    uint at = ((item + 1) * size - 1) * count + s;
    for (uint i = 0; i < size; i++) sum += frames[at - i * (count - 1)];
} else {
    uint first = (s + HOP - 1) / HOP;
    for (uint i = 0; i < (size + HOP - 1) / HOP; i++) {
        uint t = first + i;
        uint at = s + size - 1 - t * HOP;
        if (t < count && at < size) sum += frames[(item * size + at) * count + t];
    }
}
out[item * threads_per_grid.x + s] = sum;`,
}

func gatherFrames(frames *nd.Array, samples, hop int) *nd.Array {
	size, count := frames.Dim(-2), frames.Dim(-1)
	items := frames.Len() / (size * count)
	return overlap.Call(nd.Launch{
		Inputs:   []*nd.Array{frames.Reshape(items, size, count)},
		Shapes:   [][]int{append(frames.Shape()[:frames.NDim()-2], samples)},
		Grid:     [3]int{samples, items},
		Template: map[string]any{"T": frames.DType(), "HOP": hop},
	})[0]
}
