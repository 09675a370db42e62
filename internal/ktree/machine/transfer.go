package machine

import (
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/flat"
	"github.com/twiddle-go/twiddle/internal/ktree/source"
)

// place compiles the index of an element.
func (c *compiler) place(m *flat.Mem, terms []flat.Term, comp int, at source.Pos) *place {
	p := &place{mem: m, comp: int64(comp), pos: at, depth: c.depth, linear: true}
	for _, t := range terms {
		v := c.expr(t.X)
		if v.mode == modeScalar && v.known && v.num.I == 0 && len(terms) > 1 {
			continue
		}
		if v.mode == modeLanes {
			p.linear = false
		}
		p.terms = append(p.terms, term{value: v, scale: int64(t.Scale)})
	}
	return p
}

func (c *compiler) releasePlace(p *place) {
	for _, t := range p.terms {
		c.release(t.value)
	}
}

// load reads an element's component for every active lane.
func (c *compiler) load(x *flat.Load) value {
	p := c.place(x.Mem, x.Terms, x.Comp, x.Pos)
	d := c.newReg(x.Mem.Kind)
	id := x.Mem.ID
	k := &c.k.Convert
	var move func(f *frame, a *address)
	private := x.Mem.Space == ktree.Thread
	switch storageOf(x.Mem) {
	case storeF32:
		move = func(f *frame, a *address) { fetch(f, f.f32[d.reg], f.mem[id].f32, a, private) }
	case storeF64:
		move = func(f *frame, a *address) { fetch(f, f.f64[d.reg], f.mem[id].f64, a, private) }
	case storeI32:
		move = func(f *frame, a *address) { fetch(f, f.i32[d.reg], f.mem[id].i32, a, private) }
	case storeI64:
		move = func(f *frame, a *address) { fetch(f, f.i64[d.reg], f.mem[id].i64, a, private) }
	case storeBool:
		move = func(f *frame, a *address) { fetch(f, f.b[d.reg], f.mem[id].b, a, private) }
	case storeF16:
		move = func(f *frame, a *address) {
			load(f, f.u16[:f.n], f.mem[id].u16, a)
			k.F32FromF16(f.f32[d.reg], f.u16, false)
		}
	case storeBF16:
		move = func(f *frame, a *address) {
			load(f, f.u16[:f.n], f.mem[id].u16, a)
			k.F32FromBF16(f.f32[d.reg], f.u16, false)
		}
	case storeU8:
		move = func(f *frame, a *address) {
			load(f, f.u8[:f.n], f.mem[id].u8, a)
			for i, v := range f.u8[:f.n] {
				f.i32[d.reg][i] = int32(v)
			}
		}
	case storeI8:
		move = func(f *frame, a *address) {
			load(f, f.u8[:f.n], f.mem[id].u8, a)
			for i, v := range f.u8[:f.n] {
				f.i32[d.reg][i] = int32(int8(v))
			}
		}
	case storeI16:
		move = func(f *frame, a *address) {
			load(f, f.u16[:f.n], f.mem[id].u16, a)
			for i, v := range f.u16[:f.n] {
				f.i32[d.reg][i] = int32(int16(v))
			}
		}
	}
	c.emit(func(f *frame) {
		a := p.find(f)
		if f.watch != nil {
			f.watch.read(f, p, a)
		}
		move(f, a)
	})
	c.releasePlace(p)
	return d
}

