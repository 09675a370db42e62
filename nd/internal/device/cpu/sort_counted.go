package cpu

import "unsafe"

// countedSort sorts integers of 8 or 16 bits by how often each of them occurs. They have the order
// of integers without a sign once some bits are flipped. It is nil for lines so short that looking
// at all counts takes longer than sorting.
func countedSort[T uint8 | uint16](w *sortWork, flip T) func(w *sortWork, to sorted, x unsafe.Pointer, s *scratch) {
	values := 1 << (8 * unsafe.Sizeof(flip))
	if w.length < values/16 || int64(w.length) >= 1<<32 {
		return nil
	}
	return func(w *sortWork, to sorted, x unsafe.Pointer, s *scratch) {
		// Two counts of each, since one alone waits for itself where neighbours are equal.
		counts := scratchOf[uint32](s, 2*values)
		clear(counts)
		even, odd := counts[:values], counts[values:]
		line := slice[T](x, w.length)
		for ; len(line) > 1; line = line[2:] {
			even[line[0]]++
			odd[line[1]]++
		}
		if len(line) > 0 {
			even[line[0]]++
		}
		left := w.keep
		for k := 0; left > 0; k++ {
			v := T(k) ^ flip
			n := min(int(even[v])+int(odd[v]), left)
			left -= n
			if to.step == 1 {
				run := slice[T](to.values, n)
				for i := range run {
					run[i] = v
				}
				to.values = unsafe.Add(to.values, n*w.size)
				continue
			}
			for range n {
				*(*T)(to.values) = v
				to.values = unsafe.Add(to.values, to.step*w.size)
			}
		}
	}
}
