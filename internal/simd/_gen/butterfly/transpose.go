package main

// transposed stores rows of vectors with rows and lanes exchanged. The
// rows may come in any order; each group of rows that fills 128 bits is
// shuffled as soon as it is complete, so that shuffles mix with arithmetic.
// What is left is to exchange 128-bit lanes: all shuffles would wait for one
// port, and all stores of single lanes for another, so two groups are joined
// by shuffles and the pairs meet in memory.
type transposed struct {
	b      *block
	rows   []value
	have   []bool
	groups [][]value // group g, column k of each 128-bit lane
	place  func(lane, disp int) address
	// paired says that half of the lanes are columns of one line and half of another: a
	// column is stored with that of the other line behind it.
	paired bool
	// early says that halves of vectors are stored as they come, so that fewer values wait. Where
	// they need not, pairs to the same cache line take less time.
	early bool
	// joined says that vectors of 256 bits are stored whole, which takes shuffles instead of stores.
	joined bool
}

func newTransposed(b *block, n int, place func(lane, disp int) address) *transposed {
	return &transposed{b: b, rows: make([]value, n), have: make([]bool, n), groups: make([][]value, n/b.perLane()), place: place}
}

// perLane is the components of a 128-bit lane.
func (t target) perLane() int { return 128 / t.bits }

func (t *transposed) row(i int, v value) {
	t.rows[i], t.have[i] = v, true
	b, per := t.b, t.b.perLane()
	g := i / per
	for j := range per {
		if !t.have[g*per+j] {
			return
		}
	}
	r := t.rows[g*per:]
	if b.bits == 64 {
		t.groups[g] = []value{b.shuffle("VUNPCKLPD", -1, r[0], r[1]), b.shuffle("VUNPCKHPD", -1, r[0], r[1])}
	} else {
		lo0, hi0 := b.shuffle("VUNPCKLPS", -1, r[0], r[1]), b.shuffle("VUNPCKHPS", -1, r[0], r[1])
		lo1, hi1 := b.shuffle("VUNPCKLPS", -1, r[2], r[3]), b.shuffle("VUNPCKHPS", -1, r[2], r[3])
		t.groups[g] = []value{
			b.shuffle("VUNPCKLPD", -1, lo0, lo1), b.shuffle("VUNPCKHPD", -1, lo0, lo1),
			b.shuffle("VUNPCKLPD", -1, hi0, hi1), b.shuffle("VUNPCKHPD", -1, hi0, hi1),
		}
	}
	if b.neon {
		for k, v := range t.groups[g] {
			b.store(t.place(k, 0), v)
		}
		return
	}
	if len(t.groups) == 1 || t.early {
		for k, v := range t.groups[g] {
			b.storePiece(t.place(k, g*16), v, 0)
			b.storePiece(t.place(per+k, g*16), v, 1)
		}
		return
	}
	g = g / 2 * 2
	if t.groups[g] == nil || t.groups[g+1] == nil {
		return
	}
	for k := range per {
		x, y := t.groups[g][k], t.groups[g+1][k]
		if t.joined {
			b.store(t.place(k, g*16), b.shuffle("VPERM2F128", 0x20, x, y))
			b.store(t.place(per+k, g*16), b.shuffle("VPERM2F128", 0x31, x, y))
			continue
		}
		if !b.wide() {
			b.storePiece(t.place(k, g*16), x, 0)
			b.storePiece(t.place(k, g*16+16), y, 0)
			b.storePiece(t.place(per+k, g*16), x, 1)
			b.storePiece(t.place(per+k, g*16+16), y, 1)
			continue
		}
		lower, upper := b.select2(indexLow, x, y), b.select2(indexHigh, x, y)
		if t.paired {
			b.store(t.place(k, 0), lower)
			b.store(t.place(per+k, 0), upper)
			continue
		}
		b.storeHalf(t.place(k, g*16), lower, 0)
		b.storeHalf(t.place(per+k, g*16), lower, 1)
		b.storeHalf(t.place(2*per+k, g*16), upper, 0)
		b.storeHalf(t.place(3*per+k, g*16), upper, 1)
	}
}

// definePairs writes the index vectors that join two groups: lanes 0 and 1 of
// both in turn, then lanes 2 and 3.
func definePairs(e *emitter) {
	n, per := e.lanes(), e.perLane()
	var all []int
	for lane := range 4 {
		for half := range 2 {
			for i := range per {
				all = append(all, half*n+lane*per+i)
			}
		}
	}
	e.indices("pairs", all[:n], all[n:])
}
