package line

import (
	"math/bits"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/roots"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/dft"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// core makes the transform of one complex line by the threads of the line.
// Every pass reads element b + j*n/r for its butterfly b and j < r, and leaves
// the result where the next pass finds it so (Stockham's order). So the first
// pass reads memory and the last writes it in the natural order, by threads
// that follow each other, and nothing is ever reversed.
type core struct {
	dft.Arith
	k                       *kernel
	recipe                  *recipe.Recipe
	bits                    int   // of a real
	n, threads              int   // of the recipe
	radices                 []int // its passes
	inverse                 bool
	quarter                 bool       // bins are a quarter lower: roots have the powers of that
	rooted                  bool       // the table has all roots of a butterfly
	inLoad                  int        // how many of those a load gives
	turns                   build.Val  // pointer to what the last pass multiplies all numbers of a butterfly by; nothing if by nothing
	weights                 [][]number // by group: what the first pass multiplies its numbers by; nothing if by nothing
	mirrorFirst, mirrorLast bool
	besideFirst, besideLast bool      // a thread has butterflies 2b and 2b+1 of that pass, whose numbers are neighbours
	backFirst, backLast     bool      // threads take the butterflies of that pass from the last on
	skipFirst, skipLast     bool      // warps without a butterfly skip that pass: what it reads or writes may be in a branch
	thread                  build.Val // the thread's number in its line
	among                   int       // how many there are; those past threads idle
	table                   build.Val // pointer to the twiddles
	shared                  build.Val // pointer to room for what the line's threads exchange: numbers, or parts of them in turn
	wide                    build.Val // the same, to two numbers; nothing if they are stored one by one
	part                    string    // what the guard calls it
	guard                   *guard
	// If set, bins are lower by a part of one, and numbers half as large: it gives the root that elements
	// so far apart are turned by, which is a factor of the roots of butterflies.
	lower func(distance int) number
	// If set, it is given what the first pass has read, and gives what it computes with.
	brought func([][]number) [][]number
	// If set, it is called when the pass before the last has left its numbers for others.
	left func()
	// If set, it is called when the last pass has its numbers in registers.
	taken func()
	// If set, what thread and shared are from the last exchange on: threads
	// change places, so that those which follow each other store to places
	// that do.
	turnedThread, turnedShared build.Val

	// alone says that a thread has all of the line, in registers: it knows at every
	// point which element it has, so that roots are constants and nothing is
	// exchanged. held are the numbers between passes.
	alone bool
	held  []number

	lane   build.Val // thread, but less than threads
	active build.Val // the condition that it is; nothing if always
	pads   map[*ktree.Var]build.Val
}

// fetch gives the numbers at places; deliver takes the results.
type (
	fetch   func(at []place) []number
	deliver func(at []place, v []number)
)

// coreOf is the transform of a recipe by threads of which this is one.
func (k *kernel) coreOf(p *precision, s *recipe.Recipe, inverse bool, thread build.Val, among int) *core {
	return &core{Arith: k.arith(p), k: k, bits: p.bits, recipe: s, inverse: inverse, thread: thread, among: among, part: swapped, guard: k.guard}
}

func (c *core) begin() {
	c.n, c.threads, c.radices = c.recipe.N, c.recipe.Threads, c.recipe.Passes()
	if c.alone {
		c.threads, c.held = 1, make([]number, c.n)
	}
	c.lane, c.active, c.pads = c.thread, build.Val{}, map[*ktree.Var]build.Val{}
	if c.among > c.threads {
		c.lane = c.k.Let("lane", build.Min(c.thread, c.threads-1))
		c.active = c.thread.Lt(c.threads)
	}
}

// run makes all passes. read is asked for the first pass's inputs, write is
// given the last pass's results; in mirrored passes they are asked for the
// butterflies of a pair together.
func (c *core) run(read fetch, write deliver) { together(c.going(read, write)) }

// going is a transform on its way through its passes.
type going struct {
	*core
	read   fetch
	write  deliver
	at     [][]place  // of the pass: its groups of butterflies
	values [][]number // by group: what the pass computes with
	ns     int        // the length of the lines that are transformed so far
	tables int        // where the twiddles of the pass begin
	leaves []leaving  // what the passes before stored
}

func (c *core) going(read fetch, write deliver) *going {
	return &going{core: c, read: read, write: write, ns: 1}
}

// together makes transforms of the same radices side by side: with one barrier for all
// between two passes, and something to compute of one while others wait.
func together(all ...*going) {
	for i := range all[0].radices {
		for _, g := range all {
			g.bring(i)
		}
		for _, g := range all {
			g.compute(i)
		}
	}
}

// bring loads what a pass computes with.
func (c *going) bring(i int) {
	last := i == len(c.radices)-1
	if last && i > 0 && !c.turnedThread.IsNil() {
		c.thread, c.shared = c.turnedThread, c.turnedShared
		c.begin()
	}
	if last && c.left != nil {
		c.left()
	}
	c.at = c.groups(i)
	c.values = make([][]number, len(c.at))
	for g, group := range c.at {
		if (i == 0 || !c.recipe.Turns) && !c.skips(i, group) {
			c.values[g] = c.take(i, group)
		}
	}
	if i == 0 && c.brought != nil {
		c.values = c.brought(c.values)
	}
	if i == 0 {
		c.k.askAhead()
	}
	if i > 0 && c.recipe.Turns {
		c.values = c.loadInTurns(c.at, i, c.ns, c.leaves)
		c.leaves = nil
	}
	if last && c.taken != nil {
		c.taken()
	}
}

// take loads the inputs of a group of butterflies.
func (c *going) take(i int, group []place) []number {
	if i == 0 {
		return c.read(c.inputs(group, c.radices[i]))
	}
	c.guard.beforeRead(c.part)
	return c.load(group, i, c.ns)
}

// compute makes the butterflies of a pass, and leaves them to the next or delivers them.
func (c *going) compute(i int) {
	for g, group := range c.at {
		if !c.skips(i, group) {
			c.transform(i, group, c.values[g])
			continue
		}
		c.k.If(group[0].ok, func() {
			b := []place{{at: group[0].at}}
			c.transform(i, b, c.take(i, b))
		})
	}
	r := c.radices[i]
	if c.ns > 1 {
		c.tables += c.tableLen(c.ns, r)
	}
	c.ns *= r
}

// transform makes a group of butterflies.
func (c *going) transform(i int, group []place, in []number) {
	r := c.radices[i]
	var out []number
	for k, b := range group {
		x := in[k*r : (k+1)*r]
		if c.ns > 1 {
			out = append(out, c.twiddled(x, b, c.ns, c.tables)...)
		} else {
			out = append(out, c.untwiddled(x)...)
		}
	}
	if i == len(c.radices)-1 {
		c.write(c.inputs(group, r), out)
		return
	}
	c.guard.beforeWrite(c.part)
	c.leaves = append(c.leaves, lists.Make(len(group), func(k int) leaving { return c.store(out[k*r:(k+1)*r], group[k], i, c.ns) })...)
}

// untwiddled is a butterfly of the first pass.
func (c *core) untwiddled(x []number) []number {
	switch {
	case c.quarter:
		return c.Quarter(x)
	case c.lower != nil:
		half := c.Real(c.Const(0.5))
		w := lists.Make(dft.Powers(len(x)), func(row int) number { return c.lower(c.n / len(x) << row) })
		return c.Spun(x, w, &half, c.inverse)
	case len(c.weights) > 0:
		w := c.weights[0]
		c.weights = c.weights[1:]
		return c.Weighted(x, w, c.inverse)
	}
	return c.DFT(x, c.inverse)
}

// skips reports butterflies that not all threads have, but all of a warp or none.
func (c *core) skips(pass int, group []place) bool {
	warp := c.k.target.Subgroup
	return (pass == 0 && c.skipFirst || pass == len(c.radices)-1 && c.skipLast) && len(c.radices) > 1 && !c.recipe.Turns &&
		len(group) == 1 && !group[0].ok.IsNil() && c.active.IsNil() && warp > 0 && c.threads%warp == 0 && c.n/c.radices[pass]%warp == 0
}

// groups are the numbers of a thread's butterflies of a pass, those that belong
// together together.
func (c *core) groups(pass int) [][]place {
	r := c.radices[pass]
	count := c.n / r
	first, last := pass == 0, pass == len(c.radices)-1
	mirrored, beside := c.mirrorFirst && first || c.mirrorLast && last, c.besideFirst && first || c.besideLast && last
	var list [][]place
	total := count
	if mirrored || beside {
		total = recipe.Pairs(count)
	}
	for from := 0; from < total; from += c.threads {
		at := place{at: raised(c.lane, from), ok: c.active}
		if from+c.threads > total {
			at.ok = both(c.active, at.at.Lt(total))
			at.at = c.k.Let("b", build.Min(at.at, total-1))
		}
		if c.backFirst && first || c.backLast && last {
			at.at = c.k.LetIn("b", whole(count-1).Sub(at.at), count-1-at.hi(), count-1-at.lo())
		}
		switch {
		case mirrored:
			list = append(list, []place{at, c.image(at, count)})
		case beside:
			two := place{at: c.k.LetIn("b", at.at.Mul(2), 2*at.lo(), 2*at.hi()), ok: at.ok}
			list = append(list, []place{two, two.plus(1)})
		default:
			list = append(list, []place{at})
		}
	}
	return list
}

// image is the mirror image of butterfly at, or for butterfly 0 the other one
// that is its own image.
func (c *core) image(at place, count int) place {
	if at.lo() > 0 {
		return place{at: c.k.Let("image", whole(count).Sub(at.at)), ok: at.ok}
	}
	other := count / 2
	if count%2 == 1 {
		other = 0
		at.ok = both(at.ok, at.at.Ne(0))
	}
	image := at.at.Eq(0).Choose(other, whole(count).Sub(at.at))
	return place{at: c.k.LetIn("image", image, min(count-at.hi(), other), max(count-1, 0)), ok: at.ok}
}

// inputs are the places a group's butterflies read, and in the last pass write.
func (c *core) inputs(group []place, r int) []place {
	return lists.Joined(group, func(b place) []place {
		return lists.Make(r, func(j int) place { return b.plus(j * c.n / r) })
	})
}

// places are those of a pass's inputs, in order.
func (c *core) places(pass int) []place {
	return lists.Joined(c.groups(pass), func(g []place) []place { return c.inputs(g, c.radices[pass]) })
}

// delivered are the places of the last pass's results, in order.
func (c *core) delivered() []place { return c.places(len(c.radices) - 1) }

// looked is a number of a table or of shared memory.
func (k *kernel) looked(from build.Val) number {
	v := k.Let("z", from)
	switch {
	case v.Type() == halves.pair():
		return number{Re: v.Part(0, 2), Im: v.Part(2, 2)}
	case v.Type() == halves.constant():
		return number{Re: k.Let("re", v.X().Spread(2)), Im: k.Let("im", v.Y().Spread(2))}
	}
	return number{Re: v.X(), Im: v.Y()}
}

// lookedRoots are so many numbers of a table: two, or more that both lanes share.
func (k *kernel) lookedRoots(from build.Val, count int) []number {
	v := k.Let("z", from)
	if count > 2 {
		return lists.Make(count, func(i int) number { return k.looked(v.Part(2*i, 2)) })
	}
	part := func(i int) build.Val { return v.Part(2*i, 2) }
	if v.Type() == single.two() {
		part = func(i int) build.Val { return v.Part(i, 1) }
	}
	return []number{{Re: part(0), Im: part(1)}, {Re: part(2), Im: part(3)}}
}

// twiddled is the transform of a butterfly's inputs times the powers of its
// root.
func (c *core) twiddled(x []number, b place, ns, table int) []number {
	at := b.at
	if b.hi() >= ns {
		at = c.k.Let("power", at.Rem(ns))
	}
	if c.rooted {
		return c.Looked(x, c.rootsOf(at, len(x), ns, table), c.turnOf(b, ns*len(x)), c.inverse)
	}
	var w []number
	for row := range dft.Powers(len(x)) {
		var z number
		if c.alone {
			z = c.root(b.lo()%ns<<row, ns*len(x))
		} else {
			z = c.k.looked(c.table.At(raised(at, table+row*ns)))
		}
		if c.inverse {
			z = z.Conjugate()
		}
		if c.lower != nil {
			z = c.Mul(z, c.lower(c.n/(ns*len(x))<<row))
		}
		w = append(w, z)
	}
	return c.Spun(x, w, c.turnOf(b, ns*len(x)), c.inverse)
}

// turnOf is what the numbers of a butterfly are multiplied by, of a pass that gives lines of so
// many; nil if by nothing.
func (c *core) turnOf(b place, of int) *number {
	if c.turns.IsNil() || of < c.n {
		return nil
	}
	z := c.k.looked(c.turns.At(b.at))
	return &z
}

// root is the k-th n-th root of unity.
func (c *core) root(k, n int) number {
	re, im := roots.Of(n).At(k)
	return number{Re: c.Const(re), Im: c.Const(im)}
}

// leaving is what a thread stores of a butterfly for the next pass.
type leaving struct {
	shared build.Val   // where places are counted from
	places []build.Val // of each result
	ok     build.Val   // the condition that there are any
	v      []number
}

// store puts a butterfly's results where the next pass reads them; only the real
// parts if the imaginary ones come in their turn.
func (c *core) store(v []number, b place, pass, ns int) leaving {
	r := len(v)
	if c.alone {
		// Of an odd number, butterfly 0 has no image.
		if there, known := b.ok.Known(); !b.ok.IsNil() && known && there == 0 {
			return leaving{}
		}
		for j, x := range v {
			c.held[b.lo()/ns*ns*r+b.lo()%ns+j*ns] = x
		}
		return leaving{}
	}
	if d := c.recipe.Spacing(c.bits); ns == 1 && d > 0 && r%2 == 0 && !c.wide.IsNil() {
		at := c.k.Let("to", b.at.Mul(r/2).Add(b.at.Mul(r).Shr(bits.Len(uint(d-1)))))
		c.k.when(b.ok, func() {
			for j := 0; j < r; j += 2 {
				c.k.Set(c.wide.At(raised(at, j/2+j/d)), build.Vec(v[j].Re, v[j].Im, v[j+1].Re, v[j+1].Im))
			}
		})
		return leaving{}
	}
	gap := c.recipe.Gap(pass, c.bits)
	start := b.at
	switch {
	case b.hi() < ns:
	case ns == 1:
		start = c.k.Let("to", b.at.Mul(r+gap))
	default:
		start = c.k.Let("to", b.at.Add(b.at.Div(ns).Mul(ns*r+gap-ns)))
	}
	places := lists.Make(r, func(j int) build.Val { return c.spaced(start, j*ns) })
	l := leaving{c.shared, places, b.ok, v}
	c.put(l, func(x number) build.Val {
		if c.recipe.Turns {
			return x.Re
		}
		return build.Vec(x.Re, x.Im)
	})
	return l
}

// put stores something of each of a butterfly's results.
func (c *core) put(l leaving, of func(number) build.Val) {
	c.k.when(l.ok, func() {
		for j, x := range l.v {
			c.k.Set(l.shared.At(l.places[j]), of(x))
		}
	})
}

// load reads what the pass before left of the inputs of a group's butterflies.
func (c *core) load(group []place, pass, ns int) []number {
	if c.alone {
		return lists.Map(c.inputs(group, c.radices[pass]), func(p place) number { return c.held[p.lo()] })
	}
	return lists.Map(c.sources(group, pass, ns), func(at build.Val) number { return c.k.looked(c.shared.At(at)) })
}

// loadInTurns is load for all groups of a line whose real and imaginary parts have
// the same room. The real parts are there; when all threads have read them, the
// imaginary ones of left take their place.
func (c *core) loadInTurns(groups [][]place, pass, ns int, left []leaving) [][]number {
	values, places := make([][]number, len(groups)), make([][]build.Val, len(groups))
	c.guard.beforeRead(c.part)
	for g, group := range groups {
		places[g] = c.sources(group, pass, ns)
		values[g] = lists.Map(places[g], func(at build.Val) number { return number{Re: c.k.Let("re", c.shared.At(at))} })
	}
	c.guard.beforeWrite(c.part)
	for _, l := range left {
		c.put(l, func(x number) build.Val { return x.Im })
	}
	c.guard.beforeRead(c.part)
	for g := range groups {
		for j, at := range places[g] {
			values[g][j].Im = c.k.Let("im", c.shared.At(at))
		}
	}
	return values
}

// sources are the places of the inputs of a group's butterflies.
func (c *core) sources(group []place, pass, ns int) []build.Val {
	r := c.radices[pass]
	gap := c.recipe.Gap(pass-1, c.bits)
	return lists.Joined(group, func(b place) []build.Val {
		start := b.at
		if gap > 0 && b.hi() >= ns {
			start = c.k.Let("from", b.at.Add(b.at.Div(ns).Mul(gap)))
		}
		return lists.Make(r, func(j int) build.Val { return c.spaced(start, j*c.n/r/ns*(ns+gap)) })
	})
}

// spaced is the place of element start+add, where gaps of other lengths than
// powers of two have been counted already.
func (c *core) spaced(start build.Val, add int) build.Val {
	d := c.recipe.Spacing(c.bits)
	base, more := parted(start)
	add += more
	if d == 0 {
		return raised(base, add)
	}
	spaces := c.recipe.Spaces()
	add += add / d * spaces
	v, ok := base.E.(*ktree.Ref)
	if !ok {
		return raised(base, add)
	}
	p, ok := c.pads[v.Var]
	if !ok {
		p = c.k.Let("spaced", base.Add(base.Shr(bits.Len(uint(d-1))).Mul(spaces)))
		c.pads[v.Var] = p
	}
	return raised(p, add)
}
