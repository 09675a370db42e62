package printer

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/flat"
)

// acrossSubgroup prints an operation across a simdgroup with exchanges inside of the
// adapter's subgroups, where that gives the same bits: sums and the like, which are a
// butterfly's, and exchanges with a neighbour at a known distance. Where subgroups have
// fewer than 32 threads, the first levels of the butterfly go through workgroup memory.
func (w *wgsl) acrossSubgroup(s *flat.Cross, dst string) bool {
	threads := w.group[0] * w.group[1] * w.group[2]
	if w.extent != [3]int{} {
		threads = w.extent[0] * w.extent[1] * w.extent[2]
	} else if !w.p.IR.IsEngine() {
		return false // groups at the edge may have fewer
	}
	if w.subgroup < 2 || threads%32 != 0 {
		return false
	}
	k := s.X.K()
	exchange := func(v, by string) string {
		w.shuffles = true
		if w.kind(k, false) == "bool" {
			return fmt.Sprintf("(subgroupShuffleXor(%s, %s) != 0u)", w.toLane(k, v), by)
		}
		return fmt.Sprintf("subgroupShuffleXor(%s, %s)", v, by)
	}
	switch s.Fn {
	case ktree.SimdShuffleXor:
		c, ok := s.Lane.(*flat.Const)
		if !ok || c.Val.I <= 0 || c.Val.I >= int64(w.subgroup) {
			return false
		}
		w.line("%s = %s;", dst, exchange(w.expr(s.X), fmt.Sprintf("%du", c.Val.I)))
		return true
	case ktree.SimdSum, ktree.SimdProduct, ktree.SimdMax, ktree.SimdMin, ktree.SimdAll, ktree.SimdAny:
	default:
		return false
	}
	c := combined{fn: s.Fn, kind: k}
	joined := func(x, y string) string {
		a, b := &flat.Var{Name: x, Kind: k}, &flat.Var{Name: y, Kind: k}
		w.names[a], w.names[b] = x, y
		return bare(w.join(c, &flat.Use{Var: a}, &flat.Use{Var: b}))
	}
	w.line("{")
	w.indent++
	w.line("var tw_a = %s;", bare(w.expr(s.X)))
	if n := 32 / w.subgroup; n > 1 {
		lanes := "tw_lanes_" + w.laneType(k)
		w.lanes[w.laneType(k)] = true
		w.line("%s[tw_index] = %s;", lanes, bare(w.toLane(k, "tw_a")))
		w.line("workgroupBarrier();")
		lane := func(i int) string {
			return bare(w.ofLane(k, fmt.Sprintf("%s[(tw_index & ~31u) + (tw_index & %du) + %du]", lanes, w.subgroup-1, i*w.subgroup)))
		}
		for i := range n {
			w.line("var tw_x%d = %s;", i, lane(i))
		}
		for half := n / 2; half > 0; half /= 2 {
			for i := range half {
				w.line("tw_x%d = %s;", i, joined(fmt.Sprintf("tw_x%d", i), fmt.Sprintf("tw_x%d", i+half)))
			}
		}
		w.line("tw_a = tw_x0;")
		w.line("workgroupBarrier();")
	}
	for by := w.subgroup / 2; by > 0; by /= 2 {
		w.line("{ let tw_b = %s; tw_a = %s; }", exchange("tw_a", fmt.Sprintf("%du", by)), joined("tw_a", "tw_b"))
	}
	w.line("%s = tw_a;", dst)
	w.indent--
	w.line("}")
	return true
}

// ProbeThreads is how many words SubgroupProbe writes.
const ProbeThreads = 256

// SubgroupProbe is a shader, main, that finds how an adapter's subgroups lie in a
// group: each thread writes the size of its subgroup, and its number there in the
// upper half. WGSL promises neither. enable is that of ShaderOptions.
func SubgroupProbe(enable bool) string {
	header := ""
	if enable {
		header = "enable subgroups;\n"
	}
	return header + fmt.Sprintf(`@group(0) @binding(0) var<storage, read_write> y: array<u32>;
@compute @workgroup_size(%d)
fn main(@builtin(local_invocation_index) i: u32, @builtin(subgroup_size) size: u32, @builtin(subgroup_invocation_id) lane: u32) {
  y[i] = size | (lane << 16u);
}
`, ProbeThreads)
}

// HalfProbe is a shader, main, that writes 1 and -2 as floats of 16 bits.
const HalfProbe = `enable f16;
@group(0) @binding(0) var<storage, read_write> y: array<f16>;
@compute @workgroup_size(2)
fn main(@builtin(local_invocation_index) i: u32) {
  y[i] = f16(1.0 - 3.0 * f32(i));
}
`
