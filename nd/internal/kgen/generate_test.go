package kgen_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/cuda/driver"
	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/ktree/printer"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// Sizes are parameters: a program three times as large has the same text.
func TestSizesAreNotText(t *testing.T) {
	for _, c := range programs() {
		t.Run(c.name, func(t *testing.T) {
			a, err := kgen.Generate(c.make(64), h200)
			if err != nil {
				t.Fatal(err)
			}
			b, err := kgen.Generate(c.make(192), h200)
			if err != nil {
				t.Fatal(err)
			}
			if x, y := printer.CUDAUnit(a.Kernels...), printer.CUDAUnit(b.Kernels...); x != y {
				t.Errorf("64 times and 192 times give two texts:\n%s\n%s", x, y)
			}
		})
	}
}

// Kernels compile for the oldest card that the compiler knows, and for what
// needs 64-bit positions.
func TestKernelsCompile(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: compiles every kernel")
	}
	nvrtc, err := driver.OpenCompiler(0, 0)
	if err != nil {
		t.Skip(err)
	}
	older, err := driver.OpenCompiler(70, 0) // NVRTC 13 knows it no more
	if err != nil {
		older = nvrtc
	}
	old := kgen.Target{Processors: 80, SharedBytes: 48 << 10, Subgroup: 32, Wide: true}
	oldest := max(older.Archs()[0], 70)
	const huge = 1 << 22
	for _, c := range programs() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			check := func(nvrtc *driver.Compiler, p ir.Program, target kgen.Target, arch int) {
				m, err := kgen.Generate(p, target)
				if err != nil {
					t.Fatal(err)
				}
				text := printer.CUDAUnit(m.Kernels...)
				_, log, err := nvrtc.Compile(c.name, text, append(driver.Options(arch), "--ptxas-options=-v")...)
				if err != nil {
					t.Fatalf("%v\n%s", err, text)
				}
				if strings.Contains(log, "statically determined") {
					t.Errorf("a stack of unknown size on sm_%d:\n%s", arch, log)
				}
				if strings.Contains(log, "spill") && !strings.Contains(log, " 0 bytes spill stores") {
					t.Errorf("registers are spilled on sm_%d:\n%s", arch, log)
				}
			}
			check(older, c.make(1), old, oldest)
			if wideToo[c.name] {
				check(nvrtc, c.make(huge), h200, 90)
			}
		})
	}
}

// Programs with nothing to do have no kernel.
func TestEmptyPrograms(t *testing.T) {
	const f = elem.Float32
	none := []int{3, 0}
	for _, p := range []ir.Program{
		mapOf(none, ir.Contiguous(f, none), scalar.Invalid, ir.Contiguous(f, none)),
		reduceOf(ir.Sum, f, 1, []int{0, 3}, 3, 1),
		&ir.Scan{Dims: none, In: ir.Contiguous(f, none), Out: ir.Contiguous(f, none)},
		&ir.Sort{Dims: none, In: ir.Contiguous(f, none), Values: new(ir.Contiguous(f, none))},
		gemmOf(f, 0, 3, 4, true, true),
	} {
		if m, err := kgen.Generate(p, h200); err != nil || len(m.Steps) != 0 {
			t.Errorf("%s: %v, %v", p.Name(), m, err)
		}
	}
}

func TestUnsupported(t *testing.T) {
	const f = elem.Float32
	exp2 := func(n int) int { return 1 << n } // constants would be too large for ints of 32 bits
	for name, p := range map[string]ir.Program{
		"another package's program": &ir.FFT{N: 8, InLen: 8, In: operand(elem.Complex64, 0, 1), Out: operand(elem.Complex64, 0, 1)},
		"updates that meet": &ir.Scatter{Dims: []int{4, 5}, Axis: 0, Updates: operand(f, 0, 5, 1),
			Index: operand(elem.Int32, 0, 5, 1), Out: operand(f, 0, 0, 0), AxisStride: 1, AxisLen: 9},
		"a line of 2^31 to sort": &ir.Sort{Dims: []int{exp2(31)}, Keep: 1, In: operand(f, 0, 1), Values: new(operand(f, 0, 1))},
	} {
		if _, err := kgen.Generate(p, h200); !errors.Is(err, device.ErrUnsupported) {
			t.Errorf("%s: %v, want ErrUnsupported", name, err)
		}
	}
}
