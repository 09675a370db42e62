package arm64

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// scaledIndex is an index register times 2, 4 or 8.
type scaledIndex struct{ index, scale int }

// planScaled finds indices that do not change after the prologue: their
// multiples are worked out once.
func (f *function) planScaled() {
	f.scaled = map[scaledIndex]int{}
	prologue, count := f.prologue(), map[scaledIndex]int{}
	fixed := map[int]bool{}
	for g := range generals {
		fixed[g] = true
	}
	f.each(func(at int, i *ir.Instruction) {
		for g := range generals {
			if at >= prologue && f.writes(i, g) {
				fixed[g] = false
			}
		}
	})
	f.each(func(at int, i *ir.Instruction) {
		for _, m := range memories(i) {
			if at >= prologue && m.Index != nil && m.Scale > 1 && fixed[f.gp(m.Index)] {
				count[scaledIndex{f.gp(m.Index), int(m.Scale)}]++
			}
		}
	})
	keys := slices.SortedFunc(maps.Keys(count), func(a, b scaledIndex) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a.index, b.index), cmp.Compare(a.scale, b.scale))
	})
	for _, k := range keys {
		if len(f.free) > 0 {
			f.scaled[k] = f.takeGP()
		}
	}
}

func (f *function) scaleIndices() {
	keys := slices.SortedFunc(maps.Keys(f.scaled), func(a, b scaledIndex) int {
		return cmp.Or(cmp.Compare(a.index, b.index), cmp.Compare(a.scale, b.scale))
	})
	for _, k := range keys {
		f.put("LSL $%d, R%d, R%d", log2(k.scale), k.index, f.scaled[k])
	}
}

func log2(n int) int {
	k := 0
	for 1<<k < n {
		k++
	}
	return k
}

// sums remembers what registers hold sums of a base and a scaled index.
type sums struct {
	registers []int
	holds     []operand.Mem
	next      int
}

func (s *sums) forget() { s.holds = make([]operand.Mem, len(s.registers)) }

// wroteGP forgets what depends on a general register.
func (f *function) wroteGP(g int) {
	for k, m := range f.sums.holds {
		if m.Base != nil && (f.gp(m.Base) == g || f.gp(m.Index) == g) {
			f.sums.holds[k] = operand.Mem{}
		}
	}
	f.scratch.forgetBase(f, g)
}

// place is where an operand lies: a base and a displacement, or a base and an
// index that is not scaled.
type place struct {
	base  string // as Go's assembler names it
	g     int    // number of the base, or -1
	disp  int
	index int // number, or -1
}

func (p place) String() string {
	switch {
	case p.index >= 0:
		return fmt.Sprintf("(%s)(R%d)", p.base, p.index)
	case p.disp == 0:
		return fmt.Sprintf("(%s)", p.base)
	}
	return fmt.Sprintf("%d(%s)", p.disp, p.base)
}

// locate resolves a memory operand. It may work out a sum first.
func (f *function) locate(m operand.Mem) place {
	switch m.Base {
	case reg.FramePointer:
		return place{base: fmt.Sprintf("%s+%d(FP)", m.Symbol.Name, m.Disp), g: -1, index: -1}
	case reg.StackPointer:
		// The link register is at the bottom of the frame.
		p := place{base: "RSP", g: -1, disp: m.Disp + 8, index: -1}
		if m.Index == nil {
			return p
		}
		t := f.temp[1]
		f.put("MOVD RSP, R%d", t)
		f.put("ADD R%d<<%d, R%d, R%d", f.gp(m.Index), log2(int(m.Scale)), t, t)
		return place{base: fmt.Sprintf("R%d", t), g: t, disp: p.disp, index: -1}
	case reg.StaticBase:
		f.fail("%s is read as something else than a constant", m.Symbol)
	}
	base := f.gp(m.Base)
	if m.Index == nil {
		return place{base: fmt.Sprintf("R%d", base), g: base, disp: m.Disp, index: -1}
	}
	index := f.gp(m.Index)
	known := m.Scale == 1
	if h, ok := f.scaled[scaledIndex{index, int(m.Scale)}]; ok && f.at >= f.prologue() {
		index, known = h, true
	}
	if known && m.Disp == 0 {
		return place{base: fmt.Sprintf("R%d", base), g: base, index: index}
	}
	t := f.sum(m, base, index, known)
	return place{base: fmt.Sprintf("R%d", t), g: t, disp: m.Disp, index: -1}
}

