package nd

import "math"

func histogramGroup[T float32 | float64](g *Group) {
	x, edges := Elements[T](g.Inputs[0]), Elements[T](g.Inputs[1])
	bins, part, group := g.Constant("BINS"), g.Constant("PART"), g.Position[0]
	countBetween(Elements[int32](g.Outputs[0])[group*bins:][:bins], x[group*part:min((group+1)*part, len(x))], edges)
}

// countBetween sets counts to how many of x lie between neighbouring edges.
func countBetween[T float32 | float64](counts []int32, x, edges []T) {
	bins := len(counts)
	clear(counts)
	atMost := make([]int32, 2*(bins+2)) // elements by how many edges are at most the element; two rows
	if c := newCells(edges); c.crowd <= mostCrowd {
		c.count(atMost, x)
	} else {
		low, high := edges[0], edges[bins]
		for _, v := range x {
			if v >= low && v <= high {
				atMost[edgesUpTo(edges, v)]++
			}
		}
	}
	for i, n := range atMost {
		if edge := i % (bins + 2); edge > 0 {
			counts[min(edge, bins)-1] += n // the last bin has its right edge
		}
	}
}

// mostCrowd is how many edges are compared one by one.
const mostCrowd = 4

// cells cut the range of edges into equal parts, four for a bin. Elements of one cell are
// behind all edges of the cells before it and before those of the cells behind it, so that
// they are compared with the edges inside it only: with one, mostly. Which cell a number is
// in is rounded, but never out of order, and that is enough.
type cells[T float32 | float64] struct {
	low, high, scale T
	before           []int32 // edges before a cell
	bounds           []T     // the edges, and crowd of NaN
	crowd            int     // the most edges in a cell
}

func newCells[T float32 | float64](edges []T) cells[T] {
	n := 4 * (len(edges) - 1)
	c := cells[T]{low: edges[0], high: edges[len(edges)-1], before: make([]int32, n+2)}
	c.scale = T(n) / (c.high - c.low)
	if !(c.scale > 0) || math.IsInf(float64(c.scale), 0) {
		c.crowd = mostCrowd + 1
		return c
	}
	for _, e := range edges {
		at := min(max(int((e-c.low)*c.scale), 0), n)
		c.before[at+1]++
		c.crowd = max(c.crowd, int(c.before[at+1]))
	}
	for i := range n + 1 {
		c.before[i+1] += c.before[i]
	}
	c.bounds = append(c.bounds, edges...)
	for range c.crowd {
		c.bounds = append(c.bounds, T(math.NaN()))
	}
	return c
}

// count adds to two rows of counts in turns, since a count that was stored just now cannot
// be loaded at once.
func (c *cells[T]) count(atMost []int32, x []T) {
	low, high, scale, crowd, before, bounds := c.low, c.high, c.scale, c.crowd, c.before, c.bounds
	row, other := atMost[:len(atMost)/2], atMost[len(atMost)/2:]
	for _, v := range x {
		if !(v >= low && v <= high) {
			continue
		}
		at := int(before[min(int((v-low)*scale), len(before)-2)])
		for k := crowd; k > 0; k-- {
			at += one(v >= bounds[at])
		}
		row[at]++
		row, other = other, row
	}
}

// edgesUpTo is how many of the edges, which ascend, are at most v.
func edgesUpTo[T float32 | float64](edges []T, v T) int {
	from, to := 0, len(edges)
	for from < to {
		if mid := int(uint(from+to) / 2); edges[mid] <= v {
			from = mid + 1
		} else {
			to = mid
		}
	}
	return from
}

// one is 1 if b, without a branch.
func one(b bool) int {
	if b {
		return 1
	}
	return 0
}
