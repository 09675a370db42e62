package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/audio/npy"
)

// kernelFolder holds a body, a header and an input.
func kernelFolder(t *testing.T) func(name string) string {
	t.Helper()
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	write := func(name, text string) {
		if err := os.WriteFile(in(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("scale.metal", "uint i = thread_position_in_grid.x;\ny[i] = scaled(a[i]) + N;\n")
	write("scale.h", "float scaled(float x) { return 2 * x; }\n")
	write("bad.h", "float scaled(float x) {\n  return 2 * z;\n}\n")
	write("count.metal", "y[thread_position_in_grid.x] = 1000000 * (1 + thread_position_in_grid.x);\n")
	write("bad.metal", "uint i = thread_position_in_grid.x;\ny[i] = exq(a[i]);\n")
	write("past.metal", "y[thread_position_in_grid.x] = a[9];\n")
	write("race.metal", "y[0] = thread_position_in_grid.x;\n")
	a, err := npy.From([]float32{1, 2, 3, 4}, 2, 2)
	if err == nil {
		err = npy.WriteFile(in("a.npy"), a)
	}
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func TestKernelRun(t *testing.T) {
	in := kernelFolder(t)
	status, stdout, stderr := twiddle(t, "kernel", "run", in("scale.metal"), "--header", in("scale.h"), "--input", "a="+in("a.npy"),
		"--output", "y:float32:2,2", "--template", "N=10", "--threadgroup", "2", "--save", "y="+in("y.npy"))
	if status != 0 || !strings.Contains(stdout, "y: float32 [2 2] [12 14 16 18] -> ") {
		t.Fatalf("status %d, stdout %q, stderr %q", status, stdout, stderr)
	}
	file, err := npy.ReadFile(in("y.npy"))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := npy.Values[float32](file); err != nil || !slices.Equal(got, []float32{12, 14, 16, 18}) || !slices.Equal(file.Shape, []int{2, 2}) {
		t.Errorf("saved %v of shape %v, %v", got, file.Shape, err)
	}
	status, stdout, _ = twiddle(t, "kernel", "run", in("scale.metal"), "--header", in("scale.h"), "--input", "a="+in("a.npy"),
		"--output", "y:float16:4", "--template", "N=1", "--json")
	var r kernelReport
	if err := json.Unmarshal([]byte(stdout), &r); err != nil || status != 0 || r.Kernel != "scale" || r.Outputs[0].DType != "float16" || r.Grid != [3]int{4, 0, 0} {
		t.Errorf("status %d, %v: %+v", status, err, r)
	}
}

func TestKernelRunPrintsIntegers(t *testing.T) {
	in := kernelFolder(t)
	for _, dtype := range []string{"int32", "int64", "uint32"} {
		status, stdout, stderr := twiddle(t, "kernel", "run", in("count.metal"), "--output", "y:"+dtype+":3")
		if status != 0 || !strings.Contains(stdout, "[1000000 2000000 3000000]") {
			t.Errorf("%s: status %d, %q, %q", dtype, status, stdout, stderr)
		}
	}
}

func TestKernelHeaderIsNamed(t *testing.T) {
	in := kernelFolder(t)
	status, _, stderr := twiddle(t, "kernel", "run", in("scale.metal"), "--header", in("bad.h"), "--input", "a="+in("a.npy"), "--output", "y:float32:4", "--template", "N=1")
	if status != 1 || !strings.Contains(stderr, in("bad.h")+":2:14:") {
		t.Errorf("status %d: %s", status, stderr)
	}
}

func TestKernelShow(t *testing.T) {
	in := kernelFolder(t)
	for form, want := range map[string]string{"metal": "kernel void scale(", "cuda": "__launch_bounds__(64) scale(", "wgsl": "@workgroup_size(64, 1, 1)"} {
		status, stdout, stderr := twiddle(t, "kernel", "show", in("scale.metal"), "--header", in("scale.h"), "--input", "a:float32",
			"--output", "y:float32", "--template", "N=1", "--threadgroup", "64", "--as", form)
		if status != 0 || !strings.Contains(stdout, want) {
			t.Errorf("%s: status %d, stderr %q\n%s", form, status, stderr, stdout)
		}
	}
}

// A fault is shown with its line and a caret; the last line sums it up.
func TestKernelFaults(t *testing.T) {
	in := kernelFolder(t)
	for _, c := range []struct {
		body string
		more []string
		want []string
	}{
		{"bad.metal", nil, []string{"bad.metal:2:8: unknown function \"exq\" (did you mean \"exp\"?)\n", "\n           ^\n", "twiddle: kernel: the text has errors\n"}},
		{"past.metal", nil, []string{"past.metal:1:33: index 9 is outside a, which has 4 elements, in thread (0, 0, 0)\n", "twiddle: kernel: it failed while running\n"}},
		{"race.metal", []string{"--check"}, []string{"y[0] is written here and by another thread", "twiddle: kernel: it failed while running\n"}},
	} {
		args := append([]string{"kernel", "run", in(c.body), "--input", "a=" + in("a.npy"), "--output", "y:float32:4"}, c.more...)
		status, stdout, stderr := twiddle(t, args...)
		if status != 1 || stdout != "" {
			t.Errorf("%s: status %d, stdout %q", c.body, status, stdout)
		}
		for _, w := range c.want {
			if !strings.Contains(stderr, w) {
				t.Errorf("%s: stderr %q lacks %q", c.body, stderr, w)
			}
		}
	}
}

func TestKernelBadUsage(t *testing.T) {
	in := kernelFolder(t)
	good := []string{"kernel", "run", in("scale.metal"), "--header", in("scale.h"), "--input", "a=" + in("a.npy"), "--output", "y:float32:4", "--template", "N=1"}
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"kernel", "run"}, 2, "want one body"},
		{[]string{"kernel", "run", in("none.metal"), "--output", "y:float32:4"}, 1, "none.metal"},
		{[]string{"kernel", "run", in("scale.metal")}, 2, "--output is required"},
		{append(good, "--grid", "0"), 2, "bad length"},
		{append(good, "--grid", "1,2,3,4"), 2, "at most three"},
		{append(good, "--threadgroup", "2048"), 1, "more than 1024 threads"},
		{append(good, "--output", "z"), 2, "want name:dtype:shape"},
		{append(good, "--output", "z:float12:4"), 2, "no dtype"},
		{append(good, "--output", "z:float32:-4"), 2, "bad length"},
		{append(good, "--input", "b"), 2, "want name=file.npy"},
		{append(good, "--input", "b:float33"), 2, `no dtype "float33" (did you mean "float32"?)`},
		{append(good, "--input", "b="+in("missing.npy")), 1, "missing.npy"},
		{append(good, "--template", "M"), 2, "want NAME=value"},
		{append(good, "--template", "M=1.5"), 2, "want an integer"},
		{append(good, "--save", "q=x.npy"), 2, "of an output"},
		{append(good, "--device", "abacus"), 2, "abacus"},
		{[]string{"kernel", "show", in("scale.metal"), "--output", "y:float32", "--as", "hlsl"}, 2, "want metal, cuda or wgsl"},
	} {
		status, stdout, stderr := twiddle(t, c.args...)
		if status != c.status || stdout != "" || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: status %d, stderr %q; want status %d and %q", c.args[1:], status, stderr, c.status, c.want)
		}
	}
}
