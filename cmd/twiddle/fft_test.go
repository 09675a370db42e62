package main

import (
	"encoding/json"
	"math"
	"math/cmplx"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/audio/npy"
	"github.com/twiddle-go/twiddle/internal/recipe"
)

// save writes an array and returns the names of its file and of one beside it.
func save[T npy.Element](t *testing.T, values []T, shape ...int) (in, out string) {
	t.Helper()
	a, err := npy.From(values, shape...)
	if err != nil {
		t.Fatal(err)
	}
	in = filepath.Join(t.TempDir(), "a.npy")
	if err := npy.WriteFile(in, a); err != nil {
		t.Fatal(err)
	}
	return in, filepath.Join(filepath.Dir(in), "b.npy")
}

// dftAxis is the definition along one axis of an array seen as
// outer x n x inner, with lines cut or padded to n.
func dftAxis(x []complex128, outer, have, inner, n int, inverse bool) []complex128 {
	y := make([]complex128, outer*n*inner)
	for o := range outer {
		for i := range inner {
			for k := range n {
				var sum complex128
				for j := range min(have, n) {
					angle := -2 * math.Pi * float64(j*k%n) / float64(n)
					if inverse {
						angle = -angle
					}
					sum += x[(o*have+j)*inner+i] * cmplx.Rect(1, angle)
				}
				if inverse {
					sum /= complex(float64(n), 0)
				}
				y[(o*n+k)*inner+i] = sum
			}
		}
	}
	return y
}

func load(t *testing.T, file string) (*npy.Array, []complex128) {
	t.Helper()
	a, err := npy.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	values, err := npy.As[complex128](a)
	if err != nil {
		t.Fatal(err)
	}
	return a, values
}

func near(t *testing.T, what string, got, want []complex128, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	for i := range want {
		if !(cmplx.Abs(got[i]-want[i]) <= tolerance) {
			t.Fatalf("%s: value %d is %v, want %v", what, i, got[i], want[i])
		}
	}
}

func TestFFTAlongAnyAxis(t *testing.T) {
	shape := []int{3, 4, 5}
	x, z := make([]float32, 60), make([]complex128, 60)
	for i := range x {
		x[i] = float32(math.Sin(float64(3*i + 1)))
		z[i] = complex(float64(x[i]), 0)
	}
	in, out := save(t, x, shape...)
	for axis, c := range [][3]int{{1, 3, 20}, {3, 4, 5}, {12, 5, 1}} {
		for _, n := range []int{0, 2, 7} {
			length := n
			args := []string{"fft", "--in", in, "--out", out, "--axis", strconv.Itoa(axis)}
			if n == 0 {
				length = shape[axis]
			} else {
				args = append(args, "--n", strconv.Itoa(n))
			}
			if status, stdout, stderr := twiddle(t, args...); status != 0 || !strings.HasPrefix(stdout, out+": complex64 [") || stderr != "" {
				t.Fatalf("%v: status %d, %q, %q", args, status, stdout, stderr)
			}
			a, got := load(t, out)
			wantShape := slices.Clone(shape)
			wantShape[axis] = length
			if a.DType != npy.Complex64 || !slices.Equal(a.Shape, wantShape) {
				t.Errorf("%v: %v of %v", args, a.Shape, a.DType)
			}
			near(t, strings.Join(args, " "), got, dftAxis(z, c[0], c[1], c[2], length, false), 1e-5)
		}
	}
}

func TestFFTThereAndBack(t *testing.T) {
	x := make([]int16, 2*9)
	want := make([]complex128, len(x))
	for i := range x {
		x[i] = int16(i*i%37 - 18)
		want[i] = complex(float64(x[i]), 0)
	}
	in, out := save(t, x, 2, 9)
	for _, c := range []struct {
		flags string
		dtype npy.DType
		back  npy.DType
		bins  int
	}{
		{"", npy.Complex128, npy.Complex128, 9},
		{"--norm ortho --order f", npy.Complex128, npy.Complex128, 9},
		{"--real", npy.Complex128, npy.Float64, 5},
		{"--real --norm forward --order f", npy.Complex128, npy.Float64, 5},
	} {
		args := append([]string{"fft", "--in", in, "--out", out}, strings.Fields(c.flags)...)
		if status, _, stderr := twiddle(t, args...); status != 0 {
			t.Fatalf("%v: status %d, %q", args, status, stderr)
		}
		a, _ := load(t, out)
		if a.DType != c.dtype || !slices.Equal(a.Shape, []int{2, c.bins}) || a.Fortran != strings.Contains(c.flags, "--order f") {
			t.Errorf("%s: %+v", c.flags, a.Header)
		}
		back := filepath.Join(t.TempDir(), "c.npy")
		args = append([]string{"fft", "--inverse", "--in", out, "--out", back, "--n", "9"}, strings.Fields(c.flags)...)
		if status, _, stderr := twiddle(t, args...); status != 0 {
			t.Fatalf("%v: status %d, %q", args, status, stderr)
		}
		b, got := load(t, back)
		if b.DType != c.back {
			t.Errorf("%s: back as %v, want %v", c.flags, b.DType, c.back)
		}
		near(t, c.flags, got, want, 1e-12)
	}
}

