package lines

import (
	"encoding/binary"
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/kern"
	"github.com/twiddle-go/twiddle/nd/internal/line"
)

// mix writes a butterfly whose blocks are an operand. The line lies in shared
// memory, where every factor finds its pairs.
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
	for f, h := range b.Spans {
		k.guard.wait(k.text)
		weight := func(row, col int, at cell) string {
			o := kern.Operand{Type: b.W.Type, Strides: b.W.Strides[3:],
				Offset: b.W.Offset + f*b.W.Strides[0] + row*b.W.Strides[1] + col*b.W.Strides[2]}
			return k.read(s.Reads[1], o, at)[0]
		}
		k.loop(b.N/2, func(c cell) {
			i := k.let("int", "%s / %d * %d + %s %% %d", c.at, h, 2*h, c.at, h)
			x, y := k.let(typ, "%s[%s]", array, i), k.let(typ, "%s[%s + %d]", array, i, h)
			for row, to := range []string{i, fmt.Sprintf("%s + %d", i, h)} {
				k.line("%s[%s] = %s * %s + %s * %s;", array, to, weight(row, 0, c), x, weight(row, 1, c), y)
			}
		})
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

// orderTable is a permutation as a table.
func (k *kernel) orderTable(order []int) string {
	data := make([]byte, 0, 4*len(order))
	for _, i := range order {
		data = binary.LittleEndian.AppendUint32(data, uint32(i))
	}
	return k.table("order "+string(data), func() []byte { return data }, "int")
}
