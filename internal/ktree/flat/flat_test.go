package flat_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/kernc/check"
	"github.com/twiddle-go/twiddle/internal/ktree/flat"
	"github.com/twiddle-go/twiddle/internal/ktree/source"
)

func compile(header, body string) (*flat.Program, error) {
	src := source.NewSource(source.File{Name: "header", Text: header}, source.File{Name: "body", Text: body})
	p, err := check.Check(check.Spec{
		Name:    "k",
		Inputs:  []check.Operand{{Name: "a", Type: elem.Float32}, {Name: "b", Type: elem.Float32}},
		Outputs: []check.Operand{{Name: "y", Type: elem.Float32}},
	}, src)
	if err != nil {
		return nil, err
	}
	return flat.Flatten(p)
}

// A barrier is legal where every thread of the group arrives together.
func TestBarrierUniformity(t *testing.T) {
	const bar = "threadgroup_barrier(mem_flags::mem_threadgroup);"
	for _, c := range []struct {
		name, header, body, want string
	}{
		{"top", "", bar, ""},
		{"uniform if", "", "if (threadgroup_position_in_grid.x > 2) { " + bar + " }", ""},
		{"uniform loop", "", "for (uint i = 0; i < threads_per_grid.x; i++) { " + bar + " }", ""},
		{"loop over input", "", "for (int i = 0; i < int(a[0]); i++) { " + bar + " }", ""},
		{"thread if", "", "if (thread_position_in_grid.x > 2) { " + bar + " }", "inside a condition"},
		{"thread else", "", "if (thread_position_in_grid.x > 2) {} else { " + bar + " }", "inside a condition"},
		{"thread loop", "", "for (uint i = thread_position_in_threadgroup.x; i < 64; i += 8) { " + bar + " }", "inside a loop"},
		{"after return", "", "if (thread_position_in_grid.x > 2) return; " + bar, "after a return"},
		{"before return", "", bar + " if (thread_position_in_grid.x > 2) return;", ""},
		{"uniform return", "", "if (threads_per_grid.x < 9) return; " + bar, ""},
		{"thread break", "", "for (int i = 0; i < 9; i++) { if (a[thread_position_in_grid.x] > i) break; " + bar + " }", "inside a loop"},
		{"break after barrier", "", "for (int i = 0; i < 9; i++) { " + bar + " if (a[thread_position_in_grid.x] > i) break; }", "inside a loop"},
		{"after the loop", "", "for (int i = 0; i < 9; i++) { if (a[thread_position_in_grid.x] > i) break; } " + bar, ""},
		{"thread continue", "", "for (int i = 0; i < 9; i++) { if (a[thread_position_in_grid.x] > i) continue; " + bar + " }", "inside a loop"},
		{"simdgroup", "", "if (simdgroup_index_in_threadgroup == 0) { " + bar + " }", "inside a condition"},
		{"simd barrier", "", "if (simdgroup_index_in_threadgroup == 0) { simdgroup_barrier(mem_flags::mem_none); }", ""},
		{"simd barrier by lane", "", "if (thread_index_in_simdgroup == 0) { simdgroup_barrier(mem_flags::mem_none); }", "simdgroup_barrier inside a condition"},
		{"variable", "", "int n = 3; if (thread_position_in_grid.x > 2) n = 4; for (int i = 0; i < n; i++) { " + bar + " }", "inside a loop"},
		{"private variable", "", "if (thread_position_in_grid.x > 2) { int n = 3; n = 4; y[n] = 1; } " + bar, ""},
		{"function", "void wait(int n) { for (int i = 0; i < n; i++) " + bar + " }", "wait(3);", ""},
		{"function, thread count", "void wait(int n) { for (int i = 0; i < n; i++) " + bar + " }", "wait(thread_position_in_grid.x);", "inside a loop"},
		{"return in function", "float f(float x) { if (x > 1) return 2; return 3; }", "y[0] = f(a[thread_position_in_grid.x]); " + bar, ""},
		{"function of both", "int f(int x) { return x + 1; }",
			"int u = f(3); int v = f(thread_position_in_grid.x); for (int i = 0; i < u; i++) { " + bar + " } y[v] = 0;", ""},
		{"threadgroup memory", "", "threadgroup int n; n = 3; " + bar + " for (int i = 0; i < n; i++) { " + bar + " }", "inside a loop"},
		{"pointer moved elsewhere", "", "device const float* p = a; p = b; y[0] = p[0];", "points into a and cannot move to b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := compile(c.header, c.body)
			switch {
			case c.want == "" && err != nil:
				t.Fatal(err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Fatalf("got %v, want %q", err, c.want)
			}
		})
	}
}

