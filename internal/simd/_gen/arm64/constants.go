package arm64

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pool is the constants of a file, in blocks of a vector.
type pool struct {
	globals map[string][]byte
	blocks  [][16]byte
	at      map[[16]byte]int
	taken   []string // globals whose address a function takes
}

func newPool(f *ir.File) *pool {
	p := &pool{globals: map[string][]byte{}, at: map[[16]byte]int{}}
	for _, s := range f.Sections {
		g, ok := s.(*ir.Global)
		if !ok {
			continue
		}
		data := make([]byte, g.Size)
		for _, d := range g.Data {
			put(data[d.Offset:], d.Value)
		}
		p.globals[g.Symbol.Name] = data
	}
	return p
}

func put(to []byte, value operand.Constant) {
	var b bytes.Buffer
	if err := binary.Write(&b, binary.LittleEndian, value); err != nil {
		panic(failed{fmt.Errorf("constant %v: %w", value, err)})
	}
	copy(to, b.Bytes())
}

// offset is where a block lies in the pool.
func (p *pool) offset(block [16]byte) int {
	at, ok := p.at[block]
	if !ok {
		at = 16 * len(p.blocks)
		p.at[block] = at
		p.blocks = append(p.blocks, block)
	}
	return at
}

// data is the pool as assembly, with the tables whose address a function takes.
func (p *pool) data() string {
	var b strings.Builder
	write := func(name string, data []byte) {
		for at := 0; at < len(data); at += 8 {
			fmt.Fprintf(&b, "DATA %s<>+%d(SB)/8, $0x%016x\n", name, at, binary.LittleEndian.Uint64(data[at:]))
		}
		fmt.Fprintf(&b, "GLOBL %s<>(SB), RODATA|NOPTR, $%d\n\n", name, len(data))
	}
	if len(p.blocks) > 0 {
		var all []byte
		for _, block := range p.blocks {
			all = append(all, block[:]...)
		}
		write("constants", all)
	}
	for _, name := range p.taken {
		write(name, p.globals[name])
	}
	return b.String()
}

// element is one component of a constant, read by instructions that pick one.
type element struct {
	bits uint64
	size int
}

// constants says what a function keeps where.
type constants struct {
	base     int // general register with the address of the pool, or -1
	before   int // node before which they are loaded
	elements map[element]lane
	vectors  map[[16]byte]int
	loads    [][16]byte // in the order of registers
	into     []int
}

// lane is an element of a register.
type lane struct{ register, index int }

// picks are the instructions that can take an element for an operand.
var picks = map[string]bool{}

func init() {
	for _, name := range []string{"VMUL", "VFMADD231", "VFNMADD231", "VFMSUB231", "VFNMSUB231"} {
		picks[name+"PS"], picks[name+"PD"] = true, true
	}
}

// spreads reports whether an instruction spreads its memory operand.
func spreads(i *ir.Instruction) bool { return slices.Contains(i.Suffixes, "BCST") }

// sizeOf is the bytes of a component of an arithmetic instruction.
func sizeOf(opcode string) int {
	if strings.HasSuffix(opcode, "S") {
		return 4
	}
	return 8
}

func (f *function) planConstants() {
	h := &f.held
	h.base, h.before = -1, -1
	h.elements, h.vectors = map[element]lane{}, map[[16]byte]int{}
	elements, vectors := map[element]int{}, map[[16]byte]int{}
	any := false
	f.each(func(_ int, i *ir.Instruction) {
		for _, m := range memories(i) {
			if m.Base != reg.StaticBase || i.Opcode == "LEAQ" {
				continue
			}
			any = true
			switch {
			case strings.HasPrefix(i.Opcode, "VBROADCAST"), strings.HasPrefix(i.Opcode, "VMOV"):
				// A load is as good as a move.
			case spreads(i) && picks[i.Opcode]:
				elements[f.elementAt(m, sizeOf(i.Opcode))]++
			default:
				single := strings.HasSuffix(i.Opcode, "SS") || strings.HasSuffix(i.Opcode, "SD")
				vectors[f.blockAt(m, single || spreads(i), sizeOf(i.Opcode))]++
			}
		}
	})
	if !any {
		return
	}
	h.base, h.before = f.takeGP(), 0
	type group struct {
		block    [16]byte
		elements []element
		uses     int
	}
	var groups []group
	for _, size := range []int{4, 8} {
		var of []element
		for e := range elements {
			if e.size == size {
				of = append(of, e)
			}
		}
		slices.SortFunc(of, func(a, b element) int {
			return cmp.Or(cmp.Compare(elements[b], elements[a]), cmp.Compare(a.bits, b.bits))
		})
		for part := range slices.Chunk(of, 16/size) {
			var g group
			for k, e := range part {
				binary.LittleEndian.PutUint32(g.block[k*size:], uint32(e.bits))
				if size == 8 {
					binary.LittleEndian.PutUint64(g.block[k*size:], e.bits)
				}
				g.uses += elements[e]
			}
			g.elements = part
			groups = append(groups, g)
		}
	}
	for _, block := range slices.SortedFunc(maps.Keys(vectors), func(a, b [16]byte) int { return bytes.Compare(a[:], b[:]) }) {
		groups = append(groups, group{block: block, uses: vectors[block]})
	}
	slices.SortStableFunc(groups, func(a, b group) int { return cmp.Compare(b.uses, a.uses) })
	for _, g := range groups {
		if len(f.vfree) == 0 {
			return
		}
		v := f.vfree[len(f.vfree)-1]
		f.vfree = f.vfree[:len(f.vfree)-1]
		h.loads, h.into = append(h.loads, g.block), append(h.into, v)
		for k, e := range g.elements {
			h.elements[e] = lane{v, k}
		}
		if g.elements == nil {
			h.vectors[g.block] = v
		}
	}
}

