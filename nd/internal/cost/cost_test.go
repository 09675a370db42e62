package cost

import (
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

var figures = device.Figures{CopyBytesPerNs: 10, OpsPerNs: 10, GemmOpsPerNs: 100, LaunchNs: 1000, SyncNs: 500}

func operand(t elem.Type, strides ...int) ir.Operand {
	return ir.Operand{Type: t, Strides: strides}
}

func TestTraffic(t *testing.T) {
	f32, c64, i64 := elem.Float32, elem.Complex64, elem.Int64
	for _, c := range []struct {
		name string
		p    ir.Program
		want int
	}{
		{"map", &ir.Map{Dims: []int{10, 20}, Out: []ir.Operand{operand(f32, 20, 1)},
			Code: ir.Code{In: []ir.Operand{operand(f32, 20, 1), operand(f32, 0, 1)}}}, 4 * (200 + 20 + 200)},
		{"overlapping frames are read once", &ir.Map{Dims: []int{5, 8}, Out: []ir.Operand{operand(f32, 8, 1)},
			Code: ir.Code{In: []ir.Operand{operand(f32, 2, 1)}}}, 4 * (16 + 40)},
		{"reduce", &ir.Reduce{Dims: []int{10, 20}, Inner: 1, Out: operand(f32, 1),
			Code: ir.Code{In: []ir.Operand{operand(f32, 20, 1)}}}, 4 * (200 + 10)},
		{"scan", &ir.Scan{Dims: []int{10, 20}, In: operand(f32, 20, 1), Out: operand(f32, 20, 1)}, 4 * 400},
		{"sort keeps some", &ir.Sort{Dims: []int{10, 20}, Keep: 3, In: operand(f32, 20, 1), Values: new(operand(f32, 3, 1))}, 4 * (200 + 30)},
		{"gather", &ir.Gather{Dims: []int{6}, Data: operand(f32, 0), Index: operand(i64, 1), Out: operand(f32, 1)}, 6 * (4 + 8 + 4)},
		{"gemm", &ir.Gemm{M: 2, N: 3, K: 4, A: operand(f32, 4, 1), B: operand(f32, 3, 1), Out: operand(f32, 3, 1)}, 4 * (8 + 12 + 6)},
		{"fft pads", &ir.FFT{Outer: []int{2}, Kind: ir.FFTRealForward, N: 16, InLen: 10, In: operand(f32, 10, 1), Out: operand(c64, 9, 1)},
			2 * (10*4 + 9*8)},
		{"nothing", &ir.Scan{Dims: []int{0, 20}, In: operand(f32, 20, 1), Out: operand(f32, 20, 1)}, 0},
	} {
		if got := Traffic(c.p); got != c.want {
			t.Errorf("%s: %d bytes, want %d", c.name, got, c.want)
		}
	}
}

// Cores take time for each row and draw random numbers by the clock; a GPU does neither.
func TestRowsAndRandomNumbersOfCores(t *testing.T) {
	flat := &ir.Map{Dims: []int{1536}, Out: []ir.Operand{operand(elem.Float32, 1)}}
	short := &ir.Map{Dims: []int{768, 2}, Out: []ir.Operand{operand(elem.Float32, 3, 1)}}
	random := &ir.Map{Dims: []int{1536}, Out: flat.Out, Code: ir.Code{Instrs: []ir.Instr{{Kind: ir.Apply, Op: scalar.RandUniform, Type: elem.Float32}}}}
	cores := figures
	cores.Workers, cores.Grain = 2, 100
	if got := Ns(short, cores) - Ns(flat, cores); got < 768*rowNs/4 {
		t.Errorf("768 rows of 2 take %g ns more than one of 1536", got)
	}
	faster := func(f device.Figures) device.Figures { f.OpsPerNs *= 4; return f }
	if a, b := Ns(random, cores), Ns(random, faster(cores)); a != b {
		t.Errorf("random numbers on cores: %g ns, and %g with vectors four times as fast", a, b)
	}
	if a, b := Ns(random, figures), Ns(random, faster(figures)); a <= b {
		t.Errorf("random numbers on a GPU: %g ns, and %g on one four times as fast", a, b)
	}
	if a, b := Ns(short, figures), Ns(flat, figures); a != b {
		t.Errorf("rows on a GPU: %g ns, else %g ns", a, b)
	}
}

func TestRankIsTheSlowerOfBytesAndOps(t *testing.T) {
	big := func(k int) *ir.Gemm {
		return &ir.Gemm{M: 100, N: 100, K: k, A: operand(elem.Float32, k, 1), B: operand(elem.Float32, 100, 1), Out: operand(elem.Float32, 100, 1)}
	}
	if got, want := Rank(big(1), figures), 1000+float64(4*(100+100+10000))/10; got != want {
		t.Errorf("moving: %g, want %g", got, want)
	}
	if got, want := Rank(big(1000), figures), 1000+2e7/100; got != want {
		t.Errorf("computing: %g, want %g", got, want)
	}
	if got := Rank(big(1000), device.Figures{}); got != 0 {
		t.Errorf("without figures: %g", got)
	}
	var p Profile
	p.Launch(big(1), figures)
	p.Sync(2, figures)
	if p.Launches != 1 || p.SyncPoints != 2 || p.DeviceTrafficBytes != 40800 || p.PredictedNs != Ns(big(1), figures)+1000 {
		t.Errorf("profile %+v", p)
	}
}

// A logarithm is not an addition, and lines that are short and real are computed
// faster where a device says so.
func TestNsOfLines(t *testing.T) {
	f := figures
	f.FFTOpsPerNs, f.ShortLineGain = 100, 4
	mapOf := func(ops ...scalar.Op) *ir.Map {
		m := &ir.Map{Dims: []int{100}, Out: []ir.Operand{operand(elem.Float32, 1)}}
		m.In = []ir.Operand{operand(elem.Float32, 1)}
		m.Instrs = []ir.Instr{{Kind: ir.Load, Type: elem.Float32}}
		for i, op := range ops {
			m.Instrs = append(m.Instrs, ir.Instr{Kind: ir.Apply, Op: op, Type: elem.Float32, A: ir.ValueID(i)})
		}
		m.Value = []ir.ValueID{m.Last()}
		return m
	}
	lines := func(n int) *ir.Line {
		fft := &ir.FFT{Kind: ir.FFTRealForward, N: n, InLen: n, In: operand(elem.Float32, 1), Out: operand(elem.Complex64, 1)}
		return &ir.Line{Outer: []int{1000}, Segments: 1, Stages: []ir.Stage{{Program: fft}, {Program: mapOf(scalar.Log)}}}
	}
	for _, c := range []struct {
		name string
		p    ir.Program
		want float64
	}{
		{"additions", mapOf(scalar.Neg, scalar.Neg, scalar.Copy), 100 * 2 / 10.0},
		{"logarithms", mapOf(scalar.Log, scalar.Log), 100 * 32 / 10.0},
		{"a batch", &ir.Batch{Programs: []ir.Program{mapOf(scalar.Neg), mapOf(scalar.Log)}}, 100 * 17 / 10.0},
		{"long lines", lines(128), 1000 * (128*7*5/2.0/100 + 100*16/10.0)},
		{"short lines", lines(64), 1000 * (64*6*5/2.0/100 + 100*16/10.0) / 4},
	} {
		if got := compute(c.p, f, false); math.Abs(got-c.want) > 1e-9*c.want {
			t.Errorf("%s: %g ns, want %g", c.name, got, c.want)
		}
	}
}

func TestInline(t *testing.T) {
	const n = 1 << 20
	for _, c := range []struct {
		name string
		m    Intermediate
		want bool
	}{
		{"cheap, two users", Intermediate{Elems: n, Bytes: 4, Loads: 1, Ops: 1, Uses: []int{n, n}}, true},
		{"expensive, two users", Intermediate{Elems: n, Bytes: 4, Loads: 1, Ops: 16, Uses: []int{n, n}}, false},
		{"expensive but small", Intermediate{Elems: 64, Bytes: 4, Loads: 1, Ops: 16, Uses: []int{64, 64}}, true},
		{"expensive, each user takes a half", Intermediate{Elems: n, Bytes: 4, Loads: 1, Ops: 16, Uses: []int{n / 2, n / 2}}, true},
		{"expensive, repeated", Intermediate{Elems: 1024, Bytes: 4, Loads: 1, Ops: 16, Uses: []int{n}}, false},
		{"many operands, many users", Intermediate{Elems: n, Bytes: 4, Loads: 8, Ops: 7, Uses: []int{n, n, n}}, false},
	} {
		if got, gain := c.m.Inline(figures); got != c.want || got != (gain >= 0) {
			t.Errorf("%s: %t by %g ns, want %t", c.name, got, gain, c.want)
		}
	}
}

// What is finer than decisions need: types, waking workers, short sums, small sorts.
func TestNsIsFiner(t *testing.T) {
	mapOf := func(n int, kind elem.Type) *ir.Map {
		m := &ir.Map{Dims: []int{n}, Out: []ir.Operand{operand(kind, 1)}, Value: []ir.ValueID{1}}
		m.In = []ir.Operand{operand(kind, 1)}
		m.Instrs = []ir.Instr{{Kind: ir.Load, Type: kind}, {Kind: ir.Apply, Op: scalar.Sin, Type: kind}}
		return m
	}
	f := device.Figures{CopyBytesPerNs: 1e6, OpsPerNs: 10, FunctionOps: 30, Workers: 4, Grain: 100, SpreadNs: 500, CoreBytesPerNs: 1e6, LaunchNs: 7}
	for _, c := range []struct {
		what string
		p    ir.Program
		want float64
	}{
		{"one piece", mapOf(100, elem.Float32), 7 + 4*100*30/10.0},
		{"two pieces, sooner done by one", mapOf(101, elem.Float32), 7 + min(crowded*4*101*30/10.0, joined(2*101*30/10.0, 500)+waking*500)},
		{"all workers", mapOf(100000, elem.Float32), 7 + joined(100000*30/10.0, 500) + waking*500},
		{"twice as wide", mapOf(100000, elem.Float64), 7 + joined(2*100000*30/10.0, 500) + waking*500},
	} {
		if got := Ns(c.p, f); math.Abs(got-c.want) > 1e-9*c.want {
			t.Errorf("%s: %g ns, want %g", c.what, got, c.want)
		}
		if got, want := Rank(c.p, f), 7+float64(ir.Count(c.p.Extent()))*16/10*4/float64(min(4, c.p.Pieces(100))); math.Abs(got-want) > 1e-9*want {
			t.Errorf("%s: rank %g, want %g", c.what, got, want)
		}
	}
}
