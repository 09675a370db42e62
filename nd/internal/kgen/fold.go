package kgen

import (
	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// fold is how values of a type are combined.
type fold struct {
	op   ir.ReduceOp
	t    elem.Type
	wide bool // positions have 64 bits

	// twice is a sum of products with twice the digits; take then takes two
	// factors.
	twice bool
}

// acc is an accumulator: one number, the parts of a complex one, an extreme and
// its place, or totals and what was lost of them.
type acc []build.Val

func (f fold) isArg() bool { return f.op == ir.ArgMax || f.op == ir.ArgMin }

// kinds are those of an accumulator's numbers.
func (f fold) kinds() []ktree.Kind {
	switch {
	case f.twice && f.t.IsComplex():
		return []ktree.Kind{ktree.Double, ktree.Double, ktree.Double, ktree.Double}
	case f.twice:
		return []ktree.Kind{ktree.Double, ktree.Double}
	case f.isArg():
		return []ktree.Kind{KindOf(f.t), f.place()}
	case f.op >= ir.All:
		return []ktree.Kind{ktree.Uint}
	case f.t.IsComplex():
		return []ktree.Kind{KindOf(f.t), KindOf(f.t)}
	}
	return []ktree.Kind{f.number()}
}

// place is the kind of a position.
func (f fold) place() ktree.Kind {
	if f.wide || f.t.Size() == 8 {
		return ktree.Long
	}
	return ktree.Int
}

// number is the kind in which numbers are combined: sums and products of
// integers without a sign, where wrapping is defined, and none below 32 bits.
func (f fold) number() ktree.Kind {
	extremes := f.op == ir.Max || f.op == ir.Min
	switch {
	case f.t == elem.Uint8, f.t == elem.Uint32, f.t.IsInteger() && f.t.Size() <= 4 && !extremes:
		return ktree.Uint
	case f.t == elem.Int8, f.t == elem.Int16:
		return ktree.Int
	case f.t == elem.Int64 && !extremes:
		return ktree.Ulong
	}
	return KindOf(f.t)
}

// none is what any other accumulator combines with to itself.
func (f fold) none() acc {
	if f.isArg() { // -1 is nothing yet
		return acc{build.Int(KindOf(f.t), 0), build.Int(f.place(), -1)}
	}
	var a acc
	for i, k := range f.kinds() {
		one := 0
		if i == 0 && (f.op == ir.Prod || f.op == ir.All) {
			one = 1
		}
		a = append(a, build.Int(k, int64(one)))
	}
	switch f.op {
	case ir.Max:
		a[0] = least(a[0].Kind(), f.t)
	case ir.Min:
		a[0] = most(a[0].Kind(), f.t)
	}
	return a
}

// Identity is what any other value of a type combines with to itself, as a
// reduction starts.
func Identity(op ir.ReduceOp, t elem.Type) Num {
	k := KindOf(t)
	switch op {
	case ir.All, ir.Any:
		return Real(build.Bool(op == ir.All))
	case ir.Max:
		return Real(least(k, t))
	case ir.Min:
		return Real(most(k, t))
	}
	one := map[ir.ReduceOp]int64{ir.Prod: 1}[op]
	n := Real(build.Int(k, one))
	if t.IsComplex() {
		n.Im = build.Int(k, 0)
	}
	return n
}

// least and most are the identities of Max and Min.
func least(k ktree.Kind, t elem.Type) build.Val {
	if lo, _ := t.Range(); t.IsInteger() {
		return build.Int(k, lo)
	}
	return build.Infinity(k).Neg()
}

func most(k ktree.Kind, t elem.Type) build.Val {
	if _, hi := t.Range(); t.IsInteger() {
		return build.Int(k, hi)
	}
	return build.Infinity(k)
}

// lift is a value at position i as an accumulator.
func (f fold) lift(x Num, i build.Val) acc {
	switch {
	case f.isArg():
		return acc{x.Re, i.To(f.place())}
	case x.IsComplex():
		return acc{x.Re, x.Im}
	}
	return acc{x.Re.To(f.kinds()[0])}
}

// named gives the numbers of an accumulator names, to be used more than once.
func named(k *build.Kernel, name string, a acc) acc {
	return lists.Map(a, func(v build.Val) build.Val { return k.Let(name, v) })
}

// join combines an accumulator with one that comes after it.
func (f fold) join(k *build.Kernel, a, b acc) acc {
	switch {
	case f.twice:
		var out acc
		for i := 0; i < len(a); i += 2 {
			out = append(out, plusLost(k, a[i:i+2], b[i], b[i+1])...)
		}
		return out
	case f.isArg():
		return f.joinArgs(k, named(k, "a", a), named(k, "b", b))
	}
	switch f.op {
	case ir.Sum:
		return lists.Make(len(a), func(i int) build.Val { return a[i].Add(b[i]) })
	case ir.Prod:
		if len(a) == 2 {
			a, b = named(k, "a", a), named(k, "b", b)
			z := Num{a[0], a[1]}.times(Num{b[0], b[1]})
			return acc{z.Re, z.Im}
		}
		return acc{a[0].Mul(b[0])}
	case ir.All:
		return acc{a[0].And(b[0])}
	case ir.Any:
		return acc{a[0].Or(b[0])}
	}
	a, b = named(k, "a", a), named(k, "b", b)
	if f.op == ir.Min {
		return acc{lesser(a[0], b[0])}
	}
	return acc{greater(a[0], b[0])}
}

// joinArgs takes the first of the extremes, or the first NaN.
func (f fold) joinArgs(k *build.Kernel, a, b acc) acc {
	better := a[0].Gt(b[0])
	if f.op == ir.ArgMin {
		better = a[0].Lt(b[0])
	}
	earlier := a[1].Lt(b[1])
	first := a[0].Eq(b[0]).Choose(earlier, better)
	if a[0].Kind().IsFloat() {
		aNaN, bNaN := k.Let("a_nan", a[0].Ne(a[0])), k.Let("b_nan", b[0].Ne(b[0]))
		first = aNaN.OrElse(bNaN).Choose(aNaN.AndThen(bNaN.Not().OrElse(earlier)), first)
	}
	first = k.Let("take_a", a[1].Lt(0).Not().AndThen(b[1].Lt(0).OrElse(first)))
	return acc{first.Choose(a[0], b[0]), first.Choose(a[1], b[1])}
}

// take joins a value at position i that comes after all that the accumulator
// has; of two factors, the product.
func (f fold) take(k *build.Kernel, a acc, x, y Num, i build.Val) acc {
	switch {
	case f.twice && f.t.IsComplex():
		re := plusProduct(k, plusProduct(k, a[:2], x.Re, y.Re), x.Im.Neg(), y.Im)
		im := plusProduct(k, plusProduct(k, a[2:], x.Re, y.Im), x.Im, y.Re)
		return append(append(acc{}, re...), im...)
	case f.twice:
		return plusProduct(k, a, x.Re, y.Re)
	case !f.isArg():
		return f.join(k, a, f.lift(x, i))
	}
	a = named(k, "a", a)
	worse := x.Re.Le(a[0])
	if f.op == ir.ArgMin {
		worse = x.Re.Ge(a[0])
	}
	better := worse.Not()
	if a[0].Kind().IsFloat() {
		better = a[0].Eq(a[0]).AndThen(better)
	}
	better = k.Let("better", a[1].Lt(0).OrElse(better))
	return acc{better.Choose(x.Re, a[0]), better.Choose(i.To(f.place()), a[1])}
}

// result is an accumulator as the value that a Post code's Acc gives.
func (f fold) result(k *build.Kernel, a acc) Num {
	switch {
	case f.twice && f.t.IsComplex():
		return Num{valueOf(k, a[:2]), valueOf(k, a[2:])}
	case f.twice:
		return Real(valueOf(k, a))
	case f.isArg():
		return Real(a[1].To(ktree.Long))
	case f.op >= ir.All:
		return Real(a[0].Ne(0))
	case len(a) == 2:
		return Num{a[0], a[1]}
	}
	return Real(Rounded(f.t, a[0].To(KindOf(f.t))))
}

// An accumulator of twice the digits is a total, and what its additions rounded
// away (Knuth's sum of two, exact in either order).

// plusLost adds x and what was lost of it.
func plusLost(k *build.Kernel, a acc, x, lost build.Val) acc {
	a, x = named(k, "a", a), k.Let("x", x)
	s := k.Let("s", a[0].Add(x))
	b := k.Let("b", s.Sub(a[0]))
	return named(k, "sum", acc{s, a[1].Add(lost).Add(a[0].Sub(s.Sub(b)).Add(x.Sub(b)))})
}

func plusProduct(k *build.Kernel, a acc, x, y build.Val) acc {
	p := k.Let("p", x.Mul(y))
	return plusLost(k, a, p, build.Apply(ktree.Fma, x, y, p.Neg()))
}

// valueOf is the total and what was lost of it, where that is a number.
func valueOf(k *build.Kernel, a acc) build.Val {
	v := k.Let("v", a[0].Add(a[1]))
	return v.Sub(v).Eq(0.0).Choose(v, a[0])
}

// accs is an array of accumulators: one of numbers for each.
type accs []build.Val

func (a accs) at(is ...any) acc {
	return lists.Make(len(a), func(i int) build.Val { return a[i].At(is...) })
}

// put sets an element.
func (a accs) put(k *build.Kernel, v acc, is ...any) {
	if len(a) > 1 { // numbers of one may depend on those of another
		v = named(k, "t", v)
	}
	for i := range a {
		k.Set(a[i].At(is...), v[i])
	}
}

// accsOf makes an array for each kind of number of an accumulator.
func accsOf(kinds []ktree.Kind, array func(i int, t ktree.Type) build.Val) (a accs) {
	return lists.Make(len(kinds), func(i int) build.Val { return array(i, ktree.Scalar(kinds[i])) })
}

// accArray declares accumulators that are set before they are read.
func (e *entry) accArray(kinds []ktree.Kind, name string, n int) accs {
	return accsOf(kinds, func(_ int, t ktree.Type) build.Val { return e.Array(name, t, n) })
}

// sharedAccs is an array of accumulators in shared memory.
func (e *entry) sharedAccs(kinds []ktree.Kind, name string, dims ...int) accs {
	return accsOf(kinds, func(_ int, t ktree.Type) build.Val { return e.Shared(name, t, dims...) })
}

// scratchAccs is an array of accumulators in scratch memory, from number first
// on.
func (e *entry) scratchAccs(kinds []ktree.Kind, name string, first int) accs {
	return accsOf(kinds, func(i int, t ktree.Type) build.Val { return e.buffer(name, t, scratch(first+i)) })
}

// none declares n accumulators that have nothing yet.
func (e *entry) none(f fold, name string, n int) accs {
	a := e.accArray(f.kinds(), name, n)
	e.Each("k", n, func(k build.Val) { a.put(e.Kernel, f.none(), k) })
	return a
}

// bytesOf are the sizes of numbers.
func bytesOf(kinds []ktree.Kind) (list []int) {
	return lists.Map(kinds, func(k ktree.Kind) int { return k.Bits() / 8 })
}
