package lines

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// combining is the pointwise operation of each reduction.
var combining = [...]scalar.Op{
	ir.Sum: scalar.Add, ir.Prod: scalar.Mul, ir.Max: scalar.Maximum,
	ir.Min: scalar.Minimum, ir.All: scalar.And, ir.Any: scalar.Or,
}

// summed is the type that values of a type are added up in.
func summed(t elem.Type) elem.Type {
	if t.IsHalf() {
		return elem.Float32
	}
	return t
}

// combined writes the combination of two values of a type and names it.
func (k *kernel) combined(op ir.ReduceOp, t elem.Type, x, y string) string {
	c := &ir.Code{
		In: []ir.Operand{{Type: t}, {Type: t}},
		Instrs: []ir.Instr{
			{Kind: ir.Load, Type: t}, {Kind: ir.Load, Type: t, Slot: 1},
			{Kind: ir.Apply, Op: combining[op], Type: t, A: 0, B: 1},
		},
	}
	return k.code(c, func(i int) []string { return []string{[]string{x, y}[i]} }, one(place{}), []int{2})[0][0]
}

// before is the condition that value x at position i comes before y at j in an
// order: NaN last, or first, equal ones by position.
func before(x, i, y, j string, greatest, nanFirst bool) string {
	less := "<"
	if greatest {
		less = ">"
	}
	nan := fmt.Sprintf("(%s == %s && %s != %s)", x, x, y, y)
	if nanFirst {
		nan = fmt.Sprintf("(%s != %s && %s == %s)", x, x, y, y)
	}
	return fmt.Sprintf("(%s %s %s || %s || (!(%s < %s) && !(%s > %s) && (%s == %s) == (%s == %s) && %s < %s))",
		x, less, y, nan, x, y, x, y, x, x, y, y, i, j)
}

// scratch is the pointer to room that the line's threads share, for elements of
// a type.
func (k *kernel) scratch(typ string) string { return fmt.Sprintf("((%s*)swap)", typ) }

// reduce writes a reduction along the line.
func (k *kernel) reduce(i int, s ir.Stage, r *ir.Reduce) {
	for _, slot := range s.Reads {
		k.announce(slot)
	}
	if r.Op == ir.ArgMax || r.Op == ir.ArgMin {
		k.ending(s, r, k.let("i64", "%s", k.extreme(s, r)))
		return
	}
	t := r.Instrs[r.Value].Type
	k.ending(s, r, k.let(emit.Value(t), "%s", k.uses.Rounded(t, k.sum(i, s, r))))
}

// extreme is the position of the greatest or least element: threads find that
// of every so manieth, then of each other's.
func (k *kernel) extreme(s ir.Stage, r *ir.Reduce) string {
	typ := emit.Value(r.Instrs[r.Value].Type)
	best, at := k.name("best"), k.name("at")
	k.line("%s %s = {};", typ, best)
	k.line("int %s = 0;", at)
	k.loop(r.Dims[0], func(c cell) {
		v := k.code(&r.Code, func(i int) []string { return k.read(s.Reads[i], r.In[i], c) }, c, []int{r.Value})[0][0]
		k.when(fmt.Sprintf("%s == t || %s", c.at, before(v, c.at.String(), best, at, r.Op == ir.ArgMax, true)),
			"{ %s = %s; %s = %s; }", best, v, at, c.at)
	})
	k.tree(min(r.Dims[0], k.threads), best, at, typ, true, func(x, i, y, j string) {
		k.when(before(y, j, x, i, r.Op == ir.ArgMax, true), "{ %s = %s; %s = %s; }", x, y, i, j)
	})
	return at
}

// readKept is read that keeps what it loads for the transform that follows.
func (k *kernel) readKept(slot int, o ir.Operand, c cell) []string {
	k.keeps = true
	v := k.read(slot, o, c)
	k.keeps = false
	return v
}

// ending writes what a reduction ends in.
func (k *kernel) ending(s ir.Stage, r *ir.Reduce, result string) {
	for _, slot := range s.Writes {
		if h, ok := k.homes[slot]; ok {
			k.guard.beforeWrite(k.text, h.name)
		}
	}
	for _, a := range emit.ArgSlots(&r.Post) {
		k.args[a] = true
	}
	point := one(place{})
	quiet := k.guard.quiet
	k.guard.quiet = true
	st := k.uses.Code(&r.Post, emit.Spelling{Prefix: k.name("u") + "_", Acc: result,
		Load:  func(i int) string { return k.read(s.Reads[len(r.In)+i], r.Post.In[i], point)[0] },
		Index: func(i int) string { return fmt.Sprint(r.Post.Positions[i].Offset) },
	}, len(r.Post.Instrs)-1)
	k.paste(st.Head + st.Body)
	value := st.Names[len(r.Post.Instrs)-1]
	k.guard.quiet = quiet
	if k.isScalar(s.Writes[0]) {
		k.scalars[s.Writes[0]] = value
		return
	}
	k.write(s.Writes[0], r.Out, point, []string{value}, "t == 0")
}

// isScalar reports a slot of one element that a reduction writes and the same
// segment reads: every thread has it in a register.
func (k *kernel) isScalar(slot int) bool {
	u := k.slots[slot]
	if k.p.Slots[slot].Kind != ir.LocalSlot || k.p.Slots[slot].Len != 1 || len(u.writers) != 1 {
		return false
	}
	w := k.p.Stages[u.writers[0]]
	if _, ok := w.Program.(*ir.Reduce); !ok {
		return false
	}
	for _, r := range u.readers {
		if k.p.Stages[r.stage].Each != w.Each {
			return false
		}
	}
	return true
}

