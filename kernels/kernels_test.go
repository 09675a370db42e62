package kernels_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/cmplx"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/kernels"
	"github.com/twiddle-go/twiddle/nd"
)

func ExampleRowSum() {
	x := nd.From([]float32{1, 2, 3, 10, 20, 30}, 2, 3)
	sums, err := nd.Slice[float32](context.Background(), kernels.RowSum(x))
	fmt.Println(sums, err)
	// Output: [6 60] <nil>
}

func ExampleExactDot() {
	// In float32 the large products swallow the small one.
	x := nd.From([]float32{1e30, 1, -1e30})
	y := nd.From([]float32{1e8, 3, 1e8})
	dot, err := nd.Item[float32](context.Background(), kernels.ExactDot(x, y))
	fmt.Println(dot, err)
	// Output: 3 <nil>
}

// onEach runs a test on every device that computes.
func onEach(t *testing.T, run func(t *testing.T, place func(*nd.Array) *nd.Array)) {
	for _, info := range nd.Devices() {
		if info.Name == "null" {
			continue
		}
		t.Run(info.Name, func(t *testing.T) {
			d, err := nd.Open(info.Name)
			if err != nil {
				t.Skip(err)
			}
			run(t, func(a *nd.Array) *nd.Array { return a.On(d.Stream()) })
		})
	}
}

func noise(seed uint64, n int) []float32 {
	r := rand.New(rand.NewPCG(seed, 9))
	out := make([]float32, n)
	for i := range out {
		out[i] = r.Float32() - 0.5
	}
	return out
}

func read[T nd.Element](t *testing.T, a *nd.Array) []T {
	t.Helper()
	out, err := nd.Slice[T](context.Background(), a)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// close compares with a reference; tol is relative to scale.
func near(t *testing.T, what string, got []float32, want []float64, tol, scale float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d elements, want %d", what, len(got), len(want))
	}
	for i := range got {
		if math.Abs(float64(got[i])-want[i]) > tol*scale {
			t.Fatalf("%s: element %d is %g, want %g", what, i, got[i], want[i])
		}
	}
}

func TestExp(t *testing.T) {
	onEach(t, func(t *testing.T, on func(*nd.Array) *nd.Array) {
		for _, n := range []int{1, 7, 1000, 5000} {
			x := noise(1, n)
			want := make([]float64, n)
			for i := range want {
				want[i] = math.Exp(float64(x[i]))
			}
			near(t, "exp", read[float32](t, kernels.Exp(on(nd.From(x)))), want, 3e-7, 1)
		}
	})
}

func TestComplexMul(t *testing.T) {
	onEach(t, func(t *testing.T, on func(*nd.Array) *nd.Array) {
		a, b := complexes(1, 300), complexes(2, 300)
		got := read[complex64](t, kernels.ComplexMul(on(nd.From(a)), on(nd.From(b))))
		for i := range got {
			if cmplx.Abs(complex128(got[i])-complex128(a[i])*complex128(b[i])) > 1e-6 {
				t.Fatalf("element %d is %v", i, got[i])
			}
		}
	})
}

func complexes(seed uint64, n int) []complex64 {
	re, im := noise(seed, n), noise(seed+100, n)
	out := make([]complex64, n)
	for i := range out {
		out[i] = complex(re[i], im[i])
	}
	return out
}

func TestShortConv(t *testing.T) {
	onEach(t, func(t *testing.T, on func(*nd.Array) *nd.Array) {
		const batch, channels, length = 2, 3, 37
		x, w := noise(1, batch*channels*length), noise(2, channels*3)
		for offset, causal := range map[int]bool{-1: false, -2: true} {
			want := make([]float64, len(x))
			for i := range want {
				line, at := i/length, i%length
				for k := range 3 {
					if p := at + offset + k; p >= 0 && p < length {
						want[i] += float64(w[line%channels*3+k]) * float64(x[line*length+p])
					}
				}
			}
			got := kernels.ShortConv(on(nd.From(x, batch, channels, length)), on(nd.From(w, channels, 3)), causal)
			near(t, fmt.Sprintf("causal %t", causal), read[float32](t, got), want, 2e-7, 1)
		}
	})
}

