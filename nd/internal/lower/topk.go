package lower

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// sortGathered makes a sort of a gather that fetches what an argsort of the
// same lines found: the values of a TopK beside their positions. A gather needs
// its line in memory, while a second sort may stay with the first on chip. It
// leaves alone what is read from a leaf, which is in memory anyway.
func sortGathered(p *Plan) {
	for i := range p.Steps {
		g, ok := p.Steps[i].Program.(*ir.Gather)
		if !ok || p.Buffers[p.Steps[i].Reads[0]].Leaf {
			continue
		}
		data, index := p.Steps[i].Reads[0], p.Steps[i].Reads[1]
		for _, s := range p.Steps {
			q, ok := s.Program.(*ir.Sort)
			if !ok || !q.Arg || s.Writes[0] != index || s.Reads[0] != data || !fetches(g, q) {
				continue
			}
			sorted := *q
			sorted.Arg, sorted.Out = false, g.Out
			p.Steps[i].Program, p.Steps[i].Reads = &sorted, []int{data}
			break
		}
	}
}

// fetches reports whether a gather takes, line by line, the elements whose
// positions a sort gives.
func fetches(g *ir.Gather, q *ir.Sort) bool {
	last := len(q.Dims) - 1
	return len(g.Dims) == len(q.Dims) && slices.Equal(g.Dims[:last], q.Dims[:last]) && g.Dims[last] == q.Keep &&
		g.AxisLen == q.Dims[last] && g.AxisStride == q.In.Strides[last] && g.Data.Offset == q.In.Offset &&
		slices.Equal(g.Data.Strides[:last], q.In.Strides[:last]) && g.Data.Strides[last] == 0 &&
		g.Index.Offset == q.Out.Offset && slices.Equal(g.Index.Strides, q.Out.Strides)
}