func TestFFTOfHalfPrecisionAndEmptyAxes(t *testing.T) {
	in, out := save(t, []npy.Half{npy.NewHalf(1), npy.NewHalf(2), npy.NewHalf(4)}, 3)
	if status, _, stderr := twiddle(t, "fft", "--in", in, "--out", out, "--n", "1"); status != 0 {
		t.Fatal(stderr)
	}
	if a, got := load(t, out); a.DType != npy.Complex64 || got[0] != 1 {
		t.Errorf("float16: %v of %v", got, a.DType)
	}
	in, out = save(t, []float64{}, 0, 4)
	if status, _, stderr := twiddle(t, "fft", "--in", in, "--out", out, "--real"); status != 0 {
		t.Fatal(stderr)
	}
	if a, _ := load(t, out); !slices.Equal(a.Shape, []int{0, 3}) {
		t.Errorf("no lines: shape %v, want [0 3]", a.Shape)
	}
}

func TestFFTFailures(t *testing.T) {
	in, out := save(t, []complex64{1, 2, 3, 4}, 4)
	scalar, _ := save(t, []float64{1})
	empty, _ := save(t, []float64{}, 4, 0)
	hostile := filepath.Join(t.TempDir(), "hostile.npy")
	if err := os.WriteFile(hostile, []byte("\x93NUMPY\x02\x00\xff\xff\xff\xff{'descr'"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"--out", out}, 2, "a file to read is required"},
		{[]string{"--in", in}, 2, "--out is required: a file that ends in .npy"},
		{[]string{"--in", in, "--out", out, "--n", "0"}, 2, "want at least 1"},
		{[]string{"--in", in, "--out", out, "--n", "-5"}, 2, "want at least 1"},
		{[]string{"--in", in, "--out", out, "--n", "many"}, 2, `--n "many": want a whole number`},
		{[]string{"--in", in, "--out", out, "--norm", "loud"}, 2, "want backward, ortho or forward"},
		{[]string{"--in", in, "--out", out, "--device", "abacus"}, 2, "no device \"abacus\""},
		{[]string{"--in", in, "--out", out, "--order", "x"}, 2, "want c or f"},
		{[]string{"--in", in, "--out", out, "--axis", "1"}, 1, "fft: axis 1 out of range for shape [4]"},
		{[]string{"--in", in, "--out", out, "--axis", "-2"}, 1, "fft: axis -2 out of range"},
		{[]string{"--in", in, "--out", out, "--n", "4611686018427387904"}, 1, "fft: axis -1 of shape [4]"},
		{[]string{"--in", in, "--out", out, "--real"}, 1, "wants real samples"},
		{[]string{"--in", scalar, "--out", out}, 1, "out of range for shape []"},
		{[]string{"--in", empty, "--out", out}, 1, "0 samples"},
		{[]string{"--in", in + ".missing", "--out", out}, 1, "no such file"},
		{[]string{"--in", hostile, "--out", out}, 1, "npy: header: 4294967295 bytes long"},
		{[]string{"--in", in, "--out", filepath.Join(out, "deeper.npy")}, 1, "npy: "},
	} {
		status, stdout, stderr := twiddle(t, append([]string{"fft"}, c.args...)...)
		if status != c.status || stdout != "" || !strings.HasPrefix(stderr, "twiddle: ") ||
			strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: status %d, stdout %q, stderr %q; want status %d and %q", c.args, status, stdout, stderr, c.status, c.want)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a failed transform left an output file")
	}
}

func TestPlan(t *testing.T) {
	status, stdout, _ := twiddle(t, "plan", "44100")
	if status != 0 || !strings.Contains(stdout, "44100 c64") || !strings.Contains(stdout, "recipe ") {
		t.Errorf("status %d:\n%s", status, stdout)
	}
	for _, c := range []struct {
		n, dtype string
		line     int
	}{
		{"1", "c64", 1}, {"12", "r32", 6}, {"13", "r64", 13}, {"1009", "c128", 1009}, {"1073741824", "c64", 1 << 30},
	} {
		status, stdout, stderr := twiddle(t, "plan", c.n, "--dtype", c.dtype, "--json")
		var r planReport
		if err := json.Unmarshal([]byte(stdout), &r); err != nil || status != 0 {
			t.Errorf("plan %s: status %d, %v, %s", c.n, status, err, stderr)
			continue
		}
		if strconv.Itoa(r.N) != c.n || r.DType != c.dtype || r.Line != c.line || r.Recipe == "" || r.Tree == "" {
			t.Errorf("plan %s %s: %+v", c.n, c.dtype, r)
		}
	}
	for _, args := range [][]string{{}, {"0"}, {"-3"}, {"ten"}, {"8", "9"}, {"8", "--dtype", "c32"}} {
		if status, _, stderr := twiddle(t, append([]string{"plan"}, args...)...); status != 2 || strings.Count(stderr, "\n") != 1 {
			t.Errorf("plan %v: status %d, %q; want 2 and one line", args, status, stderr)
		}
	}
	if status, _, _ := twiddle(t, "plan", "9223372036854775807"); status != 1 {
		t.Errorf("plan of the largest int: status %d, want 1", status)
	}
}