// loadConstants begins a function.
func (f *function) loadConstants() {
	f.put("MOVD $constants<>(SB), R%d", f.held.base)
	for k, block := range f.held.loads {
		f.moveVector(f.inPool(block), f.held.into[k], 16, false)
	}
}

func (f *function) inPool(block [16]byte) place {
	return place{base: fmt.Sprintf("R%d", f.held.base), g: f.held.base, disp: f.pool.offset(block), index: -1}
}

func (f *function) bytesAt(m operand.Mem) []byte {
	data, ok := f.pool.globals[m.Symbol.Name]
	if !ok || m.Disp >= len(data) {
		f.fail("no constant at %s", m.Asm())
	}
	return data[m.Disp:]
}

func (f *function) elementAt(m operand.Mem, size int) element {
	b := f.bytesAt(m)
	if size == 4 {
		return element{uint64(binary.LittleEndian.Uint32(b)), 4}
	}
	return element{binary.LittleEndian.Uint64(b), 8}
}

// blockAt is the vector that a constant operand stands for: the bytes there, or
// its first component in every lane.
func (f *function) blockAt(m operand.Mem, spread bool, size int) [16]byte {
	var block [16]byte
	b := f.bytesAt(m)
	if spread {
		b = bytes.Repeat(b[:size], 16/size)
	}
	copy(block[:], b)
	return block
}

// loadConstant loads a constant of so many bytes, which may be less than a block.
func (f *function) loadConstant(m operand.Mem, v, bytes int) {
	f.moveVector(f.inPool(f.blockAt(m, bytes < 16, bytes)), v, bytes, false)
}

// scratch are the registers of memory operands, and what they hold.
type scratch struct {
	registers []int
	holds     []content
	next      int
}

type content struct {
	m     operand.Mem
	bytes int
}

func (f *function) planScratch() {
	n := len(f.vfree)
	if n < 2 {
		f.fail("of 32 vector registers %d are free: translation needs two", n)
	}
	// With registers to spare, more of what was loaded stays.
	f.scratch.registers = slices.Clone(f.vfree[n-2:])
	f.vfree = f.vfree[:n-2]
	f.scratch.forget()
}

func (s *scratch) forget() { s.holds = make([]content, len(s.registers)) }

func (s *scratch) wrote(v int) {
	if k := slices.Index(s.registers, v); k >= 0 {
		s.holds[k] = content{}
	}
}

func (s *scratch) forgetBase(f *function, g int) {
	for k, c := range s.holds {
		for _, r := range []reg.Register{c.m.Base, c.m.Index} {
			if r != nil && r.Kind() == reg.KindGP && r != reg.StackPointer && f.gp(r) == g {
				s.holds[k] = content{}
			}
		}
	}
}

// fresh is a scratch register whose content is lost.
func (f *function) fresh() int {
	s := &f.scratch
	k := s.next
	s.next = (k + 1) % len(s.registers)
	s.holds[k] = content{}
	return s.registers[k]
}

// source is the register of an operand, which is loaded if need be: so many
// bytes, or one component spread.
func (f *function) source(op operand.Op, bytes int, spread bool) int {
	m, ok := op.(operand.Mem)
	if !ok {
		return f.vec(op)
	}
	if m.Base == reg.StaticBase {
		block := f.blockAt(m, spread || bytes < 16, bytes)
		if v, ok := f.held.vectors[block]; ok {
			return v
		}
		v := f.fresh()
		f.moveVector(f.inPool(block), v, 16, false)
		return v
	}
	v := f.fresh()
	if spread {
		f.spread(m, v, bytes)
	} else {
		f.load(m, v, bytes)
	}
	return v
}

// spread loads one component into every lane.
func (f *function) spread(m operand.Mem, v, size int) {
	arrangement := map[int]string{4: "4s", 8: "2d"}[size]
	if m.Base == reg.StaticBase {
		f.moveVector(f.inPool(f.blockAt(m, true, size)), v, 16, false)
		return
	}
	p := f.locate(m)
	if p.g >= 0 && p.index < 0 && p.disp == 0 {
		f.do("ld1r."+arrangement, v, p.g, 0, 0)
		return
	}
	f.moveVector(p, v, size, false)
	f.do("dup."+arrangement, v, v, 0, 0)
}

// pick is the element that a spread memory operand is.
func (f *function) pick(m operand.Mem, size int) lane {
	if m.Base == reg.StaticBase {
		if l, ok := f.held.elements[f.elementAt(m, size)]; ok {
			return l
		}
	}
	want := content{m, size}
	s := &f.scratch
	if k := slices.Index(s.holds, want); k >= 0 {
		return lane{s.registers[k], 0}
	}
	v := f.fresh()
	f.load(m, v, size)
	s.holds[slices.Index(s.registers, v)] = want
	return lane{v, 0}
}
