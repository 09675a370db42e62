package lines

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// mixer writes a butterfly whose blocks are an operand. Those of a line are many
// times its size, so a block's threads share its lines: each takes some numbers
// of several lines through a few factors in registers, and reads their blocks
// once. In between the lines lie in shared memory, where factors find their pairs.
type mixer struct {
	*kernel
	a     arithmetic
	stage ir.Stage
	b     *ir.Butterfly
	weave recipe.Weave
}

// mix writes a butterfly.
func (k *kernel) mix(s ir.Stage, b *ir.Butterfly) {
	passes := recipe.NetworkPasses(b.Spans, b.In.Type.Size())
	m := &mixer{kernel: k, a: k.arithmetic(single), stage: s, b: b, weave: recipe.WeaveOf(b.N, b.Spans, b.In.Type.Size(), passes)}
	if b.In.Type.Real() == elem.Float64 {
		m.a = k.arithmetic(double)
	}
	k.prepare(s)
	k.guard.read[swapped] = true // whoever used it for an exchange
	k.guard.wait(k.text)
	typ := emit.Value(b.In.Type)
	// All loads of a thread at once: on an H200 lines of 1024 take 0.46 ms so, 0.53
	// by eights and 0.61 by fours.
	k.line("#pragma unroll 32")
	k.loop(b.N, func(c cell) {
		k.line("*(%s*)(swap + %s) = %s;", typ, m.placeOf(b.From, c), k.read(s.Reads[0], b.In, c)[0])
	})
	first := 0
	for _, n := range passes {
		m.meet()
		m.pass(first, n)
		first += n
	}
	m.meet()
	k.line("#pragma unroll 32")
	k.loop(b.N, func(c cell) {
		k.write(s.Writes[0], b.Out, c, []string{k.let(typ, "*(const %s*)(swap + %s)", typ, m.placeOf(b.To, c))}, "")
	})
	k.guard.read[swapped] = true
}

// meet lets all lines of a block wait for each other: passes walk across them.
func (m *mixer) meet() {
	if m.lines*m.threads <= 32 {
		m.line("__syncwarp();")
	} else {
		m.line("__syncthreads();")
	}
	clear(m.guard.read)
	clear(m.guard.written)
}

// placeOf is the byte of a line where the element lies that an order has at a
// cell. Both ends of a butterfly follow memory, and shared memory the orders.
func (m *mixer) placeOf(order []int, c cell) string {
	size := m.b.In.Type.Size()
	if order == nil {
		return m.let("int", "%d * (%s)", size, spelledWeave(m.weave, c.at.String()))
	}
	data := make([]byte, 4*len(order))
	for i, at := range order {
		binary.LittleEndian.PutUint32(data[4*at:], uint32(size*m.weave.Place(i)))
	}
	return m.let("int", "%s[%s]", m.table("order "+string(data), func() []byte { return data }, "int"), c.at)
}

// pass writes n factors from the one at first on. A thread takes numbers that are
// apart by the spans and sums of them, so that all their partners are there.
func (m *mixer) pass(first, n int) {
	b := m.b
	spans := b.Spans[first : first+n]
	least := slices.Min(spans)
	size, groups, lines := b.In.Type.Size(), b.N>>n, m.sharing(n)
	threads, items := m.lines*m.threads, groups*m.lines/lines
	item := m.name("item")
	m.open("for (u32 %s = threadIdx.x; %s < %d; %s += %d)", item, item, items, item, threads)
	group := m.let("u32", "%s %% %d", item, groups)
	base := m.let("u32", "%s / %d * %d + %s %% %d", group, least, least<<n, group, least)
	pair := m.let("int", "%s / %d * %d + %s %% %d", group, least, least<<n/2, group, least)
	chip := m.let("unsigned char*", "shared + %s / %d * %d", item, groups, lines*m.pitch)
	at := m.let("int", "%d * (%s)", size, spelledWeave(m.weave, base))
	typ := emit.Value(b.In.Type)
	places := make([]string, 1<<n) // bit j says that it is least<<j further
	for i := range places {
		places[i] = m.let("int", "%s ^ %d", at, size*m.weave.Place(i*least))
	}
	x := make([][]number, lines)
	for l := range x {
		for _, p := range places {
			v := m.let(typ, "*(const %s*)(%s + %d + %s)", typ, chip, l*m.pitch, p)
			x[l] = append(x[l], m.parts(v))
		}
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
			m.line("*(%s*)(%s + %d + %s) = %s;", typ, chip, l*m.pitch, p, m.whole(x[l][i]))
		}
	}
	m.close()
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
func (m *mixer) parts(v string) number {
	if m.b.In.Type.IsComplex() {
		return m.a.parts(v)
	}
	return m.a.only(m.a.written(v))
}

func (m *mixer) whole(x number) string {
	if m.b.In.Type.IsComplex() {
		return m.a.paired(x)
	}
	return m.a.spelled(x.Re)
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
func (m *mixer) blocks(factor, n, least int, pair string) map[int][4]number {
	slot, bit := m.stage.Reads[1], m.b.Spans[factor]/least
	var list [4][]string // by number of a block, then pair
	for j := range list {
		w := m.weight(factor, j)
		each := m.inPieces(slot, w, least, 1<<n/2)
		for p := 0; p < 1<<n/2; p += each {
			at := place{base: pair, add: p * least, hi: m.b.N/2 - 1}
			if each == 1 {
				list[j] = append(list[j], m.read(slot, w, one(at))...)
				continue
			}
			m.uses.Part("pack")
			piece := m.let("auto", "load_pack<%d>(%s + %s)", each, m.global(slot), where(w, at))
			for e := range each {
				list[j] = append(list[j], fmt.Sprintf("%s.x[%d]", piece, e))
			}
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
func (m *mixer) inPieces(slot int, w ir.Operand, least, pairs int) int {
	s := m.p.Slots[slot]
	_, shared := m.homes[slot]
	each := min(16/w.Type.Size(), pairs)
	if least != 1 || along(w) != 1 || shared || s.Kind != ir.InSlot || s.Margin != nil || s.Segment%each != 0 || (s.Offset+w.Offset)%each != 0 {
		return 1
	}
	for _, n := range s.Strides {
		if n%each != 0 {
			return 1
		}
	}
	return each
}

// weight is number j of a factor's blocks, over its pairs.
func (m *mixer) weight(factor, j int) ir.Operand {
	w := m.b.W
	return ir.Operand{Type: w.Type, Strides: w.Strides[3:], Offset: w.Offset + factor*w.Strides[0] + j/2*w.Strides[1] + j%2*w.Strides[2]}
}
