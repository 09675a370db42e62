package ir

import "github.com/twiddle-go/twiddle/nd/internal/lists"

// longLine is how long one line is that several workers transform together.
const longLine = 1 << 17

// Pieces of a kind: as many as there are parts of grain points, or lines, since a
// line is not shared unless it is long.

func (m *Map) Pieces(grain int) int     { return parts(Count(m.Dims), grain) }
func (s *Scan) Pieces(grain int) int    { return parts(Count(s.Dims), grain) }
func (g *Gather) Pieces(grain int) int  { return parts(Count(g.Dims), grain) }
func (s *Scatter) Pieces(grain int) int { return parts(Count(s.Dims), grain) }
func (o *Overlap) Pieces(grain int) int { return parts(Count(o.Extent()), grain) }
func (c *Custom) Pieces(grain int) int  { return parts(Count(c.Extent()), grain) }
func (s *Sort) Pieces(int) int          { return Count(s.Dims[:len(s.Dims)-1]) }
func (b *Butterfly) Pieces(int) int     { return Count(b.Outer) }

// Pieces of a reduction to few numbers are longer: each costs a number to add up.
func (r *Reduce) Pieces(grain int) int {
	n := Count(r.Dims)
	return max(parts(n, 8*grain), min(Count(r.Outer()), parts(n, grain)))
}

func (f *FFT) Pieces(grain int) int {
	n := Count(f.Outer)
	if f.N >= longLine || n == 1 {
		return parts(f.N, grain) * n
	}
	return min(n, parts(n*f.N, grain))
}

func (p *Line) Pieces(grain int) int {
	if l := p.Long(); l != nil {
		return p.Lines() * parts(longLine, grain)
	}
	return p.Lines()
}

// Pieces of a product are tiles, unless it is small.
func (g *Gemm) Pieces(grain int) int {
	const rows, columns = 64, 512
	if g.M*g.N*g.K < 32*grain {
		return Count(g.Batch)
	}
	return Count(g.Batch) * parts(g.M, rows) * parts(g.N, columns)
}

// OneEach reports a batch of which workers take a product each, instead of sharing one after
// the other. Sharing wakes them twice for each block of the depth, which takes as long as a
// million multiplications.
func (g *Gemm) OneEach(workers int) bool {
	const depth, waking = 256, 1 << 20
	count, one := Count(g.Batch), g.M*g.N*g.K
	if count < 2 || count >= 2*workers {
		return count > 1
	}
	return parts(count, workers)*one <= count*(one/workers+2*parts(g.K, depth)*waking)
}

func (b *Batch) Pieces(grain int) int {
	return lists.Sum(b.Programs, func(p Program) int { return p.Pieces(grain) })
}

// parts is how many parts of a size n has.
func parts(n, size int) int { return (n + max(size, 1) - 1) / max(size, 1) }
