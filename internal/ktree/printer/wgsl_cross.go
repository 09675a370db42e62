package printer

import (
	"fmt"
	"sort"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/flat"
)

// subgroupNames are WGSL's operations across a subgroup.
var subgroupNames = map[ktree.Intrinsic]string{
	ktree.SimdSum: "subgroupAdd", ktree.SimdProduct: "subgroupMul", ktree.SimdMax: "subgroupMax", ktree.SimdMin: "subgroupMin",
	ktree.SimdAll: "subgroupAll", ktree.SimdAny: "subgroupAny", ktree.SimdPrefixInclusiveSum: "subgroupInclusiveAdd",
	ktree.SimdPrefixExclusiveSum: "subgroupExclusiveAdd", ktree.SimdBroadcast: "subgroupShuffle", ktree.SimdShuffle: "subgroupShuffle",
	ktree.SimdShuffleXor: "subgroupShuffleXor", ktree.SimdShuffleUp: "subgroupShuffleUp", ktree.SimdShuffleDown: "subgroupShuffleDown",
}

// cross is an operation across a simdgroup. Subgroups of adapters have from 4 to 128
// threads, so that for a device a simdgroup is 32 neighbours of a group, who see
// each other's values through workgroup memory: all threads of the group take part.
func (w *wgsl) cross(s *flat.Cross) {
	dst := w.name(s.Dst, s.Dst.Name)
	if s.Fn == ktree.SimdMatch {
		w.fail("%s is for kernels of NVIDIA's cards", s.Fn)
		return
	}
	if w.native {
		args := w.expr(s.X)
		if s.Lane != nil {
			args += ", " + w.converted(s.Lane.K(), ktree.Uint, w.expr(s.Lane))
		}
		w.line("%s = %s(%s);", dst, subgroupNames[s.Fn], args)
		return
	}
	if w.parted > 0 {
		w.fail("threads of a group meet at different places for an operation across a simdgroup")
		return
	}
	k := s.X.K()
	if w.acrossSubgroup(s, dst) {
		return
	}
	lanes := "tw_lanes_" + w.laneType(k)
	w.lanes[w.laneType(k)] = true
	w.line("%s[tw_index] = %s;", lanes, bare(w.toLane(k, w.expr(s.X))))
	by := "0u"
	if s.Lane != nil {
		by = w.converted(s.Lane.K(), ktree.Uint, w.expr(s.Lane))
	}
	w.line("workgroupBarrier();")
	count := fmt.Sprintf("%du", w.group[0]*w.group[1]*w.group[2])
	if !w.p.IR.IsEngine() {
		count = "(tw_ext.x * tw_ext.y * tw_ext.z)"
	}
	switch s.Fn {
	case ktree.SimdShuffle, ktree.SimdBroadcast:
		by = fmt.Sprintf("tw_lane_at(tw_index, %s, %s)", bare(by), count)
	case ktree.SimdShuffleXor:
		by = fmt.Sprintf("tw_lane_at(tw_index, (tw_index & 31u) ^ %s, %s)", by, count)
	case ktree.SimdShuffleUp:
		by = fmt.Sprintf("tw_lane_at(tw_index, (tw_index & 31u) - %s, %s)", by, count)
	case ktree.SimdShuffleDown:
		by = fmt.Sprintf("tw_lane_at(tw_index, (tw_index & 31u) + %s, %s)", by, count)
	default:
		w.line("%s = %s(tw_index, %s);", dst, w.combiner(s.Fn, k), count)
		w.line("workgroupBarrier();")
		return
	}
	w.line("%s = %s;", dst, bare(w.ofLane(k, lanes+"["+by+"]")))
	w.line("workgroupBarrier();")
}

// laneType is what lanes hold of a kind: a word, or two.
func (w *wgsl) laneType(k ktree.Kind) string {
	if isWide(k) {
		return "pair"
	}
	return "word"
}

func (w *wgsl) toLane(k ktree.Kind, s string) string {
	switch w.kind(k, false) {
	case "bool":
		return "select(0u, 1u, " + s + ")"
	case "u32", "vec2<u32>":
		return s
	}
	return "bitcast<u32>(" + bare(s) + ")"
}

func (w *wgsl) ofLane(k ktree.Kind, s string) string {
	switch t := w.kind(k, false); t {
	case "bool":
		return "(" + s + " != 0u)"
	case "u32", "vec2<u32>":
		return s
	default:
		return fmt.Sprintf("bitcast<%s>(%s)", t, s)
	}
}