// store writes an element's component for every active lane.
func (c *compiler) store(s *flat.Store) {
	v := c.lanes(c.expr(s.X))
	p := c.place(s.Mem, s.Terms, s.Comp, s.Pos)
	id, depth := s.Mem.ID, c.depth
	k := &c.k.Convert
	var move func(f *frame, a *address, m *mask)
	private := s.Mem.Space == ktree.Thread
	switch storageOf(s.Mem) {
	case storeF32:
		move = func(f *frame, a *address, m *mask) { put(f, f.mem[id].f32, f.f32[v.reg], a, m, private) }
	case storeF64:
		move = func(f *frame, a *address, m *mask) { put(f, f.mem[id].f64, f.f64[v.reg], a, m, private) }
	case storeI32:
		move = func(f *frame, a *address, m *mask) { put(f, f.mem[id].i32, f.i32[v.reg], a, m, private) }
	case storeI64:
		move = func(f *frame, a *address, m *mask) { put(f, f.mem[id].i64, f.i64[v.reg], a, m, private) }
	case storeBool:
		move = func(f *frame, a *address, m *mask) { put(f, f.mem[id].b, f.b[v.reg], a, m, private) }
	case storeF16:
		move = func(f *frame, a *address, m *mask) {
			k.F16FromF32(f.u16, f.f32[v.reg], false)
			store(f, f.mem[id].u16, f.u16[:f.n], a, m)
		}
	case storeBF16:
		move = func(f *frame, a *address, m *mask) {
			k.BF16FromF32(f.u16, f.f32[v.reg], false)
			store(f, f.mem[id].u16, f.u16[:f.n], a, m)
		}
	case storeU8, storeI8:
		move = func(f *frame, a *address, m *mask) {
			for i, x := range f.i32[v.reg] {
				f.u8[i] = uint8(x)
			}
			store(f, f.mem[id].u8, f.u8[:f.n], a, m)
		}
	case storeI16:
		move = func(f *frame, a *address, m *mask) {
			for i, x := range f.i32[v.reg] {
				f.u16[i] = uint16(x)
			}
			store(f, f.mem[id].u16, f.u16[:f.n], a, m)
		}
	}
	c.emit(func(f *frame) {
		a := p.find(f)
		if f.watch != nil {
			f.watch.write(f, p, a)
		}
		move(f, a, &f.levels[depth])
	})
	c.releasePlace(p)
	c.release(v)
}

// fetch loads from an object, or from each lane's own copy of it: there a
// scalar has a row of maxLanes numbers.
func fetch[T any](f *frame, dst, src []T, a *address, private bool) {
	switch {
	case !private:
		load(f, dst, src, a)
	case a.affine && a.by == [3]int64{}:
		copy(dst, src[a.base*maxLanes:])
	case a.affine:
		a.each(f, &mask{full: true}, func(l int, at int64) { dst[l] = src[at*maxLanes+int64(l)] })
	default:
		for l, at := range a.lanes[:f.n] {
			if at >= 0 {
				dst[l] = src[at*maxLanes+int64(l)]
			}
		}
	}
}

func put[T any](f *frame, dst, src []T, a *address, m *mask, private bool) {
	switch {
	case !private:
		store(f, dst, src, a, m)
	case a.affine && a.by == [3]int64{} && m.full:
		copy(dst[a.base*maxLanes:(a.base+1)*maxLanes], src)
	case a.affine:
		a.each(f, m, func(l int, at int64) { dst[at*maxLanes+int64(l)] = src[l] })
	default:
		for l, at := range a.lanes[:f.n] {
			if at >= 0 {
				dst[at*maxLanes+int64(l)] = src[l]
			}
		}
	}
}

// clearArray zeroes a thread's array where it is declared.
func (c *compiler) clearArray(m *flat.Mem) {
	depth := c.depth
	c.emit(func(f *frame) {
		o := &f.mem[m.ID]
		if f.levels[depth].full {
			o.zero()
			return
		}
		on := f.levels[depth].on[:f.n]
		for r := range m.Len * m.Comps {
			clearRow(o.f32, r, on)
			clearRow(o.f64, r, on)
			clearRow(o.i32, r, on)
			clearRow(o.i64, r, on)
			clearRow(o.b, r, on)
		}
	})
}

func clearRow[T any](all []T, r int, on []bool) {
	if all == nil {
		return
	}
	var zero T
	row := all[r*maxLanes : (r+1)*maxLanes]
	for l, o := range on {
		if o {
			row[l] = zero
		}
	}
}
