package vec

import "math"

// Block is how many elements a reduction adds up before it pairs results. A
// block of 4096 float32 is 64 additions per lane, and fits L1.
const Block = 4096

// lanes is how many running sums a block has: 256 bytes of them, four
// AVX-512 registers or eight AVX2 ones.
func lanes[T Float]() int {
	var zero T
	if _, ok := any(zero).(float32); ok {
		return 64
	}
	return 32
}

// tree adds the results of blocks pairwise. It splits at the largest power of
// two of blocks, so that a caller who splits a sum at such places and adds the
// parts gets the same bits.
func tree[T Float](x []T, block func([]T) (even, odd T)) T {
	if len(x) <= Block {
		even, odd := block(x)
		return even + odd
	}
	p := splitAt(len(x))
	return tree(x[:p], block) + tree(x[p:], block)
}

// treeProducts is tree of products.
func treeProducts[T Float](x, y []T, block func(x, y []T) (even, odd T)) T {
	if len(x) <= Block {
		even, odd := block(x, y)
		return even + odd
	}
	p := splitAt(len(x))
	return treeProducts(x[:p], y[:p], block) + treeProducts(x[p:], y[p:], block)
}

// treePairs is tree for two interleaved sums.
func treePairs[T Float](x []T, block func([]T) (even, odd T)) (even, odd T) {
	if len(x) <= Block {
		return block(x)
	}
	p := splitAt(len(x))
	e1, o1 := treePairs(x[:p], block)
	e2, o2 := treePairs(x[p:], block)
	return e1 + e2, o1 + o2
}

// splitAt is the largest power of two times Block below n.
func splitAt(n int) int {
	p := Block
	for p*2 < n {
		p *= 2
	}
	return p
}

// fold adds the running sums by halves, lane i taking lane i + half, until two
// are left: the sums of the even and of the odd elements.
func fold[T Float](s []T) (even, odd T) {
	for half := len(s) / 2; half > 1; half /= 2 {
		for i := range s[:half] {
			s[i] += s[i+half]
		}
	}
	return s[0], s[1]
}

func sumBlock[T Float](x []T) (even, odd T) {
	var room [64]T
	s := room[:lanes[T]()]
	for ; len(x) >= len(s); x = x[len(s):] {
		for i, v := range x[:len(s)] {
			s[i] += v
		}
	}
	for i, v := range x {
		s[i] += v
	}
	return fold(s)
}

func dotBlock[T Float](x, y []T) (even, odd T) {
	var room [64]T
	s := room[:lanes[T]()]
	y = y[:len(x)]
	for i, v := range x {
		s[i&(len(s)-1)] += T(v * y[i])
	}
	return fold(s)
}

func largest[T Float](x []T) T {
	m := T(math.Inf(-1))
	for _, v := range x {
		m = max(m, v)
	}
	return m
}

func least[T Float](x []T) T {
	m := T(math.Inf(1))
	for _, v := range x {
		m = min(m, v)
	}
	return m
}
