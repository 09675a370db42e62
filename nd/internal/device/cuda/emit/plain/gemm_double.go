package plain

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
)

// doubles writes the product of float64 matrices for tensor cores: mma.sync on
// 8 x 8 x 4. Warps, two by four, have 64 x 32 of a tile of 128 x 128, and
// slices are 8 deep. Lines lie along K in shared memory, at 12 numbers, so
// that the loads of a fragment meet no bank more often than they must.
func (w *gemm) doubles() (*emit.Module, error) {
	u := &w.uses
	for _, p := range []string{"pack", "quotient", "mma_f64"} {
		u.Part(p)
	}
	e := &entry{name: "gemm", threads: gemmThreads, beside: 1, wide: true, apart: true}
	a, b := w.sides()
	w.bind(e, a, b)
	e.f("alignas(16) __shared__ double a_tile[2][128][12], b_tile[2][128][12];\n")
	e.f("pack<double, %d> a_next[%d];\npack<double, %d> b_next[%d];\n", a.pack, a.loads, b.pack, b.loads)
	e.f("const int warp = threadIdx.x / 32, lane = threadIdx.x %% 32;\n")
	e.f("const int row = warp / 4 * 64, column = warp %% 4 * 32;\ndouble sum[8][4][2] = {};\n{ const int k0 = 0;\n")
	w.fetch(e, a)
	w.fetch(e, b)
	w.keepLines(e, a, "0")
	w.keepLines(e, b, "0")
	e.f("}\n__syncthreads();\nint now = 0;\nfor (int k0 = 8; k0 < (int)size_k + 8; k0 += 8) {\nif (k0 < (int)size_k) {\n")
	w.fetch(e, a)
	w.fetch(e, b)
	e.f(`}
#pragma unroll
for (int k = 0; k < 8; k += 4) {
double x[8], y[4];
#pragma unroll
for (int i = 0; i < 8; i++) x[i] = a_tile[now][row + i * 8 + lane / 4][k + lane %% 4];
#pragma unroll
for (int j = 0; j < 4; j++) y[j] = b_tile[now][column + j * 8 + lane / 4][k + lane %% 4];
#pragma unroll
for (int i = 0; i < 8; i++)
#pragma unroll
for (int j = 0; j < 4; j++) mma_f64(sum[i][j], x[i], y[j]);
}
if (k0 < (int)size_k) {
`)
	w.keepLines(e, a, "now ^ 1")
	w.keepLines(e, b, "now ^ 1")
	e.f("}\n__syncthreads();\nnow ^= 1;\n}\n")

	pack := min(w.outPack(), 2)
	memory, value := w.stored("sum[i][j][p + c]")
	e.f("#pragma unroll\nfor (int i = 0; i < 8; i++) {\nconst i64 m = m0 + row + i * 8 + lane / 4;\nif (m >= size_m) continue;\n")
	e.f("#pragma unroll\nfor (int j = 0; j < 4; j++)\n#pragma unroll\nfor (int p = 0; p < 2; p += %d) {\nconst i64 n = n0 + column + j * 8 + lane %% 4 * 2 + p;\nif (n >= size_n) continue;\n", pack)
	e.f("pack<%s, %d> v;\n#pragma unroll\nfor (int c = 0; c < %d; c++) v.x[c] = %s;\nstore_pack<%d>(out + (m * out_m + n * out_n), v);\n}\n}\n",
		memory, pack, pack, value, pack)
	return w.module(e, "")
}

// keepLines stores what was fetched into shared memory, line by line.
func (w *gemm) keepLines(e *entry, s gemmSide, buffer string) {
	e.f("#pragma unroll\nfor (int l = 0; l < %d; l++) {\n", s.loads)
	w.place(e, s)
	at := "[line + j][k]"
	if s.along {
		at = "[line][k + j]"
	}
	e.f("#pragma unroll\nfor (int j = 0; j < %d; j++) %s_tile[%s]%s = %s;\n}\n", s.pack, s.name, buffer, at, fmt.Sprintf("%s_next[l].x[j]", s.name))
}
