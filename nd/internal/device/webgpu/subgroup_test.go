package webgpu

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/ktree/printer"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// What adapters have changes how kernels are written and not what they compute: with
// subgroups and floats of 16 bits, and without, results have the same bits.
func TestSubgroupsAndHalves(t *testing.T) {
	own, plain := openSome(t, nil), openSome(t, nil)
	plain.subgroup, plain.halves = 0, false
	t.Logf("subgroups of %d, halves %t", own.subgroup, own.halves)
	numbers := make([]byte, 4*5000)
	for i := range 5000 {
		elem.Slice[float32](numbers)[i] = float32(i%17) / 7
	}
	halves := make([]byte, 2*999)
	for i := range 999 {
		elem.Slice[elem.F16](halves)[i] = elem.F16From(float32(i%31) / 3)
	}
	o := ir.Contiguous(elem.Float32, []int{5000})
	sum := &ir.Reduce{Dims: []int{5000}, Inner: 1, Op: ir.Sum, Code: ir.Code{In: []ir.Operand{o}, Instrs: []ir.Instr{{Kind: ir.Load, Type: elem.Float32}}},
		Post: ir.Code{Instrs: []ir.Instr{{Kind: ir.Acc, Type: elem.Float32}}}, Out: ir.Contiguous(elem.Float32, nil)}
	across := theirs{body: tid + "y[t] = simd_sum(x[t]) + simd_max(x[t]) * simd_min(x[t]) + simd_shuffle_xor(x[t], 2);", grid: [3]int{256, 1, 1}, group: [3]int{64, 1, 1}}
	users, x := across.program(t, false)
	for name, c := range map[string]struct {
		p     ir.Program
		reads [][]byte
		bytes int
	}{
		"sum":    {sum, [][]byte{numbers}, 4},
		"across": {users, [][]byte{x}, 4 * 256},
		"halves": {sumOf(elem.Float16, 999, 2), [][]byte{halves, halves}, 2 * 999},
	} {
		got, err := newBench(t, own).all(c.p, c.reads, []int{c.bytes})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want, err := newBench(t, plain).all(c.p, c.reads, []int{c.bytes})
		if err != nil {
			t.Fatalf("%s, plain: %v", name, err)
		}
		if !bytes.Equal(got[0], want[0]) {
			t.Errorf("%s: % x, without % x", name, got[0][:4], want[0][:4])
		}
	}
}

// Subgroups are only used if they are neighbours, in order, equally many.
func TestSubgroupsThatCannotBeUsed(t *testing.T) {
	words := func(f func(i int) (size, lane int)) []byte {
		var out []byte
		for i := range printer.ProbeThreads {
			size, lane := f(i)
			out = binary.LittleEndian.AppendUint32(out, uint32(size|lane<<16))
		}
		return out
	}
	for name, c := range map[string]struct {
		f    func(i int) (size, lane int)
		want int
	}{
		"in order":   {func(i int) (int, int) { return 32, i % 32 }, 32},
		"four":       {func(i int) (int, int) { return 4, i % 4 }, 4},
		"backwards":  {func(i int) (int, int) { return 32, 31 - i%32 }, 0},
		"scattered":  {func(i int) (int, int) { return 32, i / 8 }, 0},
		"of one":     {func(i int) (int, int) { return 1, 0 }, 0},
		"of two, 64": {func(i int) (int, int) { return 32 + i/128*32, i % 32 }, 0},
		"of twelve":  {func(i int) (int, int) { return 12, i % 12 }, 0},
	} {
		if got := subgroupOf(words(c.f)); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
