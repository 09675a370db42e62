package grad

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// windows is a matrix of overlapping windows of a node, as convolutions multiply them by filters: its rows are the
// channels and places in a window (taps), its columns the windows (positions), each along the last axes of the node.
type windows struct {
	of    *graph.Node
	lead  []int // of the matrix
	rows  int   // for each tap
	taps  []int // by axis
	hops  []int // from tap to tap
	spots []int // positions
}

// fewestRows is from how many rows for each tap a product with windows takes less time than one without and the sum of
// its parts; a tile of a product has 12 rows or more.
const fewestRows = 8

// windowsOf is matrix b as windows of a node to which all of its cotangent goes, or nil: Frames along the last axes, then
// a Transpose, then a Reshape.
func (s *step) windowsOf(b *graph.Node) *windows {
	below := func(n *graph.Node) *graph.Node {
		if e := s.entry(n); !e.wrt && len(e.in) == 1 {
			return e.in[0]
		}
		return nil
	}
	if b.Op != graph.Reshape || !b.Type.IsFloat() || b.Type.IsHalf() {
		return nil
	}
	n := below(b)
	if n == nil || n.Op != graph.Transpose {
		return nil
	}
	perm := n.Attr.(graph.TransposeAttr).Perm
	var frames []graph.FramesAttr
	for n = below(n); n != nil && n.Op == graph.Frames; n = below(n) {
		frames = append(frames, n.Attr.(graph.FramesAttr))
	}
	if n == nil || len(frames) == 0 || len(frames) > len(n.Shape) || b.Len() == 0 {
		return nil
	}
	slices.Reverse(frames)
	// What each axis is: axis a of the node is a, its taps are a+rank, and its positions a+2*rank.
	rank, p := len(n.Shape), len(frames)
	axes := lists.Make(rank, func(a int) int { return a })
	hop, size := make([]int, rank), make([]int, rank)
	for _, f := range frames {
		a := axes[f.Axis]
		if a >= rank {
			return nil // frames of frames
		}
		hop[a], size[a] = f.Hop, f.Size
		axes = slices.Replace(axes, f.Axis, f.Axis+1, a+rank, a+2*rank)
	}
	want := lists.Make(rank-p, func(a int) int { return a })
	for _, part := range []int{rank, 2 * rank} {
		for a := rank - p; a < rank; a++ {
			want = append(want, a+part)
		}
	}
	if !slices.Equal(pick(axes, perm), want) {
		return nil
	}
	w := &windows{of: n, hops: hop[rank-p:], spots: size[rank-p:]}
	for i, length := range n.Shape[rank-p:] {
		w.taps = append(w.taps, (length-w.spots[i])/w.hops[i]+1)
	}
	k, columns := len(b.Shape)-2, lists.Product(w.spots)
	if k < 0 || b.Shape[k+1] != columns || b.Shape[k]%lists.Product(w.taps) != 0 {
		return nil
	}
	w.lead, w.rows = b.Shape[:k], b.Shape[k]/lists.Product(w.taps)
	return w
}

// pull is the cotangent of the node, where g is that of the product of a and the windows: the product of filters
// reversed, their inputs and outputs swapped, and windows of g. It is nil where those are many more rows than the
// windows of the node, which devices that copy windows would write.
func (w *windows) pull(a, g *graph.Node) *graph.Node {
	k := len(w.lead)
	m := g.Shape[k]
	if w.rows < fewestRows || m > 2*w.rows {
		return nil
	}
	if a.Op == graph.Broadcast && a.Held() == nil {
		if in := a.In(); len(in) == 1 && slices.Equal(lastTwo(in[0].Shape), lastTwo(a.Shape)) {
			a = in[0]
		}
	}
	p, taps := len(w.taps), lists.Product(w.taps)
	lengths := w.of.Shape[len(w.of.Shape)-p:]

	lead := a.Shape[:len(a.Shape)-2]
	u := reshape(a, slices.Concat(lead, []int{m, w.rows}, w.taps))
	for i := range p {
		u = flip(u, len(lead)+2+i)
	}
	order := lists.Make(len(u.Shape), func(i int) int { return i })
	order[len(lead)], order[len(lead)+1] = len(lead)+1, len(lead)
	u = must(graph.NewTranspose(u, order))
	u = reshape(u, slices.Concat(lead, []int{w.rows, m * taps}))

	g = reshape(g, slices.Concat(w.lead, []int{m}, w.spots))
	before, after := make([]int, len(g.Shape)), make([]int, len(g.Shape))
	for i := range p {
		before[k+1+i], after[k+1+i] = (w.taps[i]-1)*w.hops[i], lengths[i]-w.spots[i]
	}
	g = must(graph.NewPad(g, graph.PadConstant, before, after, scalar.Arg{}))
	order = lists.Make(k+1, func(i int) int { return i })
	for i := range p {
		g = must(graph.NewFrames(g, k+1+2*i, lengths[i], w.hops[i]))
		order = append(order, k+1+2*i)
	}
	for i := range p {
		order = append(order, k+2+2*i)
	}
	g = reshape(must(graph.NewTranspose(g, order)), slices.Concat(w.lead, []int{m * taps, lists.Product(lengths)}))
	return reshape(must(graph.NewMatMul(u, g)), w.of.Shape)
}

func lastTwo(dims []int) []int { return dims[len(dims)-2:] }

func pick(list, at []int) []int {
	return lists.Map(at, func(p int) int { return list[p] })
}
