package cpu

import (
	"math/bits"
	"slices"
)

// radixFrom is the length from which counting digits beats comparing.
const radixFrom = 512

// sortDigits sorts by the bits from low on. Below them are positions, in order: the digits
// are taken from the low one up, each pass keeps the order of equal digits, and so
// positions stay in order by themselves.
func sortDigits[K uint32 | uint64](keys []K, low int, s *scratch) {
	if len(keys) < radixFrom {
		slices.Sort(keys)
		return
	}
	from, to := keys, scratchOf[K](s, len(keys))
	var room [8][256]int
	counts := room[:(bits.Len64(uint64(^K(0)))-low)/8]
	for _, k := range keys {
		k >>= low
		for d := range counts {
			counts[d][uint8(k)]++
			k >>= 8
		}
	}
	for d := range counts {
		if !startsOf(&counts[d], len(keys)) {
			continue
		}
		start, shift := &counts[d], low+8*d
		for _, k := range from {
			digit := uint8(k >> shift)
			to[start[digit]] = k
			start[digit]++
		}
		from, to = to, from
	}
	if &from[0] != &keys[0] {
		copy(keys, from)
	}
}

// startsOf turns counts into where each digit starts; it reports false if all
// n entries have the same digit, so that there is nothing to do.
func startsOf(counts *[256]int, n int) bool {
	at := 0
	for i, c := range counts {
		if c == n {
			return false
		}
		counts[i] = at
		at += c
	}
	return true
}

// selectLeast moves the k least entries to the front, in no order, and returns
// them. It keeps the k least so far as a heap with the
// greatest on top: on random data few entries get past the comparison with it.
func selectLeast[E any](list []E, k int, less func(a, b E) bool) []E {
	heap := list[:k]
	for i := k/2 - 1; i >= 0; i-- {
		sink(heap, i, less)
	}
	for _, e := range list[k:] {
		if less(e, heap[0]) {
			heap[0] = e
			sink(heap, 0, less)
		}
	}
	return heap
}

func sink[E any](heap []E, i int, less func(a, b E) bool) {
	for {
		child := 2*i + 1
		if child >= len(heap) {
			return
		}
		if child+1 < len(heap) && less(heap[child], heap[child+1]) {
			child++
		}
		if !less(heap[i], heap[child]) {
			return
		}
		heap[i], heap[child] = heap[child], heap[i]
		i = child
	}
}