// Expanding functions that call each other twice grows past any bound; it is
// refused, not attempted.
func TestExpansionIsBounded(t *testing.T) {
	var h strings.Builder
	h.WriteString("float f0(float x) { return x + 1; }\n")
	for i := 1; i < 30; i++ {
		fmt.Fprintf(&h, "float f%d(float x) { return f%d(x) + f%d(x); }\n", i, i-1, i-1)
	}
	_, err := compile(h.String(), "y[0] = f29(a[0]);")
	if err == nil || !strings.Contains(err.Error(), "expanded") {
		t.Fatal(err)
	}
	_, err = compile("float g(float x) { float t[4000]; t[0] = x; return t[0]; }", "y[0] = g(1) + g(2) + g(3) + g(4) + g(5);")
	if err == nil || !strings.Contains(err.Error(), "arrays hold more than") {
		t.Fatal(err)
	}
}

// An output is covered if every thread is sure to set an element of its own,
// and all are set.
func TestCovers(t *testing.T) {
	line, plane := [3]int{32, 1, 1}, [3]int{8, 4, 1}
	const two = "uint2 p = thread_position_in_grid.xy; uint n = a_shape[1]; "
	for _, c := range []struct {
		grid [3]int
		body string
		want bool
	}{
		{line, "y[thread_position_in_grid.x] = 1;", true},
		{line, "uint i = thread_position_in_grid.x; y[i] = exp(a[i]);", true},
		{line, "int i = thread_position_in_grid.x; for (int k = 0; k < 3; k++) { } y[i] = 1;", true},
		{line, "uint i = thread_position_in_grid.x; if (i < 3) y[i] = 1;", false},
		{line, "uint i = thread_position_in_grid.x; if (i < 3) return; y[i] = 1;", false},
		{line, "uint i = thread_position_in_grid.x; y[i + 1] = 1;", false},
		{line, "uint i = thread_position_in_grid.x; i = 3; y[i] = 1;", false},
		{line, "uint i = thread_position_in_grid.x; y[i] = y[i] + 1;", false},
		{line, "uint i = thread_position_in_grid.y; y[i] = 1;", false},
		{line, "uint i = thread_position_in_grid.x; if (i < 3) { int k = 2; k = i; } y[i] = 1;", true},
		{line, "uint i = thread_position_in_grid.x; while (i < 3) { if (a[0] > 1) return; } y[i] = 1.0f;", false},
		{line, "uint i = thread_position_in_grid.x; y[i * 2] = 1;", false},
		{line, "char i = char(thread_position_in_grid.x); y[i] = 1;", false},
		{line, "uint i = thread_position_in_grid.x; y[(i * 134217729u) / 1u] = 1;", false},
		{[3]int{31, 1, 1}, "y[thread_position_in_grid.x] = 1;", false},
		{plane, "y[thread_position_in_grid.x] = 1;", false},
		{plane, two + "y[p.y * n + p.x] = 1;", true},
		{plane, two + "y[p.x + n * p.y] = 1;", true},
		{plane, two + "y[p.x + threads_per_grid.x * p.y] = 1;", true},
		{plane, two + "device float* row = y + p.y * n; row[p.x] = a[0];", true},
		{plane, two + "y[p.x * 4 + p.y] = 1;", true},
		{plane, two + "y[p.y * uint(a_shape[0]) + p.x] = 1;", false},
		{plane, two + "y[p.y * n + p.x + p.x] = 1;", false},
		{plane, two + "y[p.y * 2147483648u * 2u + p.y * n + p.x] = 1;", false},
		{plane, two + "y[p.y * uint(a[0]) + p.x] = 1;", false},
		{plane, two + "n = 3; y[p.y * n + p.x] = 1;", false},
		{[3]int{8, 2, 2}, "uint3 p = thread_position_in_grid; y[(p.z * 2 + p.y) * 8 + p.x] = 1;", true},
		{[3]int{8, 2, 2}, "uint3 p = thread_position_in_grid; y[(p.z + p.y) * 8 + p.x] = 1;", false},
	} {
		p, err := compile("", c.body)
		if err != nil {
			t.Fatal(err)
		}
		l := flat.Launch{Grid: c.grid, Shapes: [][]int{{4, 8}, {4, 8}}, Lens: []int{32}}
		if got := p.Covers(l)[0]; got != c.want {
			t.Errorf("%v: %s: covered %t", c.grid, c.body, got)
		}
	}
}
