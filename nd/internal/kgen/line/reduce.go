package line

import (
	"slices"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
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

// combined is the combination of two values of a type, named.
func (k *kernel) combined(op ir.ReduceOp, t elem.Type, x, y kgen.Num) kgen.Num {
	c := &ir.Code{
		In: []ir.Operand{{Type: t}, {Type: t}},
		Instrs: []ir.Instr{
			{Kind: ir.Load, Type: t}, {Kind: ir.Load, Type: t, Slot: 1},
			{Kind: ir.Apply, Op: combining[op], Type: t, A: 0, B: 1},
		},
	}
	return k.code(c, func(i int) []kgen.Num { return []kgen.Num{[]kgen.Num{x, y}[i]} }, origin(), []ir.ValueID{2})[0][0]
}

// before is the condition that value x at position i comes before y at j in an
// order: NaN last, or first, equal ones by position.
func before(x, i, y, j build.Val, greatest, nanFirst bool) build.Val {
	first := x.Lt(y)
	if greatest {
		first = x.Gt(y)
	}
	equal := x.Lt(y).Not().AndThen(x.Gt(y).Not())
	if x.Kind().IsFloat() {
		nan := x.Eq(x).AndThen(y.Ne(y))
		if nanFirst {
			nan = x.Ne(x).AndThen(y.Eq(y))
		}
		first, equal = first.OrElse(nan), equal.AndThen(x.Eq(x).Eq(y.Eq(y)))
	}
	return first.OrElse(equal.AndThen(i.Lt(j)))
}

// stored is an array of values of a type in shared memory.
type stored struct {
	t    elem.Type
	from build.Val
}

// scratch is room that the line's threads share.
func (k *kernel) scratch(t elem.Type) stored { return stored{t, k.swap(storedType(t))} }

// storedType is the type of values in scratch: those that registers have.
func storedType(t elem.Type) ktree.Type { return kgen.MemoryOf(summed(t)) }

func (k *kernel) fetched(s stored, at build.Val) kgen.Num {
	return k.valueAt(summed(s.t), s.from.At(at))
}

func (k *kernel) put(s stored, at build.Val, v kgen.Num) {
	k.Set(s.from.At(at), kgen.Put(summed(s.t), v))
}

// scratchPlaces is room behind that for a position of each thread.
func (k *kernel) scratchPlaces() build.Val { return k.room(ktree.Scalar(ktree.Int), 16*k.threads) }

// reduce makes a reduction along the line.
func (k *kernel) reduce(i int, s ir.Stage, r *ir.Reduce) {
	for _, slot := range s.Reads {
		k.announce(slot)
	}
	if r.Op == ir.ArgMax || r.Op == ir.ArgMin {
		k.ending(s, r, kgen.Real(k.Let("found", k.extreme(s, r).To(ktree.Long))))
		return
	}
	t := r.Instrs[r.Value].Type
	v := k.sum(i, s, r)
	v.Re = kgen.Rounded(t, v.Re)
	k.ending(s, r, kgen.Named(k.Kernel, "total", v))
}

// extreme is the position of the greatest or least element: threads find that
// of every so manieth, then of each other's.
func (k *kernel) extreme(s ir.Stage, r *ir.Reduce) build.Val {
	t := r.Instrs[r.Value].Type
	best, at := kgen.Variable(k.Kernel, "best", zeroOf(t)), k.Var("at", whole(0))
	k.loop(r.Dims[0], func(c cell) {
		v := k.code(&r.Code, func(i int) []kgen.Num { return k.read(s.Reads[i], r.In[i], c) }, c, []ir.ValueID{r.Value})[0][0]
		k.If(c.at.at.Eq(k.t).OrElse(before(v.Re, c.at.at, best.Re, at, r.Op == ir.ArgMax, true)), func() {
			kgen.Assign(k.Kernel, best, v)
			k.Set(at, c.at.at)
		})
	})
	k.tree(min(r.Dims[0], k.threads), t, best, at, func(y kgen.Num, j build.Val) {
		k.If(before(y.Re, j, best.Re, at, r.Op == ir.ArgMax, true), func() {
			kgen.Assign(k.Kernel, best, y)
			k.Set(at, j)
		})
	})
	return at
}

// ending makes what a reduction ends in.
func (k *kernel) ending(s ir.Stage, r *ir.Reduce, result kgen.Num) {
	for _, slot := range s.Writes {
		if h, ok := k.homes[slot]; ok {
			k.guard.beforeWrite(h.name)
		}
	}
	value := k.ended(s, r, result)
	if k.isScalar(s.Writes[0]) {
		k.scalars[s.Writes[0]] = value
		return
	}
	k.write(s.Writes[0], r.Out, origin(), []kgen.Num{value}, k.t.Eq(0))
}

// ended is what a reduction ends in, of what it comes to.
func (k *kernel) ended(s ir.Stage, r *ir.Reduce, result kgen.Num) (value kgen.Num) {
	point := origin()
	k.guard.quietly(func() {
		value = k.codes().At(&r.Post, "w", kgen.Leaves{Acc: result,
			Load:  func(i int) kgen.Num { return k.read(s.Reads[len(r.In)+i], r.Post.In[i], point)[0] },
			Index: func(i int) build.Val { return build.Int(ktree.Long, int64(r.Post.Positions[i].Offset)) },
		}, r.Post.Last())[0]
	})
	return value
}

// isScalar reports a slot of one element that a reduction writes and the same
// segment reads: every thread has it in a register.
func (k *kernel) isScalar(slot ir.SlotID) bool {
	u := k.slots[slot]
	if k.p.Slots[slot].Kind != ir.LocalSlot || k.p.Slots[slot].Len != 1 || len(u.Writers) != 1 {
		return false
	}
	w := k.p.Stages[u.Writers[0]]
	if _, ok := w.Program.(*ir.Reduce); !ok {
		return false
	}
	return !slices.ContainsFunc(u.Readers, func(r ir.Use) bool { return k.p.Stages[r.Stage].Each != w.Each })
}

// shuffles reports that values of so many threads of a line can be exchanged
// without shared memory, or warp by warp: the threads of a line are neighbours.
func (k *kernel) shuffles(threads int) bool {
	return k.target.Subgroup == 32 && !k.outer.columns && threads == k.threads && (32%threads == 0 || threads%32 == 0)
}

// shuffled is the value of the thread whose number differs by d.
func (k *kernel) shuffled(v kgen.Num, d int) kgen.Num {
	across := func(v build.Val) build.Val {
		if kind := v.Kind(); kind.Bits() < 32 {
			return k.Across(ktree.SimdShuffleXor, v.To(ktree.Uint), d).To(kind)
		}
		return k.Across(ktree.SimdShuffleXor, v, d)
	}
	if v.IsComplex() {
		return kgen.Num{Re: across(v.Re), Im: across(v.Im)}
	}
	return kgen.Real(across(v.Re))
}

// tree combines the values of the first count threads of a line, pairwise, in
// variables; all threads end up with the result. With a position each if at is
// there.
func (k *kernel) tree(count int, t elem.Type, acc kgen.Num, at build.Val, combine func(y kgen.Num, j build.Val)) {
	if count == k.threads && k.shuffles(count) {
		k.treeOfWarps(t, acc, at, combine)
		return
	}
	values := k.scratch(t)
	var places build.Val
	if !at.IsNil() {
		places = k.scratchPlaces()
	}
	put := func() {
		k.put(values, k.t, acc)
		if !at.IsNil() {
			k.Set(places.At(k.t), at)
		}
	}
	k.guard.wait() // whoever used it for an exchange
	put()
	half := 1
	for 2*half < count {
		half *= 2
	}
	for ; half > 0; half /= 2 {
		k.guard.wait()
		k.If(k.t.Lt(half).AndThen(raised(k.t, half).Lt(min(count, 2*half))), func() {
			y, j := k.fetched(values, raised(k.t, half)), build.Val{}
			if !at.IsNil() {
				j = k.Let("j", places.At(raised(k.t, half)))
			}
			combine(y, j)
			put()
		})
	}
	k.guard.wait()
	k.takeFirst(values, places, acc, at)
	k.guard.wait()
}

// takeFirst sets variables to what shared memory begins with.
func (k *kernel) takeFirst(values stored, places build.Val, acc kgen.Num, at build.Val) {
	kgen.Assign(k.Kernel, acc, k.fetched(values, whole(0)))
	if !at.IsNil() {
		k.Set(at, places.At(0))
	}
}

// treeOfWarps is tree where lines are whole warps, or warps whole lines: threads
// of a warp exchange values directly, and warps by way of shared memory.
func (k *kernel) treeOfWarps(t elem.Type, acc kgen.Num, at build.Val, combine func(y kgen.Num, j build.Val)) {
	for d := min(k.threads, 32) / 2; d > 0; d /= 2 {
		y, j := k.shuffled(acc, d), build.Val{}
		if !at.IsNil() {
			j = k.Across(ktree.SimdShuffleXor, at, d)
		}
		combine(y, j)
	}
	if k.threads <= 32 {
		return
	}
	values := k.scratch(t)
	var places build.Val
	k.guard.wait()
	k.If(k.t.Rem(32).Eq(0), func() {
		k.put(values, k.t.Div(32), acc)
		if !at.IsNil() {
			places = k.scratchPlaces()
			k.Set(places.At(k.t.Div(32)), at)
		}
	})
	k.guard.wait()
	k.takeFirst(values, places, acc, at)
	for w := 1; w < k.threads/32; w++ {
		y, j := k.fetched(values, whole(w)), build.Val{}
		if !at.IsNil() {
			j = k.Let("j", places.At(w))
		}
		combine(y, j)
	}
	k.guard.read[swapped] = true
}

// scan makes a running sum or product: threads take neighbouring elements,
// and then what all before them have.
func (k *kernel) scan(s ir.Stage, p *ir.Scan) {
	k.prepare(s)
	n, t := p.Dims[0], summed(p.In.Type)
	chunk := (n + k.threads - 1) / k.threads
	part := func(f func(at cell)) {
		k.guard.quietly(func() {
			end := k.Let("end", build.Min(k.t.Add(1).Mul(chunk), n))
			k.For("i", k.t.Mul(chunk), end, 1, 0, func(i build.Val) { f(one(place{at: i})) })
		})
	}
	acc := kgen.Variable(k.Kernel, "sum", zeroOf(t))
	part(func(at cell) {
		v := k.read(s.Reads[0], p.In, at)[0]
		kgen.Assign(k.Kernel, acc, k.chosen(at.at.at.Eq(k.t.Mul(chunk)), v, k.combined(p.Op, t, acc, v)))
	})
	values := k.scratch(t)
	k.guard.wait()
	k.put(values, k.t, acc)
	k.guard.written[swapped] = true
	for d := 1; d < k.threads; d *= 2 {
		k.guard.wait()
		before := kgen.Variable(k.Kernel, "before", zeroOf(t))
		k.If(k.t.Ge(d), func() { kgen.Assign(k.Kernel, before, k.fetched(values, k.t.Sub(d))) })
		k.guard.wait()
		k.If(k.t.Ge(d), func() {
			kgen.Assign(k.Kernel, acc, k.combined(p.Op, t, before, acc))
			k.put(values, k.t, acc)
		})
		k.guard.written[swapped] = true
	}
	k.guard.wait()
	run := kgen.Variable(k.Kernel, "sum", zeroOf(t))
	k.If(k.t.Gt(0), func() { kgen.Assign(k.Kernel, run, k.fetched(values, k.t.Sub(1))) })
	k.guard.read[swapped] = true
	part(func(at cell) {
		v := k.read(s.Reads[0], p.In, at)[0]
		kgen.Assign(k.Kernel, run, k.chosen(at.at.at.Eq(0), v, k.combined(p.Op, t, run, v)))
		v = run
		v.Re = kgen.Rounded(p.In.Type, v.Re)
		k.write(s.Writes[0], p.Out, at, []kgen.Num{v}, build.Val{})
	})
}

// chosen is x where a condition holds and y elsewhere.
func (k *kernel) chosen(c build.Val, x, y kgen.Num) kgen.Num {
	if x.IsComplex() {
		return kgen.Num{Re: k.Let("x", c.Choose(x.Re, y.Re)), Im: k.Let("x", c.Choose(x.Im, y.Im))}
	}
	return kgen.Real(c.Choose(x.Re, y.Re))
}