// combiner is the name of the function that combines the values of a simdgroup.
func (w *wgsl) combiner(fn ktree.Intrinsic, k ktree.Kind) string {
	name := fmt.Sprintf("tw_%s_%s", fn, k)
	w.lanes[name] = true
	w.combiners = append(w.combiners, combined{name, fn, k})
	return name
}

type combined struct {
	name string
	fn   ktree.Intrinsic
	kind ktree.Kind
}

// lanesUsed declares what operations across simdgroups need.
func (w *wgsl) lanesUsed() {
	if len(w.lanes) == 0 {
		return
	}
	w.line("")
	threads := w.group[0] * w.group[1] * w.group[2]
	if w.lanes["word"] {
		w.line("var<workgroup> tw_lanes_word: array<u32, %d>;", threads)
		w.out.GroupBytes += 4 * threads
	}
	if w.lanes["pair"] {
		w.line("var<workgroup> tw_lanes_pair: array<vec2<u32>, %d>;", threads)
		w.out.GroupBytes += 8 * threads
	}
	// A lane that is not there is the thread's own.
	w.line("fn tw_lane_at(own: u32, lane: u32, count: u32) -> u32 {")
	w.line("  let at = (own & ~31u) + lane;")
	w.line("  return select(own, at, lane < 32u && at < count);")
	w.line("}")
	sort.Slice(w.combiners, func(i, j int) bool { return w.combiners[i].name < w.combiners[j].name })
	done := map[string]bool{}
	for _, c := range w.combiners {
		if !done[c.name] {
			done[c.name] = true
			w.combine(c)
		}
	}
}

// join is two values as one.
func (w *wgsl) join(c combined, a, b flat.Expr) string {
	switch c.fn {
	case ktree.SimdProduct:
		return w.expr(&flat.Bin{Op: ktree.Mul, In: c.kind, X: a, Y: b})
	case ktree.SimdMax:
		return w.expr(&flat.Math{Fn: ktree.Max, Kind: c.kind, Args: []flat.Expr{a, b}})
	case ktree.SimdMin:
		return w.expr(&flat.Math{Fn: ktree.Min, Kind: c.kind, Args: []flat.Expr{a, b}})
	case ktree.SimdAll:
		return "(a && b)"
	case ktree.SimdAny:
		return "(a || b)"
	}
	return w.expr(&flat.Bin{Op: ktree.Add, In: c.kind, X: a, Y: b})
}

// combine writes a function. Sums are a butterfly's, as on other devices; those of
// prefixes go from lane to lane.
func (w *wgsl) combine(c combined) {
	t := w.kind(c.kind, false)
	lane := func(at string) string { return bare(w.ofLane(c.kind, "tw_lanes_"+w.laneType(c.kind)+"["+at+"]")) }
	v := func(name string) flat.Expr { return &flat.Use{Var: &flat.Var{Name: name, Kind: c.kind}} }
	named := map[string]flat.Expr{}
	for _, n := range []string{"a", "b"} {
		e := v(n)
		w.names[e.(*flat.Use).Var] = n
		named[n] = e
	}
	a, b := named["a"], named["b"]
	joined := w.join(c, a, b)
	w.line("fn %s(own: u32, count: u32) -> %s {", c.name, t)
	w.line("  let base = own & ~31u;")
	w.line("  let n = min(count - base, 32u);")
	switch c.fn {
	case ktree.SimdPrefixInclusiveSum, ktree.SimdPrefixExclusiveSum:
		end := "own"
		if c.fn == ktree.SimdPrefixInclusiveSum {
			end = "own + 1u"
		}
		w.line("  var a: %s;", t)
		w.line("  for (var i = base; i < %s; i++) {", end)
		w.line("    let b = %s;", lane("i"))
		w.line("    a = %s;", bare(joined))
		w.line("  }")
		w.line("  return a;")
	default:
		w.line("  var x: array<%s, 32>;", t)
		w.line("  for (var i = 0u; i < n; i++) { x[i] = %s; }", lane("base + i"))
		w.line("  for (var s = 16u; s > 0u; s = s >> 1u) {")
		w.line("    for (var i = 0u; i < s && i + s < n; i++) {")
		w.line("      let a = x[i];")
		w.line("      let b = x[i + s];")
		w.line("      x[i] = %s;", bare(joined))
		w.line("    }")
		w.line("  }")
		w.line("  return x[0];")
	}
	w.line("}")
}
