package lines

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// mostHeld is how many keys a thread has in registers at most.
const mostHeld = 32

// holds reports a sort that keeps few elements, of which threads hold the keys.
func (k *kernel) holds(p *ir.Sort) bool {
	shuffles := k.threads&(k.threads-1) == 0 && (k.threads <= 32 || k.threads%32 == 0)
	return selects(p) && hasKeys(p.In.Type) && shuffles && (p.Dims[0]+k.threads-1)/k.threads <= mostHeld
}

// findAlike finds selections that follow each other and differ only in what they
// keep of an element: itself, or where it is. The first makes both.
func (k *kernel) findAlike() {
	k.alike = map[int]int{}
	for i := 1; i < len(k.p.Stages); i++ {
		s, t := k.p.Stages[i-1], k.p.Stages[i]
		p, ok := s.Program.(*ir.Sort)
		q, also := t.Program.(*ir.Sort)
		if !ok || !also || k.attached[i-1] || !k.holds(p) || s.Each != t.Each || s.Reads[0] != t.Reads[0] || s.Writes[0] == s.Reads[0] || t.Writes[0] == t.Reads[0] {
			continue
		}
		if p.Dims[0] == q.Dims[0] && p.Keep == q.Keep && p.Descending == q.Descending && p.In.Offset == q.In.Offset && along(p.In) == along(q.In) {
			k.alike[i-1], k.attached[i] = i, true
		}
	}
}

// selectHeld finds the elements that are kept one after the other: the line's
// threads agree on the greatest key, and whose it is forgets it. Each of the
// elements is stored by another thread, if there are enough of them.
func (k *kernel) selectHeld(i int, p *ir.Sort) {
	n, s := p.Dims[0], k.p.Stages[i]
	natural := k.natural(n)
	keys := make([]string, len(natural))
	for j, at := range natural {
		key := k.key(s, p, one(at))
		keys[j] = k.name("key")
		if at.ok != "" {
			key = fmt.Sprintf("%s ? %s : 0u", at.ok, key)
		}
		k.line("u32 %s = %s;", keys[j], key)
	}
	best, at, mine := k.name("best"), k.name("at"), k.name("mine")
	k.line("u32 %s;", best)
	k.line("int %s, %s = 0;", at, mine)
	own := func(j int) string { return fmt.Sprintf("t + %d", j*k.threads) }
	choose := func() { // the first of the greatest
		k.line("%s = %s;", best, keys[0])
		k.line("%s = t;", at)
		for j := 1; j < len(keys); j++ {
			k.line("if (%s > %s) { %s = %s; %s = %s; }", keys[j], best, best, keys[j], at, own(j))
		}
	}
	choose()
	turn := k.name("turn")
	k.guard.settle(k.text)
	k.line("#pragma unroll 1")
	k.open("for (int %s = 0; %s < %d; %s++)", turn, turn, p.Keep, turn)
	found := k.leader(best, at, n)
	late := p.Keep <= k.threads
	if late {
		k.when(fmt.Sprintf("t == %s", turn), "%s = %s;", mine, found)
	} else {
		k.keep(i, place{base: turn, hi: p.Keep - 1, ok: "t == 0"}, found)
	}
	k.open("if (%s == %s)", at, found)
	for j, key := range keys {
		k.when(fmt.Sprintf("%s == %s", found, own(j)), "%s = 0u;", key)
	}
	choose()
	k.close()
	k.guard.settle(k.text)
	k.close()
	if late {
		k.keep(i, place{base: "t", hi: p.Keep - 1, ok: fmt.Sprintf("t < %d", p.Keep)}, mine)
	}
}

// keep stores what a selection, and one that is like it, keep of an element.
func (k *kernel) keep(i int, to place, found string) {
	for {
		s := k.p.Stages[i]
		p := s.Program.(*ir.Sort)
		value := "(i64)" + found
		if !p.Arg {
			value = k.read(s.Reads[0], p.In, one(place{base: found, hi: p.Dims[0] - 1}))[0]
		}
		k.write(s.Writes[0], p.Out, one(to), []string{value}, "")
		next, ok := k.alike[i]
		if !ok {
			return
		}
		i = next
	}
}

// leader is the position of the greatest key among the line's threads, the least
// one if there are several. Positions of threads that have no key left are n or
// more, or have key 0, which is the least.
func (k *kernel) leader(best, at string, n int) string {
	most := k.agreed(best, "max")
	first := k.agreed(k.let("u32", "%s == %s ? (u32)%s : %du", best, most, at, n), "min")
	if k.threads <= 32 {
		return k.let("int", "(int)%s", first)
	}
	// Warps by way of shared memory.
	keys, places := k.scratch("u32"), k.scratchPlaces()
	k.guard.read[swapped] = true
	k.guard.wait(k.text)
	k.when("t % 32 == 0", "{ %s[t / 32] = %s; %s[t / 32] = (int)%s; }", keys, most, places, first)
	k.guard.wait(k.text)
	top, where := k.name("top"), k.name("where")
	k.line("u32 %s = %s[0];", top, keys)
	k.line("int %s = %s[0];", where, places)
	for w := 1; w < k.threads/32; w++ {
		x, i := k.let("u32", "%s[%d]", keys, w), k.let("int", "%s[%d]", places, w)
		k.when(aheadByKey(x, i, top, where), "{ %s = %s; %s = %s; }", top, x, where, i)
	}
	k.guard.read[swapped] = true
	return where
}

// agreed is the max or min of a number over the line's threads, or over those
// of a warp.
func (k *kernel) agreed(x, op string) string {
	if k.threads >= 32 && k.card.Arch >= 80 {
		return k.let("u32", "%s(%s)", k.uses.Part("warp_"+op), x)
	}
	k.uses.Part("shuffle")
	for d := min(k.threads, 32) / 2; d > 0; d /= 2 {
		x = k.let("u32", "%s(%s, shuffle_xor(%s, %d))", op, x, x, d)
	}
	return x
}
