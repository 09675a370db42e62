package cost

import (
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

var cores = device.Figures{CopyBytesPerNs: 50, CacheBytesPerNs: 55, CoreBytesPerNs: 30, OpsPerNs: 10, FFTOpsPerNs: 100,
	GemmOpsPerNs: 100, LaunchNs: 1000, SpreadNs: 500, Workers: 2, Grain: 100}

// Bytes that caches keep move faster, and one worker has its own speed.
func TestBytesOfCaches(t *testing.T) {
	for _, c := range []struct{ elements, rate int }{{50, 30}, {1 << 20, 55}, {100 << 17, 50}} {
		p := &ir.Scan{Dims: []int{c.elements, 1}, In: operand(elem.Float32, 1, 1), Out: operand(elem.Float32, 1, 1)}
		want := float64(8*c.elements) / float64(c.rate)
		if c.elements > cores.Grain {
			want = joined(want, cores.SpreadNs) + waking*cores.SpreadNs
		}
		want += cores.LaunchNs
		if got := Ns(p, cores); math.Abs(got-want) > 1e-9*want {
			t.Errorf("%d elements take %g ns, want %g", c.elements, got, want)
		}
	}
}

// A line is complete before it is transformed: its bytes and its operations take turns.
func TestLinesAreBroughtFirst(t *testing.T) {
	p := transformOf(1024)
	p.In.Strides, p.Out = []int{1024, 1}, operand(elem.Complex64, 1024, 1)
	p.InLen = 1024
	want := cores.LaunchNs + joined(2*4*1024*8/55.0+5*4*1024*10/100.0, cores.SpreadNs) + waking*cores.SpreadNs
	if got := Ns(p, cores); math.Abs(got-want) > 1e-9*want {
		t.Errorf("four transforms take %g ns, want %g", got, want)
	}
}

// Three pieces on two workers take as long as four.
func TestUnequalShares(t *testing.T) {
	of := func(lines int) float64 {
		s := &ir.Sort{Dims: []int{lines, 1 << 16}, Keep: 1 << 16, In: operand(elem.Float32, 1<<16, 1), Values: new(operand(elem.Float32, 1<<16, 1))}
		return Ns(s, cores)
	}
	if three, four := of(3), of(4); three < 0.99*four {
		t.Errorf("three lines take %g ns, four %g", three, four)
	}
}

// A small product is one worker's, which packs the rows of both operands.
func TestSmallProducts(t *testing.T) {
	p := &ir.Gemm{M: 10, N: 16, K: 4, A: operand(elem.Float32, 4, 1), B: operand(elem.Float32, 16, 1), Out: operand(elem.Float32, 16, 1)}
	want := cores.LaunchNs + 2*(10*16*4*2/100.0) + packNs*(10+4) + 4*(10*4+4*16+10*16)/30.0
	if got := Ns(p, cores); math.Abs(got-want) > 1e-9*want {
		t.Errorf("a product takes %g ns, want %g", got, want)
	}
	p.A.Strides = []int{1, 10} // rows are cut from columns
	want += packNs * (4 - 10)
	if got := Ns(p, cores); math.Abs(got-want) > 1e-9*want {
		t.Errorf("a product with a transposed operand takes %g ns, want %g", got, want)
	}
}

// Only what does not lie in order takes time of its own.
func TestThroughMap(t *testing.T) {
	for _, c := range []struct {
		dims, strides []int
		want          float64
	}{
		{[]int{100, 8}, []int{8, 1}, 0},
		{[]int{100, 8}, []int{0, 0}, 0},
		{[]int{100, 8}, []int{16, 1}, 100 * rowNs},
		{[]int{100, 8}, []int{0, 1}, 100 * rowNs},
		{[]int{100, 8}, []int{1, 0}, 100*rowNs + 800*repeatNs},
		{[]int{10, 300}, []int{1, 0}, 10 * rowNs},
		{[]int{100, 8}, []int{1, 100}, 800 * acrossNs},
		{[]int{100, 80}, []int{1, 100}, 8000 * tileNs},
	} {
		code := ir.Code{In: []ir.Operand{operand(elem.Float32, c.strides...)}, Instrs: []ir.Instr{{Type: elem.Float32}, {Kind: ir.Apply, Op: scalar.Neg, Type: elem.Float32}}}
		p := &ir.Map{Dims: c.dims, Code: code, Out: []ir.Operand{operand(elem.Float32, c.dims[1], 1)}, Value: []ir.ValueID{1}}
		if got := throughMap(p); got != c.want {
			t.Errorf("%v by %v: %g ns, want %g", c.dims, c.strides, got, c.want)
		}
	}
}

// A kernel of its own goes through rows of a product.
func TestThroughRowProduct(t *testing.T) {
	p := &ir.Map{Dims: []int{100, 8}, Code: ir.Code{In: []ir.Operand{operand(elem.Float32, 4, 1), operand(elem.Float32, 0, 1)},
		Instrs: []ir.Instr{{Type: elem.Float32}, {Slot: 1, Type: elem.Float32}, {Kind: ir.Apply, Op: scalar.Mul, B: 1, Type: elem.Float32}}},
		Out: []ir.Operand{operand(elem.Float32, 8, 1)}, Value: []ir.ValueID{2}}
	if got := throughMap(p); got != 2*100*plainRowNs {
		t.Errorf("%g ns, want %g", got, 2*100.0*plainRowNs)
	}
}

// Results are added up one by one, or side by side where neighbours belong to different
// ones.
func TestThroughReduce(t *testing.T) {
	for _, c := range []struct {
		dims, strides []int
		want          float64
	}{
		{[]int{100, 8}, []int{8, 1}, 100 * lineNs},
		{[]int{100, 8}, []int{1, 100}, groupNs + 8*rowNs},
		{[]int{4, 8}, []int{1, 4}, 4 * lineNs},
		{[]int{50, 129, 2}, []int{258, 1, 129}, 50 * (groupNs + 2*rowNs)},
		{[]int{50, 16, 3}, []int{16, 1, 800}, groupNs + 3*rowNs},
	} {
		p := &ir.Reduce{Dims: c.dims, Inner: 1, Code: ir.Code{In: []ir.Operand{operand(elem.Float32, c.strides...)}}}
		if got := throughReduce(p); got != c.want {
			t.Errorf("%v by %v: %g ns, want %g", c.dims, c.strides, got, c.want)
		}
		p.Instrs = make([]ir.Instr, 2) // values that are computed, and only side by side wait for it
		more := 0.0
		if sideBySide(p) > 0 {
			more = computedNs * float64(ir.Count(c.dims))
		}
		if got := throughReduce(p); math.Abs(got-c.want-more) > 1e-9 {
			t.Errorf("computed, %v by %v: %g ns, want %g more than %g", c.dims, c.strides, got, more, c.want)
		}
	}
}

// Of short work a few workers do all before the others come; long work takes at most as
// much longer as the last of them is late.
func TestJoined(t *testing.T) {
	for _, c := range []struct{ ns, spread, want float64 }{{0, 100, 0}, {100, 0, 100}, {50, 100, math.Sqrt(12500)}, {1e6, 100, 1e6 + 100}} {
		if got := joined(c.ns, c.spread); math.Abs(got-c.want) > 0.01 {
			t.Errorf("%g ns with %g until all are at work: %g, want %g", c.ns, c.spread, got, c.want)
		}
	}
}

// A product that workers share wakes them to pack and to multiply, in blocks of its depth.
func TestPhases(t *testing.T) {
	for _, c := range []struct {
		batch []int
		k     int
		want  float64
	}{{nil, 64, 2}, {nil, 512, 4}, {[]int{3}, 64, 6}, {[]int{4}, 64, 1}} {
		if got := phases(&ir.Gemm{Batch: c.batch, M: 512, N: 512, K: c.k, Out: operand(elem.Float32, 512, 1)}, cores); got != c.want {
			t.Errorf("batch %v, depth %d: %g phases, want %g", c.batch, c.k, got, c.want)
		}
	}
}

// Cores go through a matrix row by row for each column, whatever their speed.
func TestFactorsOnCores(t *testing.T) {
	p := &ir.Custom{Grid: [3]int{32, 8, 1}, Threadgroup: [3]int{32, 8, 1}, InShapes: [][]int{{1, 32, 32}, {64}}}
	if got, want := throughItems(p, cores), itemNs*32*32/2.0; got != want {
		t.Errorf("a factor takes %g ns of both workers, want %g", got, want)
	}
	p.Work = 5000 // which both workers would share, and one does
	if got, want := Ns(p, cores), cores.LaunchNs+max(2*5000/10.0, 0); got != want {
		t.Errorf("5000 operations take %g ns, want %g", got, want)
	}
}

// Numbers that are computed one by one take time by the clock, whatever vectors do.
func TestOneByOne(t *testing.T) {
	code := ir.Code{Positions: []ir.Operand{operand(elem.Int64, 1)}, Instrs: []ir.Instr{{Kind: ir.Index, Type: elem.Int64},
		{Kind: ir.Apply, Op: scalar.RandNormal, Type: elem.Float32}, {Kind: ir.Apply, Op: scalar.Cast, A: 0, Type: elem.Int32},
		{Kind: ir.Apply, Op: scalar.Less, A: 2, B: 2, Type: elem.Bool}, {Kind: ir.Apply, Op: scalar.Cast, A: 3, Type: elem.Float32},
		{Kind: ir.Apply, Op: scalar.Mul, A: 1, B: 4, Type: elem.Float32}}}
	for _, ops := range []float64{10, 40} {
		f := cores
		f.OpsPerNs = ops
		want := (0.4+8+0.5+0.5+1.2)*ops/2 + 1
		if got := work(code, f, true); math.Abs(got-want) > 1e-9*want {
			t.Errorf("at %g operations in 1 ns they are %g, want %g", ops, got, want)
		}
	}
}

// A magnitude of a complex number is no addition.
func TestMagnitudes(t *testing.T) {
	code := func(t elem.Type) ir.Code {
		return ir.Code{Instrs: []ir.Instr{{Kind: ir.Load, Type: t}, {Kind: ir.Apply, Op: scalar.Abs, Type: t.Real()}}}
	}
	f := cores
	f.FunctionOps = 25
	for of, want := range map[elem.Type]float64{elem.Float32: 1, elem.Float64: 2, elem.Complex64: 25, elem.Complex128: 25} {
		if got := work(code(of), f, true); got != want {
			t.Errorf("%v: %g operations, want %g", of, got, want)
		}
	}
}

// Results side by side are cut by rows, for all workers; lines are shared if there is one
// that is only transformed.
func TestPieces(t *testing.T) {
	of := func(results, rows int, strides ...int) *ir.Reduce {
		return &ir.Reduce{Dims: []int{results, rows}, Inner: 1, Code: ir.Code{In: []ir.Operand{operand(elem.Float32, strides...)}}}
	}
	products := func(n int) *ir.Gemm { return &ir.Gemm{Batch: []int{n}, M: 384, N: 128, K: 1024} }
	lines := func(n int) *ir.FFT { return &ir.FFT{Outer: []int{n}, N: 1 << 17} }
	for _, c := range []struct {
		p    ir.Program
		want int
	}{{lines(1), 32}, {lines(3), 3}, {&ir.Line{Outer: []int{1}, Segments: 1}, 1}, {of(513, 127, 1, 513), 4}, {of(33, 16384, 1, 33), 16}, {of(513, 4096, 1, 513), 16}, {of(8, 4, 1, 8), 1}, {of(1<<19, 8, 1, 1<<19), 512}, {of(512, 128, 128, 1), 16}, {products(8), 8}, {products(1), 6}} {
		if got := pieces(c.p, device.Figures{Workers: 8, Grain: 4096}); got != c.want {
			t.Errorf("%v: %d pieces, want %d", c.p, got, c.want)
		}
	}
}

// Lines that a core's cache does not keep go through memory between the halves of a
// transform, and so take longer.
func TestBetweenPasses(t *testing.T) {
	for n, want := range map[int]float64{1 << 18: 0, 1 << 20: 3 * 4 * 4 << 20} {
		p := &ir.FFT{Outer: []int{3}, N: n, Kind: ir.FFTRealForward, In: operand(elem.Float32, n, 1), Out: operand(elem.Complex64, n/2+1, 1)}
		if got := betweenPasses(p); got != want {
			t.Errorf("%d samples: %g bytes, want %g", n, got, want)
		}
	}
}

// A function takes longer for float64, and the modulus of a complex number as long as a function,
// so cores store what a GPU computes again.
func TestTypesOfWhatIsComputedAgain(t *testing.T) {
	f32, f64, c64 := elem.Float32, elem.Float64, elem.Complex64
	if a, b := Again(scalar.Exp, f32, f32, cores), Again(scalar.Exp, f64, f64, cores); b != 2*a {
		t.Errorf("exp of float64 is %g operations, of float32 %g", b, a)
	}
	if a, b := Again(scalar.Log, f32, f32, cores), Again(scalar.Abs, f32, c64, cores); a != b {
		t.Errorf("a modulus is %g operations, a logarithm %g", b, a)
	}
	if a, b := Again(scalar.Abs, f32, f32, figures), Again(scalar.Abs, f32, c64, figures); a != b {
		t.Errorf("on a GPU a modulus is %g operations, an absolute value %g", b, a)
	}
}

// A GPU whose functions are as fast as it reads twice computes them twice, whatever its simple
// operations take: an H200 stored exponentials that a softmax of long rows reads twice.
func TestFunctionsOfGPUs(t *testing.T) {
	f32, n := elem.Float32, 1<<28
	h200 := device.Figures{CopyBytesPerNs: 4144, OpsPerNs: 5997, FunctionOps: 4.75, LaunchNs: 4236}
	exp := Intermediate{Elems: n, Bytes: 4, Loads: 1, Ops: 1 + Again(scalar.Exp, f32, f32, h200), Uses: []int{n, n}}
	if ok, ns := exp.Inline(h200); !ok {
		t.Errorf("storing exponentials is taken to gain %g ns", -ns)
	}
	code := ir.Code{Instrs: []ir.Instr{{Kind: ir.Load, Type: f32}, {Kind: ir.Apply, Op: scalar.Exp, Type: f32}}, In: []ir.Operand{operand(f32, 1)}}
	m := &ir.Map{Dims: []int{n}, Code: code, Out: []ir.Operand{operand(f32, 1)}, Value: []ir.ValueID{1}}
	copied := 2 * float64(4*n) / h200.CopyBytesPerNs
	if got := Rank(m, h200) - h200.LaunchNs; got > copied {
		t.Errorf("exponentials are ranked at %g ns, a copy at %g", got, copied)
	}
}

// What has no vector kernel takes tens of nanoseconds on a core, whatever a function does.
func TestFunctionsOfComplexNumbers(t *testing.T) {
	c64, core := elem.Complex64, cores.OpsPerNs/float64(cores.Workers)
	for op, ns := range map[scalar.Op]float64{scalar.Exp: 40, scalar.Pow: 190, scalar.Sqrt: 25} {
		if got := Again(op, c64, c64, cores) / core; math.Abs(got-ns) > 1e-9*ns {
			t.Errorf("%v of a complex number takes a core %g ns, want %g", op, got, ns)
		}
	}
	if a, b := Again(scalar.Exp, c64, c64, figures), Again(scalar.Exp, elem.Float32, elem.Float32, figures); a != b {
		t.Errorf("on a GPU exp of complex numbers is %g operations, of real ones %g", a, b)
	}
}

// Frames that a line adds up take as long as they are, however long their sum is.
func TestOverlapsOfLines(t *testing.T) {
	of := func(frames int) float64 {
		length := frames*8 + 8
		add := &ir.Overlap{Turns: 1, Phases: 1, Size: 16, Count: frames, Hop: 8, Length: length,
			In: operand(elem.Float32, 16, 16, 1), Out: operand(elem.Float32, 1)}
		return throughCaches(add, cores)
	}
	if a, b := of(10), of(1000); a != b {
		t.Errorf("one of 10 frames takes %g ns in caches, one of 1000 %g", a, b)
	}
}
