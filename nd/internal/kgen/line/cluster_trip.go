package line

import (
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// inCluster makes a round trip of packed lines, or half of one, in one pass by clusters.
// Groups take columns, and push results to the groups that have their rows; a group has
// rows k1 together with their images n1-k1, so that bins which have to meet do so in a
// thread, as in the second of three passes. Rows 0 and n1/2 are images of themselves:
// threads that have them exchange their elements once more.
func (g *trip) inCluster() {
	k := g.begun(g.gpu.Together(g.Cluster), true, g.there, g.back)
	k.cluster = g.Cluster.Blocks
	k.threads /= k.cluster
	k.function(func() {
		m := &meeting{trip: g, k: k, hall: newHall(k, g.Cluster, g.precision, g.gpu)}
		if g.there < 0 { // one exchange; the other way counting loses
			m.counted = true
			k.Counted(g.n / k.cluster * g.bytes())
		}
		if g.there >= 0 {
			k.ahead = m.lookAhead
			m.columnsOut()
		}
		m.seat()
		m.pairsOfRows()
		if g.back >= 0 {
			m.columnsHome()
		}
	})
}

// meeting is a round trip in a cluster.
type meeting struct {
	*trip
	*hall
	k *kernel

	pair, thread build.Val // of rows: its number in the line; of those that share it
	zero         build.Val // the condition that they are rows 0 and n1/2
	own, image   build.Val // their places in shared memory
	a, b         *strand
}

// at is the element of a line that is element p of a column.
func (m *meeting) at(column build.Val, p place) place { return m.k.spread(column, p, m.Rows.N) }

// columnsOut transforms columns of the input and sends them to their rows.
func (m *meeting) columnsOut() {
	read := packedReals(m.k.sourceOf(m.there))
	column, c := m.columns(false)
	c.run(func(at []place) []number {
		return read(lists.Map(at, func(p place) place { return m.at(column, p) }))
	}, func(at []place, v []number) {
		for j, p := range at {
			rank, line := m.rowOf(p)
			m.send(rank, m.Rows, line, column, p.ok, v[j])
		}
	})
	m.meet()
}

// lookAhead is that of the hall, if what is transformed is in a buffer.
func (m *meeting) lookAhead() {
	if slot := m.k.p.Stages[m.there].Reads[0]; m.k.p.Slots[slot].Kind == ir.InSlot && m.k.contiguous(slot) {
		m.hall.lookAhead(slot)
	}
}

// rowOf is which group has row p, and where: rows of pairs first, then their images.
func (m *meeting) rowOf(p place) (rank, line build.Val) {
	n1, each := m.Columns.N, m.Rows.Lines
	half := n1 / 2
	if p.hi() < half {
		return shared(p.at, each)
	}
	image := m.k.LetIn("pair", whole(n1).Sub(p.at), n1-p.hi(), n1-p.lo())
	if p.lo() <= half {
		image = m.k.LetIn("pair", p.at.Eq(half).Choose(0, image), 0, min(half-1, n1-p.lo()))
	}
	if p.lo() < half {
		below := p.at.Lt(half)
		rank, line = shared(m.k.LetIn("pair", below.Choose(p.at, image), 0, half-1), each)
		return rank, line.Add(below.Choose(0, each))
	}
	rank, line = shared(image, each)
	return rank, raised(line, each)
}

// seat finds the rows of a thread: those that follow each other have pairs that do.
func (m *meeting) seat() {
	k, each, n1 := m.k, m.Rows.Lines, m.Columns.N
	local := k.Let("local", m.hall.thread.Rem(each))
	m.thread = k.Let("t", m.hall.thread.Div(each))
	m.pair = k.LetIn("pair", m.rank.Mul(each).Add(local), 0, n1/2-1)
	m.zero = k.Let("zero", m.pair.Eq(0))
	m.own, m.image = m.line(m.Rows, local), m.line(m.Rows, local.Add(each))
	m.a = m.strand(m.pair, 0, m.own)
	m.b = m.strand(k.LetIn("k1", m.zero.Choose(n1/2, whole(n1).Sub(m.pair)), n1/2, n1-1), n1/2, m.image)
	m.b.back = true
}

// strand is a row in shared memory.
func (m *meeting) strand(k1 build.Val, lo int, room build.Val) *strand {
	s := &strand{trip: m.trip, k: m.k, k1: k1, lo: lo}
	s.load = func(p place) number {
		m.k.guard.beforeRead(swapped)
		return m.k.looked(room.At(p.at))
	}
	s.make = func(r *recipe.Recipe, inverse bool) *core { return m.core(r, m.thread, room, inverse) }
	return s
}

// pairsOfRows takes rows through the bins, from what was sent or from memory, and sends
// them to their columns.
func (m *meeting) pairsOfRows() {
	k := m.k
	c := m.a.core(m.there < 0, m.there < 0)
	var places [][]place
	var values, images [][]number
	self := m.nothing()
	if m.there >= 0 {
		second := m.b.core(false, false)
		early, also := m.a.fetched(c), m.b.fetched(second)
		places, values = m.a.bins(c, early)
		_, images = m.b.bins(second, also)
		self = m.meetImages(places, values, images)
	} else {
		places, values, images = c.vacant()
	}
	line := &core{Arith: c.Arith, k: k, n: m.n}
	roots := k.halfRoots(m.f.N, m.precision)
	take := func(t twin) twin {
		return m.twin(k, line, t, roots, func(t twin) (at, image place) { return t.k, line.imageOf(t.k) })
	}
	for i, at := range places {
		for j, p := range at {
			other := len(at) - 1 - j
			t := take(twin{k: m.bin(p), a: values[i][j], b: images[i][other]})
			values[i][j], images[i][other] = t.a, t.b
		}
	}
	first := both(m.zero, m.thread.Eq(0))
	middle := take(twin{k: place{at: whole(m.n / 2), ok: first}, a: self, b: self, self: true})
	if m.back < 0 {
		return
	}
	m.partImages(places, values, images, middle.a, first)
	type sent struct {
		column place
		row    build.Val
		v      number
	}
	var list []sent
	for _, s := range []*strand{m.a, m.b} {
		s.save = func(p place, z number) { list = append(list, sent{p, s.k1, z}) }
	}
	m.a.stored(m.a.core(true, true), values)
	c = m.b.core(true, true)
	c.taken = k.Arrive
	m.b.stored(c, images)
	for _, s := range list {
		rank, column := shared(s.column.at, m.Columns.Lines)
		m.send(rank, m.Columns, column, s.row, s.column.ok, s.v)
	}
	m.meet()
}

// bin is the number of the bin that element p of a row is: of rows 0 and n1/2, the first
// halves.
func (m *meeting) bin(p place) place {
	k, n1, half := m.k, m.Columns.N, m.Rows.N/2
	usual := m.a.at(p)
	zero, least := p.at.Mul(n1), p.lo()*n1
	if p.lo() >= half {
		zero, least = raised(p.at, -half).Mul(n1).Add(n1/2), (p.lo()-half)*n1+n1/2
	}
	return place{at: k.LetIn("bin", m.zero.Choose(zero, usual.at), min(usual.lo(), least), usual.hi()), ok: p.ok}
}

// mirrored are the places of the pair that element p of a row is part of, in rows 0 and
// n1/2: which row they are in, and where.
func (m *meeting) mirrored(p place) (room, at, image build.Val) {
	n2 := m.Rows.N
	if p.lo() >= n2/2 {
		at = raised(p.at, -n2/2)
		return m.image, at, whole(n2 - 1).Sub(at)
	}
	image = whole(n2).Sub(p.at)
	if p.lo() == 0 {
		image = p.at.Eq(0).Choose(0, image)
	}
	return m.own, p.at, image
}

// meetImages gives threads with rows 0 and n1/2 elements that are images of each other,
// and to the first the one in the middle.
func (m *meeting) meetImages(places [][]place, values, images [][]number) (self number) {
	k := m.k
	m.exchange(places, func(i, j, other int, p place) {
		k.Set(m.own.At(p.at), build.Vec(values[i][j].Re, values[i][j].Im))
		k.Set(m.image.At(whole(m.Rows.N-1).Sub(p.at)), build.Vec(images[i][other].Re, images[i][other].Im))
	})
	m.change(values, images)
	self = m.changing(number{Re: build.Float(m.precision.kind, 0), Im: build.Float(m.precision.kind, 0)})
	k.If(m.zero, func() {
		each(places, func(i, j, other int, p place) {
			room, at, image := m.mirrored(p)
			m.set(values[i][j], room.At(at))
			m.set(images[i][other], room.At(image))
		})
		m.set(self, m.own.At(m.Rows.N/2))
	})
	return self
}

// partImages is the reverse.
func (m *meeting) partImages(places [][]place, values, images [][]number, self number, first build.Val) {
	k := m.k
	m.exchange(places, func(i, j, other int, p place) {
		room, at, image := m.mirrored(p)
		k.Set(room.At(at), build.Vec(values[i][j].Re, values[i][j].Im))
		put := func() { k.Set(room.At(image), build.Vec(images[i][other].Re, images[i][other].Im)) }
		if p.lo() == 0 {
			k.If(p.at.Ne(0), put)
			k.If(first, func() { k.Set(m.own.At(m.Rows.N/2), build.Vec(self.Re, self.Im)) })
		} else {
			put()
		}
	})
	m.change(values, images)
	k.If(m.zero, func() {
		each(places, func(i, j, other int, p place) {
			m.set(values[i][j], m.own.At(p.at))
			m.set(images[i][other], m.image.At(whole(m.Rows.N-1).Sub(p.at)))
		})
	})
}

// changing is a number as a variable, and change makes all of some so.
func (m *meeting) changing(z number) number {
	return number{Re: m.k.Var("re", z.Re), Im: m.k.Var("im", z.Im)}
}

func (m *meeting) change(values, images [][]number) {
	for i := range values {
		for j := range values[i] {
			values[i][j], images[i][j] = m.changing(values[i][j]), m.changing(images[i][j])
		}
	}
}

// set makes a variable what is in memory.
func (m *meeting) set(to number, from build.Val) {
	z := m.k.looked(from)
	m.k.Set(to.Re, z.Re)
	m.k.Set(to.Im, z.Im)
}

// exchange lets threads with rows 0 and n1/2 store elements that they then read.
func (m *meeting) exchange(places [][]place, store func(i, j, other int, p place)) {
	m.k.guard.beforeWrite(swapped)
	m.k.If(m.zero, func() { each(places, store) })
	m.k.guard.beforeRead(swapped)
}

// each calls f with all places, and which number their images have.
func each(places [][]place, f func(i, j, other int, p place)) {
	for i, at := range places {
		for j, p := range at {
			f(i, j, len(at)-1-j, p)
		}
	}
}

// columnsHome transforms columns back and hands the results on.
func (m *meeting) columnsHome() {
	k := m.k
	y := k.ffts[m.back]
	column, c := m.columns(true)
	c.taken = nil
	write := k.packedOut(y, func(at cell, v []number) { k.pass(m.back, at, v) })
	c.run(func(at []place) []number {
		k.guard.beforeRead(swapped)
		return lists.Map(at, func(p place) number { return k.looked(c.shared.At(p.at)) })
	}, func(at []place, v []number) {
		write(lists.Map(at, func(p place) place { return m.at(column, p) }), v)
	})
}
