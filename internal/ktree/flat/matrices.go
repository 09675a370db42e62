package flat

import "github.com/twiddle-go/twiddle/internal/ktree"

// Operations on small matrices are written in terms of shuffles: a lane asks the
// lane that has what it needs.

func uintConst(v int) Expr { return &Const{Kind: ktree.Uint, Val: ktree.Num{I: int64(v)}} }

func (f *flattener) uints(op ktree.Op, x Expr, y int) Expr {
	return &Bin{Op: op, In: ktree.Uint, X: x, Y: uintConst(y), Sure: true}
}

// shuffled is the value of another lane.
func (f *flattener) shuffled(x, lane Expr) Expr {
	v := f.newVar("", x.K())
	v.Sets = 1
	f.emit(&Cross{Dst: v, Fn: ktree.SimdShuffle, X: x, Lane: f.keep(lane)})
	return &Use{v}
}

// lanePlace is the lane's row and column of fragments: l/4 and l%4.
func (f *flattener) lanePlace() (row, column Expr) {
	lane := &Grid{Grid: ktree.ThreadIndexInSimdgroup}
	return f.keep(f.uints(ktree.Div, lane, 4)), f.keep(f.uints(ktree.Rem, lane, 4))
}

// word is element i behind a place of an array of words.
func (p place) word(i int) []Term {
	return append(p.terms[:len(p.terms):len(p.terms)], Term{X: intConst(int64(i)), Scale: 1})
}

// wordOf is two halves in a word.
func (f *flattener) wordOf(halves [2]Expr) Expr {
	bits := func(h int) Expr { return &Conv{To: ktree.Uint, X: &Bits{To: ktree.Ushort, X: halves[h]}} }
	return &Bin{Op: ktree.Or, In: ktree.Uint, X: bits(0), Y: f.uints(ktree.Shl, bits(1), 16)}
}

// halfOf is the half of a word from a bit on.
func halfOf(k ktree.Kind, word, bit Expr) Expr {
	return &Bits{To: k, X: &Conv{To: ktree.Ushort, X: &Bin{Op: ktree.Shr, In: ktree.Uint, X: word, Y: bit, Sure: true}}}
}

func (f *flattener) turnMatrix(xs []Expr) []Expr {
	word := f.keep(f.wordOf([2]Expr(xs)))
	row, column := f.lanePlace()
	bit := f.keep(f.uints(ktree.Mul, f.uints(ktree.Rem, row, 2), 16))
	out := make([]Expr, 2)
	for h := range out {
		// Element row of row 2*column+h.
		line := f.uints(ktree.Add, f.uints(ktree.Mul, column, 8), 4*h)
		lane := &Bin{Op: ktree.Add, In: ktree.Uint, X: line, Y: f.uints(ktree.Div, row, 2), Sure: true}
		out[h] = f.keep(halfOf(xs[0].K(), f.shuffled(word, lane), bit))
	}
	return out
}

func (f *flattener) loadMatrices(s *ktree.LoadMatrices) {
	from, to := f.element(s.From), f.element(s.To)
	to.terms = f.freezeTerms(to.terms)
	at := f.keep(sum(from.terms))
	row, column := f.lanePlace()
	for i := range 4 {
		var halves [2]Expr
		for h := range halves {
			// Of the row that a lane has, the elements that this one wants.
			line, along := Expr(row), f.uints(ktree.Add, f.uints(ktree.Mul, column, 2), h)
			if s.Turned {
				line, along = along, row
			}
			start := f.shuffled(at, f.uints(ktree.Add, line, 8*i))
			x := f.keep(&Load{Mem: from.mem, Terms: []Term{{X: start, Scale: 1}, {X: f.keep(along), Scale: 1}}, Pos: s.Pos})
			halves[h] = x
		}
		f.emit(&Store{Mem: to.mem, Terms: to.word(i), X: f.wordOf(halves), Pos: s.Pos})
	}
}

func (f *flattener) multiplyMatrices(s *ktree.MultiplyMatrices) {
	var places [3]place
	for i, e := range []ktree.Expr{s.Sum, s.A, s.B} {
		places[i] = f.element(e)
		places[i].terms = f.freezeTerms(places[i].terms)
	}
	sums, a, b := places[0], places[1], places[2]
	load := func(p place, i int) Expr { return f.keep(&Load{Mem: p.mem, Terms: p.word(i), Pos: s.Pos}) }
	row, column := f.lanePlace()
	var total [4]Expr
	for i := range total {
		total[i] = load(sums, i)
	}
	// The first and the second half of a word, as floats.
	half := func(word Expr, h int) Expr { return &Conv{To: ktree.Float, X: halfOf(s.Kind, word, uintConst(16*h))} }
	for pair := range 8 { // of K
		lane := func(line Expr) Expr { return f.uints(ktree.Add, f.uints(ktree.Mul, line, 4), pair%4) }
		var rows, columns [2]Expr
		for i := range 2 {
			rows[i] = f.shuffled(load(a, pair/4*2+i), lane(row))
			columns[i] = f.shuffled(load(b, pair/4), lane(f.uints(ktree.Add, f.uints(ktree.Mul, column, 2), i)))
		}
		for i := range total {
			for h := range 2 {
				total[i] = f.keep(&Math{Fn: ktree.Fma, Kind: ktree.Float, Args: []Expr{half(rows[i/2], h), half(columns[i%2], h), total[i]}})
			}
		}
	}
	for i, x := range total {
		f.emit(&Store{Mem: sums.mem, Terms: sums.word(i), X: x, Pos: s.Pos})
	}
}
