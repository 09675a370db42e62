package printer

import "github.com/twiddle-go/twiddle/internal/ktree"

// Threads that load one number each leave memory waiting: a GPU holds too few
// of them. So a thread of a short body takes several positions in turns, a
// threadgroup apart along x, and the compiler loads for all of them at once. On
// an H200, of 256 Mi float32: 507 us for an exp in 4 turns and 521 in 8, 591 for
// a convolution of three taps in 4 and 535 in 8, which has neighbours to load.
const (
	fewTurns   = 4
	mostTurns  = 8  // of a body with a loop of few rounds
	mostBody   = 24 // statements of a body that is short
	mostRounds = 8  // of a loop in it, which the compiler unrolls
	fewRounds  = 4
)

// Turns is how many positions a thread of the CUDA text may take: 1 where the
// body knows its threadgroup or is not short.
func Turns(p *ktree.Program) int {
	if p.UsesBarrier || p.UsesSimd || p.UsesAtomic || len(p.Groups) > 0 {
		return 1
	}
	for g, v := range p.Builtins {
		if v != nil && ktree.Grid(g) != ktree.ThreadPositionInGrid && ktree.Grid(g) != ktree.ThreadsPerGrid {
			return 1
		}
	}
	n := statements(p.Body)
	for _, f := range p.Funcs {
		n += statements(f.Body)
	}
	if n > mostBody {
		return 1
	}
	if r := rounds(p.Body); r > 1 && r <= fewRounds {
		return mostTurns
	}
	return fewTurns
}

// rounds is how many the longest of the loops of a list has, which are short.
func rounds(list []ktree.Stmt) int {
	n := 0
	for _, s := range list {
		switch s := s.(type) {
		case *ktree.Block:
			n = max(n, rounds(s.List))
		case *ktree.If:
			n = max(n, rounds(s.Then), rounds(s.Else))
		case *ktree.Loop:
			n = max(n, int(s.Cond.(*ktree.Binary).Y.(*ktree.Lit).Val.I), rounds(s.Body))
		}
	}
	return n
}

// statements counts those of a list, and too many where a loop may be long.
func statements(list []ktree.Stmt) int {
	n := len(list)
	for _, s := range list {
		switch s := s.(type) {
		case *ktree.Block:
			n += statements(s.List)
		case *ktree.If:
			n += statements(s.Then) + statements(s.Else)
		case *ktree.Loop:
			if !isShort(s) {
				return mostBody + 1
			}
			n += statements(s.Body)
		}
	}
	return n
}

// isShort reports a loop that counts up to a small number.
func isShort(s *ktree.Loop) bool {
	b, ok := s.Cond.(*ktree.Binary)
	if !ok || s.Late || b.Op != ktree.Lt && b.Op != ktree.Le {
		return false
	}
	most, ok := b.Y.(*ktree.Lit)
	return ok && most.Type.Kind.IsInt() && most.Val.I >= 0 && most.Val.I <= mostRounds
}

// takeTurns prints the body as a function of the position, and calls it: without
// looking where the grid ends if all of the block's positions are inside.
func (c *cuda) takeTurns() {
	v3, x := "tw::vec<tw::u32, 3>", c.group[0]
	c.line("const %s tw_grid(tw_grid_x, tw_grid_y, tw_grid_z);", v3)
	c.line("const tw::u32 tw_start = blockIdx.x * %du, tw_x = tw_start + threadIdx.x;", x*c.turns)
	c.line("const tw::u32 tw_y = blockIdx.y * %du + threadIdx.y, tw_z = blockIdx.z * %du + threadIdx.z;", c.group[1], c.group[2])
	c.line("if (tw_y >= tw_grid_y || tw_z >= tw_grid_z) return;")
	c.line("const auto tw_turn = [&](const %s tw_at) {", v3)
	c.indent++
	if v := c.p.Builtins[ktree.ThreadPositionInGrid]; v != nil {
		c.line("const %s %s = tw_at;", c.value(v.Type), v.Name)
	}
	if v := c.p.Builtins[ktree.ThreadsPerGrid]; v != nil {
		c.line("const %s %s = tw_grid;", c.value(v.Type), v.Name)
	}
	c.indent--
	c.block(c.p.Body)
	c.line("};")
	c.line("if (tw_grid_x - tw_start >= %du) {", x*c.turns)
	c.line("#pragma unroll")
	c.line("  for (tw::u32 tw_k = 0; tw_k < %du; tw_k++) tw_turn(%s(tw_x + tw_k * %du, tw_y, tw_z));", c.turns, v3, x)
	c.line("} else {")
	c.line("#pragma unroll 1")
	c.line("  for (tw::u32 tw_k = tw_x; tw_k < tw_grid_x; tw_k += %du) tw_turn(%s(tw_k, tw_y, tw_z));", x, v3)
	c.line("}")
}