func product(a, b []float32, m, k, n int) []float64 {
	out := make([]float64, m*n)
	for i := range m {
		for j := range n {
			for l := range k {
				out[i*n+j] += float64(a[i*k+l]) * float64(b[l*n+j])
			}
		}
	}
	return out
}

func TestMatMul(t *testing.T) {
	onEach(t, func(t *testing.T, on func(*nd.Array) *nd.Array) {
		for _, tile := range []kernels.Tile{kernels.Square, kernels.Tall, kernels.Wide, {3, 5}} {
			for _, s := range [][3]int{{16, 16, 16}, {64, 48, 32}, {17, 33, 9}, {1, 1, 1}, {40, 7, 70}} {
				m, k, n := s[0], s[1], s[2]
				a, b := noise(1, m*k), noise(2, k*n)
				got := kernels.MatMul(on(nd.From(a, m, k)), on(nd.From(b, k, n)), tile)
				near(t, fmt.Sprint(tile, s), read[float32](t, got), product(a, b, m, k, n), 1e-6, math.Sqrt(float64(k)))
			}
		}
	})
}

func TestColumnsAndRows(t *testing.T) {
	onEach(t, func(t *testing.T, on func(*nd.Array) *nd.Array) {
		for _, s := range [][2]int{{1, 1}, {600, 7}, {33, 40}} {
			m, k := s[0], s[1]
			q, v, c := noise(1, m*k), noise(2, m), noise(3, k)
			qt := make([]float32, m*k)
			for i := range m {
				for j := range k {
					qt[j*m+i] = q[i*k+j]
				}
			}
			dot := product(qt, v, k, m, 1)
			Q, V, C := on(nd.From(q, m, k)), on(nd.From(v)), on(nd.From(c))
			near(t, "column dot", read[float32](t, kernels.ColumnDot(Q, V)), dot, 1e-6, math.Sqrt(float64(m)))
			near(t, "column dot by lanes", read[float32](t, kernels.ColumnDotLanes(Q, V)), dot, 1e-6, math.Sqrt(float64(m)))
			rest := product(q, c, m, k, 1)
			for i := range rest {
				rest[i] = float64(v[i]) - rest[i]
			}
			near(t, "subtract product", read[float32](t, kernels.SubtractProduct(V, Q, C)), rest, 1e-6, math.Sqrt(float64(k)))
		}
	})
}

func TestRowSum(t *testing.T) {
	onEach(t, func(t *testing.T, on func(*nd.Array) *nd.Array) {
		for _, s := range [][2]int{{1, 1}, {3, 5}, {4, 33}, {2, 1000}, {5, 255}} {
			x := noise(1, s[0]*s[1])
			want := make([]float64, s[0])
			for i, v := range x {
				want[i/s[1]] += float64(v)
			}
			near(t, fmt.Sprint(s), read[float32](t, kernels.RowSum(on(nd.From(x, s[0], s[1])))), want, 1e-6, math.Sqrt(float64(s[1])))
		}
	})
}

func TestFFT(t *testing.T) {
	onEach(t, func(t *testing.T, on func(*nd.Array) *nd.Array) {
		const rows, n = 3, 1024
		x := complexes(5, rows*n)
		want := make([]complex128, rows*n)
		norm := 0.0
		for r := range rows {
			for k := range n {
				for i := range n {
					s, c := math.Sincos(-2 * math.Pi * float64(i*k%n) / n)
					want[r*n+k] += complex128(x[r*n+i]) * complex(c, s)
				}
				norm += real(want[r*n+k] * cmplx.Conj(want[r*n+k]))
			}
		}
		for name, f := range map[string]func(*nd.Array) *nd.Array{"radix 2": kernels.FFTRadix2, "radix 4": kernels.FFTRadix4} {
			got := read[complex64](t, f(on(nd.From(x, rows, n))))
			e := 0.0
			for i := range got {
				d := complex128(got[i]) - want[i]
				e += real(d * cmplx.Conj(d))
			}
			// The bar for float32 is eps sqrt(log2 n) with eps 2^-24: 1.9e-7.
			if rel := math.Sqrt(e / norm); rel > 2.5e-7 {
				t.Errorf("%s: relative error %.2g", name, rel)
			}
		}
	})
}

