package plain

import "github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"

// foldColumns folds the rows of a part into total, one for each of the thread's
// columns, which the first of the threads that share them then has.
func (w *reduction) foldColumns(e *entry, code emit.Statements) {
	e.foldRounds(e.index(), w.group, w.pack, w.unroll(w.pack, 8), func() { w.take(e, code, "sum[k]", "(i64)i") })
}

// foldRounds folds the rows from..to, which for threads that have columns is up
// to all: each of the threads that share columns
// folds a chain of rows, body(i), and the first of them adds those up, chain
// after chain.
func (e *entry) foldRounds(index string, group, pack, unroll int, body func()) {
	e.none("total", pack)
	if group > 1 {
		e.share("acc sums[%d][%d][%d]", group, pack, e.threads/group)
	}
	// All threads of a block go round together, those without columns too.
	e.f("for (%s start = from; start < all; start += %d) {\n", index, group*emit.Chain)
	e.none("sum", pack)
	e.f("const %s first = start + lane * %d, end = (%s)min((i64)first + %d, (i64)to);\n", index, emit.Chain, index, emit.Chain)
	e.f("#pragma unroll %d\nfor (%s i = first; i < end; i++) {\n", unroll, index)
	body()
	e.f("}\n")
	if group == 1 {
		e.f("#pragma unroll\nfor (int k = 0; k < %d; k++) total[k] = join(total[k], sum[k]);\n}\n", pack)
		return
	}
	e.f("#pragma unroll\nfor (int k = 0; k < %d; k++) sums[lane][k][x] = sum[k];\n__syncthreads();\n", pack)
	e.f("if (lane == 0) for (int j = 0; j < %d && (i64)start + j * %d < (i64)to; j++)\n", group, emit.Chain)
	e.f("#pragma unroll\nfor (int k = 0; k < %d; k++) total[k] = join(total[k], sums[j][k][x]);\n__syncthreads();\n}\n", pack)
}
