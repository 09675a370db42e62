package machine_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/internal/ktree/flat"
	"github.com/twiddle-go/twiddle/internal/ktree/machine"
	"github.com/twiddle-go/twiddle/internal/ktree/printer"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
)

// A matrix of halves whose rows become columns, in each of two simdgroups. Bits of NaN are kept.
func TestSimdTurn(t *testing.T) {
	const threads = 64
	for _, kind := range []ktree.Kind{ktree.Half, ktree.Bfloat} {
		k := build.NewKernel("turn", threads)
		in, out := k.Buffer("x", ktree.Vector(kind, 2), false), k.Buffer("y", ktree.Vector(kind, 2), true)
		at := k.Let("t", k.Thread().To(ktree.Int))
		k.Set(out.At(at), k.Across(ktree.SimdTurn, k.Let("v", in.At(at))))
		p := k.Program()
		f, err := flat.Flatten(p)
		if err != nil {
			t.Fatal(err)
		}
		x := make([]byte, threads*4)
		for i := range 2 * threads {
			binary.LittleEndian.PutUint16(x[2*i:], uint16(0x7f00+i))
		}
		y := make([]byte, len(x))
		if err := machine.Compile(f, vec.For(simd.Active())).Run(machine.Launch{
			Grid: [3]int{threads, 1, 1}, Group: [3]int{threads, 1, 1}, Params: [][]byte{x, y}, Check: true,
		}); err != nil {
			t.Fatal(err)
		}
		for i := range 2 * threads {
			matrix, row, column := i/64, i/8%8, i%8
			if got, want := binary.LittleEndian.Uint16(y[2*i:]), uint16(0x7f00+64*matrix+8*column+row); got != want {
				t.Fatalf("%s: element %d is %#x, want %#x", kind, i, got, want)
			}
		}
		if !strings.Contains(printer.CUDAUnit(p), "movmatrix.sync.aligned.m8n8.trans.b16") {
			t.Error("CUDA does not turn it by one instruction")
		}
	}
}
