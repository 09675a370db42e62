package line

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/simulate"
	"github.com/twiddle-go/twiddle/nd/internal/reference"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// Samples that are read as words have the results of those that are floats from the
// start, as they are where a map multiplies them by ones.
func TestWordsOfPairs(t *testing.T) {
	for _, half := range []elem.Type{elem.Float16, elem.BFloat16} {
		for _, quarter := range []bool{false, true} {
			wordsOfPairs(t, half, quarter)
		}
	}
}

func wordsOfPairs(t *testing.T, half elem.Type, quarter bool) {
	const batch, channels, l, n = 4, 2, 512, 1024
	bins := n/2 + 1
	if quarter {
		bins = l
	}
	reads := operandsOf(half, batch, channels, l, 2*(bins-1), false, -9)
	ones := make([]byte, batch*channels*l*2)
	for i := range batch * channels * l {
		reference.Store(reference.Float(half, 1), ones, i)
	}
	// One line has nothing but the least number there is.
	clear(reads[0][2*3*l : 2*4*l])
	reads[0][2*3*l] = 1
	plain, mapped := inHalves(half, batch, channels, l, n, false), inHalves(half, batch, channels, l, n, false)
	gate := mapped.AddSlot(mapped.Slots[0])
	r, in := elem.Float32, over(half, 0, 1)
	cast := func(from ir.ValueID) ir.Instr {
		return ir.Instr{Kind: ir.Apply, Op: scalar.Cast, Type: r, A: from, B: from}
	}
	mapped.Stages[0].Reads = []ir.SlotID{0, gate}
	mapped.Stages[0].Program = mapOf(l, r, []ir.Operand{in, in}, load(half, 0), cast(0), load(half, 1), cast(2), apply(scalar.Mul, r, 1, 3))
	if quarter {
		inQuarterBins(plain, l)
		inQuarterBins(mapped, l)
	}
	got, _ := pairedRun(t, plain, half, reads, batch*channels*l)
	want, _ := pairedRun(t, mapped, half, append(reads, ones), batch*channels*l)
	if !slices.Equal(got, want) {
		t.Errorf("%s: results differ", half)
	}
	for p, words := range map[*ir.Line]bool{plain: true, mapped: false} {
		m, err := Generate(p, h200)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(textOf(m), "words_of"); got != words {
			t.Errorf("%s: words %v, want %v", half, got, words)
		}
	}
}

// Groups that stay take every pair of lines once, and have the results of those that leave.
func TestPairsStay(t *testing.T) {
	const l, half = 1024, elem.BFloat16
	pairsStay(t, half, inHalves(half, 4, 3, l, 2*l, false), l, l+1)
	pairsStay(t, half, inQuarterHalves(half, 4, 3, l, false), l, l)
}

func pairsStay(t *testing.T, half elem.Type, p *ir.Line, l, bins int) {
	const batch, channels = 4, 3
	small := h200
	small.Processors = 2
	reads := operandsOf(half, batch, channels, l, 2*(bins-1), false, 2)
	var results [2][]byte
	for i, pool := range []int{h200.PoolBytes, 12 << 10} {
		small.PoolBytes = pool
		m, err := Generate(p, small)
		if err != nil {
			t.Fatal(err)
		}
		if groups := m.Steps[1].Groups; groups != []int{6, 2}[i] {
			t.Errorf("%d groups", groups)
		}
		results[i] = make([]byte, 2*batch*channels*l)
		if _, err := simulate.Run(m, reads, [][]byte{results[i]}, nil, true); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(results[0], results[1]) {
		t.Error("results differ")
	}
}
