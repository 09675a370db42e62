package line

import (
	"fmt"
	"math"
	"slices"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// trip is a round trip of lines that do not fit on chip: a transform, maps of
// its bins, and the transform back, with maps before and behind. A line is an
// array of two axes, and there are three passes over memory: along the first
// axis; along the second one, through the maps of the bins, and back; and back
// along the first. Between passes the elements of the first axis are neighbours,
// since its digit is the lowest of a bin's number: so threads that follow each
// other read the bins of a filter side by side.
//
// Real lines travel packed: a number of the first pass is two neighbouring columns, which
// the second one parts again (rows).
//
// Half a trip is a packed real transform by itself, there or back.
type trip struct {
	*long
	p           *ir.Line
	bound       map[ir.SlotID]kgen.Param
	there, back int // the transforms' stages; -1 for none
	*recipe.Trip
	planned *kernel // which map runs where
}

// RoundTrips reports a program of a transform and its inverse that Generate
// accepts, on chip or in passes.
func RoundTrips(p *ir.Line, target kgen.Target) bool {
	if len(transformsOf(p)) != 2 {
		return false
	}
	k := newUnit(target).kernel(p)
	if k.plan() == nil && k.chains[transformsOf(k.p)[0]].next >= 0 && k.share() == nil {
		return true
	}
	_, err := newTrip(p, target, 0)
	return err == nil
}

// transformsOf lists the stages that are transforms.
func transformsOf(p *ir.Line) []int {
	return lists.Where(len(p.Stages), func(i int) bool {
		_, ok := p.Stages[i].Program.(*ir.FFT)
		return ok
	})
}

// generateTrip makes a round trip with axes of a length up to most, or the usual.
func generateTrip(p *ir.Line, target kgen.Target, most int) (*kgen.Module, error) {
	g, err := newTrip(p, target, most)
	if err != nil {
		return nil, err
	}
	switch {
	case g.f.Quarter():
		g.quarterCluster()
		return &g.Module, nil
	case g.Cluster != nil:
		g.inCluster()
		return &g.Module, nil
	}
	g.reserve()
	if g.there >= 0 {
		g.out()
	}
	if isReal(g.f) {
		g.rows()
	} else {
		g.plainMiddle()
	}
	if g.back >= 0 {
		g.home()
	}
	return &g.Module, nil
}

// noTrip is the error of a program that is no round trip, and why.
func noTrip(format string, args ...any) error {
	return fmt.Errorf("kgen: lines: round trip: %s: %w", fmt.Sprintf(format, args...), device.ErrUnsupported)
}

func newTrip(p *ir.Line, target kgen.Target, most int) (*trip, error) {
	g, err := boundTrip(p, target, most)
	if err != nil {
		return nil, err
	}
	f, ffts := g.f, transformsOf(p)
	if f.Quarter() {
		if g.recipe = g.gpu.QuarterCluster(f.N); g.recipe == nil || g.recipe.Blocks != f.Rows {
			return nil, noTrip("a length of %d with bins a quarter lower in %d rows", f.N, f.Rows)
		}
		return g, g.planRing()
	}
	if len(ffts) == 2 {
		// There and back holds twice as much in registers: on an H200 convolutions of
		// 32768 and 65536 samples took 1.09 and 1.33 times as long by clusters as in passes.
		g.gpu.Cluster = 0
	}
	if g.recipe, err = g.gpu.InPasses(f.N, isReal(f)); err != nil {
		return nil, fmt.Errorf("kgen: fft: %w: %w", err, device.ErrUnsupported)
	}
	if g.Trip = g.gpu.Trip(g.recipe); g.Trip == nil || isReal(f) != (g.recipe.Kind == recipe.Packed) {
		return nil, noTrip("a length of %d", f.N)
	}
	g.axes = []*recipe.Recipe{g.First, g.Around}
	if g.n = g.First.N * g.Around.N; isReal(f) && g.Cluster == nil {
		g.n = g.Trip.Numbers()
	}
	if g.planned, err = g.plan(); err != nil {
		return nil, err
	}
	return g, nil
}

// boundTrip is a round trip whose axes are not chosen yet.
func boundTrip(p *ir.Line, target kgen.Target, most int) (*trip, error) {
	ffts := transformsOf(p)
	if len(ffts) < 1 || len(ffts) > 2 || p.Segments != 1 || len(p.Shared)+len(p.Sums()) > 0 || p.Lines() > math.MaxInt32 {
		return nil, noTrip("another program")
	}
	g := &trip{p: p, bound: map[ir.SlotID]kgen.Param{}, there: ffts[0], back: ffts[len(ffts)-1]}
	f := p.Stages[ffts[0]].Program.(*ir.FFT)
	if len(ffts) == 1 {
		switch f.Kind {
		case ir.FFTRealForward, ir.FFTQuarterForward:
			g.back = -1
		case ir.FFTRealInverse:
			g.there = -1
		default:
			return nil, noTrip("half of one of complex lines")
		}
	}
	reads, writes := 0, 0
	for i, s := range p.EachSlot() {
		switch {
		case s.Margin != nil:
			return nil, noTrip("a margin")
		case s.Kind == ir.InSlot:
			g.bound[i] = kgen.Param{Kind: kgen.ReadPointer, Index: reads}
			reads++
		case s.Kind == ir.OutSlot:
			g.bound[i] = kgen.Param{Kind: kgen.WritePointer, Index: writes}
			writes++
		}
	}
	for _, i := range ffts {
		if !p.Stages[i].Program.(*ir.FFT).Plain() {
			return nil, noTrip("sums of another kind")
		}
	}
	g.long = &long{unit: newUnit(target), f: f, precision: precisionOf(f), batch: p}
	g.gpu = g.precision.recipes(target)
	g.gpu.LongestAxis = most
	if len(ffts) == 1 {
		g.gpu.Way = wayOf(f)
	}
	return g, nil
}

// planRing decides where maps of a line with bins a quarter lower run.
func (g *trip) planRing() (err error) {
	r := g.recipe
	g.Trip, g.n = &recipe.Trip{First: r.Columns, Around: r.Rows, Cluster: r}, r.N
	g.planned, err = g.plan()
	return err
}

// plan decides where maps run: those before the transform where their results
// are read, the others in the chain of one of the transforms.
func (g *trip) plan() (*kernel, error) {
	k := g.unit.kernel(g.p)
	k.slots = g.p.Uses()
	for _, i := range transformsOf(g.p) {
		f := g.p.Stages[i].Program.(*ir.FFT)
		inside := g.recipe
		if inside.Kind == recipe.Packed {
			inside = inside.Inner
		}
		k.ffts[i] = &transform{f: f, precision: precisionOf(f), kind: g.recipe.Kind, split: inside}
	}
	for i, s := range g.p.Stages[:transformsOf(g.p)[0]] {
		if slot := s.Writes[0]; k.loads(i) {
			k.virtual[slot] = i
		}
	}
	end := len(g.p.Stages)
	for _, i := range transformsOf(g.p) {
		k.chains[i] = k.chainOf(i, end)
	}
	refused := func(why string) (*kernel, error) {
		return nil, fmt.Errorf("kgen: lines: round trip: %s: %w", why, device.ErrUnsupported)
	}
	if g.there >= 0 && k.chains[g.there].next != g.back || g.back >= 0 && k.chains[g.back].next >= 0 {
		return refused("no transform takes the bins back")
	}
	for i, s := range g.p.Stages {
		if k.ffts[i] == nil && !k.attached[i] && !k.isVirtual(i) || s.First != nil {
			return refused("a stage that needs a whole line")
		}
		for at, slot := range s.Reads {
			if _, made := k.virtual[slot]; g.p.Slots[slot].Kind != ir.InSlot && !made && !k.served[ir.Use{Stage: i, Operand: at}] {
				return refused("a line that is read again")
			}
		}
	}
	return k, nil
}

// loads reports a map, before any transform, of what is in buffers: it can run
// wherever its result is read.
func (k *kernel) loads(i int) bool {
	s := k.p.Stages[i]
	m, ok := s.Program.(*ir.Map)
	if !ok || len(m.Out) != 1 || m.Out[0].Along() != 1 || k.p.Slots[s.Writes[0]].Kind != ir.LocalSlot || len(k.slots[s.Writes[0]].Writers) != 1 {
		return false
	}
	for _, slot := range s.Reads {
		if _, made := k.virtual[slot]; k.p.Slots[slot].Kind != ir.InSlot && !made {
			return false
		}
	}
	return k.contiguous(s.Writes[0])
}

// scratchSlot is the slot of the array between passes, behind those of the
// program.
func (g *trip) scratchSlot() ir.SlotID { return ir.SlotID(len(g.p.Slots)) }

// begun is the kernel of a pass that makes the chains of some transforms, and the
// loads of the first.
func (g *trip) begun(l recipe.Launch, loads bool, chains ...int) *kernel {
	used := map[ir.SlotID]bool{}
	var use func(slot ir.SlotID)
	use = func(slot ir.SlotID) {
		if m, ok := g.planned.virtual[slot]; ok {
			for _, s := range g.p.Stages[m].Reads {
				use(s)
			}
		}
		used[slot] = true
	}
	if loads {
		use(g.p.Stages[transformsOf(g.p)[0]].Reads[0])
	}
	for _, i := range chains {
		if i < 0 {
			continue
		}
		use(g.p.Stages[i].Writes[0])
		for _, link := range g.planned.chains[i].stages {
			for _, slot := range slices.Concat(g.p.Stages[link.stage].Reads, g.p.Stages[link.stage].Writes) {
				use(slot)
			}
		}
	}
	q := *g.p
	q.Slots = slices.Clone(g.p.Slots)
	if g.Cluster == nil {
		q.Slots = append(q.Slots, g.array(ir.OutSlot))
	}
	for i := range g.p.EachSlot() {
		if !used[i] {
			q.Slots[i] = ir.Slot{Kind: ir.LocalSlot, Type: q.Slots[i].Type}
		}
	}
	k := g.unit.kernel(&q)
	k.outer.gather(&q)
	for i, param := range g.bound {
		if used[i] {
			k.bound[i] = param
		}
	}
	if g.Cluster == nil {
		k.bound[g.scratchSlot()] = kgen.Param{Kind: kgen.ScratchPointer}
	}
	k.slots, k.ffts, k.virtual, k.chains = g.planned.slots, g.planned.ffts, g.planned.virtual, g.planned.chains
	k.threads, k.lines, k.resident, k.exchange, k.pitch = l.Threads, l.Lines, l.Resident, l.Exchange, l.Pitch
	k.guard = newGuard(func() { k.BarrierOf(true) }) // scratch is written where it was read
	return k
}

// width is how many lines the first axis has, and pitch how far they are apart between passes.
func (g *trip) width() int {
	if isReal(g.f) {
		return g.Around.N / 2
	}
	return g.Around.N
}

func (g *trip) pitch() int {
	if isReal(g.f) {
		return 2 * g.Images()
	}
	return g.First.N
}

// fetch and store are an element of the array between passes.
func (g *trip) fetch(k *kernel, at build.Val) number { return k.looked(k.at[g.scratchSlot()].At(at)) }

func (g *trip) store(k *kernel, at place, v number) {
	k.when(both(k.alive(), at.ok), func() { k.Set(k.at[g.scratchSlot()].At(at.at), build.Vec(v.Re, v.Im)) })
}

// out transforms along the first axis: lines that are neighbours in memory, whose
// results follow each other there.
func (g *trip) out() {
	k, m, after := g.begun(g.gpu.Out(g.Trip), true), g.pitch(), g.width()
	k.outer.add(after)
	k.outer.columns, k.outer.turned = true, true
	k.outer.tile = len(k.outer.dims) - 1
	k.function(func() {
		x := k.ffts[g.there]
		c := g.core(k, g.First, x.inverse())
		column := k.Let("column", k.outer.index[k.outer.tile].To(ktree.Int))
		row := k.Let("origin", k.outer.turnedX.To(ktree.Int).Mul(m))
		in := k.sourceOf(g.there)
		read := k.plainIn(x, in)
		if x.packed() {
			read = packedReals(in)
		}
		c.turnedThread, c.turnedShared = k.t2, k.roomOf(g.exchanged(g.First), 0, k.row2, true)
		c.run(func(at []place) []number {
			return read(lists.Map(at, func(p place) place { return k.spread(column, p, after) }))
		}, func(at []place, v []number) {
			for j, p := range at {
				g.store(k, place{at: k.LetIn("at", row.Add(g.inColumn(k, p).at), 0, g.n-1), ok: p.ok}, v[j])
			}
		})
	})
}

// home transforms back along the first axis and hands the results on.
func (g *trip) home() {
	k, m, first := g.begun(g.gpu.Home(g.Trip), false, g.back), g.pitch(), g.width()
	k.outer.add(first)
	k.outer.turned = true
	k.outer.tile = len(k.outer.dims) - 1
	k.function(func() {
		y := k.ffts[g.back]
		c := g.core(k, g.First, y.inverse())
		origin := k.Let("origin", k.outer.index[k.outer.tile].To(ktree.Int).Mul(m))
		column := k.Let("column", k.outer.turnedX.To(ktree.Int))
		out := func(at cell, v []number) { k.pass(g.back, at, v) }
		write := k.plainOut(y, out)
		if y.packed() {
			write = k.packedOut(y, out)
		}
		c.turnedThread, c.turnedShared = k.t2, k.roomOf(g.exchanged(g.First), 0, k.row2, true)
		c.run(func(at []place) []number {
			return lists.Map(at, func(p place) number { return g.fetch(k, k.LetIn("at", origin.Add(g.inColumn(k, p).at), 0, g.n-1)) })
		}, func(at []place, v []number) {
			write(lists.Map(at, func(p place) place { return k.spread(column, p, first) }), v)
		})
	})
}
