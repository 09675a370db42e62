package lines

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// lanes are the lanes of a sum (see emit.Lanes) in registers. Thread t of the
// first threads has lanes width*t and on, as many as width, and the same
// width*threads further on, and so on.
type lanes struct {
	width, threads int
	values         []string // in the order of the lanes
}

// folding is a reduction of values of a type.
type folding struct {
	*kernel
	op ir.ReduceOp
	t  elem.Type
}

func (f folding) join(x, y string) string { return f.combined(f.op, f.t, x, y) }

// sum is a reduction along the line in the order that it has as a step of its
// own, as a value that all threads have.
func (k *kernel) sum(i int, s ir.Stage, r *ir.Reduce) string {
	f := folding{k, r.Op, summed(r.Instrs[r.Value].Type)}
	n := r.Dims[0]
	if l, ok := f.fetched(i, s, r); ok {
		return f.fold(l)
	}
	part := emit.PartOf(n)
	var parts []string
	for from := 0; from < n; from += part {
		parts = append(parts, f.fold(f.gathered(s, r, from, min(from+part, n))))
	}
	if len(parts) == 1 {
		return parts[0]
	}
	for len(parts) < emit.Lanes(len(parts)) {
		parts = append(parts, f.let(emit.Value(f.t), "%s", emit.Identity(f.op, f.t)))
	}
	return f.halved(paired(parts, f.join))
}

// gathered adds up the elements from..to, each lane by itself.
func (f folding) gathered(s ir.Stage, r *ir.Reduce, from, to int) lanes {
	n := r.Dims[0]
	all := emit.Lanes(n)
	l := lanes{width: 1, threads: f.sumThreads(n)}
	each := all / l.threads
	sums, base, m := f.name("sum"), f.name("base"), f.name("m")
	f.line("%s %s[%d];", emit.Value(f.t), sums, each)
	f.line("#pragma unroll")
	f.line("for (int %s = 0; %s < %d; %s++) %s[%s] = %s;", m, m, each, m, sums, m, emit.Identity(f.op, f.t))
	was := f.guard.quiet
	f.guard.quiet = true
	first := ""
	if l.threads < f.threads {
		first = fmt.Sprintf("t < %d && ", l.threads)
	}
	f.open("for (int %s = %d; %s < %d; %s += %d)", base, from, base, to, base, all)
	f.line("#pragma unroll")
	f.open("for (int %s = 0; %s < %d; %s++)", m, m, each, m)
	at := f.let("int", "%s + %s * %d + t", base, m, l.threads)
	f.open("if (%s%s < %d)", first, at, to)
	c := one(place{base: at, hi: n - 1})
	v := f.code(&r.Code, func(i int) []string { return f.read(s.Reads[i], r.In[i], c) }, c, []int{r.Value})[0][0]
	f.line("%s[%s] = %s;", sums, m, f.join(fmt.Sprintf("%s[%s]", sums, m), v))
	f.close()
	f.close()
	f.close()
	f.guard.quiet = was
	for j := range each {
		l.values = append(l.values, fmt.Sprintf("%s[%d]", sums, j))
	}
	return l
}

// sumThreads is how many threads gather the lanes of n elements.
func (k *kernel) sumThreads(n int) int {
	return min(1<<(bits.Len(uint(k.threads))-1), emit.Lanes(n))
}

// fetched adds up the elements as a transform that follows reads them, so that
// what both need is loaded once, if those make whole lanes; false if not, or if
// there is no such transform.
func (f folding) fetched(i int, s ir.Stage, r *ir.Reduce) (lanes, bool) {
	n := r.Dims[0]
	x, cells := f.fetches(i, n)
	if len(cells) == 0 {
		return lanes{}, false
	}
	l := lanes{width: cells[0].width, threads: x.split.Threads}
	each := emit.Lanes(n) / (l.width * l.threads) // turns until a thread meets a lane again
	if l.threads&(l.threads-1) != 0 || each == 0 || emit.PartOf(n) < n {
		return lanes{}, false
	}
	order := make([]int, len(cells)) // of the cells along the line
	for j, c := range cells {
		if c.at.add%l.threads != 0 || c.at.base != "t" {
			return lanes{}, false
		}
		order[j] = j
	}
	slices.SortFunc(order, func(a, b int) int { return cells[a].at.add - cells[b].at.add })
	f.kept = map[string][]string{}
	values := make([][]string, len(cells))
	for j, c := range cells {
		values[j] = f.code(&r.Code, func(i int) []string { return f.readKept(s.Reads[i], r.In[i], c) }, c, []int{r.Value})[0]
	}
	l.values = repeated(f.let(emit.Value(f.t), "%s", emit.Identity(f.op, f.t)), each*l.width)
	for _, j := range order {
		lane := cells[j].at.add / l.threads % each * l.width
		for w, v := range values[j] {
			l.values[lane+w] = f.join(l.values[lane+w], v)
		}
	}
	return l, true
}

