package machine_test

import (
	"encoding/binary"
	"math"
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

// sumKernel adds up 4 x 64 neighbours in each group: moves of four, a sum across
// simdgroups by shuffles, the rest through shared memory. Without the barrier
// it is a race.
func sumKernel(barrier bool) *ktree.Program {
	f := ktree.Scalar(ktree.Float)
	k := build.NewKernel("sum", 64)
	in, out := k.Buffer("in", f, false), k.Buffer("out", f, true)
	count := k.Number("count", ktree.Scalar(ktree.Uint))
	tid := k.Thread()
	x := k.Array("x", f, 4)
	at := k.Let("at", k.Group().Mul(64).Add(tid).Mul(4))
	k.IfElse(at.Lt(count), func() { k.Move(x.At(0), in.At(at), 4) }, func() {
		k.Each("i", 4, func(i build.Val) { k.Set(x.At(i), 0.0) })
	})
	sum := k.Var("sum", x.At(0))
	k.For("i", build.Int(ktree.Int, 1), 4, 1, ktree.Fully, func(i build.Val) { k.Set(sum, sum.Add(x.At(i))) })
	for by := 16; by > 0; by /= 2 {
		k.Set(sum, sum.Add(k.Across(ktree.SimdShuffleXor, sum, by)))
	}
	halves := k.Shared("halves", f, 2)
	k.If(tid.Rem(32).Eq(0), func() { k.Set(halves.At(tid.Div(32)), sum) })
	if barrier {
		k.Barrier()
	}
	k.If(tid.Eq(0), func() { k.Set(out.At(k.Group()), halves.At(0).Add(halves.At(1))) })
	return k.Program()
}

func launch(t *testing.T, p *ktree.Program, count uint64, out []byte) error {
	t.Helper()
	f, err := flat.Flatten(p)
	if err != nil {
		t.Fatal(err)
	}
	in := make([]byte, 4*512)
	for i := range 512 {
		binary.LittleEndian.PutUint32(in[4*i:], math.Float32bits(float32(i)))
	}
	return machine.Compile(f, vec.For(simd.Active())).Run(machine.Launch{
		Grid: [3]int{128, 1, 1}, Group: [3]int{64, 1, 1}, Check: true,
		Params: [][]byte{in, out, binary.LittleEndian.AppendUint64(nil, count)},
	})
}

func TestEngineKernel(t *testing.T) {
	out := make([]byte, 8)
	if err := launch(t, sumKernel(true), 512, out); err != nil {
		t.Fatal(err)
	}
	for g, want := range []float32{255 * 256 / 2, 511*512/2 - 255*256/2} {
		if got := math.Float32frombits(binary.LittleEndian.Uint32(out[4*g:])); got != want {
			t.Errorf("group %d: %g, want %g", g, got, want)
		}
	}
}

func TestEngineKernelFaults(t *testing.T) {
	if err := launch(t, sumKernel(false), 512, make([]byte, 8)); err == nil || !strings.Contains(err.Error(), "no barrier") {
		t.Errorf("a race was not found: %v", err)
	}
	if err := launch(t, sumKernel(true), 512, make([]byte, 4)); err == nil || !strings.Contains(err.Error(), "outside out") {
		t.Errorf("a store beyond the buffer was not found: %v", err)
	}
}

// A kernel that asks for elements to be brought near computes what it would without, in
// CUDA and WGSL, and may only ask for what is there.
func TestPrefetch(t *testing.T) {
	asks := func(first int) *ktree.Program {
		k := build.NewKernel("asks", 64)
		in, out := k.Buffer("in", ktree.Scalar(ktree.Float), false), k.Buffer("out", ktree.Scalar(ktree.Float), true)
		k.Number("count", ktree.Scalar(ktree.Uint))
		k.If(k.Thread().Eq(0), func() {
			k.Prefetch(in.At(k.Group().Mul(256).Add(first)), 256)
			k.Set(out.At(k.Group()), in.At(k.Group()))
		})
		return k.Program()
	}
	if err := launch(t, asks(0), 0, make([]byte, 8)); err != nil {
		t.Error(err)
	}
	if err := launch(t, asks(1), 0, make([]byte, 8)); err == nil || !strings.Contains(err.Error(), "index 512 is outside in") {
		t.Errorf("what is not there was asked for: %v", err)
	}
	if text := printer.CUDAUnit(asks(0)); !strings.Contains(text, "tw::prefetch(&in[blockIdx.x * 256u], 1024);") {
		t.Errorf("CUDA text: %s", text)
	}
	f, err := flat.Flatten(asks(0))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := printer.WGSL(f, [3]int{64, 1, 1}); err != nil || strings.Contains(text, "* 256") {
		t.Errorf("WGSL text: %v\n%s", err, text)
	}
}

// viewKernel has threads write words of their group's pool and read them as floats,
// and tells whether any of a group had a number from limit on. Without the barrier it
// is a race, although the views have different types.
func viewKernel(barrier bool) *ktree.Program {
	f := ktree.Scalar(ktree.Float)
	k := build.NewKernel("views", 64)
	in, out := k.Buffer("in", f, false), k.Buffer("out", f, true)
	limit := k.Number("limit", ktree.Scalar(ktree.Uint))
	k.Pool(4 * 64)
	words, floats := k.View("words", ktree.Scalar(ktree.Uint)), k.View("floats", f)
	tid := k.Thread()
	at := k.Let("at", k.Group().Mul(64).Add(tid))
	k.Set(words.At(tid), in.At(at).Bits(ktree.Uint))
	any := k.AnyOfGroup(at.Ge(limit))
	if barrier {
		k.Barrier()
	} else {
		k.Set(words.At(tid), in.At(at).Bits(ktree.Uint))
	}
	k.If(tid.Eq(0), func() { k.Set(out.At(k.Group()), any.Choose(floats.At(63), 0.0)) })
	return k.Program()
}

func TestViewsOfThePool(t *testing.T) {
	out := make([]byte, 8)
	if err := launch(t, viewKernel(true), 100, out); err != nil {
		t.Fatal(err)
	}
	for g, want := range []float32{0, 127} {
		if got := math.Float32frombits(binary.LittleEndian.Uint32(out[4*g:])); got != want {
			t.Errorf("group %d: %g, want %g", g, got, want)
		}
	}
	if err := launch(t, viewKernel(false), 100, out); err == nil || !strings.Contains(err.Error(), "no barrier") {
		t.Errorf("a race between views was not found: %v", err)
	}
}
