package cost

import (
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

var cores = device.Figures{CopyBytesPerNs: 50, CacheBytesPerNs: 55, CoreBytesPerNs: 30, OpsPerNs: 10, FFTOpsPerNs: 100,
	GemmOpsPerNs: 100, LaunchNs: 1000, SpreadNs: 500, Workers: 2, Grain: 100}

// Bytes that caches keep move faster, and one worker has its own speed.
func TestBytesOfCaches(t *testing.T) {
	for _, c := range []struct{ elements, rate int }{{50, 30}, {1 << 20, 55}, {1 << 24, 50}} {
		p := &ir.Scan{Dims: []int{c.elements, 1}, In: operand(elem.Float32, 1, 1), Out: operand(elem.Float32, 1, 1)}
		want := float64(8*c.elements) / float64(c.rate)
		if c.elements > cores.Grain {
			want = joined(want, cores.SpreadNs)
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
	want := cores.LaunchNs + joined(2*4*1024*8/55.0+5*4*1024*10/100.0, cores.SpreadNs)
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
	want := cores.LaunchNs + 2*(10*16*4*2/100.0) + packNs*(10+4)
	if got := Ns(p, cores); math.Abs(got-want) > 1e-9*want {
		t.Errorf("a product takes %g ns, want %g", got, want)
	}
}

// Only rows that do not follow each other take time of their own.
func TestRowsOfOperands(t *testing.T) {
	dims := []int{100, 8}
	for _, c := range []struct {
		strides []int
		want    int
	}{{[]int{8, 1}, 0}, {[]int{0, 1}, 100}, {[]int{16, 1}, 100}, {[]int{1, 100}, 8}, {[]int{0, 0}, 0}} {
		if got := rowsOf(dims, operand(elem.Float32, c.strides...)); got != c.want {
			t.Errorf("strides %v: %d rows, want %d", c.strides, got, c.want)
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
}