// fetches lists the cells of a line of n elements in which the next transform
// reads it; none if there is none, or if not every thread has all of its cells.
func (k *kernel) fetches(i, n int) (*transform, []cell) {
	for j := i + 1; j < len(k.p.Stages) && k.p.Stages[j].Each == k.p.Stages[i].Each; j++ {
		x := k.ffts[j]
		if x == nil || k.taken[j] {
			continue
		}
		if !x.direct() || x.f.Kind == ir.FFTRealInverse || x.split.Threads != k.threads || min(x.f.InLen, x.f.InNeeded()) != n {
			return nil, nil
		}
		c := k.newCore(x, x.split, false)
		width := 1
		if x.packed() {
			width = 2
		}
		var cells []cell
		for _, g := range c.groups(0) {
			for _, p := range c.inputs(g, c.radices[0]) {
				at := cell{p, width}
				if p.ok != "" || at.element(width-1).hi >= n {
					return nil, nil
				}
				cells = append(cells, at)
			}
		}
		return x, cells
	}
	return nil, nil
}

// fold adds up lanes: neighbours, then those half of all pairs apart, a quarter
// and so on. All threads have the result.
func (f folding) fold(l lanes) string {
	apart := 1 // threads between those whose values are not yet in one
	switch {
	case l.width == 2 || l.threads == 1:
		l.values = paired(l.values, f.join)
	case f.shuffles(l.threads):
		f.uses.Part("shuffle")
		for j, v := range l.values {
			l.values[j] = f.join(v, f.let(emit.Value(f.t), "shuffle_xor(%s, 1)", v))
		}
		apart = 2
	default:
		l = f.spread(l)
	}
	v := f.halved(l.values)
	if f.shuffles(l.threads) {
		return f.exchanged(v, apart)
	}
	acc := f.name("sum")
	f.line("%s %s = %s;", emit.Value(f.t), acc, v)
	f.tree(l.threads, acc, "", emit.Value(f.t), false, func(x, _, y, _ string) { f.line("%s = %s;", x, f.join(x, y)) })
	return acc
}

// paired joins neighbours.
func paired(v []string, join func(x, y string) string) []string {
	var list []string
	for j := 0; j < len(v); j += 2 {
		list = append(list, join(v[j], v[j+1]))
	}
	return list
}

// halved joins each value with the one half of all on, until there is one.
func (f folding) halved(v []string) string {
	for n := len(v) / 2; n > 0; n /= 2 {
		for j := range n {
			v[j] = f.join(v[j], v[j+n])
		}
		v = v[:n]
	}
	return v[0]
}

// shuffles reports that values of so many threads of a line can be exchanged
// without shared memory, or warp by warp.
func (k *kernel) shuffles(threads int) bool {
	return threads == k.threads && (32%threads == 0 || threads%32 == 0)
}

// spread gives threads neighbouring lanes, by way of shared memory, and joins
// them.
func (f folding) spread(l lanes) lanes {
	typ := emit.Value(f.t)
	shared := f.scratch(typ)
	f.guard.read[swapped] = true // whoever used it for an exchange
	f.guard.wait(f.text)
	for j, v := range l.values {
		f.when(fmt.Sprintf("t < %d", l.threads), "%s[t + %d] = %s;", shared, j*l.threads, v)
	}
	f.guard.wait(f.text)
	pairs := len(l.values) * l.threads / 2
	out := lanes{width: 1, threads: min(l.threads, pairs)}
	q := f.let("int", "min(t, %d)", out.threads-1)
	for j := 0; j < pairs; j += out.threads {
		x, y := f.let(typ, "%s[2 * %s + %d]", shared, q, 2*j), f.let(typ, "%s[2 * %s + %d]", shared, q, 2*j+1)
		out.values = append(out.values, f.join(x, y))
	}
	f.guard.read[swapped] = true
	return out
}

// exchanged joins a value of every thread of a line with those half of all on, a
// quarter and so on, to as near as apart.
func (f folding) exchanged(v string, apart int) string {
	f.uses.Part("shuffle")
	typ := emit.Value(f.t)
	if f.threads > 32 {
		shared := f.scratch(typ)
		f.guard.read[swapped] = true
		f.guard.wait(f.text)
		f.line("%s[t] = %s;", shared, v)
		f.guard.wait(f.text)
		var list []string
		for j := range f.threads / 32 {
			list = append(list, f.let(typ, "%s[t %% 32 + %d]", shared, 32*j))
		}
		f.guard.read[swapped] = true
		v = f.halved(list)
	}
	for d := min(f.threads, 32) / 2; d >= apart; d /= 2 {
		v = f.join(v, f.let(typ, "shuffle_xor(%s, %d)", v, d))
	}
	return v
}
