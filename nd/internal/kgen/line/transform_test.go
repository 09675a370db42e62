package line

import (
	"bytes"
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/devicetest"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/simulate"
	"github.com/twiddle-go/twiddle/nd/internal/reference"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// h200 is the card most of this was tuned for.
var h200 = kgen.Target{Processors: 132, SharedBytes: 48 << 10, PoolBytes: 227 << 10, Subgroup: 32, Wide: true, Tensor: true, Arch: 90}

// shader is a GPU with nothing but what WGSL has.
var shader = kgen.Target{Processors: 8, SharedBytes: 32 << 10, PoolBytes: 32 << 10}

// needsWide reports a program of numbers of 64 bits.
func needsWide(p ir.Program) bool {
	return slices.ContainsFunc(slices.Concat(ir.Reads(p), ir.Writes(p)), func(o ir.Operand) bool { return o.Type.Real() == elem.Float64 })
}

// compare runs a program emulated and by the reference, and gives the largest
// difference over the largest result, in units of the type's precision.
func compare(t *testing.T, p ir.Program, reads, writes [][]byte, args ...scalar.Arg) float64 {
	t.Helper()
	worst := 0.0
	for _, target := range []kgen.Target{h200, shader} {
		if target.Wide || !needsWide(p) {
			m, err := Generate(p, target)
			if err != nil {
				t.Fatal(err)
			}
			if !target.Wide {
				checkShaders(t, m)
			}
			worst = max(worst, compareModule(t, m, p, reads, writes, args...))
		}
	}
	return worst
}

func compareModule(t *testing.T, m *kgen.Module, p ir.Program, reads, writes [][]byte, args ...scalar.Arg) float64 {
	t.Helper()
	want := make([][]byte, len(writes))
	for i := range writes {
		want[i] = bytes.Clone(writes[i])
	}
	if err := reference.Run(p, reads, want, args); err != nil {
		t.Fatal(err)
	}
	if _, err := simulate.Run(m, reads, writes, args, true); err != nil {
		t.Fatal(err)
	}
	worst := 0.0
	for i, o := range ir.Writes(p) {
		off, most := 0.0, 0.0
		for j := range len(want[i]) / o.Type.Size() {
			w, g := reference.Load(o.Type, want[i], j), reference.Load(o.Type, writes[i], j)
			if o.Type.IsInteger() || o.Type == elem.Bool {
				off = max(off, math.Abs(float64(w.Int-g.Int)))
				continue
			}
			most = max(most, cmplx.Abs(w.Num))
			if d := cmplx.Abs(w.Num - g.Num); d > off || d != d {
				off = d
			}
		}
		if most > 0 {
			off /= most
		}
		unit := 0x1p-24
		if o.Type.Real() == elem.Float64 {
			unit = 0x1p-53
		}
		if !(off/unit <= worst) {
			worst = off / unit
		}
	}
	return worst
}

// random is a buffer of elements in [-1, 1).
func random(t elem.Type, n int) []byte {
	rng := rand.New(rand.NewPCG(uint64(n), 7))
	b := make([]byte, n*t.Size())
	for i := range n {
		if t.IsComplex() {
			reference.Store(reference.Complex(t, complex(2*rng.Float64()-1, 2*rng.Float64()-1)), b, i)
		} else {
			reference.Store(reference.Float(t, 2*rng.Float64()-1), b, i)
		}
	}
	return b
}

var kinds = []struct {
	name    string
	kind    ir.FFTKind
	inverse bool
}{
	{"forward", ir.FFTComplex, false}, {"inverse", ir.FFTComplex, true},
	{"real", ir.FFTRealForward, false}, {"to real", ir.FFTRealInverse, false},
}

// transformOf is a transform of a few lines.
func transformOf(n, lines int, kind ir.FFTKind, inverse bool, c elem.Type) *ir.FFT {
	f := &ir.FFT{Outer: []int{lines}, Kind: kind, Inverse: inverse, N: n, Scale: 1}
	f.InLen = f.InNeeded()
	in, out := c, c
	switch kind {
	case ir.FFTRealForward:
		in = c.Real()
	case ir.FFTRealInverse:
		out = c.Real()
	}
	f.In, f.Out = ir.Contiguous(in, []int{lines, f.InLen}), ir.Contiguous(out, []int{lines, f.OutLen()})
	return f
}

func TestTransforms(t *testing.T) {
	for _, c := range []struct {
		n, kinds int // kinds is a set
		typ      elem.Type
	}{
		{1, 1, elem.Complex64}, {6, 15, elem.Complex64}, {15, 12, elem.Complex128}, {16, 3, elem.Complex64}, {30, 12, elem.Complex64}, {64, 15, elem.Complex64},
		{17, 10, elem.Complex64}, {60, 12, elem.Complex128}, {34, 8, elem.Complex64}, {101, 4, elem.Complex128}, {257, 1, elem.Complex64}, {1009, 2, elem.Complex64}, {47, 1, elem.Complex64}, {1000, 5, elem.Complex64}, {1024, 13, elem.Complex64}, {4096, 5, elem.Complex64},
		{8192, 3, elem.Complex64}, {5000, 1, elem.Complex64}, {16384, 12, elem.Complex64}, // the shader's parts take turns
	} {
		for i, k := range kinds {
			if c.kinds>>i&1 == 0 {
				continue
			}
			t.Run(fmt.Sprintf("%s/%s/%d", k.name, c.typ, c.n), func(t *testing.T) {
				t.Parallel()
				f := transformOf(c.n, 3, k.kind, k.inverse, c.typ)
				off := compare(t, f, [][]byte{random(f.In.Type, 3*f.InLen)}, [][]byte{make([]byte, 3*f.OutLen()*f.Out.Type.Size())})
				if limit := 4 * math.Sqrt(1+math.Log2(float64(c.n))); !(off <= limit) {
					t.Errorf("off by %.3g units, allowed %.3g", off, limit)
				}
			})
		}
	}
}

// The groups of the conformance suite with transforms, on the machine. They have thousands of
// kernels, so without TWIDDLE_SIMULATE=1 it is a part of them.
func TestSimulatedConformance(t *testing.T) {
	part := devicetest.Part{Of: 25}
	switch {
	case os.Getenv("TWIDDLE_SIMULATE") != "":
		part = devicetest.Part{}
	case testing.Short():
		t.Skip("-short: runs kernels lane by lane")
	}
	devicetest.RunPart(t, func() device.Device {
		return &simulate.Device{Generate: func(p ir.Program) (*kgen.Module, error) { return Generate(p, h200) }}
	}, part, "fft", "fft with bins a quarter lower", "butterfly", "line")
}
