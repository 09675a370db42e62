package machine

import (
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/flat"
)

func (c *compiler) stmt(s flat.Stmt) {
	switch s := s.(type) {
	case *flat.Set:
		c.set(s)
	case *flat.Clear:
		c.clearArray(s.Mem)
	case *flat.Store:
		if s.Rank != nil {
			c.push(s)
		} else {
			c.store(s)
		}
	case *flat.Prefetch:
		for _, terms := range [][]flat.Term{s.First, s.Last} {
			p := c.place(s.Mem, terms, 0, s.Pos)
			c.emit(func(f *frame) { p.find(f) }) // which must be there; nothing else can be seen
			c.releasePlace(p)
		}
	case *flat.Meet:
		c.emit(func(f *frame) { f.member.meet(f, s) })
	case *flat.Collect:
		c.emit(func(f *frame) { f.member.collect(f, s) })
	case *flat.Cross:
		c.cross(s)
	case *flat.Atomic:
		c.atomic(s)
	case *flat.If:
		c.ifStmt(s)
	case *flat.Loop:
		c.loop(s)
	case *flat.Jump:
		c.jump(s)
	case *flat.Scope:
		c.scope(s)
	case *flat.Return:
		c.ret()
	case *flat.Barrier:
		// Lockstep makes every barrier true; only the watch needs to know.
		c.emit(func(f *frame) {
			if f.watch != nil {
				f.watch.barrier(s)
			}
		})
	}
}

// set assigns a variable, giving it a home where it is declared.
func (c *compiler) set(s *flat.Set) {
	v := s.Var
	if v.Level == flat.Group {
		home, ok := c.vars[v]
		slot := 0
		if !ok {
			slot = c.newSlot(v.Kind)
			home = slotValue(v.Kind, slot)
			home.reg = slot
			c.vars[v] = home
		}
		slot = home.reg
		if s.X == nil {
			return
		}
		x := c.scalar(s.X)
		if v.Kind.IsFloat() {
			c.emit(func(f *frame) { f.uf[slot] = x.f(f) })
		} else {
			c.emit(func(f *frame) { f.ui[slot] = x.i(f) })
		}
		return
	}
	if s.X == nil {
		c.home(v)
		return
	}
	x := c.expr(s.X)
	if s.Decl && v.Sets == 1 && x.mode == modeAffine {
		c.vars[v] = c.pin(x)
		return
	}
	home := c.home(v)
	c.assign(home, c.lanes(x))
}

// home is the register of a variable, made at its first mention.
func (c *compiler) home(v *flat.Var) value {
	if h, ok := c.vars[v]; ok && h.mode == modeLanes {
		return h
	}
	h := c.newReg(v.Kind)
	h.owned = false
	c.vars[v] = h
	c.block = append(c.block, h)
	return h
}

// pin keeps the coefficients an affine value has now.
func (c *compiler) pin(v value) value {
	keep := func(k coef) coef {
		if k.fn == nil {
			return k
		}
		slot := c.newSlot(ktree.Int)
		fn := k.fn
		c.emit(func(f *frame) { f.ui[slot] = fn(f) })
		return coef{fn: func(f *frame) int64 { return f.ui[slot] }}
	}
	v.base = keep(v.base)
	for i := range v.by {
		v.by[i] = keep(v.by[i])
	}
	return v
}

// assign moves x into the register home for active lanes. An owned x of a
// full group changes places with home instead of being copied.
func (c *compiler) assign(home, x value) {
	depth := c.depth
	d, s, owned := home.reg, x.reg, x.owned
	switch classOf(home.kind) {
	case classF32:
		blend := c.k.F32.Where.VV
		c.emit(func(f *frame) {
			if m := &f.levels[depth]; m.full {
				moveReg(f, f.f32, d, s, owned, depth)
			} else {
				blend(f.f32[d], m.on, f.f32[s], f.f32[d], false)
			}
		})
	case classF64:
		c.emit(func(f *frame) { moveReg(f, f.f64, d, s, owned, depth) })
	case classI32:
		blend := c.k.F32.Where.VV // it moves bits, whatever they mean
		c.emit(func(f *frame) {
			if m := &f.levels[depth]; m.full {
				moveReg(f, f.i32, d, s, owned, depth)
			} else {
				dst := asFloats(f.i32[d])
				blend(dst, m.on, asFloats(f.i32[s]), dst, false)
			}
		})
	case classI64:
		c.emit(func(f *frame) { moveReg(f, f.i64, d, s, owned, depth) })
	default:
		c.emit(func(f *frame) { moveReg(f, f.b, d, s, owned, depth) })
	}
	c.release(x)
}

func moveReg[T any](f *frame, regs [][]T, d, s int, owned bool, depth int) {
	m := &f.levels[depth]
	switch {
	case m.full && owned:
		regs[d], regs[s] = regs[s], regs[d]
	case m.full:
		copy(regs[d], regs[s])
	default:
		dst, src := regs[d], regs[s]
		for l, on := range m.on[:len(dst)] {
			if on {
				dst[l] = src[l]
			}
		}
	}
}

func (c *compiler) enclose(k control) { c.frames = append(c.frames, k) }
func (c *compiler) pop()              { c.frames = c.frames[:len(c.frames)-1] }

