package cost

import (
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

func transformOf(n int) *ir.FFT {
	return &ir.FFT{Kind: ir.FFTComplex, N: n, In: ir.Operand{Type: elem.Complex64}, Outer: []int{4}}
}

// A line that does not fit on chip takes another kernel and its bytes once more.
func TestSecondKernel(t *testing.T) {
	f := device.Figures{Processors: 100, ChipBytes: 8 << 10, LaunchNs: 500, CopyBytesPerNs: 2}
	if got := onGPU(transformOf(1024), f, true); got != 0 {
		t.Errorf("a line that fits takes %g ns more", got)
	}
	if got, want := onGPU(transformOf(2048), f, true), 500+2*4*2048*8/2.0; got != want {
		t.Errorf("a line that does not fit takes %g ns more, want %g", got, want)
	}
	if got := onGPU(transformOf(2048), device.Figures{LaunchNs: 500}, true); got != 0 {
		t.Errorf("a CPU takes %g ns more", got)
	}
}

// Groups that have an item to themselves wait for each column.
func TestColumns(t *testing.T) {
	f := device.Figures{Processors: 100}
	p := &ir.Custom{Grid: [3]int{64, 4, 1}, Threadgroup: [3]int{64, 4, 1}, InShapes: [][]int{{1, 64, 32}, {7}}}
	if got, want := onGPU(p, f, true), columnNs*32.0; got != want {
		t.Errorf("waits %g ns, want %g", got, want)
	}
	f.OpsPerNs = 200
	p.Work = 1000
	if got, want := onGPU(p, f, true), aloneOps*1000/2.0; got != want {
		t.Errorf("one processor takes %g ns for 1000 operations, want %g", got, want)
	}
	p.Grid[0] = 128
	if got := onGPU(p, f, true); got != 0 {
		t.Errorf("several groups wait %g ns", got)
	}
}

// Few threads that add up columns wait for each element; of a batch the slowest counts.
func TestDownColumns(t *testing.T) {
	f := device.Figures{Processors: 100}
	of := func(strides ...int) *ir.Reduce {
		return &ir.Reduce{Dims: []int{16, 512}, Inner: 1, Code: ir.Code{In: []ir.Operand{operand(elem.Float32, strides...)}}}
	}
	for _, c := range []struct {
		p    ir.Program
		want float64
	}{{of(512, 1), 0}, {of(1, 16), 512 * elementNs}, {&ir.Batch{Programs: []ir.Program{of(512, 1), of(1, 16), of(1, 16)}}, 512 * elementNs}} {
		if got := onGPU(c.p, f, true); got != c.want {
			t.Errorf("%v waits %g ns, want %g", c.p, got, c.want)
		}
	}
}

// Few short lines leave processors waiting, many do not.
func TestIdle(t *testing.T) {
	f := device.Figures{Processors: 100}
	if got, want := idle(&ir.Line{Outer: []int{12800}, Segments: 1}, f), 3.0; got != want {
		t.Errorf("128 lines a processor take %g times as long, want %g", got, want)
	}
	if got := idle(&ir.Line{Outer: []int{115200}, Segments: 1}, f); got != 1 {
		t.Errorf("1152 lines a processor take %g times as long", got)
	}
}

// Long lines have a speed of their own, and lengths between the two speeds lie between.
func TestFFTRate(t *testing.T) {
	f := device.Figures{FFTOpsPerNs: 50, LongFFTOpsPerNs: 30}
	for n, want := range map[int]float64{64: 50, 4096: 50, 16384: 40, 65536: 30, 1 << 20: 30} {
		if got := fftRate(n, f, true); got != want {
			t.Errorf("%d samples at %g, want %g", n, got, want)
		}
	}
	if got := fftRate(1<<20, f, false); got != 50 {
		t.Errorf("plans are compared at %g", got)
	}
}
