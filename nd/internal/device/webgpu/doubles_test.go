package webgpu

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
)

// The few steps that kernels take in double precision have the bits of a processor's,
// at the edges of the format too.
func TestDoubles(t *testing.T) {
	edges := []float64{0, math.Copysign(0, -1), 1, -1, 1.5, 3, 0x1p-1074, -0x1p-1074, 0x1.8p-1073, 0x1.ffffffffffffep-1023, 0x1p-1022, -0x1p-1022,
		0x1.fffffffffffffp1023, -0x1.fffffffffffffp1023, math.Inf(1), math.Inf(-1), math.NaN(), 0x1.0000000000001p0, 0x1p-53, 0x1.0000000000001p-53, -0x1p-54, math.Pi, 1e300, 1e-300}
	var a, b []float64
	for _, x := range edges {
		for _, y := range edges {
			a, b = append(a, x), append(b, y)
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		x := math.Float64frombits(rng.Uint64())
		near := math.Ldexp(rng.Float64()-0.5, math.Ilogb(x)+rng.IntN(120)-60)
		a, b = append(a, x, rng.NormFloat64()), append(b, near, rng.NormFloat64())
	}
	bench := newBench(t, openSome(t, nil))
	for name, c := range map[string]struct {
		kernel func(x, y build.Val) build.Val
		host   func(x, y float64) float64
	}{
		"add":  {func(x, y build.Val) build.Val { return x.Add(y) }, func(x, y float64) float64 { return x + y }},
		"sub":  {func(x, y build.Val) build.Val { return x.Sub(y) }, func(x, y float64) float64 { return x - y }},
		"mul":  {func(x, y build.Val) build.Val { return x.Mul(y) }, func(x, y float64) float64 { return x * y }},
		"div":  {func(x, y build.Val) build.Val { return x.Div(y) }, func(x, y float64) float64 { return x / y }},
		"sqrt": {func(x, _ build.Val) build.Val { return build.Apply(ktree.Sqrt, x) }, func(x, _ float64) float64 { return math.Sqrt(x) }},
		"less": {func(x, y build.Val) build.Val {
			return x.Lt(y).Choose(build.Float(ktree.Double, 1), build.Float(ktree.Double, 0))
		}, func(x, y float64) float64 {
			if x < y {
				return 1
			}
			return 0
		}},
	} {
		y := bench.doubles(t, name, c.kernel, a, b)
		wrong := 0
		for i, got := range y {
			want := c.host(a[i], b[i])
			if math.Float64bits(got) != math.Float64bits(want) && !(got != got && want != want) {
				if wrong++; wrong <= 3 {
					t.Errorf("%s of %x and %x: %x, want %x", name, a[i], b[i], got, want)
				}
			}
		}
		if wrong > 3 {
			t.Errorf("%s: %d of %d are wrong", name, wrong, len(y))
		}
	}
}

// doubles computes y = f(a, b) in doubles, whose bits are carried as integers.
func (b bench) doubles(t *testing.T, name string, f func(x, y build.Val) build.Val, in ...[]float64) []float64 {
	t.Helper()
	n := len(in[0])
	o := ir.Contiguous(elem.Int64, []int{n})
	p := sumOf(elem.Int64, n, 2) // stands for the kernel, with the same buffers
	d := b.d.(*Device)
	k := build.NewKernel(name, 64)
	long := ktree.Scalar(ktree.Ulong)
	x, y, z := k.Buffer("x", long, false), k.Buffer("y", long, false), k.Buffer("z", long, true)
	i := k.Let("i", k.Group().Mul(64).Add(k.Thread()))
	k.If(i.Lt(n), func() {
		k.Set(z.At(i), f(x.At(i).Bits(ktree.Double), y.At(i).Bits(ktree.Double)).Bits(ktree.Ulong))
	})
	bytes := o.Type.Size() * n
	made := &kernel{dev: d, program: p, need: []int{bytes, bytes, bytes}}
	err := made.load(&kgen.Module{Kernels: []*ktree.Program{k.Program()}, Steps: []kgen.Step{{Groups: (n + 63) / 64,
		Params: []kgen.Param{{Kind: kgen.ReadPointer}, {Kind: kgen.ReadPointer, Index: 1}, {Kind: kgen.WritePointer}}}}})
	if err != nil {
		t.Fatal(err)
	}
	out := b.bytes(make([]byte, bytes))
	b.q.Launch(device.Launch{Kernel: made, Reads: []device.Buffer{b.bytes(elem.Bytes(in[0])), b.bytes(elem.Bytes(in[1]))}, Writes: []device.Buffer{out}, Label: device.Label{Op: name}})
	data, err := b.read(out)
	if err != nil {
		t.Fatal(err)
	}
	return elem.Slice[float64](data)
}