// sum is the register with the base and the scaled index of an operand.
func (f *function) sum(m operand.Mem, base, index int, known bool) int {
	s := &f.sums
	if s.holds == nil {
		s.forget()
	}
	key := operand.Mem{Base: m.Base, Index: m.Index, Scale: m.Scale}
	if k := slices.Index(s.holds, key); k >= 0 {
		return s.registers[k]
	}
	k := s.next
	s.next = (k + 1) % len(s.registers)
	s.holds[k] = key
	if known {
		f.put("ADD R%d, R%d, R%d", index, base, s.registers[k])
	} else {
		f.put("ADD R%d<<%d, R%d, R%d", index, log2(int(m.Scale)), base, s.registers[k])
	}
	f.scratch.forgetBase(f, s.registers[k])
	return s.registers[k]
}

var units = map[int]string{4: "s", 8: "d", 16: "q"}
var goMoves = map[int]string{4: "FMOVS", 8: "FMOVD", 16: "FMOVQ"}

// load moves bytes from memory to a vector register.
func (f *function) load(m operand.Mem, v, bytes int) {
	if m.Base == reg.StaticBase {
		f.loadConstant(m, v, bytes)
		return
	}
	f.moveVector(f.locate(m), v, bytes, false)
}

func (f *function) store(v int, m operand.Mem, bytes int) {
	f.moveVector(f.locate(m), v, bytes, true)
	f.scratch.forget()
}

func (f *function) moveVector(p place, v, bytes int, store bool) {
	if !store {
		f.scratch.wrote(v)
	}
	if p.index >= 0 {
		name := "ldr."
		if store {
			name = "str."
		}
		f.lines = append(f.lines, line{text: words[name+units[bytes]].line(v, p.g, p.index, 0)})
		return
	}
	at := p.String()
	if p.g < 0 && p.base != "RSP" {
		at = p.base // an argument
	}
	l := line{text: fmt.Sprintf("%s %s, F%d", goMoves[bytes], at, v)}
	if store {
		l.text = fmt.Sprintf("%s F%d, %s", goMoves[bytes], v, at)
	}
	if bytes == 16 {
		l.move = &move{store, v, p.base, p.disp}
	}
	f.lines = append(f.lines, l)
}

// pairs joins neighbouring loads and stores of neighbouring vectors.
func pairs(lines []line) []line {
	var out []line
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		if i+1 < len(lines) && l.move != nil && lines[i+1].move != nil {
			a, b := *l.move, *lines[i+1].move
			apart := a.store == b.store && a.base == b.base && (a.store || a.register != b.register)
			if apart && a.disp > b.disp {
				a, b = b, a
			}
			if apart && b.disp == a.disp+16 && a.disp%16 == 0 && a.disp >= -1024 && a.disp <= 1008 {
				at := place{base: a.base, disp: a.disp, index: -1}
				text := fmt.Sprintf("FLDPQ %s, (F%d, F%d)", at, a.register, b.register)
				if a.store {
					text = fmt.Sprintf("FSTPQ (F%d, F%d), %s", a.register, b.register, at)
				}
				out = append(out, line{text: text})
				i++
				continue
			}
		}
		out = append(out, l)
	}
	return out
}

// planLocals turns words of the stack into registers, those used most first.
func (f *function) planLocals() {
	f.locals = map[int]int{}
	limit, count, barred := f.LocalSize, map[int]int{}, map[int]bool{}
	f.each(func(_ int, i *ir.Instruction) {
		for _, m := range memories(i) {
			switch {
			case m.Base != reg.StackPointer:
			case m.Index != nil:
				limit = 0 // any word may be meant
			case i.Opcode == "LEAQ":
				limit = min(limit, m.Disp)
			case i.Opcode == "MOVQ" && !slices.ContainsFunc(i.Operands, isVec), wordOps[i.Opcode]:
				count[m.Disp]++
			default:
				for d := m.Disp - 7; d < m.Disp+16; d++ {
					barred[d] = true
				}
			}
		}
	})
	keys := slices.SortedFunc(maps.Keys(count), func(a, b int) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
	})
	for _, d := range keys {
		if d+8 <= limit && !barred[d] && d%8 == 0 && len(f.free) > 0 {
			f.locals[d] = f.takeGP()
		}
	}
}

// wordOps are the instructions on words of the stack besides MOVQ.
var wordOps = map[string]bool{"ADDQ": true, "SUBQ": true, "CMPQ": true, "DECQ": true, "INCQ": true, "TESTQ": true}
