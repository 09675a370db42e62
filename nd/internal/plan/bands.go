package plan

import (
	"math"
	"slices"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// A mask that compares positions, as that of causal attention does, shows a band of the matrices that Where takes it
// to. So a product before it need not compute what is outside the band. What comes behind it is mostly 0 there, so
// that a product with it adds up fewer terms. Bands are of the last two axes.

// bands is what masks show.
type bands struct {
	g     *Graph
	links links
	masks map[ref][2]ir.Band
	seen  []ir.Band // by node: outside of it nothing reads an element
	alike []alike   // by node
}

// deepestMask is how many operations and views a mask may be made by, one behind the other.
const deepestMask = 64

// alike says that elements outside a band are alike along rows, or along columns.
type alike struct {
	ir.Band
	rows, columns bool
}

// findBands is nil where no mask compares positions.
func findBands(g *Graph, ls links) *bands {
	if !slices.ContainsFunc(g.Nodes, func(n *graph.Node) bool { return n.Op == graph.Iota }) {
		return nil
	}
	b := &bands{g: g, links: ls, masks: map[ref][2]ir.Band{}, seen: make([]ir.Band, len(g.Nodes)), alike: make([]alike, len(g.Nodes))}
	for pos := range g.Nodes {
		b.seen[pos] = ir.NoBand
		b.alike[pos] = b.alikeIn(NodeID(pos))
	}
	for _, pos := range g.Outputs {
		b.seen[pos] = ir.EveryBand
	}
	for pos := len(g.Nodes) - 1; pos >= 0; pos-- {
		b.look(NodeID(pos))
	}
	return b
}

// isWhere reports a choice among elements.
func (b *bands) isWhere(pos NodeID) bool {
	a, ok := b.g.Nodes[pos].Attr.(graph.MapAttr)
	return ok && b.g.Leaf[pos] < 0 && a.Op == scalar.Where
}

// look passes what is seen of a node on to its inputs.
func (b *bands) look(pos NodeID) {
	in, seen := b.g.In[pos], b.seen[pos]
	of := func(i int, part ir.Band) { b.seen[in[i]] = b.seen[in[i]].Or(part) }
	n := b.g.Nodes[pos]
	switch {
	case b.g.Leaf[pos] >= 0:
	case b.isWhere(pos):
		yes, no := b.shows(in[0], nil, deepestMask)
		of(0, seen)
		of(1, seen.And(yes))
		of(2, seen.And(no))
	case n.Op == graph.Map:
		for i := range in {
			of(i, seen)
		}
	case n.Op.IsView():
		part := ir.EveryBand
		if m, ok := b.matrixView(pos); ok {
			part = m.inner(seen)
		}
		of(0, part)
	default:
		for i := range in {
			of(i, ir.EveryBand)
		}
	}
}

// alikeIn is what is known of a node whose inputs are known.
func (b *bands) alikeIn(pos NodeID) alike {
	n, in := b.g.Nodes[pos], b.g.In[pos]
	none := alike{Band: ir.NoBand}
	switch {
	case b.g.Leaf[pos] >= 0:
		return alike{}
	case n.Op == graph.Full:
		none.rows, none.columns = true, true
		return none
	case b.isWhere(pos):
		yes, no := b.shows(in[0], nil, deepestMask)
		best, least := alike{}, 1.0
		for i, other := range []ir.Band{no, yes} { // where the other input is taken
			l := b.alike[in[1+i]]
			l.Band = l.Or(other)
			if share := b.share(pos, l.Band); (l.rows || l.columns) && share < least {
				best, least = l, share
			}
		}
		return best
	case n.Op == graph.Map:
		all := alike{Band: ir.NoBand, rows: true, columns: true}
		for _, i := range in {
			l := b.alike[i]
			all = alike{all.Or(l.Band), all.rows && l.rows, all.columns && l.columns}
		}
		return all
	case n.Op.IsView():
		if m, ok := b.matrixView(pos); ok {
			l := b.alike[in[0]]
			l.Band = m.outer(l.Band)
			if m.turned {
				l.rows, l.columns = l.columns, l.rows
			}
			return l
		}
		if v, stuck := b.show(pos); stuck == nil && len(v.Shape) >= 2 {
			row, column := len(v.Shape)-2, len(v.Shape)-1
			none.rows, none.columns = v.Strides[column] == 0, v.Strides[row] == 0
			return none
		}
	}
	return alike{}
}

// share is how much of a node's matrices is in a band.
func (b *bands) share(pos NodeID, band ir.Band) float64 {
	dims := b.g.Nodes[pos].Shape
	if len(dims) < 2 || slices.Contains(dims, 0) {
		return 1
	}
	return band.Share(dims[len(dims)-2], dims[len(dims)-1])
}

// show is a view's elements in its input, were that contiguous.
func (b *bands) show(pos NodeID) (shape.View, *link) {
	return fold(b.g, shape.Contiguous(b.g.Nodes[b.g.In[pos][0]].Shape), b.links.push(b.g, pos, nil))
}

// matrixView is a view whose matrices are parts of those of its input, or transposed: diagonals are shifted.
type matrixView struct {
	turned bool
	shift  int // the diagonal of the input that is diagonal 0 of the view
}

func (m matrixView) inner(b ir.Band) ir.Band {
	if m.turned {
		b = b.Turned()
	}
	return b.Shifted(m.shift)
}

func (m matrixView) outer(b ir.Band) ir.Band {
	b = b.Shifted(-m.shift)
	if m.turned {
		b = b.Turned()
	}
	return b
}

func (b *bands) matrixView(pos NodeID) (m matrixView, ok bool) {
	from := b.g.Nodes[b.g.In[pos][0]].Shape
	v, stuck := b.show(pos)
	rank := len(v.Shape)
	if stuck != nil || rank < 2 || len(from) < 2 || v.Len() == 0 {
		return m, false
	}
	rows, columns := from[len(from)-2], from[len(from)-1]
	size := rows * columns
	for _, s := range v.Strides[:rank-2] {
		if s%size != 0 {
			return m, false
		}
	}
	down, right := v.Shape[rank-2], v.Shape[rank-1]
	fits := func(dim, stride int) bool { return v.Shape[dim] == 1 || v.Strides[dim] == stride }
	switch {
	case fits(rank-2, columns) && fits(rank-1, 1):
	case fits(rank-2, 1) && fits(rank-1, columns):
		m.turned = true
		down, right = right, down
	default:
		return m, false
	}
	at := v.Offset % size
	row, column := at/columns, at%columns
	m.shift = column - row
	return m, row+down <= rows && column+right <= columns
}

// shows is the bands that a mask, seen through views, shows and hides: it is false outside the first, and true outside
// the second.
func (b *bands) shows(pos NodeID, l *link, depth int) (yes, no ir.Band) {
	r := ref{pos, l}
	if m, ok := b.masks[r]; ok {
		return m[0], m[1]
	}
	yes, no = ir.EveryBand, ir.EveryBand
	n, in := b.g.Nodes[pos], b.g.In[pos]
	a, _ := n.Attr.(graph.MapAttr)
	switch {
	case b.g.Leaf[pos] >= 0 || depth == 0:
	case n.Op.IsView():
		yes, no = b.shows(in[0], b.links.push(b.g, pos, l), depth-1)
	case a.Op == scalar.Not:
		no, yes = b.shows(in[0], l, depth-1)
	case a.Op == scalar.And || a.Op == scalar.Or:
		y0, n0 := b.shows(in[0], l, depth-1)
		y1, n1 := b.shows(in[1], l, depth-1)
		if a.Op == scalar.And {
			yes, no = y0.And(y1), n0.Or(n1)
		} else {
			yes, no = y0.Or(y1), n0.And(n1)
		}
	case a.Op.IsCompare():
		if x, ok := b.position(in[0], l, depth-1); ok {
			if y, ok := b.position(in[1], l, depth-1); ok {
				yes, no = compared(a.Op, x, y)
			}
		}
	}
	b.masks[r] = [2]ir.Band{yes, no}
	return yes, no
}

// position is a node that counts positions, as the strides by which it counts.
func (b *bands) position(pos NodeID, l *link, depth int) (v shape.View, ok bool) {
	n := b.g.Nodes[pos]
	switch {
	case b.g.Leaf[pos] >= 0 || depth == 0 || n.Op == graph.BitCast:
	case n.Op.IsView():
		return b.position(b.g.In[pos][0], b.links.push(b.g, pos, l), depth-1)
	case n.Op == graph.Iota:
		v, stuck := fold(b.g, positions(n), l)
		return v, stuck == nil && len(v.Shape) >= 2
	case n.Op == graph.Map:
		if op := n.Attr.(graph.MapAttr).Op; op == scalar.Copy || op == scalar.Cast {
			if v, ok = b.position(b.g.In[pos][0], l, depth-1); !ok || v.Len() == 0 {
				return v, false
			}
			_, end := v.Span()
			return v, end <= exactUpTo(n.Type)
		}
	}
	return v, false
}

// exactUpTo is up to where a type has all whole numbers.
func exactUpTo(t elem.Type) int {
	switch {
	case t == elem.Float64 || t.IsInteger() && t.Size() == 8:
		return int(min(uint64(math.MaxInt), 1<<53))
	case t.IsInteger():
		return 1<<(8*t.Size()-1) - 1
	case t == elem.Float32:
		return 1 << 24
	}
	return 0
}

// compared is where a comparison of positions is true, and where it is not.
func compared(op scalar.Op, x, y shape.View) (yes, no ir.Band) {
	rank := len(x.Shape)
	step := make([]int, rank)
	for d, n := range x.Shape {
		if n > 1 {
			step[d] = x.Strides[d] - y.Strides[d]
		}
	}
	row, column := step[rank-2], step[rank-1]
	if x.Shape[rank-1] == 1 {
		column = -row
	} else if x.Shape[rank-2] == 1 {
		row = -column
	}
	if slices.ContainsFunc(step[:rank-2], func(s int) bool { return s != 0 }) || row != -column || column == 0 {
		return ir.EveryBand, ir.EveryBand
	}
	off := x.Offset - y.Offset
	if column < 0 { // y less x
		column, off = -column, -off
		switch op {
		case scalar.Less:
			op = scalar.Greater
		case scalar.LessEqual:
			op = scalar.GreaterEqual
		case scalar.Greater:
			op = scalar.Less
		case scalar.GreaterEqual:
			op = scalar.LessEqual
		}
	}
	// The difference is column times the diagonal plus off: at most 0 up to diagonal last, below 0 up to before.
	last, before := floorDiv(-off, column), floorDiv(-off-1, column)
	switch op {
	case scalar.LessEqual:
		return ir.UpTo(last), ir.FromOn(last + 1)
	case scalar.Greater:
		return ir.FromOn(last + 1), ir.UpTo(last)
	case scalar.Less:
		return ir.UpTo(before), ir.FromOn(before + 1)
	case scalar.GreaterEqual:
		return ir.FromOn(before + 1), ir.UpTo(before)
	case scalar.Equal:
		return ir.Band{From: before + 1, To: last}, ir.EveryBand
	}
	return ir.EveryBand, ir.Band{From: before + 1, To: last} // NotEqual
}

// limit writes which part of a product its readers see, and which of its terms are alike, where that is much.
func (b *bands) limit(g *ir.Gemm, pos NodeID) (label string) {
	if b == nil || !g.Plain() || g.M < 2 || g.N < 2 {
		return ""
	}
	if seen := b.seen[pos].In(g.M, g.N); seen.Share(g.M, g.N) <= fullest {
		g.Seen = &seen
		label = ", " + seen.String() + " seen"
	}
	if !g.AxesA.Plain() || !g.AxesB.Plain() {
		return label
	}
	for i, in := range b.g.In[pos] {
		l, rows, columns := b.alike[in], g.M, g.K
		along := l.rows
		if i == 1 {
			rows, columns, along = g.K, g.N, l.columns
		}
		if band := l.In(rows, columns); (l.rows || l.columns) && band.Share(rows, columns) <= fullest {
			g.Alike = &ir.Alike{OfB: i == 1, Band: band, Along: along}
			return label + ", zeros of " + []string{"a", "b"}[i] + " skipped but on " + band.String()
		}
	}
	return label
}

// cut reports a choice among elements that a mask of positions makes.
func (b *bands) cut(pos NodeID) bool {
	if b == nil || !b.isWhere(pos) {
		return false
	}
	yes, no := b.shows(b.g.In[pos][0], nil, deepestMask)
	return min(b.share(pos, yes), b.share(pos, no)) <= fullest
}

// fullest is the share of a matrix from which leaving out the rest is not worth asking.
const fullest = 7.0 / 8

func floorDiv(x, y int) int {
	q := x / y
	if x%y < 0 {
		q--
	}
	return q
}