// tree combines the values of the first count threads of a line, pairwise; all
// threads end up with the result. With a position each if positions is set.
func (k *kernel) tree(count int, acc, at, typ string, positions bool, combine func(x, i, y, j string)) {
	if count == k.threads && (32%count == 0 || count%32 == 0) {
		k.shuffled(acc, at, typ, positions, combine)
		return
	}
	values, places := k.scratch(typ), k.scratchPlaces()
	put := func() {
		k.line("%s[t] = %s;", values, acc)
		if positions {
			k.line("%s[t] = %s;", places, at)
		}
	}
	k.guard.read[swapped] = true // whoever used it for an exchange
	k.guard.wait(k.text)
	put()
	half := 1
	for 2*half < count {
		half *= 2
	}
	for ; half > 0; half /= 2 {
		k.guard.wait(k.text)
		k.open("if (t < %d && t + %d < %d)", half, half, min(count, 2*half))
		y := k.let(typ, "%s[t + %d]", values, half)
		j := "0"
		if positions {
			j = k.let("int", "%s[t + %d]", places, half)
		}
		combine(acc, at, y, j)
		put()
		k.close()
	}
	k.guard.wait(k.text)
	k.line("%s = %s[0];", acc, values)
	if positions {
		k.line("%s = %s[0];", at, places)
	}
	k.guard.read[swapped] = true
	k.guard.wait(k.text)
}

// swapped is the part of shared memory that exchanges use.
const swapped = "swap"

func (k *kernel) scratchPlaces() string { return fmt.Sprintf("((int*)(swap + %d))", 16*k.threads) }

// shuffled is tree where lines are whole warps, or warps whole lines: threads
// of a warp exchange values directly, and warps by way of shared memory.
func (k *kernel) shuffled(acc, at, typ string, positions bool, combine func(x, i, y, j string)) {
	k.uses.Part("shuffle")
	for d := min(k.threads, 32) / 2; d > 0; d /= 2 {
		y, j := k.let(typ, "shuffle_xor(%s, %d)", acc, d), "0"
		if positions {
			j = k.let("int", "shuffle_xor(%s, %d)", at, d)
		}
		combine(acc, at, y, j)
	}
	if k.threads <= 32 {
		return
	}
	values, places := k.scratch(typ), k.scratchPlaces()
	k.guard.read[swapped] = true
	k.guard.wait(k.text)
	k.when("t % 32 == 0", "%s[t / 32] = %s;", values, acc)
	if positions {
		k.when("t % 32 == 0", "%s[t / 32] = %s;", places, at)
	}
	k.guard.wait(k.text)
	k.line("%s = %s[0];", acc, values)
	if positions {
		k.line("%s = %s[0];", at, places)
	}
	for w := 1; w < k.threads/32; w++ {
		y, j := k.let(typ, "%s[%d]", values, w), "0"
		if positions {
			j = k.let("int", "%s[%d]", places, w)
		}
		combine(acc, at, y, j)
	}
	k.guard.read[swapped] = true
}

// scan writes a running sum or product: threads take neighbouring elements,
// and then what all before them have.
func (k *kernel) scan(s ir.Stage, p *ir.Scan) {
	k.prepare(s)
	n, t := p.Dims[0], summed(p.In.Type)
	typ := emit.Value(t)
	chunk := (n + k.threads - 1) / k.threads
	acc := k.name("sum")
	quiet := k.guard.quiet
	part := func(f func(at cell)) {
		k.guard.quiet = true
		i := k.name("i")
		k.open("for (int %s = t * %d; %s < min(%d, (t + 1) * %d); %s++)", i, chunk, i, n, chunk, i)
		f(one(place{base: i, hi: n - 1}))
		k.close()
		k.guard.quiet = quiet
	}
	k.line("%s %s = {};", typ, acc)
	part(func(at cell) {
		v := k.read(s.Reads[0], p.In, at)[0]
		k.line("%s = %s == t * %d ? %s : %s;", acc, at.at, chunk, v, k.combined(p.Op, t, acc, v))
	})
	const shared = swapped
	values := k.scratch(typ)
	k.guard.read[shared] = true
	k.guard.wait(k.text)
	k.line("%s[t] = %s;", values, acc)
	k.guard.written[shared] = true
	for d := 1; d < k.threads; d *= 2 {
		k.guard.wait(k.text)
		before := k.name("before")
		k.line("%s %s = {};", typ, before)
		k.when(fmt.Sprintf("t >= %d", d), "%s = %s[t - %d];", before, values, d)
		k.guard.read[shared] = true
		k.guard.wait(k.text)
		k.open("if (t >= %d)", d)
		k.line("%s = %s;", acc, k.combined(p.Op, t, before, acc))
		k.line("%s[t] = %s;", values, acc)
		k.close()
		k.guard.written[shared] = true
	}
	k.guard.wait(k.text)
	run := k.name("sum")
	k.line("%s %s = {};", typ, run)
	k.when("t > 0", "%s = %s[t - 1];", run, values)
	k.guard.read[shared] = true
	part(func(at cell) {
		v := k.read(s.Reads[0], p.In, at)[0]
		k.line("%s = %s == 0 ? %s : %s;", run, at.at, v, k.combined(p.Op, t, run, v))
		k.write(s.Writes[0], p.Out, at, []string{k.uses.Rounded(p.In.Type, run)}, "")
	})
}
