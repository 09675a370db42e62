package line

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/simulate"
)

// ownConvolution is a convolution whose lines transform their filter themselves.
func ownConvolution(batch, channels, l, n int) *ir.Line {
	return ownFilter(convolution(batch, channels, l, n))
}

// ownFilter is a convolution of lines that transform their filter themselves instead of reading
// its bins.
func ownFilter(p *ir.Line) *ir.Line {
	l := p.Slots[0].Len
	bins := p.Slots[1]
	p.Slots[1] = ir.Slot{Kind: ir.InSlot, Type: elem.Float32, Len: l, Strides: []int{0, l}}
	own := ir.SlotID(len(p.Slots))
	p.Slots = append(p.Slots, ir.Slot{Kind: ir.LocalSlot, Type: bins.Type, Len: bins.Len})
	f := *p.Stages[0].Program.(*ir.FFT)
	p.Stages[1].Reads[1] = own
	p.Stages = slices.Insert(p.Stages, 1, ir.Stage{Program: &f, Reads: []ir.SlotID{1}, Writes: []ir.SlotID{own}})
	return p
}

// Few lines transform their filters side by side with themselves, with the bits that they
// have one after the other.
func TestFiltersBesideLines(t *testing.T) {
	const batch, channels = 2, 3
	for _, c := range []struct{ l, n int }{{64, 64}, {60, 120}, {100, 256}, {1024, 2048}, {4096, 4096}, {4096, 8192}, {256, 0}, {1024, 0}, {2048, 0}, {4096, 0}} {
		reads := [][]byte{random(elem.Float32, batch*channels*c.l), random(elem.Float32, channels*c.l), random(elem.Float32, channels)}
		p := ownFilter(quarterConvolution(batch, channels, c.l))
		if c.n > 0 {
			p = ownConvolution(batch, channels, c.l, c.n)
		}
		var bits [2][]byte
		var barriers [2]int
		for i, processors := range []int{h200.Processors, 1} {
			card := h200
			card.Processors = processors
			m, err := Generate(p, card)
			if err != nil || len(m.Steps) != 1 {
				t.Fatalf("%d of %d: %v", c.l, c.n, err)
			}
			bits[i], barriers[i] = make([]byte, 4*batch*channels*c.l), strings.Count(textOf(m), "__sync")
			if _, err := simulate.Run(m, reads, [][]byte{bits[i]}, nil, true); err != nil {
				t.Fatalf("%d of %d: %v", c.l, c.n, err)
			}
		}
		if !bytes.Equal(bits[0], bits[1]) {
			t.Errorf("%d of %d: other bits side by side than one after the other", c.l, c.n)
		}
		if barriers[0] >= barriers[1] {
			t.Errorf("%d of %d: %d barriers side by side, %d one after the other", c.l, c.n, barriers[0], barriers[1])
		}
		if max(2*c.l, c.n) > 2048 { // more than WebGPU's groups have room for
			continue
		}
		if off := compare(t, p, reads, [][]byte{make([]byte, 4*batch*channels*c.l)}); !(off < 24) {
			t.Errorf("%d of %d: off by %g units", c.l, c.n, off)
		}
	}
}

// A transform of one pass exchanges nothing: a kernel that names shared memory which it does not
// have would not compile.
func TestFiltersOfOnePass(t *testing.T) {
	m, err := Generate(ownConvolution(2, 3, 5, 10), h200)
	if err != nil {
		t.Fatal(err)
	}
	if text := textOf(m); strings.Contains(text, "tw_pool") != strings.Contains(text, "__shared__") {
		t.Error(text)
	}
}