// A GPU's plan needs no GPU.
func TestPlanForGPU(t *testing.T) {
	for _, c := range []struct {
		args, recipe string
		line         int
		roles        []recipe.Role
	}{
		{"4096", "mixed 16.16.16@256", 4096, []recipe.Role{recipe.WholeLine}},
		{"44100 --dtype c64", "cluster 14 (mixed 15.14@8x15/600+1!) (mixed 15.14@8x15)", 44100, []recipe.Role{recipe.InCluster}},
		{"60000 --dtype c64", "fourstep (mixed 16.15@16x8) (mixed 5.10.5@25x16)", 60000, []recipe.Role{recipe.Axis, recipe.LastAxis}},
		{"88200 --dtype r32", "packed 88200 (fourstep (mixed 15.14@14x16/448) (mixed 15.14@14x16/448))", 44100, []recipe.Role{recipe.Axis, recipe.Reals}},
		{"16384 --arch sm_86", "fourstep (mixed 8.16@16x8) (mixed 8.16@16x8)", 16384, []recipe.Role{recipe.Axis, recipe.LastAxis}},
		{"100003", "bluestein 100003 (fourstep (mixed 14.7@7x32/1024) (mixed 16.16.8@128x1/768+1))", 100003, []recipe.Role{recipe.Axis, recipe.Row, recipe.AxisBack}},
		{"1009 --dtype r64", "rader 1009 (mixed 7.12.12@84)", 1009, []recipe.Role{recipe.WholeLine}},
	} {
		args := append([]string{"plan", "--device", "cuda:0", "--json"}, strings.Fields(c.args)...)
		if !strings.Contains(c.args, "--arch") {
			args = append(args, "--arch", "sm_90") // whatever GPU there is
		}
		status, stdout, stderr := twiddle(t, args...)
		var r planReport
		if err := json.Unmarshal([]byte(stdout), &r); err != nil || status != 0 || r.GPU == nil {
			t.Errorf("plan %s: status %d, %v, %s", c.args, status, err, stderr)
			continue
		}
		var roles []recipe.Role
		for _, l := range r.GPU.Launches {
			roles = append(roles, l.Role)
			if l.BlockThreads < 32 || l.BlockThreads > 1024 || l.SharedBytes > r.GPU.SharedBytes || l.Held < 1 {
				t.Errorf("plan %s: a launch %+v", c.args, l)
			}
		}
		if r.Recipe != c.recipe || r.Line != c.line || !slices.Equal(roles, c.roles) {
			t.Errorf("plan %s: %s, a line of %d, %v", c.args, r.Recipe, r.Line, roles)
		}
	}
	if _, stdout, _ := twiddle(t, "plan", "88200", "--dtype", "r32", "--device", "cuda:0", "--arch", "sm_90"); !strings.Contains(stdout, "rows of real columns") {
		t.Errorf("a launch has no name:\n%s", stdout)
	}
	status, stdout, _ := twiddle(t, "plan", "60000", "--device", "cuda:0", "--arch", "sm_90")
	if status != 0 || !strings.Contains(stdout, "along the last axis") || !strings.Contains(stdout, "480000 bytes of scratch") {
		t.Errorf("status %d:\n%s", status, stdout)
	}
	for _, c := range []struct {
		args, want string
		status     int
	}{
		{"8 --device gpu", `"gpu": want cpu, or a GPU such as cuda:0`, 2},
		{"8 --device cuda:", "want cpu, or a GPU", 2},
		{"8 --device cuda:-1", "want cpu, or a GPU", 2},
		{"8 --device cuda:0 --arch 90", "there are sm_70", 2},
		{"8 --arch sm_90", "--arch is for GPUs", 2},
		{"0 --device cuda:0", "want a whole number from 1 to", 2},
		{"536870913 --device cuda:0 --arch sm_90", "want 1 to 536870912", 1},
		{"9223372036854775807 --device cuda:0 --arch sm_90", "want 1 to 536870912", 1},
	} {
		status, _, stderr := twiddle(t, append([]string{"plan"}, strings.Fields(c.args)...)...)
		if status != c.status || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, c.want) {
			t.Errorf("plan %s: status %d, %q", c.args, status, stderr)
		}
	}
}
