package lines

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/kern"
	"github.com/twiddle-go/twiddle/nd/internal/line"
)

// sort writes a sort of the line. Of a few that are kept, each is the first of
// those behind the one before it; else every element counts who comes before
// it.
func (k *kernel) sort(s line.Stage, p *kern.Sort) {
	k.prepare(s)
	if 4*p.Keep <= p.Dims[0] {
		k.select_(s, p)
	} else {
		k.rank(s, p)
	}
}

// sorted is what a sort stores of an element.
func sorted(p *kern.Sort, value, at string) string {
	if p.Arg {
		return "(i64)" + at
	}
	return value
}

func (k *kernel) rank(s line.Stage, p *kern.Sort) {
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

func (k *kernel) select_(s line.Stage, p *kern.Sort) {
	n := p.Dims[0]
	typ := emit.Value(p.In.Type)
	last, lastAt := k.name("last"), k.name("at")
	k.line("%s %s = {};", typ, last)
	k.line("int %s = -1;", lastAt)
	turn := k.name("turn")
	k.guard.settle(k.text)
	k.line("#pragma unroll 1")
	k.open("for (int %s = 0; %s < %d; %s++)", turn, turn, p.Keep, turn)
	best, at := k.name("best"), k.name("at")
	k.line("%s %s = {};", typ, best)
	k.line("int %s = %d;", at, n)
	k.loop(n, func(c cell) {
		v := k.read(s.Reads[0], p.In, c)[0]
		i := c.at.String()
		k.when(fmt.Sprintf("(%s < 0 || %s) && (%s == %d || %s)", lastAt, before(last, lastAt, v, i, p.Descending, false),
			at, n, before(v, i, best, at, p.Descending, false)), "{ %s = %s; %s = %s; }", best, v, at, i)
	})
	k.tree(min(n, k.threads), best, at, typ, true, func(x, i, y, j string) {
		k.when(fmt.Sprintf("%s != %d && (%s == %d || %s)", j, n, i, n, before(y, j, x, i, p.Descending, false)),
			"{ %s = %s; %s = %s; }", x, y, i, j)
	})
	k.line("%s = %s;", last, best)
	k.line("%s = %s;", lastAt, at)
	k.write(s.Writes[0], p.Out, one(place{base: turn, hi: p.Keep - 1, ok: "t == 0"}), []string{sorted(p, best, at)}, "")
	k.guard.settle(k.text)
	k.close()
}
