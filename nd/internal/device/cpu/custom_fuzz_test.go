package cpu

import (
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/kernc"
	"github.com/twiddle-go/twiddle/internal/ktree/machine"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
)

// FuzzCompile feeds the front end and the machine any text: nothing may panic,
// and every error has a place.
func FuzzCompile(f *testing.F) {
	for _, s := range []string{
		"uint i = thread_position_in_grid.x; y[i] = exp(a[i]);",
		"threadgroup float t[4][4]; t[1][2] = a[0]; threadgroup_barrier(mem_flags::mem_threadgroup); y[0] = t[1][2];",
		"for (int i = 0; i < 4; i++) { if (a[i] > 1) continue; y[i] = simd_sum(a[i]); }",
		"float4 v = float4(1, 2, a[0], 4); v.xy = v.yx; v[int(a[1]) & 3] = 2; y[0] = dot(v, v) + v.w;",
		"device const float* p = a + 1; p += 2; y[0] = *p + p[-1]; const int n = 3; float t[n] = {1, 2}; y[1] = t[n - 1];",
		"int k = 0; do { k += 2; } while (k < 9); y[k & 3] = (k > 3 && a[k] < 1) ? half(2.5h) : float(k++) * 1e-3;",
		"#define N 4\nfloat t[N]; t[N-1] = as_type<float>(0x3f800000); y[0] = t[3]; /* c */ // d\n",
		"}{)(", "y[0] = ;", "((((", "float", "#define A A\nA", "y[0] = 0x;", "\"", "y[0] = 1e999;", "while(1) {}",
	} {
		f.Add("", s)
	}
	f.Add("float f(float x) { return x * 2; } constant float w[2] = {1, 2}; void g(thread float& x, device float* p) { x += p[0]; p[1] = x; }",
		"float v = f(a[0]); g(v, y); y[0] = v + w[1];")
	f.Fuzz(func(t *testing.T, header, body string) {
		s := kernc.Spec{Name: "k", Inputs: []kernc.Operand{{Name: "a", Type: elem.Float32}}, Outputs: []kernc.Operand{{Name: "y", Type: elem.Float32}}, Source: body}
		s.Header = header
		u, err := kernc.Compile(s)
		if err != nil {
			return
		}
		for _, form := range []string{"metal", "cuda", "wgsl"} {
			_, _ = u.Text(form, [3]int{8, 1, 1})
		}
		program, err := u.Flat()
		if err != nil {
			t.Fatal(err)
		}
		code := machine.Compile(program, vec.For(simd.Active()))
		data := func() []machine.Operand {
			return []machine.Operand{{Data: make([]byte, 64), Shape: []int{16}, Strides: []int{1}}}
		}
		for _, check := range []bool{false, true} {
			_ = code.Run(machine.Launch{Grid: [3]int{20, 1, 1}, Group: [3]int{8, 1, 1}, Inputs: data(), Outputs: data(), Limit: 1000, Check: check})
		}
	})
}
