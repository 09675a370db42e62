package plain

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// writeParts writes the kernel in which a group of threads folds one part of
// one result.
func (w *reduction) writeParts(e *entry, results int) {
	r := w.r
	index := e.index()
	numbers, names := w.operands()
	for k, i := range numbers {
		if i < len(r.In) {
			e.pointer(names[k], w.outer.ops[i], emit.Read(i))
		}
	}
	if w.parts > 1 {
		e.args(&r.Code)
		e.param("acc* parts", emit.Scratch(0))
	} else {
		e.args(&r.Code, &r.Post)
		w.bindPost(e)
	}
	e.number("results", results)
	code := w.body(e)
	e.f("%s", code.Head)

	// Which part of which result, and which of its points.
	if w.columns {
		e.f("const int x = threadIdx.x %% %d, lane = threadIdx.x / %d;\n", w.width(), w.width())
		width := w.width() * w.pack
		tiles := e.number("tiles", ceil(results, width))
		e.f("const %s piece = %s, result = ((%s)blockIdx.x - piece * (%s)%s) * %d + x * %d;\n",
			index, e.quotient("blockIdx.x", "tiles", ceil(results, width)), index, index, tiles, width, w.pack)
		e.f("const bool here = result < (%s)results;\n", index)
	} else {
		e.f("const int lane = threadIdx.x %% %d;\n", w.group)
		e.f("const %s job = (%s)blockIdx.x * %d + threadIdx.x / %d;\n", index, index, reduceThreads/w.group, w.group)
		if w.parts > 1 {
			per := e.number("per_result", w.parts)
			e.f("const %s result = %s, piece = job - result * (%s)%s;\n", index, e.quotient("job", "per_result", w.parts), index, per)
		} else {
			e.f("const %s result = job, piece = 0;\n", index)
		}
		e.f("const bool here = result < (%s)results;\n", index)
	}
	outer := e.point("r", "result", w.outer.dims)
	for k, i := range numbers {
		e.f("const %s base_%s = %s;\n", e.at(), names[k], e.position(names[k]+"_r", outer, w.outer.ops[i].Strides))
	}
	e.f("const %s from = piece * (%s)%s, all = (%s)min((i64)from + part, %s), to = here ? all : from;\n",
		index, index, e.number("part", w.part), index, e.number("inner", ir.Count(w.inner.dims)))

	if w.columns {
		w.foldColumns(e, code)
		e.f("if (lane != 0 || !here) return;\n#pragma unroll\nfor (int k = 0; k < %d; k++) {\nconst %s column = result + k;\nconst acc t = total[k];\n", w.pack, index)
		if w.parts > 1 {
			e.f("parts[piece * (%s)results + column] = t;\n", index)
		} else {
			if w.pack > 1 {
				outer[len(outer)-1] = fmt.Sprintf("(%s + k)", outer[len(outer)-1])
			}
			w.store(e, outer)
		}
		e.f("}\n")
		return
	}
	w.foldChains(e, code)
	e.foldLanes(w.group, w.pack)
	e.f("if (lane != 0 || !here) return;\n")
	if w.parts > 1 {
		e.f("parts[job] = t;\n")
		return
	}
	w.store(e, outer)
}

// foldChains folds the thread's points of the part in chains, into total, one
// for each lane. Lane number i of a part has every point whose position is i
// modulo the number of lanes; a thread has lanes in packs, and as many packs as
// it takes.
func (w *reduction) foldChains(e *entry, code emit.Statements) {
	index := e.index()
	lanes, packs := w.group*emit.LanesEach, emit.LanesEach/w.pack
	e.none("total", emit.LanesEach)
	e.f("for (%s start = from; start < to; start += %d) {\n", index, emit.Chain*lanes)
	e.none("sum", emit.LanesEach)
	e.f("const %s end = (%s)min((i64)start + %d, (i64)to);\n", index, index, emit.Chain*lanes)
	turn := func(bound string) {
		e.f("#pragma unroll\nfor (int m = 0; m < %d; m++) {\nconst %s i = base + m * %d + lane * %d;\n%s", packs, index, w.group*w.pack, w.pack, bound)
		w.take(e, code, fmt.Sprintf("sum[m * %d + k]", w.pack), "(i64)i + k")
		e.f("}\n")
	}
	e.f("%s base = start;\n", index)
	if n := w.unroll(emit.LanesEach, 8/packs); n > 1 {
		// Whole turns ask nothing, so that the loads of several are under way at once.
		e.f("const %s whole = start + (end - start) / %d * %d;\n#pragma unroll %d\nfor (; base < whole; base += %d) {\n", index, lanes, lanes, n, lanes)
		turn("")
		e.f("}\n")
	}
	e.f("for (; base < end; base += %d) {\n", lanes)
	turn("if (i >= end) continue;\n")
	e.f("}\n#pragma unroll\nfor (int k = 0; k < %d; k++) total[k] = join(total[k], sum[k]);\n}\n", emit.LanesEach)
}

