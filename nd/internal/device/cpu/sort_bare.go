package cpu

import (
	"slices"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd/order"
)

// bareSort sorts bits by keys without positions, which are half as long or less: the key of
// an integer is its bits with some flipped, and that of a float is one of package order. It
// is nil where keys with positions are faster.
func bareSort[K order.Key](d *Device, w *sortWork, float bool, flip K) func(w *sortWork, to sorted, x unsafe.Pointer, s *scratch) {
	b := &bare[K]{Kernels: order.For[K](d.level), flip: flip}
	if b.Sort == nil && (w.length < radixFrom || w.keep < w.length/selectUpTo) {
		return nil
	}
	if float {
		return b.floats
	}
	return b.integers
}

type bare[K order.Key] struct {
	order.Kernels[K]
	flip K
}

// sort puts the least keep keys to the front.
func (b *bare[K]) sort(keys []K, keep int, s *scratch) {
	if b.Sort != nil {
		b.Sort(keys, keep)
		return
	}
	sortDigits(keys, 0, s)
}

// keys is where a line is sorted: in its result, if that has room for it.
func (b *bare[K]) keys(w *sortWork, to sorted, s *scratch) []K {
	if to.step == 1 && w.keep == w.length {
		return slice[K](to.values, w.length)
	}
	return scratchOf[K](s, w.length)
}

func (b *bare[K]) integers(w *sortWork, to sorted, x unsafe.Pointer, s *scratch) {
	keys := b.keys(w, to, s)
	b.Flip(keys, slice[K](x, w.length), b.flip)
	b.sort(keys, w.keep, s)
	kept := keys[:w.keep]
	b.Flip(kept, kept, b.flip)
	storeLine(to.values, to.step, kept)
}

func (b *bare[K]) floats(w *sortWork, to sorted, x unsafe.Pointer, s *scratch) {
	keys, values := b.keys(w, to, s), slice[K](x, w.length)
	if b.FromFloats(keys, values, b.flip) {
		b.sort(keys, w.keep, s)
		kept := keys[:w.keep]
		b.ToFloats(kept, kept, b.flip)
		storeLine(to.values, to.step, kept)
		return
	}
	keys = b.numbers(scratchOf[K](s, w.length), values)
	kept := keys[:min(w.keep, len(keys))]
	b.sort(keys, len(kept), s)
	out := scratchOf[K](s, w.keep)
	b.ToFloats(out, kept, b.flip)
	b.asTheyCame(out, kept, values)
	storeLine(to.values, to.step, out)
}

// numbers makes keys of all values but NaN, of zeros as if they had no sign.
func (b *bare[K]) numbers(keys, values []K) []K {
	sign, infinite := order.Format[K]()
	n := 0
	for _, v := range values {
		if v&^sign > infinite {
			continue
		}
		if v == sign {
			v = 0
		}
		keys[n] = order.KeyOf(v) ^ b.flip
		n++
	}
	return keys[:n]
}

// asTheyCame puts zeros, which are equal, and NaN, which are last, in the order of the line:
// neither can be made of its key.
func (b *bare[K]) asTheyCame(out, keys, values []K) {
	sign, infinite := order.Format[K]()
	zero, found := slices.BinarySearch(keys, order.KeyOf(K(0))^b.flip)
	nan := len(keys)
	for _, v := range values {
		switch {
		case v&^sign == 0 && found && zero < len(keys):
			out[zero] = v
			zero++
		case v&^sign > infinite && nan < len(out):
			out[nan] = v
			nan++
		}
	}
}

// storeLine puts results step elements apart, unless they are there already.
func storeLine[K order.Key](dst unsafe.Pointer, step int, values []K) {
	if step == 1 {
		if to := slice[K](dst, len(values)); len(to) > 0 && &to[0] != &values[0] {
			copy(to, values)
		}
		return
	}
	for i, v := range values {
		*(*K)(unsafe.Add(dst, i*step*int(unsafe.Sizeof(v)))) = v
	}
}
