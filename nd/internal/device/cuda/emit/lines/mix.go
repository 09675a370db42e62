package lines

import (
	"encoding/binary"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/kern"
	"github.com/twiddle-go/twiddle/nd/internal/line"
)

// mix writes a butterfly whose blocks are an operand. The line lies in shared
// memory, where factors find their pairs.
func (k *kernel) mix(s line.Stage, b *kern.Butterfly) {
	k.prepare(s)
	typ := emit.Value(b.In.Type)
	array := k.scratch(typ)
	k.guard.read[swapped] = true // whoever used it for an exchange
	k.guard.wait(k.text)
	k.loop(b.N, func(c cell) {
		from := c
		if b.From != nil {
			from.at.base = k.let("int", "%s[%s]", k.orderTable(b.From), c.at)
		}
		k.line("%s[%s] = %s;", array, c.at, k.read(s.Reads[0], b.In, from)[0])
	})
	for f := 0; f < len(b.Spans); {
		n := inRegisters(b.Spans[f:], typ)
		k.guard.wait(k.text)
		k.mixed(s, b, array, f, n)
		f += n
	}
	k.guard.wait(k.text)
	k.loop(b.N, func(c cell) {
		to := c
		if b.To != nil {
			to.at.base = k.let("int", "%s[%s]", k.orderTable(b.To), c.at)
		}
		k.write(s.Writes[0], b.Out, to, []string{k.let(typ, "%s[%s]", array, c.at)}, "")
	})
	k.guard.read[swapped] = true
}

// inRegisters is how many factors, from the first, a thread does on elements that
// it holds: those whose spans are a number and its doubles, in any order.
func inRegisters(spans []int, typ string) int {
	most := 3
	if typ == "c128" {
		most = 2
	}
	for n := min(most, len(spans)); n > 1; n-- {
		list := slices.Sorted(slices.Values(spans[:n]))
		if !slices.ContainsFunc(list[1:], func(h int) bool { return !slices.Contains(list, h/2) }) && len(slices.Compact(list)) == n {
			return n
		}
	}
	return 1
}

// mixed writes n factors from the one at first on. A thread takes elements that
// are apart by the spans and sums of them, so that all their partners are there.
func (k *kernel) mixed(s line.Stage, b *kern.Butterfly, array string, first, n int) {
	typ := emit.Value(b.In.Type)
	spans := b.Spans[first : first+n]
	least := slices.Min(spans)
	k.loop(b.N>>n, func(c cell) {
		base := k.let("int", "%s / %d * %d + %s %% %d", c.at, least, least<<n, c.at, least)
		x := make([]string, 1<<n) // bit j of a place says that it is least<<j further
		for i := range x {
			x[i] = k.let(typ, "%s[%s + %d]", array, base, i*least)
		}
		for f, h := range spans {
			bit := h / least
			for i := range x {
				if i&bit != 0 {
					continue
				}
				low := k.let("int", "%s + %d", base, i*least)
				at := one(place{base: k.let("int", "%s / %d * %d + %s %% %d", low, 2*h, h, low, h), hi: b.N/2 - 1})
				weight := func(row, col int) string {
					o := kern.Operand{Type: b.W.Type, Strides: b.W.Strides[3:],
						Offset: b.W.Offset + (first+f)*b.W.Strides[0] + row*b.W.Strides[1] + col*b.W.Strides[2]}
					return k.read(s.Reads[1], o, at)[0]
				}
				p, q := x[i], x[i|bit]
				x[i] = k.let(typ, "%s * %s + %s * %s", weight(0, 0), p, weight(0, 1), q)
				x[i|bit] = k.let(typ, "%s * %s + %s * %s", weight(1, 0), p, weight(1, 1), q)
			}
		}
		for i := range x {
			k.line("%s[%s + %d] = %s;", array, base, i*least, x[i])
		}
	})
}

// orderTable is a permutation as a table.
func (k *kernel) orderTable(order []int) string {
	data := make([]byte, 0, 4*len(order))
	for _, i := range order {
		data = binary.LittleEndian.AppendUint32(data, uint32(i))
	}
	return k.table("order "+string(data), func() []byte { return data }, "int")
}
