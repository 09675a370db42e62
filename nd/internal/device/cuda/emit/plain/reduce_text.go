package plain

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/kern"
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
	e.f("const %s from = piece * (%s)%s, to = here ? (%s)min((i64)from + part, %s) : from;\n",
		index, index, e.number("part", w.part), index, e.number("inner", kern.Count(w.inner.dims)))

	w.foldChains(e, code)
	if w.columns {
		e.f("__shared__ acc sums[%d][%d];\n#pragma unroll\nfor (int k = 0; k < %d; k++) {\nconst %s column = result + k;\n", w.group, w.width(), w.pack, index)
		e.f("sums[lane][x] = total[k];\n__syncthreads();\nacc t = total[k];\nif (lane == 0) for (int j = 1; j < %d; j++) t = join(t, sums[j][x]);\n", w.group)
		e.f("__syncthreads();\nif (lane != 0 || !here) continue;\n")
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
	w.foldLanes(e)
	e.f("if (lane != 0 || !here) return;\n")
	if w.parts > 1 {
		e.f("parts[job] = t;\n")
		return
	}
	w.store(e, outer)
}

// foldChains folds the thread's points of the part in chains, into total: one
// for each column, or for each lane. Lane number i of a part has every point
// whose position is i modulo the stride; a thread has lanes in packs, and as
// many packs as it takes.
func (w *reduction) foldChains(e *entry, code emit.Statements) {
	r, index := w.r, e.index()
	numbers, names := w.operands()
	stride, sums, packs := w.stride(), lanesEach, lanesEach/w.pack
	if w.columns {
		sums, packs = w.pack, 1
	}
	e.f("acc total[%d];\n#pragma unroll\nfor (int k = 0; k < %d; k++) total[k] = none();\n", sums, sums)
	e.f("for (%s start = from; start < to; start += %d) {\n", index, chain*stride)
	e.f("acc sum[%d];\n#pragma unroll\nfor (int k = 0; k < %d; k++) sum[k] = none();\n", sums, sums)
	e.f("const %s end = (%s)min((i64)start + %d, (i64)to);\n", index, index, chain*stride)
	unroll := min(max(mostWeight/(sums*max(weight(&r.Code), 1)), 1), max(8/packs, 1))
	e.f("#pragma unroll %d\nfor (%s base = start; base < end; base += %d) {\n", unroll, index, stride)
	with := "(i64)i + k" // a value's position, or the other factor
	if w.columns {
		with = "(i64)i"
		e.f("const int m = 0;\nconst %s i = base + lane;\nif (i >= end) continue;\n", index)
	} else {
		e.f("#pragma unroll\nfor (int m = 0; m < %d; m++) {\nconst %s i = base + m * %d + lane * %d;\nif (i >= end) continue;\n", packs, index, w.group*w.pack, w.pack)
	}
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
	if w.fold.twice {
		with = code.Names[w.factors[1]]
	}
	e.f("#pragma unroll\nfor (int k = 0; k < %d; k++) {\n%stake(sum[m * %d + k], %s, %s);\n}\n", w.pack, code.Body, w.pack, code.Names[w.factors[0]], with)
	if !w.columns {
		e.f("}\n")
	}
	e.f("}\n#pragma unroll\nfor (int k = 0; k < %d; k++) total[k] = join(total[k], sum[k]);\n}\n", sums)
}

// foldLanes folds the lanes of a group into t, which its first thread then
// has: lane i and that half of all on, and so on, so that it is the same tree
// however lanes are spread over threads.
func (w *reduction) foldLanes(e *entry) {
	p := w.pack
	e.f("#pragma unroll\nfor (int by = %d; by >= %d; by /= 2)\n#pragma unroll\nfor (int k = 0; k < by; k++) total[k] = join(total[k], total[k + by]);\n", lanesEach/2, p)
	if w.group > 32 {
		e.f("__shared__ acc sums[%d][%d];\n#pragma unroll\nfor (int k = 0; k < %d; k++) sums[k][threadIdx.x] = total[k];\n__syncthreads();\n", p, e.threads, p)
		e.f("if (lane < 32) {\n#pragma unroll\nfor (int k = 0; k < %d; k++) {\nacc v[%d];\n#pragma unroll\nfor (int j = 0; j < %d; j++) v[j] = sums[k][threadIdx.x + 32 * j];\n", p, w.group/32, w.group/32)
		e.f("#pragma unroll\nfor (int by = %d; by > 0; by /= 2)\n#pragma unroll\nfor (int j = 0; j < by; j++) v[j] = join(v[j], v[j + by]);\ntotal[k] = v[0];\n}\n}\n", w.group/64)
	}
	if w.group > 1 {
		e.f("#pragma unroll\nfor (int by = %d; by > 0; by /= 2)\n#pragma unroll\nfor (int k = 0; k < %d; k++) total[k] = join(total[k], shuffle_xor(total[k], by));\n", min(w.group, 32)/2, p)
	}
	e.f("#pragma unroll\nfor (int by = %d; by > 0; by /= 2)\n#pragma unroll\nfor (int k = 0; k < by; k++) total[k] = join(total[k], total[k + by]);\nconst acc t = total[0];\n", p/2)
}

// foldGroup folds t over a group of threads; the first of them has the result.
func (e *entry) foldGroup(group int) {
	if group > 1 {
		e.f("#pragma unroll\nfor (int by = %d; by > 0; by /= 2) t = join(t, shuffle_xor(t, by));\n", min(group, 32)/2)
	}
	if group > 32 {
		e.f("__shared__ acc sums[%d];\nif (threadIdx.x %% 32 == 0) sums[threadIdx.x / 32] = t;\n__syncthreads();\n", e.threads/32)
		e.f("if (lane == 0) for (int k = 1; k < %d; k++) t = join(t, sums[threadIdx.x / 32 + k]);\n", group/32)
	}
}

// writeFinish writes the kernel that folds the parts of each result.
func (w *reduction) writeFinish(e *entry, results int) {
	index := e.index()
	e.args(&w.r.Post)
	w.bindPost(e)
	e.param("const acc* parts", emit.Scratch(0))
	e.number("results", results)
	e.number("per_result", w.parts)
	if w.columns {
		e.f("const int x = threadIdx.x %% %d, lane = threadIdx.x / %d;\n", w.width(), w.width())
		e.f("const %s result = (%s)blockIdx.x * %d + x;\nconst bool here = result < (%s)results;\nacc t = none();\n", index, index, w.width(), index)
		e.f("if (here) for (i64 p = lane; p < per_result; p += %d) t = join(t, parts[p * results + result]);\n", w.group)
		e.f("__shared__ acc sums[%d][%d];\nsums[lane][x] = t;\n__syncthreads();\n", w.group, w.width())
		e.f("if (lane != 0 || !here) return;\nfor (int k = 1; k < %d; k++) t = join(t, sums[k][x]);\n", w.group)
	} else {
		e.f("const int lane = threadIdx.x;\nconst %s result = blockIdx.x;\nacc t = none();\n", index)
		e.f("for (i64 p = lane; p < per_result; p += %d) t = join(t, parts[(i64)result * per_result + p]);\n", reduceThreads)
		e.foldGroup(reduceThreads)
		e.f("if (lane != 0) return;\n")
	}
	w.store(e, e.point("r", "result", w.outer.dims))
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
