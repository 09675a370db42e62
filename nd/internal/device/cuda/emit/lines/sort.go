package lines

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// sort writes a sort of the line. Of a few that are kept, each is the first of
// those behind the one before it; else every element counts who comes before
// it.
func (k *kernel) sort(i int, s ir.Stage, p *ir.Sort) {
	k.prepare(s)
	switch {
	case k.holds(p):
		k.selectHeld(i, p)
	case selects(p):
		k.selectFew(s, p)
	default:
		k.rank(s, p)
	}
}

// sorted is what a sort stores of an element.
func sorted(p *ir.Sort, value, at string) string {
	if p.Arg {
		return "(i64)" + at
	}
	return value
}

func (k *kernel) rank(s ir.Stage, p *ir.Sort) {
	n := p.Dims[0]
	k.loop(n, func(c cell) {
		v := k.read(s.Reads[0], p.In, c)[0]
		rank, j := k.name("rank"), k.name("j")
		k.line("int %s = 0;", rank)
		k.open("for (int %s = 0; %s < %d; %s++)", j, j, n, j)
		w := k.read(s.Reads[0], p.In, one(place{base: j, hi: n - 1}))[0]
		k.line("%s += %s;", rank, before(w, j, v, c.at.String(), p.Descending, false))
		k.close()
		at := place{base: rank, hi: n - 1}
		k.write(s.Writes[0], p.Out, one(at), []string{sorted(p, v, c.at.String())}, fmt.Sprintf("%s < %d", rank, p.Keep))
	})
}

// selects reports a sort that keeps few elements.
func selects(p *ir.Sort) bool { return 4*p.Keep <= p.Dims[0] }

// selectFew finds the elements that are kept one after the other: each thread
// has the first of its own that comes behind the last one found, and the line's
// threads agree on the first of those.
func (k *kernel) selectFew(s ir.Stage, p *ir.Sort) {
	n := p.Dims[0]
	typ := emit.Value(p.In.Type)
	value := func(c cell) string { return k.read(s.Reads[0], p.In, c)[0] }
	ahead := func(x, i, y, j string) string { return before(x, i, y, j, p.Descending, false) }
	if hasKeys(p.In.Type) {
		typ, value, ahead = "u32", k.keys(s, p), aheadByKey
	}
	best, at := k.name("best"), k.name("at")
	k.line("%s %s = {};", typ, best)
	k.line("int %s = %d;", at, n)
	last, lastAt := k.name("last"), k.name("at")
	k.line("%s %s = {};", typ, last)
	k.line("int %s = %d;", lastAt, n)
	turn := k.name("turn")
	k.guard.settle(k.text)
	k.line("#pragma unroll 1")
	k.open("for (int %s = 0; %s < %d; %s++)", turn, turn, p.Keep, turn)
	// Only who had the last one has to look for another.
	k.open("if (%s == 0 || %s %% %d == t)", turn, lastAt, k.threads)
	k.line("%s = {};", best)
	k.line("%s = %d;", at, n)
	k.loop(n, func(c cell) {
		v, i := value(c), c.at.String()
		k.when(fmt.Sprintf("(%s == 0 || %s) && (%s == %d || %s)", turn, ahead(last, lastAt, v, i), at, n, ahead(v, i, best, at)),
			"{ %s = %s; %s = %s; }", best, v, at, i)
	})
	k.close()
	k.line("%s = %s;", last, best)
	k.line("%s = %s;", lastAt, at)
	k.tree(min(n, k.threads), last, lastAt, typ, true, func(x, i, y, j string) {
		k.when(fmt.Sprintf("%s != %d && (%s == %d || %s)", j, n, i, n, ahead(y, j, x, i)), "{ %s = %s; %s = %s; }", x, y, i, j)
	})
	to := one(place{base: turn, hi: p.Keep - 1, ok: "t == 0"})
	found := "(i64)" + lastAt
	if !p.Arg {
		found = k.read(s.Reads[0], p.In, one(place{base: lastAt, hi: n - 1}))[0]
	}
	k.write(s.Writes[0], p.Out, to, []string{found}, "")
	k.guard.settle(k.text)
	k.close()
}

// aheadByKey orders by greater keys, equal ones by position.
func aheadByKey(x, i, y, j string) string {
	return fmt.Sprintf("(%s > %s || (%s == %s && %s < %s))", x, y, x, y, i, j)
}

// hasKeys reports a type whose elements have keys.
func hasKeys(t elem.Type) bool { return t.IsFloat() && t.Size() <= 4 }

// key is an integer that is the greater the earlier a float comes in the order:
// 1 for NaN, and more than that for others.
func (k *kernel) key(s ir.Stage, p *ir.Sort, c cell) string {
	v := k.read(s.Reads[0], p.In, c)[0]
	bits := k.let("u32", "__float_as_uint(%s + 0.0f)", v) // both zeros are equal
	key := k.let("u32", "%s ^ (%s >> 31 ? 0xffffffffu : 0x80000000u)", bits, bits)
	if !p.Descending {
		key = "~" + key
	}
	return k.let("u32", "%s == %s ? %s : 1u", v, v, key)
}

// keys puts keys in shared memory.
func (k *kernel) keys(s ir.Stage, p *ir.Sort) func(c cell) string {
	const part = "keys"
	array := fmt.Sprintf("((u32*)(swap + %d))", 20*k.threads)
	k.guard.read[swapped] = true
	k.guard.wait(k.text)
	k.loop(p.Dims[0], func(c cell) {
		k.line("%s[%s] = %s;", array, c.at, k.key(s, p, c))
	})
	k.guard.written[part] = true
	return func(c cell) string {
		k.guard.beforeRead(k.text, part)
		return k.let("u32", "%s[%s]", array, c.at)
	}
}
