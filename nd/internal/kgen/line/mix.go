package line

import (
	"encoding/binary"
	"slices"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/dft"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// mixer makes a butterfly whose blocks are an operand. Those of a line are many
// times its size, so a group's threads share its lines: each takes some numbers
// of several lines through a few factors in registers, and reads their blocks
// once. In between the lines lie in shared memory, where factors find their pairs.
type mixer struct {
	*kernel
	a     dft.Arith
	stage ir.Stage
	b     *ir.Butterfly
	weave recipe.Weave
}

// mix makes a butterfly.
func (k *kernel) mix(s ir.Stage, b *ir.Butterfly) {
	passes := recipe.NetworkPasses(b.Spans, b.In.Type.Size())
	m := &mixer{kernel: k, a: k.arith(single), stage: s, b: b, weave: recipe.WeaveOf(b.N, b.Spans, b.In.Type.Size(), passes)}
	if b.In.Type.Real() == elem.Float64 {
		m.a = k.arith(double)
	}
	k.prepare(s)
	k.guard.wait() // whoever used it for an exchange
	line := k.scratch(b.In.Type)
	// All loads of a thread at once: on an H200 lines of 1024 take 0.46 ms so, 0.53
	// by eights and 0.61 by fours.
	k.unrolled(b.N, 32, func(c cell) { k.put(line, m.placeOf(b.From, c), k.read(s.Reads[0], b.In, c)[0]) })
	first := 0
	for _, n := range passes {
		m.meet()
		m.pass(first, n)
		first += n
	}
	m.meet()
	k.unrolled(b.N, 32, func(c cell) {
		k.write(s.Writes[0], b.Out, c, []kgen.Num{k.fetched(line, m.placeOf(b.To, c))}, build.Val{})
	})
	k.guard.read[swapped] = true
}

// meet lets all lines of a group wait for each other: passes walk across them.
func (m *mixer) meet() {
	if m.target.Subgroup == 32 && m.lines*m.threads <= 32 {
		m.WarpBarrier()
	} else {
		m.Barrier()
	}
	clear(m.guard.read)
	clear(m.guard.written)
}

// placeOf is where in a line the element lies that an order has at a cell. Both
// ends of a butterfly follow memory, and shared memory the orders.
func (m *mixer) placeOf(order []int, c cell) build.Val {
	if order == nil {
		return m.Let("place", woven(m.weave, c.at.at))
	}
	data := make([]byte, 4*len(order))
	for i, at := range order {
		binary.LittleEndian.PutUint32(data[4*at:], uint32(m.weave.Place(i)))
	}
	return m.Let("place", m.table("order "+string(data), ktree.Scalar(ktree.Int), func() []byte { return data }).At(c.at.at))
}

// pass makes n factors from the one at first on. A thread takes numbers that are
// apart by the spans and sums of them, so that all their partners are there.
func (m *mixer) pass(first, n int) {
	b := m.b
	spans := b.Spans[first : first+n]
	least := slices.Min(spans)
	groups, lines := b.N>>n, m.sharing(n)
	threads, items := m.lines*m.threads, groups*m.lines/lines
	pitch := m.pitch / b.In.Type.Size()
	m.For("item", m.Thread(), items, threads, 0, func(item build.Val) {
		group := m.Let("group", item.Rem(groups))
		outer, inner := group.Div(least), group.Rem(least)
		base := m.Let("base", outer.Mul(least<<n).Add(inner))
		pair := m.LetIn("pair", outer.Mul(least<<n/2).Add(inner).To(ktree.Int), 0, max(b.N/2-1, 1))
		chip := stored{b.In.Type, m.Let("chip", m.pool(storedType(b.In.Type)).Plus(item.Div(groups).Mul(lines*pitch).To(ktree.Int)))}
		at := m.Let("at", woven(m.weave, base).To(ktree.Int))
		places := make([]build.Val, 1<<n) // bit j says that it is least<<j further
		for i := range places {
			places[i] = m.Let("place", at.Xor(m.weave.Place(i*least)))
		}
		x := make([][]number, lines)
		for l := range x {
			x[l] = lists.Map(places, func(p build.Val) number { return m.parts(m.fetched(chip, raised(p, l*pitch))) })
		}
		for f, h := range spans {
			bit := h / least
			blocks := m.blocks(first+f, n, least, pair)
			for i := range places {
				if i&bit != 0 {
					continue
				}
				w := blocks[i]
				for l := range x {
					p, q := x[l][i], x[l][i|bit]
					x[l][i], x[l][i|bit] = m.dot(w[0], p, w[1], q), m.dot(w[2], p, w[3], q)
				}
			}
		}
		for l := range x {
			for i, p := range places {
				m.put(chip, raised(p, l*pitch), valueOf(b.In.Type, x[l][i]))
			}
		}
	})
}

// sharing is how many lines a thread takes at once in a pass of n factors: as many
// as leave work for all threads.
func (m *mixer) sharing(n int) int {
	lines := 1
	for lines < mixLines && m.lines%(2*lines) == 0 && 2*lines*m.threads <= m.b.N>>n {
		lines *= 2
	}
	return lines
}

// parts is a value as a number; a real has no imaginary part.
func (m *mixer) parts(v kgen.Num) number {
	if v.IsComplex() {
		return number{Re: v.Re, Im: v.Im}
	}
	return m.a.Real(v.Re)
}

// dot is v*p + w*q.
func (m *mixer) dot(v, p, w, q number) number {
	a := m.a
	return number{
		Re: a.Fused(v.Im.Neg(), p.Im, a.Fused(v.Re, p.Re, a.Fused(w.Im.Neg(), q.Im, a.Product(w.Re, q.Re)))),
		Im: a.Fused(v.Im, p.Re, a.Fused(v.Re, p.Im, a.Fused(w.Im, q.Re, a.Product(w.Re, q.Im)))),
	}
}

// blocks are those of a factor for a group of 1<<n numbers whose first pair is
// given: by the place of a pair's first number, its rows. Whatever the factor, a
// group's pairs are apart by the least span of the pass.
func (m *mixer) blocks(factor, n, least int, pair build.Val) map[int][4]number {
	slot, bit := m.stage.Reads[1], m.b.Spans[factor]/least
	var list [4][]kgen.Num // by number of a block, then pair
	for j := range list {
		w := m.weight(factor, j)
		each := m.inPieces(slot, w, least, 1<<n/2)
		for p := 0; p < 1<<n/2; p += each {
			at := place{at: raised(pair, p*least)}
			if each == 1 {
				list[j] = append(list[j], m.read(slot, w, one(at))...)
				continue
			}
			piece := m.Array("piece", kgen.MemoryOf(w.Type), each)
			m.Move(piece.At(0), m.global(slot).At(where(w, at)), each)
			list[j] = append(list[j], lists.Make(each, func(e int) kgen.Num { return kgen.Get(w.Type, piece.At(e)) })...)
		}
	}
	blocks := map[int][4]number{}
	for i := range 1 << n {
		if i&bit != 0 {
			continue
		}
		p := len(blocks)
		blocks[i] = [4]number{m.parts(list[0][p]), m.parts(list[1][p]), m.parts(list[2][p]), m.parts(list[3][p])}
	}
	return blocks
}

// inPieces is how many of a group's pairs are read at once: where the least span
// is 1 they are neighbours.
func (m *mixer) inPieces(slot ir.SlotID, w ir.Operand, least, pairs int) int {
	s := m.p.Slots[slot]
	_, shared := m.homes[slot]
	each := min(16/w.Type.Size(), pairs)
	if least != 1 || w.Along() != 1 || shared || s.Kind != ir.InSlot || s.Margin != nil || s.Segment%each != 0 || (s.Offset+w.Offset)%each != 0 {
		return 1
	}
	if slices.ContainsFunc(s.Strides, func(n int) bool { return n%each != 0 }) {
		return 1
	}
	return each
}

// weight is number j of a factor's blocks, over its pairs.
func (m *mixer) weight(factor, j int) ir.Operand {
	w := m.b.W
	return ir.Operand{Type: w.Type, Strides: w.Strides[3:], Offset: w.Offset + factor*w.Strides[0] + j/2*w.Strides[1] + j%2*w.Strides[2]}
}
