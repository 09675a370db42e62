package kernlint

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

func ExampleCheck() {
	body := "uint i = thread_position_in_grid.x;\nhalf h = x[i];\nh *= 0.5f;\ny[i] = h;\n"
	findings, err := Check("", body)
	for _, f := range findings {
		fmt.Println(f.Code, f.Message)
		fmt.Print(body[:f.Fix.Start] + f.Fix.Text + body[f.Fix.End:])
	}
	fmt.Println(err)
	// Output:
	// TWK05 0.5f is a float, so the half beside it becomes one too: write 0.5h
	// uint i = thread_position_in_grid.x;
	// half h = x[i];
	// h *= 0.5h;
	// y[i] = h;
	// <nil>
}

func TestHeader(t *testing.T) {
	for _, c := range []struct {
		name, header, body string
		want               string // code and the word it is at, in the order found
	}{
		{"division in a function", "uint row(uint i, uint w) { return i / w; }", "y[0] = x[row(3, 4)];", "header TWK01 /"},
		{"constant of the header", "constant uint W = 64;", "uint i = thread_position_in_grid.x; y[i] = x[i / W];", ""},
		{"table of the header", "constant float W[4] = {1, 2, 3, 4};", "uint i = thread_position_in_grid.x; y[i] = W[i & 3];", ""},
		{"barrier in a function called by some", "void meet() { threadgroup_barrier(mem_flags::mem_none); }",
			"if (thread_position_in_grid.x > 3) meet();", "body TWK04 meet"},
		{"barrier in a function called by all", "void meet() { threadgroup_barrier(mem_flags::mem_none); }", "meet();", ""},
		{"result of a function", "half twice(half x) { return x + x; }", "y[0] = twice(x[0]) * 0.5f;", "body TWK05 0.5f"},
		{"type argument", "", "T a = x[0]; y[0] = a / 2;", ""},
		{"alias", "using index = uint;", "index i = thread_position_in_grid.x; y[i] = x[i % x_shape[0]];", "body TWK01 %"},
		{"do", "", "uint i = thread_position_in_grid.x; int k = 0; do { threadgroup_barrier(mem_flags::mem_none); k++; } while (k < int(i));", "body TWK04 threadgroup_barrier"},
		{"continue", "", "uint i = thread_position_in_grid.x; for (int k = 0; k < 4; k++) { if (i > 2) continue; threadgroup_barrier(mem_flags::mem_none); }", "body TWK04 threadgroup_barrier"},
		{"variable of a uniform loop", "", "for (uint k = threads_per_grid.x; k > 0; k >>= 1) { if (k > 2) threadgroup_barrier(mem_flags::mem_none); } y[0] = 1;", ""},
		{"set under a condition", "", "uint i = thread_position_in_grid.x; bool on = false; if (i > 2) { on = true; } if (on) { threadgroup_barrier(mem_flags::mem_none); }", "body TWK04 threadgroup_barrier"},
		{"set in the branch it is for", "", "uint i = thread_position_in_grid.x; if (i > 2) { bool on = true; y[i] = on; }", ""},
	} {
		findings, err := Check(c.header, c.body)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		var got []string
		for _, f := range findings {
			text, where := c.body, "body"
			if f.InHeader {
				text, where = c.header, "header"
			}
			got = append(got, where+" "+f.Code+" "+text[f.Start:f.End])
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// What nests is looked at a bounded number of times: each of these would
// otherwise take two to the fiftieth.
func TestDeepNesting(t *testing.T) {
	var doubling strings.Builder
	doubling.WriteString("int v0 = 1; ")
	for i := range 50 {
		fmt.Fprintf(&doubling, "int v%d = v%d + v%d; ", i+1, i, i)
	}
	for name, body := range map[string]string{
		"loops":     strings.Repeat("for (uint i = 0; i < x[0]; i++) { ", 50) + "threadgroup_barrier(mem_flags::mem_none);" + strings.Repeat("}", 50),
		"calls":     "y[0] = " + strings.Repeat("max(1, ", 50) + "1" + strings.Repeat(")", 50) + ";",
		"variables": doubling.String() + "y[0] = x[v50 / v50];",
		"indices":   strings.Repeat("y[", 50) + "0" + strings.Repeat("] += 1", 50) + ";",
	} {
		done := make(chan struct{})
		go func() {
			defer close(done)
			Check("", body)
		}()
		select {
		case <-done:
		case <-time.After(time.Minute):
			t.Fatalf("fifty nested %s take more than a minute", name)
		}
	}
}

func FuzzCheck(f *testing.F) {
	seeds := []string{
		"uint i = thread_position_in_grid.x;\nthreadgroup float t[64];\nt[i] = x[i];\nthreadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);\ny[i] = t[63 - i] / 2.0f;",
		"float a[2][3] = {{1, 2, 3}, {4, 5, 6}}; for (int k = 0; k < 3; ++k) { a[1][k] += simd_sum(x[k]); } y[0] = a[0][thread_index_in_simdgroup % 3];",
		"half2 h = half2(1.0h, 2.0h); h.x = -0.25f * h.y; device float* p = &y[2]; *p = h.x > 0.5 ? 1 : 0; return;",
		"while (true) { if (x[0] > 0) break; do { continue; } while (0); } uint q = 7u % uint(x_shape[0]);",
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for _, s := range seeds {
		f.Add("float g(float v) { return v * 2; }", s)
		for range 200 {
			b := []byte(s)
			for range 1 + rng.IntN(4) {
				i, j := rng.IntN(len(b)), rng.IntN(len(b))
				switch rng.IntN(3) {
				case 0:
					b[i] = b[j]
				case 1:
					b = append(b[:i], b[min(len(b), i+1+rng.IntN(6)):]...)
				case 2:
					b = append(b[:i], append([]byte(string(b[min(i, j):max(i, j)])), b[i:]...)...)
				}
				if len(b) == 0 {
					b = []byte(s)
				}
			}
			f.Add("", string(b))
		}
	}
	f.Fuzz(func(t *testing.T, header, body string) {
		if len(header)+len(body) > 1<<15 {
			return
		}
		findings, _ := Check(header, body)
		for _, f := range findings {
			text := body
			if f.InHeader {
				text = header
			}
			if f.Start < 0 || f.End < f.Start || f.End > len(text) {
				t.Errorf("%s at %d to %d of %d", f.Code, f.Start, f.End, len(text))
			}
			if x := f.Fix; x != nil && (x.Start < 0 || x.End < x.Start || x.End > len(text)) {
				t.Errorf("fix of %s at %d to %d of %d", f.Code, x.Start, x.End, len(text))
			}
		}
	})
}