// none declares accumulators that have nothing yet.
func (e *entry) none(name string, n int) {
	e.f("acc %s[%d];\n#pragma unroll\nfor (int k = 0; k < %d; k++) %s[k] = none();\n", name, n, n, name)
}

// unroll is how many turns of a loop are written out that folds so many values
// in each.
func (w *reduction) unroll(values, most int) int {
	return min(max(mostWeight/(values*max(weight(&w.r.Code), 1)), 1), max(most, 1))
}

// take loads a pack at inner point i and takes its values into accumulators;
// at is a value's position.
func (w *reduction) take(e *entry, code emit.Statements, into, at string) {
	r := w.r
	numbers, names := w.operands()
	inner := e.point("c", "i", w.inner.dims)
	for k, i := range numbers {
		at := e.position(names[k], inner, w.inner.ops[i].Strides)
		if i >= len(r.In) {
			e.f("const %s at_%s = %s;\n", e.at(), names[k], at)
			continue
		}
		from := fmt.Sprintf("%s + (base_%s + %s)", names[k], names[k], at)
		if w.packed(i) {
			e.f("const pack<%s, %d> x%d = load_pack<%d>(%s);\n", emit.Memory(r.In[i].Type), w.pack, i, w.pack, from)
		} else {
			e.f("const %s x%d = *(%s);\n", emit.Memory(r.In[i].Type), i, from)
		}
	}
	with := at
	if w.fold.twice {
		with = code.Names[w.factors[1]]
	}
	e.f("#pragma unroll\nfor (int k = 0; k < %d; k++) {\n%stake(%s, %s, %s);\n}\n", w.pack, code.Body, into, code.Names[w.factors[0]], with)
}

// foldLanes folds the lanes of a group, total, into t, which its first thread
// then has: in the order of emit.Lanes, however lanes are spread over threads.
func (e *entry) foldLanes(group, pack int) {
	fold := func(n, by int) { // total[k] and that by on
		e.f("#pragma unroll\nfor (int k = 0; k < %d; k++) total[k] = join(total[k], total[k + %d]);\n", n, by)
	}
	values, least := emit.LanesEach, 1 // values of a thread; the distance of neighbours
	if pack == 1 && group > 1 {
		e.f("#pragma unroll\nfor (int k = 0; k < %d; k++) total[k] = join(total[k], shuffle_xor(total[k], 1));\n", values)
		least = 2
	} else {
		values /= 2
		e.f("#pragma unroll\nfor (int k = 0; k < %d; k++) total[k] = join(total[2 * k], total[2 * k + 1]);\n", values)
	}
	inside := max(pack/2, 1) // of those, how many are neighbours
	for ; values > inside; values /= 2 {
		fold(values/2, values/2)
	}
	if group > 32 {
		e.share("acc sums[%d][%d]", values, e.threads)
		e.f("#pragma unroll\nfor (int k = 0; k < %d; k++) sums[k][threadIdx.x] = total[k];\n__syncthreads();\n", values)
		e.f("if (lane < 32) {\n#pragma unroll\nfor (int k = 0; k < %d; k++) {\nacc v[%d];\n#pragma unroll\nfor (int j = 0; j < %d; j++) v[j] = sums[k][threadIdx.x + 32 * j];\n", values, group/32, group/32)
		e.f("#pragma unroll\nfor (int by = %d; by > 0; by /= 2)\n#pragma unroll\nfor (int j = 0; j < by; j++) v[j] = join(v[j], v[j + by]);\ntotal[k] = v[0];\n}\n}\n", group/64)
	}
	if group > least {
		e.f("#pragma unroll\nfor (int by = %d; by >= %d; by /= 2)\n#pragma unroll\nfor (int k = 0; k < %d; k++) total[k] = join(total[k], shuffle_xor(total[k], by));\n", min(group, 32)/2, least, values)
	}
	for ; values > 1; values /= 2 {
		fold(values/2, values/2)
	}
	e.f("const acc t = total[0];\n")
}

