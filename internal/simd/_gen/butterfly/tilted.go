package main

import "fmt"

// A product with a root c + is, with the cosine taken out, is x*(1 + it): two operations in planes and
// one besides the exchange of components, where the whole product has four and two. The sums of the
// transform behind it multiply by the cosines instead, which costs none. Row rows/2, one of whose cosines
// is zero, is multiplied as it is, and lacks nothing. Large tangents cost no precision: what they make
// large is multiplied by a cosine as small.

// tiltedAt is where the factor of a row of vector v of the columns is: tangents, with their
// signs for even and odd lanes, or for row rows/2 a vector of cosines and one of sines.
func (k *kernel) tiltedAt(rows, v, j int) int {
	at := v*rows + j - 1
	if 2*j > rows {
		at++
	}
	return at * k.bytes
}

// tiltRow multiplies row j of vector v of the columns.
func (k *kernel) tiltRow(x value, rows, v, j int) value {
	b, at := &k.b, k.tiltedAt(rows, v, j)
	if 2*j == rows {
		return b.alternateM(x, tableAddress{at}, b.mulM(b.crossed(x), tableAddress{at + k.bytes}))
	}
	return b.fmaM(b.crossed(x), tableAddress{at}, x)
}

// Vectors of factors that the transform of columns, one cosine for each lane, has in the table.
const (
	fourMiddle = iota // column 2, of four
	fourLast          // column 3 over column 1
	fourFirst         // column 1
	fourTilt          // the same with the signs of a turn
	fourFactors
)

// Behind those of four even columns.
const (
	eightMiddle = fourFactors + iota // column 5 over column 1, of eight
	eightLast                        // 7 over 3
	eightSecond                      // 3 over 1
	eightFirst                       // 1
	eightTilt                        // the same with the signs of a turn
	eightEighth                      // 1 times the cosine of an eighth turn
	eightFactors
)

// tiltedFactors is the number of those vectors.
func tiltedFactors(columns int) int {
	if columns == 4 {
		return fourFactors
	}
	return eightFactors
}

// bothM is x + y*mem and x - y*mem.
func (b *block) bothM(x, y value, m address) (plus, minus value) {
	return b.fmaM(y, m, x), b.fnmaM(y, m, x)
}

// dftTilted is dftJoint of four or eight vectors whose products lack the cosines.
func (b *block) dftTilted(x []value, factor func(i int) address) []value {
	n := len(x)
	out := make([]value, n)
	both := func(k int, e, y value, f int) { out[k], out[k+n/2] = b.bothM(e, y, factor(f)) }
	step := n / 4
	s, d := b.bothM(x[0], x[2*step], factor(fourMiddle))
	t, e := b.bothM(x[step], x[3*step], factor(fourLast))
	var even [4]value
	even[0], even[2] = b.bothM(s, t, factor(fourFirst))
	even[1], even[3] = b.bothM(d, b.crossed(e), factor(fourTilt))
	if n == 4 {
		return even[:]
	}
	s, d = b.bothM(x[1], x[5], factor(eightMiddle))
	t, e = b.bothM(x[3], x[7], factor(eightLast))
	sum, dif := b.bothM(s, t, factor(eightSecond))
	p, m := b.bothM(d, e, factor(eightSecond))
	crossed := b.crossed(p)
	both(0, even[0], sum, eightFirst)
	both(2, even[2], b.crossed(dif), eightTilt)
	both(1, even[1], b.turnedJoint(crossed, 1, m), eightEighth)
	y := b.turnedJoint(crossed, -1, m)
	out[7], out[3] = b.bothM(even[3], y, factor(eightEighth))
	return out
}

// timesTilted is tableTimes for row j of planes, without the cosines.
func (k *kernel) timesTilted(p pair, rows, j int) pair {
	b, at := &k.b, k.tiltedAt(rows, 0, j)
	if 2*j == rows {
		return k.tableTimes(p, at)
	}
	return b.tiltM(p, tableAddress{at})
}

// tiltM is p*(1 + it).
func (b *block) tiltM(p pair, t address) pair {
	return pair{b.fnmaM(p.im, t, p.re), b.fmaM(p.re, t, p.im)}
}

// bothP is x + y*f and x - y*f.
func (b *block) bothP(x, y pair, f value) (plus, minus pair) {
	return pair{b.fma(y.re, f, x.re), b.fma(y.im, f, x.im)}, pair{b.fnma(y.re, f, x.re), b.fnma(y.im, f, x.im)}
}

// fourTilted is the transform of four vectors that lack cosines: those of the middle, of the last
// over the second, and of the second over the first are at an address.
func (k *kernel) fourTilted(v []pair, at int) []pair {
	b := &k.b
	factor := func(i int) value { return b.load(tableAddress{at + i*k.bytes}) }
	s, d := b.bothP(v[0], v[2], factor(fourMiddle))
	t, e := b.bothP(v[1], v[3], factor(fourLast))
	f := factor(fourFirst)
	out := make([]pair, 4)
	out[0], out[2] = b.bothP(s, t, f)
	out[1], out[3] = b.bothP(d, pair{e.im, e.re}, f)
	out[1].im, out[3].im = out[3].im, out[1].im
	return out
}

// lanesTilted is alongLanes of four rows that lack their cosines. The factors of group g lie behind
// those of the rows.
func (k *kernel) lanesTilted(v []pair, at int, put func(chunk int, p pair)) {
	b := &k.b
	v = k.fourTilted(b.each(v, b.exchangeLanes), at)
	for i := 1; i < 4; i++ {
		if i == 2 {
			v[i] = b.timesM(v[i], patternAddress{"inner2re"}, patternAddress{"inner2im"})
		} else {
			v[i] = b.tiltM(v[i], patternAddress{fmt.Sprintf("inner%dt", i)})
		}
	}
	at += fourTilt * k.bytes
	if k.bits == 32 {
		for j, p := range k.fourTilted(b.each(v, b.exchangeWithin), at) {
			put(4*j, p)
		}
		return
	}
	for i := 0; i < 4; i += 2 {
		x := pair{b.shuffle("VUNPCKLPD", -1, v[i].re, v[i+1].re), b.shuffle("VUNPCKLPD", -1, v[i].im, v[i+1].im)}
		y := pair{b.shuffle("VUNPCKHPD", -1, v[i].re, v[i+1].re), b.shuffle("VUNPCKHPD", -1, v[i].im, v[i+1].im)}
		plus, minus := b.bothP(x, y, b.load(tableAddress{at + i/2*k.bytes}))
		put(i, plus)
		put(i+4, minus)
	}
}

// laneFactors is the vectors of factors of four rows of planes.
func (k *kernel) laneFactors() int {
	if k.bits == 32 {
		return 2 * fourTilt
	}
	return fourTilt + 2
}
