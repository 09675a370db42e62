package main

import "math"

// jointSpread says that a lead that spreads rows keeps complex numbers interleaved while it
// transforms them: sixteen vectors have room in as many registers, where planes leave most of 32 on the
// stack. It multiplies by twiddles behind the transpose, in planes.
func (t target) jointSpread(v leadKind) bool {
	return v.spread && !v.product && t.bytes == ymmBytes && t.bits == 32 && v.radix == 16
}

// jointTile transforms the legs of a tile, half of its columns at a time.
func (k *kernel) jointTile(radix int) {
	b, columns := &k.b, k.lanes()/2
	var starts []int
	for half := range 2 {
		starts = append(starts, len(b.code))
		rows := newJointRows(b, radix, func(column, eight int, p pair) {
			column += half * columns
			p = k.tableTimes(p, (radix/k.lanes()*column+eight)*2*k.bytes)
			b.store(legAddress{to, 0, column, 2 * eight * k.bytes}, p.re)
			b.store(legAddress{to, 0, column, (2*eight + 1) * k.bytes}, p.im)
		})
		b.quartersJoint(radix, func(j int) value {
			x := b.load(legAddress{from, 0, j, half * k.bytes})
			return b.inplace(0, func(e *emitter, r, _ []int) { k.ifSwapped(swapFrom, func() { e.cross(r) }) }, x)[0]
		}, rows.row)
	}
	b.inTurns(starts, 0.5)
}

// jointRows makes planes of rows of interleaved vectors, with rows and columns exchanged. Eight rows
// of a column are a vector of each plane, in the order of mixedLanes.
type jointRows struct {
	b     *block
	level [3][]value // rows, and by columns pairs and fours of them
	have  [3][]bool
	put   func(column, eight int, p pair)
}

func newJointRows(b *block, n int, put func(column, eight int, p pair)) *jointRows {
	t := &jointRows{b: b, put: put}
	for i := range t.level {
		t.level[i], t.have[i] = make([]value, n), make([]bool, n>>i)
	}
	return t
}

func (t *jointRows) row(j int, x value) {
	b := t.b
	t.level[0][j], t.have[0][j] = x, true
	if !t.have[0][j^1] {
		return
	}
	p := j / 2
	v := t.level[0][2*p:]
	t.level[1][2*p], t.level[1][2*p+1] = b.shuffle("VUNPCKLPD", -1, v[0], v[1]), b.shuffle("VUNPCKHPD", -1, v[0], v[1])
	t.have[1][p] = true
	if !t.have[1][p^1] {
		return
	}
	q := p / 2
	v = t.level[1][4*q:]
	for i := range 2 {
		t.level[2][4*q+i], t.level[2][4*q+i+2] = b.shuffle("VPERM2F128", 0x20, v[i], v[2+i]), b.shuffle("VPERM2F128", 0x31, v[i], v[2+i])
	}
	t.have[2][q] = true
	if !t.have[2][q^1] {
		return
	}
	v = t.level[2][q/2*8:]
	for c := range 4 {
		t.put(c, q/2, b.apartHalves(v[c], v[4+c]))
	}
}

// quartersJoint is quarters of 16 interleaved vectors, with the same bits.
func (b *block) quartersJoint(n int, get func(j int) value, put func(k int, x value)) {
	var q [4][]value
	for _, r := range []int{3, 1, 2, 0} {
		x, y := get(r), get(8+r)
		s, d := b.add(x, y), b.sub(x, y)
		x, y = get(4+r), get(12+r)
		t, e := b.add(x, y), b.sub(x, y)
		plus, minus := b.turnedLike(d, e, 1, 4)
		q[r] = []value{b.add(s, t), plus, b.sub(s, t), minus}
	}
	for k := range n / 4 {
		o0, o1 := b.turnedLike(q[1][k], q[3][k], k, n/2)
		e0, e1 := b.turnedLike(q[0][k], q[2][k], k, n/2)
		plus, minus := b.turnedLike(e0, o0, k, n)
		put(k, plus)
		put(k+n/2, minus)
		plus, minus = b.turnedLike(e1, o1, k+n/4, n)
		put(k+n/4, plus)
		put(k+3*n/4, minus)
	}
}

// turnedLike is turned for interleaved numbers, with the same bits.
func (b *block) turnedLike(e, o value, k, n int) (plus, minus value) {
	if k == 0 {
		return b.add(e, o), b.sub(e, o)
	}
	crossed := b.crossed(o)
	if 4*k == n {
		return b.alternate("VFMSUBADD", e, 1, crossed), b.alternate("VFMADDSUB", e, 1, crossed)
	}
	c, s := cosine(k, n), sine(k, n)
	var y value
	switch {
	case 8*k == n:
		y = b.alternate("VFMSUBADD", o, 1, crossed)
	case 8*k == 3*n:
		y = b.alternate("VFMADDSUB", o, 1, crossed)
	case math.Abs(c) >= math.Abs(s):
		t := tangent(k, n)
		if t < 0 {
			y = b.fnmaM(crossed, tiltAddress(-t), o)
		} else {
			y = b.fmaM(crossed, tiltAddress(t), o)
		}
	default:
		y, c = b.alternate("VFMSUBADD", o, cotangent(k, n), crossed), s
	}
	return b.fmaC(y, c, e), b.fnmaC(y, c, e)
}