// writeFinish writes the kernel that folds the parts of each result.
func (w *reduction) writeFinish(e *entry, results int) {
	index := e.index()
	e.args(&w.r.Post)
	w.bindPost(e)
	e.param("const acc* parts", emit.Scratch(0))
	e.number("results", results)
	e.number("per_result", w.parts)
	group := w.finishers()
	if w.columns {
		e.f("const int x = threadIdx.x %% %d, lane = threadIdx.x / %d;\n", reduceThreads/group, reduceThreads/group)
		e.f("const %s result = (%s)blockIdx.x * %d + x;\nconst bool here = result < (%s)results;\n", index, index, reduceThreads/group, index)
		e.f("const i64 from = 0, all = per_result, to = here ? all : 0;\n")
		e.foldRounds("i64", group, 1, 8, func() { e.f("sum[0] = join(sum[0], parts[i * results + result]);\n") })
		e.f("if (lane != 0 || !here) return;\nconst acc t = total[0];\n")
	} else {
		e.f("const int lane = threadIdx.x %% %d;\nconst %s result = (%s)blockIdx.x * %d + threadIdx.x / %d;\nconst bool here = result < (%s)results;\n",
			group, index, index, reduceThreads/group, group, index)
		e.none("total", emit.LanesEach)
		e.f("if (here) for (i64 p = lane * %d; p < per_result; p += %d)\n", emit.LanesEach, group*emit.LanesEach)
		e.f("#pragma unroll\nfor (int k = 0; k < %d; k++) if (p + k < per_result) total[k] = join(total[k], parts[(i64)result * per_result + p + k]);\n", emit.LanesEach)
		e.foldLanes(group, emit.LanesEach)
		e.f("if (lane != 0 || !here) return;\n")
	}
	w.store(e, e.point("r", "result", w.outer.dims))
}

// finishers is how many threads fold the parts of one result: for a line as
// many as the most parts have lanes for, of which those past the lanes of fewer
// parts have nothing.
func (w *reduction) finishers() int {
	if w.columns {
		return columnSplit
	}
	return 32
}

// bindPost declares what store uses.
func (w *reduction) bindPost(e *entry) {
	r := w.r
	post := w.outer.ops[len(r.In)+len(r.Positions):]
	for _, i := range emit.Needed(&r.Post, len(r.Post.Instrs)-1) {
		e.pointer(fmt.Sprintf("post%d", i), post[i], emit.Read(len(r.In)+i))
	}
	e.pointer("out", post[len(post)-1], emit.Write(0))
}

// store runs Post on t and stores the last value.
func (w *reduction) store(e *entry, outer []string) {
	r, u := w.r, &w.uses
	post := w.outer.ops[len(r.In)+len(r.Positions):]
	value := len(r.Post.Instrs) - 1
	out := post[len(post)-1]
	code := u.Code(&r.Post, emit.Spelling{
		Prefix: "w",
		Load: func(slot int) string {
			name := fmt.Sprintf("post%d", slot)
			return u.Get(post[slot].Type, fmt.Sprintf("%s[%s]", name, e.position(name, outer, post[slot].Strides)))
		},
		Index: func(slot int) string {
			name, o := fmt.Sprintf("q%d", slot), post[len(r.Post.In)+slot]
			return fmt.Sprintf("(i64)(%s) + %s", e.position(name, outer, o.Strides), e.number(name+"_from", o.Offset))
		},
		Acc: w.fold.result(u, "t"),
	}, value)
	e.f("%s%sout[%s] = %s;\n", code.Head, code.Body, e.position("out", outer, out.Strides), u.Put(out.Type, code.Names[value]))
}
