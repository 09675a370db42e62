package cpu

import (
	"math/bits"
	"unsafe"

	pairs "github.com/twiddle-go/twiddle/internal/simd/pair"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// besideButterfly mixes as many lines as a vector has lanes, side by side on
// chip: there no pair is too near for a vector, an order of the line costs
// nothing, and every block is read once for all of them.
type besideButterfly struct {
	pairs.Kernel
	in, out []int32 // where the elements of a line begin
	calls   []rowCall
	squares int
	bytes   int // of the rows
}

// rowCall is some pairs of one factor, or of two.
type rowCall struct {
	kernel pairs.RowFactor
	rows   pairs.Rows
	x, w   int // bytes to the first pair and its block
}

const (
	// besideMost is how many bytes the lines side by side may take: half of a
	// second-level cache of 2 MiB.
	besideMost = 1 << 20
	// besideChunk is how many bytes of rows go through several factors before the
	// next: they stay in the first-level cache.
	besideChunk = 16 << 10
	// besideRun is the least bytes of a chunk that follow each other. Runs a power
	// of two apart are in the same sets of the cache, which has eight ways or more.
	besideRun = besideChunk / 8
)

// worthTurning is how many factors it takes to be worth the turns there and back,
// for lines that come and go in order: eight of 1024 take as long either way. An
// order takes longer than that line by line, and nothing in a turn.
const worthTurning = 8

// newBesideButterfly is nil if the lines are too few or too long, or have gaps.
func newBesideButterfly(p *ir.Butterfly, l *lines, k pairs.Kernel) *besideButterfly {
	if p.From == nil && p.To == nil && len(p.Spans) < worthTurning {
		return nil
	}
	size := p.In.Type.Size()
	b := &besideButterfly{Kernel: k, bytes: k.Beside * p.N * size}
	if k.Beside == 0 || l.row() < k.Beside || l.step[0] != 1 || l.step[1] != 1 || b.bytes > besideMost {
		return nil
	}
	row := k.Beside * size
	b.in, b.out = rowPlaces(p.From, p.N, row), rowPlaces(p.To, p.N, row)
	b.squares = p.N / k.Lanes
	most := min(bits.Len(uint(besideChunk/row))-1, bits.Len(uint(p.N))-1)
	least := min(besideRun/row, p.N) - 1
	for f := 0; f < len(p.Spans); {
		end, chunk := f, least
		for end < len(p.Spans) && bits.OnesCount(uint(chunk|p.Spans[end])) <= most {
			chunk |= p.Spans[end]
			end++
		}
		for bits.OnesCount(uint(chunk)) < most { // the lowest bit that is missing
			chunk |= chunk + 1
		}
		for base := range p.N {
			if base&chunk == 0 {
				for k := f; k < end; {
					k += b.mix(p, k, end, base, chunk, row)
				}
			}
		}
		f = end
	}
	return b
}

// besideButterflies is how many lines the butterflies of a line program want side
// by side, or 0.
func (d *Device) besideButterflies(p *ir.Line) int {
	group := 0
	for _, s := range p.Stages {
		if b, ok := s.Program.(*ir.Butterfly); ok {
			group = max(group, d.pairKernel(b.In.Type, b.N).Beside)
		}
	}
	return group
}

// rowPlaces is where the rows of elements begin if element order[i] is row i.
func rowPlaces(order []int, n, row int) []int32 {
	list := make([]int32, n)
	for i := range list {
		at := i
		if order != nil {
			at = order[i]
		}
		list[at] = int32(i * row)
	}
	return list
}

// mix adds the calls of factor f, and of the next unless it is the end or has
// the same span, for the chunk of rows that are base but for the bits of chunk.
// It says how many factors that was.
func (b *besideButterfly) mix(p *ir.Butterfly, f, end, base, chunk, row int) int {
	strides, size := p.W.Strides, p.W.Type.Size()
	rows := pairs.Rows{Row: strides[1], Col: strides[2], Next: strides[0]}
	factors := 1
	if f+1 < end && p.Spans[f] != p.Spans[f+1] {
		factors = 2
	}
	others := chunk
	for i, h := range p.Spans[f : f+factors] {
		rows.Spans[i] = h
		others &^= h
	}
	blocks := func(i int) (at [2]int) {
		for k, h := range rows.Spans[:factors] {
			at[k] = (i/(2*h)*h + i%h) * strides[3]
		}
		return at
	}
	if factors == 2 {
		rows.Cross = [2]int{blocks(rows.Spans[1])[0], blocks(rows.Spans[0])[1]}
	}
	// Bits next to each other are a loop. There are at most three runs of them.
	loop := func() pairs.Loop {
		least := others & -others
		group := others &^ (others + least)
		others &^= group
		return pairs.Loop{Count: group/max(least, 1) + 1, Rows: least, Blocks: blocks(least)}
	}
	rows.Inner, rows.Outer = loop(), loop()
	if rows.Inner.Count < rows.Outer.Count {
		rows.Inner, rows.Outer = rows.Outer, rows.Inner
	}
	for high := 0; ; high = (high - others) & others { // all subsets
		i := base | high
		at := blocks(i)
		call := rowCall{rows: rows, kernel: b.Rows[factors-1], x: i * row, w: (p.W.Offset + f*strides[0] + at[0]) * size}
		call.rows.Next += at[1] - at[0]
		b.calls = append(b.calls, call)
		if high == others {
			return factors
		}
	}
}

// run mixes lines that are apart bytes apart; w is the blocks.
func (b *besideButterfly) run(dst, src spaced, w unsafe.Pointer, size int, s *scratch) {
	mark := s.level()
	rows := s.pointer(b.bytes)
	b.In((*byte)(rows), (*byte)(src.at), src.apart*size, &b.in[0], b.squares)
	for i := range b.calls {
		c := &b.calls[i]
		c.kernel((*byte)(unsafe.Add(rows, c.x)), (*byte)(unsafe.Add(w, c.w)), &c.rows)
	}
	b.Out((*byte)(dst.at), (*byte)(rows), dst.apart*size, &b.out[0], b.squares)
	s.back(mark)
}
