package main

// The first stage of a deep line of float32 keeps complex numbers interleaved: a vector of them has half
// of the columns, and sixteen have room in as many registers, where planes leave some of 32 on the
// stack. Shuffles take numbers apart and transpose at once. A tile of 16 x 16 takes 296 instructions
// that compute or shuffle, planes 338.

// firstJoint is firstStage for interleaved numbers, half of the columns at a time, in turns. Rooted
// rows are multiplied before they meet others in a vector.
func (d deep) firstJoint(k *kernel, form deepForm) int {
	b, rows := &k.b, k.lanes()
	k.crosses = true
	tangents := 0 // where they are in the table, and how many vectors there are for each half
	for j := range rows {
		if rooted(rows, d.columns(), j) {
			tangents += 2
		}
	}
	vectors := tangents + rows/2
	if form == deepUnpacked {
		vectors += rows
	}
	var starts []int
	for half := range 2 {
		starts = append(starts, len(b.code))
		table, first := half*vectors*k.bytes, half*rows/2
		columns := newJointColumns(b, func(i, eight int, columns [2]int, p pair) {
			p = b.tiltM(p, tableAddress{table + (tangents+i)*k.bytes})
			for plane, v := range []value{p.re, p.im} {
				for part, column := range columns {
					at := (2*d.place(first+column)+plane)*k.bytes + eight*k.bytes/2
					b.storeHalf(bufferAddress{at}, v, part)
				}
			}
		})
		var x []value
		for j := range rows {
			at := j*d.columns()*2*k.size() + half*k.bytes
			if form == deepUnpacked {
				x = append(x, k.tangledRow(at, table+(tangents+rows/2+j)*k.bytes))
			} else {
				x = append(x, b.load(legAddress{from, 1, 0, at}))
			}
		}
		if form == deepWhole {
			x = k.exchanged(x)
		}
		roots := make([]int, rows)
		at := table
		for j := range roots {
			if roots[j] = at; rooted(rows, d.columns(), j) {
				at += 2 * k.bytes
			}
		}
		b.dftJointFrom(rows, func(j int) value { return x[j] }, func(j int, x value) {
			if rooted(rows, d.columns(), j) {
				x = b.alternateM(x, tableAddress{roots[j]}, b.mulM(b.crossed(x), tableAddress{roots[j] + k.bytes}))
			}
			columns.row(j, x)
		})
	}
	b.inTurns(starts, 0.5)
	return 2 * vectors
}

// jointColumns makes planes of sixteen rows of eight interleaved numbers, with rows and columns
// exchanged. Eight rows of two columns are a vector of each plane.
type jointColumns struct {
	b      *block
	rows   []value
	planes [2][3][]value // by pairs and by fours of rows, of even and of odd columns
	have   [3][]bool
	// put takes vector i of a plane: the first or last eight rows of two columns.
	put func(i, eight int, columns [2]int, p pair)
}

func newJointColumns(b *block, put func(i, eight int, columns [2]int, p pair)) *jointColumns {
	n := b.lanes()
	t := &jointColumns{b: b, rows: make([]value, n), put: put}
	for i := range t.have {
		t.have[i] = make([]bool, n>>i)
	}
	for plane := range t.planes {
		t.planes[plane] = [3][]value{make([]value, n/2), make([]value, n/4), make([]value, n/4)}
	}
	return t
}

// row adds a row. What it completes is shuffled.
func (t *jointColumns) row(j int, x value) {
	b := t.b
	t.rows[j], t.have[0][j] = x, true
	if !t.have[0][j^1] {
		return
	}
	two := j / 2
	for plane, parts := range []int{0x88, 0xdd} {
		t.planes[plane][0][two] = b.shuffle("VSHUFPS", parts, t.rows[2*two], t.rows[2*two+1])
	}
	t.have[1][two] = true
	if !t.have[1][two^1] {
		return
	}
	four := two / 2
	for plane := range t.planes {
		v := t.planes[plane][0][2*four:]
		t.planes[plane][1][four] = b.shuffle("VSHUFPS", 0x88, v[0], v[1])
		t.planes[plane][2][four] = b.shuffle("VSHUFPS", 0xdd, v[0], v[1])
	}
	t.have[2][four] = true
	if !t.have[2][four^1] {
		return
	}
	eight := four / 2
	for odd := range 2 {
		for high, index := range []int{indexLow, indexHigh} {
			half := func(plane int) value {
				v := t.planes[plane][1+odd][2*eight:]
				return b.select2(index, v[0], v[1])
			}
			column := 4*high + odd
			t.put(4*eight+2*odd+high, eight, [2]int{column, column + 2}, pair{half(0), half(1)})
		}
	}
}
