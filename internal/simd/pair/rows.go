package pair

// Lines may lie side by side: element i of Beside lines is a row. A row of
// complex numbers is their real parts, then their imaginary parts. A block is
// then the same for all lanes, and no pair is near.

// Rows says which rows are mixed, in two loops. It counts elements of w, and
// rows. The kernels read it, so the order and size of its fields are part of the
// assembly.
type Rows struct {
	Row, Col     int    // how far the rows of a block are apart, and the columns
	Spans        [2]int // of the pairs of each factor
	Next         int    // from the first block of the first factor to that of the second
	Cross        [2]int // from a block of each factor to that of the pair which is the other's span away
	Inner, Outer Loop
}

// Loop is a number of turns.
type Loop struct {
	Count  int    // at least one
	Rows   int    // from turn to turn
	Blocks [2]int // from turn to turn, of each factor
}

// RowFactor mixes pairs of rows by one factor or by two, with the bits of
// Factor:
//
//	mix := func(i, j, b int) { x[i], x[j] = w[b]*x[i] + w[Col+b]*x[j], w[Row+b]*x[i] + w[Row+Col+b]*x[j] }
//	for j := range Outer.Count {
//		for k := range Inner.Count {
//			i := j*Outer.Rows + k*Inner.Rows
//			b := j*Outer.Blocks[0] + k*Inner.Blocks[0]
//			c := j*Outer.Blocks[1] + k*Inner.Blocks[1] + Next
//			mix(i, i+Spans[0], b)
//			if there are two {
//				mix(i+Spans[1], i+Spans[0]+Spans[1], b+Cross[0])
//				mix(i, i+Spans[1], c)
//				mix(i+Spans[0], i+Spans[0]+Spans[1], c+Cross[1])
//			}
//		}
//	}
type RowFactor func(x, w *byte, r *Rows)

// Turn brings Beside lines, which are apart bytes apart, side by side, or back.
// Element i is the row that begins at byte places[i]. A square is as many bytes
// of each line as a vector has.
type Turn func(dst, src *byte, apart int, places *int32, squares int)
