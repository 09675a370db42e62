package build

import (
	"github.com/twiddle-go/twiddle/internal/ktree"
)

// If runs body where c holds.
func (k *Kernel) If(c Val, body func()) { k.IfElse(c, body, func() {}) }

// IfElse runs one of two bodies; of a condition that is known, only that one is
// there.
func (k *Kernel) IfElse(c Val, then, other func()) {
	if n, ok := c.literal(); ok {
		if n.I != 0 {
			then()
		} else {
			other()
		}
		return
	}
	s := &ktree.If{Cond: c.E, Then: k.nested(then), Else: k.nested(other)}
	if len(s.Then) > 0 || len(s.Else) > 0 {
		k.emit(s)
	}
}

// For counts a new variable from first to below limit by step and runs body for
// each; unroll is that of ktree.Loop. A loop of one round has no variable.
func (k *Kernel) For(name string, first Val, limit, step any, unroll int, body func(i Val)) {
	kind := first.Kind()
	end, by := operand(limit, kind), operand(step, kind)
	lo, known := first.Known()
	hi, too := end.Known()
	each, fixed := by.Known()
	if known && too && fixed && lo < hi && lo+each >= hi {
		body(first)
		return
	}
	if known && too && lo >= hi {
		return
	}
	v := &ktree.Var{Name: k.name(name), Type: first.Type()}
	if least, _ := Range(first); fixed && each > 0 {
		if _, most := Range(end); least >= 0 && most > 0 {
			v.Least, v.Most = least, most-1
		}
	}
	i := ref(v)
	loop := &ktree.Loop{Init: []ktree.Stmt{&ktree.Decl{Var: v, Init: first.E}}, Unroll: unroll}
	loop.Cond = (&ktree.Binary{E: ktree.E{Type: ktree.Scalar(ktree.Bool)}, Op: ktree.Lt, X: i.E, Y: end.E})
	v.Written++
	loop.Post = []ktree.Stmt{&ktree.Do{X: &ktree.Assign{E: ktree.E{Type: i.Type()}, L: i.E,
		R: &ktree.Binary{E: ktree.E{Type: i.Type()}, Op: ktree.Add, X: i.E, Y: by.E}}}}
	loop.Body = k.nested(func() { body(i) })
	k.emit(loop)
}

// Each is For over 0..n-1, as Ints and written out.
func (k *Kernel) Each(name string, n int, body func(i Val)) {
	k.For(name, Int(ktree.Int, 0), n, 1, ktree.Fully, body)
}

// While runs body while c holds; post, which may be nil, runs after each round,
// also one that Continue ended.
func (k *Kernel) While(c Val, unroll int, body, post func()) {
	loop := &ktree.Loop{Unroll: unroll}
	if n, ok := c.literal(); !ok || n.I == 0 {
		loop.Cond = c.E
	}
	loop.Body = k.nested(body)
	if post != nil {
		loop.Post = k.nested(post)
	}
	k.emit(loop)
}

// Block is statements in a scope of their own.
func (k *Kernel) Block(body func()) { k.emit(&ktree.Block{List: k.nested(body)}) }

// Break leaves the loop.
func (k *Kernel) Break() { k.emit(&ktree.Jump{Break: true}) }

// Continue goes on with the loop's next round.
func (k *Kernel) Continue() { k.emit(&ktree.Jump{}) }

// Return ends the thread.
func (k *Kernel) Return() { k.emit(&ktree.Return{}) }
