package order

import (
	"slices"
)

type number interface {
	~float32 | ~float64 | ~complex64 | ~complex128
}

// SumOfLine adds up neighbours in the order of Lanes and PartOf.
func SumOfLine[T number](x []T) T {
	part, lanes := PartOf(len(x)), Lanes(len(x))
	var parts []T
	for from := 0; from < len(x); from += part {
		total := make([]T, lanes)
		for turn, chain := from, make([]T, lanes); turn < min(from+part, len(x)); turn += lanes {
			for i := turn; i < min(turn+lanes, from+part, len(x)); i++ {
				chain[i-turn] += x[i]
			}
			if next := turn + lanes; (next-from)%(Chain*lanes) == 0 || next >= min(from+part, len(x)) {
				for l := range total {
					total[l] += chain[l]
				}
				clear(chain)
			}
		}
		for l := range lanes / 2 {
			total[l] = total[2*l] + total[2*l+1]
		}
		for n := lanes / 4; n > 0; n /= 2 {
			for l := range n {
				total[l] += total[l+n]
			}
		}
		parts = append(parts, total[0])
	}
	switch len(parts) {
	case 0:
		return 0
	case 1:
		return parts[0]
	}
	return SumOfLine(parts)
}

// SumOfRows adds up elements of rows in the order of Chain.
func SumOfRows[T number](x []T) T {
	for range ChainLevels - 1 {
		var sums []T
		for chain := range slices.Chunk(x, Chain) {
			sums = append(sums, inOrder(chain))
		}
		x = sums
	}
	return inOrder(x)
}

func inOrder[T number](x []T) T {
	var sum T
	for _, v := range x {
		sum += v
	}
	return sum
}

// SumOfFrames adds up one element of each frame, from frame number first on, in
// the order of FrameGroup.
func SumOfFrames[T number](x []T, first, group int) T {
	if group == 0 {
		return inOrder(x)
	}
	var sum T
	for len(x) > 0 {
		n := min(group-first%group, len(x))
		sum += inOrder(x[:n])
		first, x = first+n, x[n:]
	}
	return sum
}