func exact(x, y []float32) float32 {
	sum := new(big.Float).SetPrec(2000)
	for i := range x {
		p := new(big.Float).SetPrec(2000).SetFloat64(float64(x[i]))
		p.Mul(p, new(big.Float).SetPrec(2000).SetFloat64(float64(y[i])))
		sum.Add(sum, p)
	}
	f, _ := sum.Float32()
	return f
}

func TestExactDot(t *testing.T) {
	onEach(t, func(t *testing.T, on func(*nd.Array) *nd.Array) {
		dot := func(x, y []float32) float32 {
			return read[float32](t, kernels.ExactDot(on(nd.From(x)), on(nd.From(y))))[0]
		}
		r := rand.New(rand.NewPCG(3, 4))
		anyFloat := func() float32 {
			for {
				if f := math.Float32frombits(r.Uint32()); f-f == 0 {
					return f
				}
			}
		}
		for trial := range 60 {
			n := 1 + r.IntN(200)
			x, y := make([]float32, n), make([]float32, n)
			for i := range x {
				x[i], y[i] = anyFloat(), anyFloat()
				if trial%2 == 0 { // nearly cancel, far apart in size
					x[i], y[i] = float32(math.Ldexp(r.Float64()-0.5, r.IntN(60)-30)), float32(r.NormFloat64())
					if i%2 == 1 {
						x[i], y[i] = -x[i-1], y[i-1]
					}
				}
			}
			if got, want := dot(x, y), exact(x, y); got != want {
				t.Fatalf("trial %d of %d elements: %g, want %g", trial, n, got, want)
			}
		}
		for _, c := range []struct{ x, y []float32 }{
			{[]float32{0}, []float32{1}}, {[]float32{-1}, []float32{1}}, {[]float32{1e-45}, []float32{1}}, {[]float32{1e-30}, []float32{1e-30}},
			{[]float32{1e-23, -1e-23}, []float32{1e-22, 1e-22}}, {[]float32{1e-40}, []float32{0.5}}, {[]float32{3e-45, 1e-45}, []float32{0.5, 0.5}},
			{[]float32{1e30}, []float32{1e30}}, {[]float32{-1e30}, []float32{1e30}}, {[]float32{16777216, 1}, []float32{1, 1}},
			{[]float32{16777216, 1, 1e-30}, []float32{1, 1, 1e-30}}, {[]float32{math.MaxFloat32}, []float32{1}},
		} {
			if got, want := dot(c.x, c.y), exact(c.x, c.y); got != want {
				t.Errorf("%v . %v = %g, want %g", c.x, c.y, got, want)
			}
		}
		inf := float32(math.Inf(1))
		if got := dot([]float32{inf, 1}, []float32{2, 3}); got != inf {
			t.Errorf("inf: %g", got)
		}
		if got := dot([]float32{inf, inf}, []float32{-2, -3}); got != -inf {
			t.Errorf("-inf: %g", got)
		}
		for _, c := range [][2][]float32{{{inf, inf}, {1, -1}}, {{inf}, {0}}, {{float32(math.NaN())}, {1}}} {
			if got := dot(c[0], c[1]); got == got {
				t.Errorf("%v: %g", c, got)
			}
		}
		big, one := noise(8, 100000), slices.Repeat([]float32{1}, 100000)
		if got, want := dot(big, one), exact(big, one); got != want {
			t.Errorf("100000 elements: %g, want %g", got, want)
		}
	})
}

func TestBadArguments(t *testing.T) {
	f := nd.Zeros(nd.Float32, 4, 4)
	v := nd.Zeros(nd.Float32, 3)
	for name, a := range map[string]*nd.Array{
		"exp of ints": kernels.Exp(nd.Zeros(nd.Int32, 3)), "nil": kernels.Exp(nil), "matmul": kernels.MatMul(f, nd.Zeros(nd.Float32, 3, 4), kernels.Square),
		"tile": kernels.MatMul(f, f, kernels.Tile{64, 64}), "axes": kernels.RowSum(v), "dtype": kernels.FFTRadix2(f),
		"length": kernels.FFTRadix4(nd.Zeros(nd.Complex64, 2, 512)), "columns": kernels.ColumnDot(f, v), "dot": kernels.ExactDot(v, nd.Zeros(nd.Float32, 4)),
		"taps": kernels.ShortConv(nd.Zeros(nd.Float32, 1, 2, 3), f, true), "shapes": kernels.ComplexMul(nd.Zeros(nd.Complex64, 2), nd.Zeros(nd.Complex64, 3)),
		"product": kernels.SubtractProduct(v, f, v),
	} {
		var op *nd.OpError
		if !errors.As(a.Err(), &op) || op.Package != "kernels" || !strings.Contains(op.Site, "kernels_test.go") {
			t.Errorf("%s: %v", name, a.Err())
		}
	}
}