// deeper compiles body one mask further in.
func (c *compiler) deeper(body func()) {
	c.depth++
	c.maxDepth = max(c.maxDepth, c.depth)
	body()
	c.depth--
}

func (c *compiler) ifStmt(s *flat.If) {
	if s.Level == flat.Group {
		cond := c.scalar(s.Cond)
		then, other := c.list(s.Then), c.list(s.Else)
		c.steps = append(c.steps, func(f *frame) signal {
			if cond.i(f) != 0 {
				return run(f, then)
			}
			return run(f, other)
		})
		return
	}
	test := c.condition(s.Cond)
	d := c.depth
	c.enclose(control{level: s.Level})
	var then, other []step
	c.deeper(func() {
		then, other = c.list(s.Then), c.list(s.Else)
	})
	c.pop()
	c.steps = append(c.steps, func(f *frame) signal {
		outer, inner := &f.levels[d], &f.levels[d+1]
		v, cond := test.decide(f, outer)
		if v != none {
			if v == all {
				inner.set(outer)
			} else {
				inner.meet(outer, cond, f.n)
			}
			run(f, then)
		}
		if v != all && len(other) > 0 && outer.n > 0 {
			if v == none {
				inner.set(outer)
			} else {
				inner.without(outer, cond, f.n)
			}
			if inner.n > 0 {
				run(f, other)
			}
		}
		if outer.n == 0 {
			return dead
		}
		return next
	})
	test.done(c)
}

// loop compiles a loop. If lanes leave at different times it has a mask of
// those still in it, and if they continue at different times, one more.
func (c *compiler) loop(s *flat.Loop) {
	d := c.depth
	split := s.Level != flat.Group
	skips := split && s.Continues != flat.Group
	var head, body, post []step
	var cond, late *condition
	compile := func() {
		k := control{level: s.Level, loop: s, depth: c.depth, body: c.depth}
		if skips {
			k.body++
		}
		c.enclose(k)
		// The condition reads temporaries of the steps before it.
		head = c.sub(func() {
			c.scoped(func() {
				c.stmts(s.Head)
				if s.Cond != nil {
					cond = c.condition(s.Cond)
				}
			})
		})
		if skips {
			c.deeper(func() { body = c.list(s.Body) })
		} else {
			body = c.list(s.Body)
		}
		post = c.sub(func() {
			c.scoped(func() {
				c.stmts(s.Post)
				if s.Late != nil {
					late = c.condition(s.Late)
				}
			})
		})
		c.pop()
	}
	if split {
		c.deeper(compile)
	} else {
		compile()
	}
	in := d
	if split {
		in++
	}
	pos := s.Pos
	c.steps = append(c.steps, func(f *frame) signal {
		if split {
			f.levels[in].set(&f.levels[d])
		}
		live := &f.levels[in]
		for {
			f.turn(pos, in)
			run(f, head)
			if cond != nil && !cond.keep(f, live) {
				break
			}
			if skips {
				f.levels[in+1].set(live)
			}
			sig := run(f, body)
			if sig == breaks {
				break
			}
			if sig == returns {
				return returns
			}
			if live.n == 0 {
				break
			}
			run(f, post)
			if late != nil && !late.keep(f, live) {
				break
			}
		}
		if f.levels[d].n == 0 {
			return dead
		}
		return next
	})
	if cond != nil {
		cond.done(c)
	}
	if late != nil {
		late.done(c)
	}
}

// jump takes lanes out of the loop, or to its next turn.
func (c *compiler) jump(s *flat.Jump) {
	for i := len(c.frames) - 1; i >= 0; i-- {
		k := c.frames[i]
		if k.loop == nil {
			continue
		}
		sig, to := continues, k.body
		if s.Break {
			sig, to = breaks, k.depth
		}
		c.leave(i, to, sig)
		return
	}
}

func (c *compiler) ret() {
	for i := len(c.frames) - 1; i >= 0; i-- {
		if c.frames[i].scope != nil {
			c.leave(i, c.frames[i].depth, returns)
			return
		}
	}
}

// leave ends the active lanes' stay in structure i: by a signal if all active
// lanes of it take this path together, otherwise by switching them off in
// every mask down to depth to.
func (c *compiler) leave(i, to int, sig signal) {
	for _, k := range c.frames[i+1:] {
		if k.level != flat.Group {
			from := c.depth
			c.steps = append(c.steps, func(f *frame) signal {
				gone := &f.levels[from]
				for d := to; d < from; d++ {
					f.levels[d].remove(gone, f.n)
				}
				gone.remove(gone, f.n)
				return dead
			})
			return
		}
	}
	c.steps = append(c.steps, func(*frame) signal { return sig })
}

// scope is an expanded function: lanes that returned come back after it.
func (c *compiler) scope(s *flat.Scope) {
	d := c.depth
	split := s.Returns != flat.Group
	var body []step
	compile := func() {
		c.enclose(control{scope: s, depth: c.depth})
		body = c.list(s.Body)
		c.pop()
	}
	if split {
		c.deeper(compile)
	} else {
		compile()
	}
	c.steps = append(c.steps, func(f *frame) signal {
		if split {
			f.levels[d+1].set(&f.levels[d])
		}
		run(f, body)
		return next
	})
}
