package plain

import (
	"bytes"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit/emulate"
	"github.com/twiddle-go/twiddle/nd/internal/device/devicetest"
	"github.com/twiddle-go/twiddle/nd/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/kern"
	"github.com/twiddle-go/twiddle/nd/internal/reference"
)

// Every kernel computes what the reference does, run by the processor.
func TestEmulatedKernels(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles every kernel")
	}
	if err := emulate.Available(); err != nil {
		t.Skip(err)
	}
	for _, c := range programs() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			checkEmulated(t, c.make(1))
		})
	}
}

// spans are how many elements the operands of a program have.
func spans(p kern.Program) (reads, writes []int) {
	span := func(o kern.Operand, dims ...int) int {
		_, hi := o.Span(dims)
		return hi
	}
	switch p := p.(type) {
	case *kern.Map:
		for _, o := range p.In {
			reads = append(reads, span(o, p.Dims...))
		}
		writes = []int{span(p.Out[0], p.Dims...)}
	case *kern.Reduce:
		reads = []int{span(p.In[0], p.Dims...), span(p.Post.In[0], p.Outer()...)}
		writes = []int{span(p.Out, p.Outer()...)}
	case *kern.Scan:
		reads, writes = []int{kern.Count(p.Dims)}, []int{kern.Count(p.Dims)}
	case *kern.Sort:
		n := kern.Count(p.Dims)
		reads, writes = []int{n}, []int{n / p.Dims[len(p.Dims)-1] * p.Keep}
	case *kern.Gather:
		reads, writes = []int{p.AxisLen * p.AxisStride, p.Dims[0]}, []int{span(p.Out, p.Dims...)}
	case *kern.Scatter:
		reads, writes = []int{span(p.Updates, p.Dims...), p.Dims[0]}, []int{p.AxisLen * p.AxisStride}
	case *kern.Gemm:
		b := kern.Count(p.Batch)
		reads, writes = []int{b * p.M * p.K, b * p.K * p.N}, []int{b * p.M * p.N}
	}
	return reads, writes
}

func checkEmulated(t *testing.T, p kern.Program) {
	rng := rand.New(rand.NewPCG(1, 2))
	random := func(o kern.Operand, n int) []byte {
		b := make([]byte, n*o.Type.Size())
		for i := range n {
			z := complex(2*rng.Float64()-1, 2*rng.Float64()-1)
			if !o.Type.IsFloat() && !o.Type.IsComplex() {
				z *= 11 // as far as the indices may go
			}
			reference.Store(reference.Cast(o.Type, reference.Complex(elem.Complex128, z)), b, i)
		}
		return b
	}
	counts, outs := spans(p)
	var reads, got, want [][]byte
	for i, o := range p.Reads() {
		reads = append(reads, random(o, counts[i]))
	}
	for i, o := range p.Writes() {
		base := random(o, outs[i])
		got, want = append(got, base), append(want, bytes.Clone(base))
	}
	m, err := Generate(p, few)
	if err != nil {
		t.Fatal(err)
	}
	if cell, err := emulate.Run(m, reads, got, nil); err != nil || cell[0] != 0 {
		t.Fatal(err, cell)
	}
	if err := reference.Run(p, reads, want, nil); err != nil {
		t.Fatal(err)
	}
	for i, o := range p.Writes() {
		for k := range outs[i] {
			g, w := reference.Load(o.Type, got[i], k), reference.Load(o.Type, want[i], k)
			if w.Float64() != w.Float64() && g.Float64() != g.Float64() {
				continue // the root of a negative sum
			}
			if off := cmplx.Abs(g.Num - w.Num); g.Int != w.Int || math.IsNaN(off) || off > closeTo(p, o.Type)*(1+cmplx.Abs(w.Num)) {
				t.Fatalf("element %d: %v, want %v", k, g, w)
			}
		}
	}
}

// closeTo is how far sums may be off, relative to their size: these are of
// numbers around 0, so that they stay small beside the sum of magnitudes.
func closeTo(p kern.Program, t elem.Type) float64 {
	switch p.(type) {
	case *kern.Reduce, *kern.Scan, *kern.Gemm:
	default:
		return 0
	}
	switch t.Real() {
	case elem.Float16, elem.BFloat16:
		return 1e-2
	case elem.Float64:
		return 1e-13
	}
	return 2e-5
}

// The conformance suite on emulated kernels, in some minutes.
func TestEmulatedConformance(t *testing.T) {
	if os.Getenv("TWIDDLE_EMULATE") == "" {
		t.Skip("takes minutes: set TWIDDLE_EMULATE to run it")
	}
	if err := emulate.Available(); err != nil {
		t.Skip(err)
	}
	devicetest.Run(t, func() device.Device {
		return &emulate.Device{Generate: func(p kern.Program) (*emit.Module, error) { return Generate(p, h200) }}
	})
}
