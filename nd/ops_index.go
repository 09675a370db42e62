package nd

import (
	"github.com/twiddle-go/twiddle/nd/internal/caller"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
)

// The operations of this file read indices while they run. Indices are int32
// or int64, negative ones count from the end, and one outside its axis fails
// the evaluation with an error of the line that called the operation.

// Take picks positions along an axis. The shape of the indices replaces the
// axis: taking a (3, 4) array of rows from (8, 64) gives (3, 4, 64).
func (a *Array) Take(indices *Array, axis int) *Array {
	if bad := unusable("take", a, indices); bad != nil {
		return bad
	}
	n, err := graph.NewTake(a.node, indices.node, axis, caller.Of("take"))
	return built("take", n, err, a, indices)
}

// Gather picks one position along an axis for every element of the indices,
// which have as many axes as a and broadcast with it on the others: what
// ArgSort gives, Gather puts in order.
func (a *Array) Gather(indices *Array, axis int) *Array {
	if bad := unusable("gather", a, indices); bad != nil {
		return bad
	}
	n, err := graph.NewGather(a.node, indices.node, axis, caller.Of("gather"))
	return built("gather", n, err, a, indices)
}

// ScatterAdd adds updates to a at positions along an axis. Indices and updates
// broadcast to one shape that agrees with a on the other axes. Updates of one
// position are added in row-major order, so the bits are always the same.
func (a *Array) ScatterAdd(indices, updates *Array, axis int) *Array {
	if bad := unusable("scatter_add", a, indices, updates); bad != nil {
		return bad
	}
	n, err := graph.NewScatterAdd(a.node, indices.node, updates.node, axis, caller.Of("scatter_add"))
	return built("scatter_add", n, err, a, indices, updates)
}
