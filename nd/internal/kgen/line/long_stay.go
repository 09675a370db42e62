package line

import (
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
)

// A pass along columns whose tile takes the registers of a multiprocessor has no other beside it
// that is loaded while it computes. So where a recipe says so, its groups stay for tile after
// tile, and one instruction brings the next one to shared memory, as soon as threads have the
// numbers of the one before in registers.

// landing is where the tiles of groups that stay are brought to.
type landing struct {
	*kernel
	g       *long
	axis    *recipe.Recipe
	slot    ir.Slot
	runs    kgen.Map  // one of parts
	groups  int       // that stay
	number  build.Val // variable: of the group whose tile is computed
	all     build.Val // how many there are
	odd     build.Val // variable: whether it is the second tile, the fourth and so on
	tile    build.Val // pointer to its first number
	how     build.Val // the map
	table   build.Val // pointer to the twiddles
	counter build.Val // of tiles that groups have taken, beside their first ones
	ticket  build.Val // variable of one thread: the tile behind the next one
	told    build.Val // pointer to where it says which the next one is, by odd
}

// landingParts is how many parts a tile is brought in: a part is 64 KB of the longest.
const landingParts = 2

// mostAlong is how many runs follow each other along one axis of a tensor.
const mostAlong = 256

// landing is that of a pass along an axis with so many numbers in those behind it; nil if its
// groups leave.
func (g *long) landing(k *kernel, axis *recipe.Recipe, before, after int, in end) *landing {
	runs, groups := axis.N/landingParts, g.target.Processors
	if !axis.Stays || !g.target.Maps || !in.bare || !k.once || before > 1 || g.bits != 32 || after%axis.Lines != 0 ||
		runs%mostAlong != 0 || runs/mostAlong > mostAlong || k.groups() < 2*groups {
		return nil
	}
	l := &landing{kernel: k, g: g, axis: axis, slot: in.slot, groups: groups}
	last := int64(in.slot.Offset + in.slot.Len)
	for d, n := range g.batch.Outer {
		if in.slot.Strides[d] < 0 {
			return nil
		}
		last += int64(n-1) * int64(in.slot.Strides[d])
	}
	l.runs = kgen.Map{Buffer: in.param, Bytes: g.bytes(), Elements: int(last), Count: axis.Lines, Runs: runs, Apart: after}
	if last > math.MaxInt32 || l.bytes()+landingReserve > g.target.PoolBytes {
		return nil
	}
	return l
}

const (
	// landingAlign is what the GPU wants a tile to begin with a multiple of.
	landingAlign = 128
	// landingReserve is what a group has beside its pool: barriers that count what comes.
	landingReserve = landingAlign
	// landingWords are what one thread tells the others in.
	landingWords = 2
)

// landingAt is where it begins, behind what threads exchange numbers in.
func (k *kernel) landingAt() int {
	return (k.pitch*k.lines + landingAlign - 1) / landingAlign * landingAlign
}

// numbers are those of a tile, and twiddles those of the table behind it.
func (l *landing) numbers() int  { return landingParts * l.runs.Runs * l.runs.Count }
func (l *landing) twiddles() int { return len(twiddles(l.axis.Radices, 1, 0)) }

// bytes is the shared memory of a group.
func (l *landing) bytes() int {
	return l.landingAt() + (l.numbers()+l.twiddles())*l.runs.Bytes + 4*landingWords
}

