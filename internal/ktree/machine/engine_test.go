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

// A group that stays has runs of the next turn brought while it adds up those of this one.
// Without the barrier they may come while others still read, and runs that are not there,
// or a landing that is not, are faults.
func TestBring(t *testing.T) {
	const count, runs, apart = 2, 16, 8
	brings := func(first, landing int, barrier bool) *ktree.Program {
		f := ktree.Scalar(ktree.Float)
		k := build.NewKernel("brings", 32)
		in, out := k.Buffer("in", f, false), k.Buffer("out", f, true)
		k.Number("turns", ktree.Scalar(ktree.Uint))
		how := k.Map("map")
		k.Pool(128 + 4*count*runs)
		k.Landings(1)
		pool := build.Address(k.View("pool", f))
		ask := func(turn build.Val) {
			k.If(k.Thread().Eq(0), func() {
				k.Bring(landing, how, pool.At(32), in, turn.Mul(count).Add(first), count, runs, apart)
			})
		}
		ask(k.Group())
		odd := k.Var("odd", build.Bool(false))
		k.For("turn", k.Group(), apart/count, 1, 1, func(turn build.Val) {
			k.Landed(0, odd)
			x := k.Let("x", pool.At(k.Thread().Xor(1).Add(32)))
			k.Vacate()
			if barrier {
				k.Barrier()
			}
			k.If(turn.Add(1).Lt(apart/count), func() { ask(k.Let("next", turn.Add(1))) })
			k.Set(out.At(turn.Mul(count*runs).Add(k.Thread())), x)
			k.Set(odd, odd.Not())
		})
		return k.Program()
	}
	run := func(p *ktree.Program) ([]byte, error) {
		f, err := flat.Flatten(p)
		if err != nil {
			return nil, err
		}
		in, out := make([]byte, 4*runs*apart), make([]byte, 4*runs*apart)
		for i := range runs * apart {
			binary.LittleEndian.PutUint32(in[4*i:], math.Float32bits(float32(i)))
		}
		return out, machine.Compile(f, vec.For(simd.Active())).Run(machine.Launch{Grid: [3]int{32, 1, 1}, Group: [3]int{32, 1, 1}, Params: [][]byte{in, out, make([]byte, 8), nil}, Check: true})
	}
	out, err := run(brings(0, 0, true))
	if err != nil {
		t.Fatal(err)
	}
	for i := range runs * apart {
		turn, at := i/(count*runs), i%(count*runs)^1
		if got, want := math.Float32frombits(binary.LittleEndian.Uint32(out[4*i:])), float32(at/count*apart+turn*count+at%count); got != want {
			t.Errorf("element %d: %g, want %g", i, got, want)
		}
	}
	for want, p := range map[string]*ktree.Program{
		"with no barrier between": brings(0, 0, false), "index 128 is outside in": brings(1, 0, true), "number 1 of 1": brings(0, 1, true),
	} {
		if _, err := run(p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	text := printer.CUDAUnit(brings(0, 0, true))
	for _, want := range []string{"const __grid_constant__ tw::runs_map map", "tw::landings(tw_landing, 1);", "tw::vacate();\n    __syncthreads();", "&map, (int)", "&tw_landing[0], 128u);", "tw::landed(&tw_landing[0], odd);", "__align__(128) unsigned char tw_pool"} {
		if !strings.Contains(text, want) {
			t.Errorf("CUDA text without %q: %s", want, text)
		}
	}
}

// A condition that a kernel says to be the same for all threads may end a loop with barriers,
// and is looked at.
func TestSameOfGroup(t *testing.T) {
	turns := func(same bool) *ktree.Program {
		k := build.NewKernel("turns", 64)
		k.Buffer("in", ktree.Scalar(ktree.Float), false)
		out := k.Buffer("out", ktree.Scalar(ktree.Uint), true)
		k.Number("count", ktree.Scalar(ktree.Uint))
		told := k.Shared("told", ktree.Scalar(ktree.Uint), 1)
		n := k.Var("n", k.Thread().Mul(0))
		k.While(build.Bool(true), 1, func() {
			k.If(k.Thread().Eq(0), func() { k.Set(told.At(0), n.Add(1)) })
			k.Barrier()
			k.Set(n, told.At(0))
			k.Barrier()
			stop := n.Ge(5)
			if !same {
				stop = n.Add(k.Thread()).Ge(5)
			}
			k.If(k.SameOfGroup(stop), k.Break)
		}, nil)
		k.If(k.Thread().Eq(0), func() { k.Set(out.At(k.Group()), n) })
		return k.Program()
	}
	out := make([]byte, 8)
	if err := launch(t, turns(true), 0, out); err != nil || out[0] != 5 || out[4] != 5 {
		t.Errorf("%v, %v", out, err)
	}
	if err := launch(t, turns(false), 0, out); err == nil || !strings.Contains(err.Error(), "not the same for all threads") {
		t.Errorf("a condition that differs was not found: %v", err)
	}
	if text := printer.CUDAUnit(turns(true)); !strings.Contains(text, "const bool same = n >= 5u;") {
		t.Errorf("CUDA text: %s", text)
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