func TestEmpty(t *testing.T) {
	for _, a := range []*nd.Array{kernels.Exp(nd.Zeros(nd.Float32, 0)), kernels.RowSum(nd.Zeros(nd.Float32, 0, 4)), kernels.FFTRadix2(nd.Zeros(nd.Complex64, 0, 1024)),
		kernels.MatMul(nd.Zeros(nd.Float32, 0, 3), nd.Zeros(nd.Float32, 3, 0), kernels.Square), kernels.ColumnDot(nd.Zeros(nd.Float32, 3, 0), nd.Zeros(nd.Float32, 3))} {
		if got := read[float32](t, a.Cast(nd.Float32)); len(got) != 0 {
			t.Errorf("%d elements", len(got))
		}
	}
	if got := read[float32](t, kernels.ExactDot(nd.Zeros(nd.Float32, 0), nd.Zeros(nd.Float32, 0))); got[0] != 0 {
		t.Errorf("empty dot %g", got[0])
	}
}

// Every kernel prints as Metal and CUDA, and as WGSL but for 64-bit numbers;
// naga validates the WGSL where it is installed.
func TestForms(t *testing.T) {
	naga, _ := exec.LookPath("naga")
	dtypes := map[string]nd.DType{"complex_mul": nd.Complex64, "fft_radix2": nd.Complex64, "fft_radix4": nd.Complex64, "exact_round": nd.Int32}
	for _, k := range kernels.All() {
		t.Run(k.Name, func(t *testing.T) {
			d, ok := dtypes[k.Name]
			if !ok {
				d = nd.Float32
			}
			l := nd.Launch{Grid: [3]int{1024}, Threadgroup: [3]int{256}, Atomic: k.Name == "exact_dot",
				Template: map[string]any{"ROWS": 16, "COLUMNS": 16, "DEPTH": 16, "FIRST": -1}}
			for range k.Inputs {
				l.Inputs = append(l.Inputs, nd.Zeros(d, 4))
			}
			if k.Name == "exact_dot" {
				l.DTypes = []nd.DType{nd.Int32}
			}
			for _, form := range []string{"metal", "cuda"} {
				entry := k.Name
				if form == "cuda" && entry == "exp" {
					entry = "exp_kernel" // CUDA has an exp of its own
				}
				if text, err := k.Text(form, l); err != nil || !strings.Contains(text, " "+entry+"(") {
					t.Errorf("%s: %v", form, err)
				}
			}
			text, err := k.Text("wgsl", l)
			if err != nil {
				t.Fatal(err)
			}
			if naga == "" {
				t.Skip("naga not found: the WGSL is not validated")
			}
			file := filepath.Join(t.TempDir(), "k.wgsl")
			if err := os.WriteFile(file, []byte(strings.Replace(text, "enable subgroups;\n", "", 1)), 0o644); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command(naga, file).CombinedOutput(); err != nil {
				t.Errorf("naga: %v\n%s\n%s", err, out, text)
			}
		})
	}
}

// The kernels are free of races and conflicting writes.
func TestChecked(t *testing.T) {
	t.Setenv("TWIDDLE_KERNEL_CHECK", "1")
	x := nd.From(complexes(1, 2048), 2, 1024)
	m := nd.From(noise(1, 33*40), 33, 40)
	for name, a := range map[string]*nd.Array{
		"radix 2": kernels.FFTRadix2(x), "radix 4": kernels.FFTRadix4(x), "matmul": kernels.MatMul(m, m.Transpose(), kernels.Tall),
		"row sum": kernels.RowSum(m), "lanes": kernels.ColumnDotLanes(m, nd.From(noise(2, 33))), "conv": kernels.ShortConv(nd.From(noise(1, 60), 2, 3, 10), nd.From(noise(3, 9), 3, 3), true),
		"exact": kernels.ExactDot(nd.From(noise(1, 500)), nd.From(noise(2, 500))),
	} {
		if err := nd.Eval(context.Background(), a); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