// function makes the kernel of groups that stay, and its launch; body is called for one tile.
// Tiles are handed out in order, by a counter: groups that take every so many drift apart.
func (l *landing) function(body func()) {
	counter := kgen.Param{Kind: kgen.ScratchPointer, Index: len(l.Scratch)}
	l.Scratch = append(l.Scratch, 4)
	l.g.cleared(counter)
	t := kgen.MemoryOf(l.slot.Type)
	l.open(l.lines*l.threads, l.resident, l.bytes())
	l.Landings(landingParts)
	l.params = append(l.params, kgen.Param{Kind: kgen.MapOf, Index: len(l.Maps)})
	l.Maps = append(l.Maps, l.runs)
	l.how = l.Map("map")
	l.params = append(l.params, counter)
	l.counter = l.AtomicBuffer("counter", ktree.Scalar(ktree.Uint))
	l.seat()
	l.tile = l.pool(t).Plus(l.landingAt() / l.runs.Bytes)
	l.table = l.tile.Plus(l.numbers())
	from := l.twiddleTable(l.axis, l.g.precision, false)
	l.For("i", l.Thread(), l.twiddles(), l.Threads(), 1, func(i build.Val) { l.Set(l.table.At(i), from.At(i)) })
	l.told = l.pool(ktree.Scalar(ktree.Uint)).Plus(l.bytes()/4 - landingWords)
	l.all, l.odd = l.size("groups", l.kernel.groups()), l.Var("odd", build.Bool(false))
	l.number = l.Var("group", l.Group())
	l.ticket = l.Unset("ticket", ktree.Scalar(ktree.Uint))
	l.If(l.Thread().Eq(0), func() {
		l.ask(l.number)
		l.take()
	})
	l.While(build.Bool(true), 1, func() {
		l.turnTo(l.number)
		body()
		l.Set(l.number, l.told.At(l.odd.Choose(1, 0)))
		l.Set(l.odd, l.odd.Not())
		l.If(l.SameOfGroup(l.number.Lt(l.all)).Not(), l.Break)
	}, nil)
	l.close(l.groups)
}

// cleared makes a step that sets a counter to zero.
func (g *long) cleared(counter kgen.Param) {
	e := &entry{unit: g.unit, Kernel: build.NewKernel(fmt.Sprintf("lines%d", len(g.Steps)), g.target.Subgroup)}
	e.start()
	to := e.buffer("counter", ktree.Scalar(ktree.Uint), counter, true)
	e.If(e.Thread().Eq(0), func() { e.Set(to.At(0), 0) })
	e.Kernels = append(e.Kernels, e.Program())
	e.Steps = append(e.Steps, kgen.Step{Kernel: len(e.Kernels) - 1, Groups: 1, Threads: e.Threads(), Params: e.params})
}

// take takes the next tile that nobody has. It is asked for one tile ahead: the answer takes a while.
func (l *landing) take() {
	l.Set(l.ticket, l.Atomic(ktree.AtomicAdd, l.counter.At(0), build.Int(ktree.Uint, 1)).Add(l.groups))
}

// ask asks for the tile of a group.
func (l *landing) ask(group build.Val) {
	m := l.runs
	_, index := l.lineOf(group, build.Int(ktree.Int, 0))
	first := l.Let("first", l.offsetOf(0, l.slot, index).To(ktree.Int).Add(index[len(index)-1].To(ktree.Int)))
	for i := range landingParts {
		l.Bring(i, l.how, l.tile.At(i*m.Runs*m.Count), l.buffers[l.bufferOf(0)], first.Add(i*m.Runs*m.Apart), m.Count, m.Runs, m.Apart)
	}
}

// wait waits for the tile.
func (l *landing) wait() {
	for i := range landingParts {
		l.Landed(i, l.odd)
	}
}

// read gives the numbers of the thread's column by their places in it.
func (l *landing) read(k *kernel) func(place) number {
	return func(p place) number {
		base, add := parted(p.at)
		return k.looked(l.tile.At(raised(base.Mul(l.runs.Count).Add(k.row), add*l.runs.Count)))
	}
}

// taken is called when the tile is in registers: the next one may come.
func (l *landing) taken() {
	l.Vacate()
	l.guard.wait() // and for threads that are still at the tile before
	l.If(l.Thread().Eq(0), func() {
		next := l.Var("next", l.ticket)
		l.Set(l.told.At(l.odd.Choose(1, 0)), next)
		l.take()
		l.If(next.Lt(l.all), func() { l.ask(next) })
	})
}
