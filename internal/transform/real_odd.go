package transform

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/butterfly"
)

// oddLine transforms real lines of odd length by the passes of a recipe with a turn.
//
// There, the first pass transforms real columns. Of its results j and radix-j, which are
// conjugates, it leaves one, and the passes behind it have half of the columns: they compute
// the bins whose remainder by the radix is up to half of it, of which the others are mirrors.
//
// Back, the columns before the turn are those of remainders by the rows behind it. The
// conjugates that are left out would double the real part of the others.
type oddLine[R Float] struct {
	shape
	there, back             *chain
	thereGroups, backGroups halfGroups
}

// halfGroups are bins in groups of all remainders by a number, and how many of each are computed.
type halfGroups struct{ all, kept, count int }

func newHalfGroups(n, all int) halfGroups { return halfGroups{all, all/2 + 1, n / all} }

// oddProductFrom is the line, in bytes, whose turn multiplies its twiddles with vectors of 512 bits:
// 3125 samples take 0.97 of the time.
const oddProductFrom = 12 << 10

// newOddLine is nil unless the recipe is passes around a turn with enough columns for
// vectors.
func newOddLine[R Float](s shape, r *recipe.Recipe) *oddLine[R] {
	if r.Kind != recipe.MixedRadix || r.Turn == 0 || r.N%2 == 0 {
		return nil
	}
	head, tail := r.Radices[:r.Turn], r.Radices[r.Turn:]
	rows, cols := product(head), product(tail)
	first := butterfly.First[R](s.level, head[0])
	if first == nil || cols < butterfly.Lanes(s.level, 8*s.size) {
		return nil
	}
	o := &oddLine[R]{shape: s, thereGroups: newHalfGroups(r.N, head[0]), backGroups: newHalfGroups(r.N, rows)}
	along := s.padded(cols)

	kept := o.thereGroups.kept
	rest := rows / head[0]
	pass := &butterfly.Pass{Rows: rest, Cols: cols, InRow: cols, InLeg: rest * cols, OutRow: kept * along, OutLeg: along}
	if rest > 1 {
		pass.Twiddle = rowTwiddles[R](head[0], rest, kept)
	}
	start := step{pass: pass}
	start.kernel[butterfly.Split][butterfly.Split] = first
	var computed []int
	for i := range kept * rest {
		computed = append(computed, i/kept*head[0]+i%kept)
	}
	across := s.padded(len(computed))
	o.there = &chain{shape: s, n: r.N, room: max(s.side(len(computed))*along, s.side(cols)*across)}
	o.there.steps = append(append([]step{start}, stockham[R](s, head[1:], kept*along, kept*along)...),
		turnStep[R](s, r.N, computed, cols, along, across, s.level == simd.AVX512 && r.N*s.size >= oddProductFrom))
	o.there.tree = newTree[R](s, tail, len(computed), across, 0)

	kept = o.backGroups.kept
	across = s.padded(kept)
	o.back = &chain{shape: s, n: r.N, room: max(s.side(rows)*along, s.side(cols)*across)}
	o.back.steps = append(stockham[R](s, tail, kept, across), turnStep[R](s, r.N, inOrder(cols), kept, across, along, false))
	o.back.tree = newTree[R](s, head, cols, along, 0)
	return o
}

// workBytes is the scratch that the passes need.
func (o *oddLine[R]) workBytes() int { return max(o.there.workBytes(), o.back.workBytes()) }

// forward transforms samples to bins. line is scratch.
func (o *oddLine[R]) forward(bins, line view, samples unsafe.Pointer, work unsafe.Pointer, scale float64) {
	o.there.run(line, view{samples, samples, butterfly.Split}, work, scale)
	g := o.thereGroups
	for j := range g.kept {
		o.stride(bins.add(j, o.size), line.add(j, o.size), g.all, g.kept, g.count/2+1, 0)
		if j > 0 {
			mirrored := line.add((g.count-1)*g.kept+j, o.size)
			o.stride(bins.add(g.all-j, o.size), mirrored, g.all, -g.kept, g.count/2, sign)
		}
	}
}

// inverse transforms bins to the real plane of samples, times the length. line is scratch.
func (o *oddLine[R]) inverse(samples, line, bins view, work unsafe.Pointer, scale float64) {
	g := o.backGroups
	for j := range g.kept {
		o.stride(line.add(j, o.size), bins.add(j, o.size), g.kept, g.all, g.count/2+1, 0)
		mirrored := bins.add(g.count/2*g.all-j, o.size)
		o.stride(line.add((g.count/2+1)*g.kept+j, o.size), mirrored, g.kept, -g.all, g.count/2, sign)
	}
	*at[R](line.im, 0) = 0 // the sum of real samples is real
	half := o.back.runSteps(view{}, line.swapped(), work, 1)
	pitch := o.padded(g.count)
	plane := unsafe.Slice((*R)(half.im), g.count)
	for i := range plane {
		plane[i] /= 2
	}
	for _, p := range []unsafe.Pointer{half.re, half.im} {
		clear(unsafe.Slice((*R)(p), g.all*pitch)[g.kept*pitch:])
	}
	o.back.tree.run(samples.swapped(), half, 2*scale)
}

// sign is that of an imaginary part, the last bit of an element where there are vectors.
const sign = 1 << 63

// stride copies count elements that lie to and from elements apart, with the bits of flip
// in the last word of each changed: sign makes it the conjugate.
func (o *oddLine[R]) stride(dst, src view, to, from, count int, flip uint64) {
	to, from = 2*o.size*to, 2*o.size*from
	if o.size == 4 {
		for i := range count {
			*(*uint64)(unsafe.Add(dst.re, i*to)) = *(*uint64)(unsafe.Add(src.re, i*from)) ^ flip
		}
		return
	}
	for i := range count {
		d, s := (*[2]uint64)(unsafe.Add(dst.re, i*to)), (*[2]uint64)(unsafe.Add(src.re, i*from))
		d[0], d[1] = s[0], s[1]^flip
	}
}
