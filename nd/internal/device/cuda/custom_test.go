package cuda

import (
	"strconv"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/cuda/driver"
	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/kernc"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
)

// A kernel may be called what CUDA calls a function of its own.
func TestKernelNames(t *testing.T) {
	nvrtc, err := driver.OpenCompiler(90, 0)
	if err != nil {
		t.Skip(err)
	}
	for _, name := range []string{"exp", "max", "fmaf", "norm", "printf", "template", "saxpy"} {
		operand := func(name string) []kernc.Operand { return []kernc.Operand{{Name: name, Type: elem.Float32}} }
		u, err := kernc.Compile(kernc.Spec{Name: name, Inputs: operand("x"), Outputs: operand("y"), Source: "y[thread_position_in_grid.x] = exp(x[0]);"})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, check := range []bool{false, true} {
			m, err := generate(customOf(u, 4, check), cards[1])
			if err != nil {
				t.Fatal(err)
			}
			if _, _, err := nvrtc.Compile(name, m.Text, driver.Options(90)...); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if entry := m.Steps[len(m.Steps)-1].Entry; !strings.Contains(m.Text, ") "+entry+"(") {
				t.Errorf("%s: no entry %s", name, entry)
			}
		}
	}
}

// What a launch passes is what the kernel's text declares.
func TestCustomParameters(t *testing.T) {
	u, err := kernc.Compile(kernc.Spec{Name: "k", Inputs: []kernc.Operand{{Name: "x", Type: elem.Float64}}, Outputs: []kernc.Operand{{Name: "y", Type: elem.Float32}},
		Source: "uint i = thread_position_in_grid.x; y[i] = float(x[i * x_strides[0]]) + x_shape[1] + x_ndim;"})
	if err != nil {
		t.Fatal(err)
	}
	c := &ir.Custom{Unit: u, Grid: [3]int{100, 3, 1}, Threadgroup: [3]int{32, 2, 1}, Strided: true,
		In: []ir.Operand{{Type: elem.Float64, Offset: 5, Strides: []int{2, 1}}}, InShapes: [][]int{{100, 2}},
		Out: []ir.Operand{ir.Contiguous(elem.Float32, []int{100})}, OutShapes: [][]int{{100}}, Written: []bool{false}, Init: 2}
	for _, check := range []bool{false, true} {
		c.Check = check
		m, err := generate(c, cards[1])
		if err != nil {
			t.Fatal(err)
		}
		fill, run := m.Steps[0], m.Steps[1]
		if fill.Params[1].Value != 400 || fill.Params[2].Value != 0x4000000040000000 || fill.Params[3].Value != fill.Params[2].Value {
			t.Errorf("fill %+v", fill.Params)
		}
		if run.Grid != [3]int{4, 2, 1} || run.Block != c.Threadgroup {
			t.Errorf("grid %v of %v", run.Grid, run.Block)
		}
		declared := m.Text[strings.Index(m.Text, ") k("):]
		declared = declared[:strings.Index(declared, "{")]
		if got, want := len(run.Params), strings.Count(declared, ",")+1; got != want {
			t.Errorf("%d parameters for %d: %s", got, want, declared)
		}
		if p := run.Params[0]; p.Kind != kgen.ReadPointer || p.Value != 40 {
			t.Errorf("the first is %+v", p)
		}
		if (m.Fault != nil) != check {
			t.Errorf("check %t, fault %t", check, m.Fault != nil)
		}
		// What the kernel sets as a whole is only filled to be checked.
		c.Written[0] = true
		if m, err = generate(c, cards[1]); err != nil || len(m.Steps) == 2 != check {
			t.Errorf("check %t, whole: %d steps, %v", check, len(m.Steps), err)
		}
		c.Written[0] = false
	}
}

// A block has 65536 registers: what a kernel takes fits its threadgroup.
func TestCustomRegisters(t *testing.T) {
	nvrtc, err := driver.OpenCompiler(90, 0)
	if err != nil {
		t.Skip(err)
	}
	operand := func(name string) []kernc.Operand { return []kernc.Operand{{Name: name, Type: elem.Float64}} }
	u, err := kernc.Compile(kernc.Spec{Name: "many", Inputs: operand("x"), Outputs: operand("y"), Source: `uint i = thread_position_in_grid.x;
double a[24];
for (int k = 0; k < 24; k++) a[k] = x[i + k * 1024];
for (int k = 0; k < 24; k++) for (int j = 0; j < 24; j++) a[k] = fma(a[j], a[(j + k) % 24], a[k]);
for (int k = 0; k < 24; k++) y[i + k * 1024] = a[k];
`})
	if err != nil {
		t.Fatal(err)
	}
	for _, check := range []bool{false, true} {
		for _, threads := range []int{256, 1024} {
			c := customOf(u, threads, check)
			c.Threadgroup[0] = threads
			m, err := generate(c, cards[1])
			if err != nil {
				t.Fatal(err)
			}
			_, log, err := nvrtc.Compile("many", m.Text, append(driver.Options(90), "--ptxas-options=-v")...)
			if err != nil {
				t.Fatal(err)
			}
			_, own, _ := strings.Cut(log, "'many'")
			used := usedLine.FindStringSubmatch(own)
			if used == nil {
				t.Fatalf("no registers in %s", log)
			}
			if n, _ := strconv.Atoi(used[1]); n*threads > 65536 {
				t.Errorf("%d threads of %d registers", threads, n)
			} else {
				t.Logf("%d threads, checked %t: %d registers", threads, check, n)
			}
		}
	}
}

// A large grid of short bodies is done in turns, by fewer blocks, a smaller one in
// fewer turns; a small one keeps all of its threads.
func TestCustomTurns(t *testing.T) {
	operand := func(name string) []kernc.Operand { return []kernc.Operand{{Name: name, Type: elem.Float32}} }
	u, err := kernc.Compile(kernc.Spec{Name: "neg", Inputs: operand("x"), Outputs: operand("y"), Source: "uint i = thread_position_in_grid.x; y[i] = -x[i];"})
	if err != nil {
		t.Fatal(err)
	}
	exp2 := func(n int) int { return 1 << n } // constants would be too large for ints of 32 bits
	for n, want := range map[int]int{1000: 8, 128 * 9999: 5000, 128 * 4999: 4999, 1<<24 + 1: 1<<15 + 1, exp2(32) - 128: 1<<25 - 1} {
		m, err := generate(customOf(u, n, false), cards[1])
		if err != nil {
			t.Fatal(err)
		}
		run := m.Steps[len(m.Steps)-1]
		if run.Grid != [3]int{want, 1, 1} || run.Block != [3]int{128, 1, 1} {
			t.Errorf("%d: %v blocks of %v, want %d", n, run.Grid, run.Block, want)
		}
		if turns := n > 1<<20 && n < exp2(31); strings.Contains(m.Text, "tw_turn") != turns {
			t.Errorf("%d: turns in the text: %t", n, !turns)
		}
	}
}
