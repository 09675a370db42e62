package plain

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/elem"
)

// halfStages is how many slices of both operands are in shared memory: one is
// used while the others arrive. Three of 16 KB are what every card has room
// for without asking.
const halfStages = 3

// halves writes the product of half matrices for tensor cores: mma.sync on
// 16 x 8 x 16, accumulated in float32. Warps, two by four, have 64 x 32 of a
// tile of 128 x 128, and slices are 32 deep. A slice lies in shared memory as
// it does outside, along K or across, in chunks of 16 bytes that change places
// from line to line so that loads of a fragment meet no bank twice.
func (w *gemm) halves() (*emit.Module, error) {
	u := &w.uses
	for _, p := range []string{"pack", "quotient", "copy_async", "load_matrices"} {
		u.Part(p)
	}
	mma := u.Part("mma_f16")
	if w.t == elem.BFloat16 {
		mma = u.Part("mma_bf16")
	}
	e := &entry{name: "gemm", threads: gemmThreads, beside: 2, wide: true, apart: true}
	a, b := w.sides()
	w.bind(e, a, b)
	e.f("alignas(128) __shared__ u16 a_tile[%d][4096], b_tile[%d][4096];\n", halfStages, halfStages)
	e.f("const int warp = threadIdx.x / 32, lane = threadIdx.x %% 32;\n")
	e.f("const int row = warp / 4 * 64, column = warp %% 4 * 32;\nfloat sum[4][4][4] = {};\n")
	e.f("auto fetch = [&](int k0, int stage) {\nif (k0 < (int)size_k) {\n")
	w.fetchChunks(e, a)
	w.fetchChunks(e, b)
	e.f("}\ncopy_commit();\n};\n")
	e.f("for (int s = 0; s < %d; s++) fetch(s * 32, s);\nint now = 0;\n", halfStages-1)
	e.f("for (int k0 = 0; k0 < (int)size_k; k0 += 32) {\ncopy_wait<%d>();\n__syncthreads();\n", halfStages-2)
	e.f("fetch(k0 + %d, now == 0 ? %d : now - 1);\n", 32*(halfStages-1), halfStages-1)
	e.f("#pragma unroll\nfor (int k = 0; k < 32; k += 16) {\nu32 x[4][4], y[4][2];\n")
	// Lanes point to rows of four 8 x 8 matrices: for A two blocks of rows in
	// two of K, for B two of K in two of columns.
	e.f("#pragma unroll\nfor (int i = 0; i < 4; i++) %s;\n", fragment(a, "x[i]", "row + i * 16", "lane / 8 % 2", "lane / 16"))
	e.f("#pragma unroll\nfor (int j = 0; j < 4; j += 2) {\nu32 both[4];\n%s;\ny[j][0] = both[0]; y[j][1] = both[1]; y[j + 1][0] = both[2]; y[j + 1][1] = both[3];\n}\n",
		fragment(b, "both", "column + j * 8", "lane / 16", "lane / 8 % 2"))
	e.f("#pragma unroll\nfor (int i = 0; i < 4; i++)\n#pragma unroll\nfor (int j = 0; j < 4; j++) %s(sum[i][j], x[i], y[j]);\n}\n", mma)
	e.f("now = now == %d ? 0 : now + 1;\n}\n", halfStages-1)
	w.storeHalves(e)
	return w.module(e, "")
}

// chunk is where 16 bytes of a slice are: line and k are numbers, one of them
// a multiple of 8.
func chunk(s gemmSide, stage, line, k string) string {
	if s.along {
		return fmt.Sprintf("&%s_tile[%s][(%s) * 32 + ((%s) / 8 ^ (%s) / 2 %% 4) * 8]", s.name, stage, line, k, line)
	}
	return fmt.Sprintf("&%s_tile[%s][(%s) * 128 + ((%s) / 8 ^ (%s) %% 8) * 8]", s.name, stage, k, line, k)
}

// fetchChunks starts the copies of the slice at k0.
func (w *gemm) fetchChunks(e *entry, s gemmSide) {
	e.f("#pragma unroll\nfor (int l = 0; l < 2; l++) {\nconst int id = threadIdx.x + l * %d;\n", gemmThreads)
	if s.along {
		e.f("const int line = id / 4, k = id %% 4 * 8;\n")
	} else {
		e.f("const int k = id / 16, line = id %% 16 * 8;\n")
	}
	e.f("const bool there = line < %s_lines && k < (int)size_k - k0;\n", s.name)
	e.f("copy_async(%s, there ? %s + (line * (i64)%s_line + (k0 + k) * (i64)%s_k) : %s, there);\n}\n",
		chunk(s, "stage", "line", "k"), s.name, s.name, s.name, s.name)
}

// fragment loads four 8 x 8 matrices from line and K on; block says which
// eight lines a lane's matrix has, half which eight of K.
func fragment(s gemmSide, to, line, block, half string) string {
	if s.along {
		return fmt.Sprintf("load_matrices(%s, %s)", to, chunk(s, "now", fmt.Sprintf("%s + %s * 8 + lane %% 8", line, block), fmt.Sprintf("k + %s * 8", half)))
	}
	return fmt.Sprintf("load_turned(%s, %s)", to, chunk(s, "now", fmt.Sprintf("%s + %s * 8", line, block), fmt.Sprintf("k + %s * 8 + lane %% 8", half)))
}

// storeHalves writes the warp's part of the tile: a lane has two neighbours of
// two rows of each product.
func (w *gemm) storeHalves(e *entry) {
	pack := min(w.outPack(), 2)
	memory, value := w.stored("sum[i][j][h * 2 + p + c]")
	e.f("#pragma unroll\nfor (int i = 0; i < 4; i++)\n#pragma unroll\nfor (int h = 0; h < 2; h++) {\nconst i64 m = m0 + row + i * 16 + h * 8 + lane / 4;\nif (m >= size_m) continue;\n")
	e.f("#pragma unroll\nfor (int j = 0; j < 4; j++)\n#pragma unroll\nfor (int p = 0; p < 2; p += %d) {\nconst i64 n = n0 + column + j * 8 + lane %% 4 * 2 + p;\nif (n >= size_n) continue;\n", pack)
	e.f("pack<%s, %d> v;\n#pragma unroll\nfor (int c = 0; c < %d; c++) v.x[c] = %s;\nstore_pack<%d>(out + (m * out_m + n * out_n), v);\n}\n}\n",
		memory, pack, pack, value, pack)
}
