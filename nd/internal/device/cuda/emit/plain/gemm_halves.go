package plain

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/elem"
)

// halves writes the product of half matrices for tensor cores: mma.sync on
// 16 x 8 x 16, accumulated in float32. Warps, two by four, have 64 x 32 of a
// tile of 128 x 128; lines of both operands lie along K in shared memory, at
// 40 halves, so that the 32-bit loads of a fragment meet no bank twice.
func (w *gemm) halves(tiles func(side int) int) (*emit.Module, error) {
	u := &w.uses
	u.Part("pack")
	u.Part("quotient")
	w.side, w.depth = 128, 32
	mma := u.Part("mma_f16")
	if w.t == elem.BFloat16 {
		mma = u.Part("mma_bf16")
	}
	e := &entry{name: "gemm", threads: gemmThreads, beside: 2, wide: true, apart: true}
	a, b := w.sides()
	w.bind(e, a, b)
	e.f("alignas(16) __shared__ u16 a_tile[2][128][40], b_tile[2][128][40];\n")
	e.f("pack<u16, %d> a_next[%d];\npack<u16, %d> b_next[%d];\n", a.pack, a.loads, b.pack, b.loads)
	e.f("const int warp = threadIdx.x / 32, lane = threadIdx.x %% 32, g = lane / 4, q = lane %% 4 * 2;\n")
	e.f("const int row = warp / 4 * 64 + g, column = warp %% 4 * 32 + g;\n")
	e.f("float sum[4][4][4] = {};\n{ const int k0 = 0;\n")
	w.fetch(e, a)
	w.fetch(e, b)
	w.keepAlong(e, a, "0")
	w.keepAlong(e, b, "0")
	e.f("}\n__syncthreads();\nint now = 0;\nfor (int k0 = 32; k0 < (int)size_k + 32; k0 += 32) {\nif (k0 < (int)size_k) {\n")
	w.fetch(e, a)
	w.fetch(e, b)
	e.f(`}
#pragma unroll
for (int k = 0; k < 32; k += 16) {
u32 x[4][4], y[4][2];
#pragma unroll
for (int i = 0; i < 4; i++)
#pragma unroll
for (int c = 0; c < 4; c++) x[i][c] = *(const u32*)&a_tile[now][row + i * 16 + c %% 2 * 8][k + q + c / 2 * 8];
#pragma unroll
for (int j = 0; j < 4; j++)
#pragma unroll
for (int c = 0; c < 2; c++) y[j][c] = *(const u32*)&b_tile[now][column + j * 8][k + q + c * 8];
#pragma unroll
for (int i = 0; i < 4; i++)
#pragma unroll
for (int j = 0; j < 4; j++) %s(sum[i][j], x[i], y[j]);
}
if (k0 < (int)size_k) {
`, mma)
	w.keepAlong(e, a, "now ^ 1")
	w.keepAlong(e, b, "now ^ 1")
	e.f("}\n__syncthreads();\nnow ^= 1;\n}\n")

	pack := min(w.outPack(), 2)
	e.f("#pragma unroll\nfor (int i = 0; i < 4; i++)\n#pragma unroll\nfor (int h = 0; h < 2; h++) {\nconst i64 m = m0 + row + i * 16 + h * 8;\nif (m >= size_m) continue;\n")
	e.f("#pragma unroll\nfor (int j = 0; j < 4; j++)\n#pragma unroll\nfor (int p = 0; p < 2; p += %d) {\nconst i64 n = n0 + warp %% 4 * 32 + j * 8 + q + p;\nif (n >= size_n) continue;\n", pack)
	e.f("pack<u16, %d> v;\n#pragma unroll\nfor (int c = 0; c < %d; c++) v.x[c] = %s;\nstore_pack<%d>(out + (m * out_m + n * out_n), v);\n}\n}\n",
		pack, pack, u.Put(w.t, "sum[i][j][h * 2 + p + c]"), pack)
	mod, err := module(u, "", e)
	if err != nil {
		return nil, err
	}
	mod.Steps = []emit.Step{e.step(tiles(w.side))}
	return mod, nil
}

// keepAlong stores what was fetched into shared memory, line by line.
func (w *gemm) keepAlong(e *entry, s gemmSide, buffer string) {
	e.f("#pragma unroll\nfor (int l = 0; l < %d; l++) {\n", s.loads)
	w.place(e, s)
	if s.along {
		e.f("store_pack<%d>(&%s_tile[%s][line][k], %s_next[l]);\n}\n", s.pack, s.name, buffer, s.name)
		return
	}
	e.f("#pragma unroll\nfor (int j = 0; j < %d; j++) %s_tile[%s][line + j][k] = %s;\n}\n", s.pack, s.name, buffer, fmt.Sprintf("%s_next[l].x[j]", s.name))
}
