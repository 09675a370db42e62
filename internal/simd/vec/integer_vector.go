//go:build amd64 || arm64

package vec

import "unsafe"

// integerKernels is the assembly for a type of integers. Operations are numbers: of arithmetic
// add, sub, neg, max, min, mul, abs; of comparisons equal, less; of folds the sum, the largest,
// the least.
type integerKernels struct {
	arithmetic func(op int, dst, x, y *byte, n int)
	compare    func(op int, flip uint64, dst, x, y *byte, n int)
	fold       func(op int, x *byte, n int) uint64
}

// use replaces the kernels of a type by those for vectors of so many bytes. Fewer elements than
// a vector has are left to the portable kernels.
func (r *Integer[T]) use(bytes int, k integerKernels) {
	var t T
	lanes := bytes / int(unsafe.Sizeof(t))
	for op, to := range []*Lanes{&r.Add, &r.Sub, &r.Neg, &r.Max, &r.Min, &r.Mul, &r.Abs} {
		if to == &r.Abs && t-1 > 0 {
			continue // a number without a sign is its magnitude
		}
		portable := *to
		*to = func(dst, x, y unsafe.Pointer, n int) {
			if n < lanes {
				portable(dst, x, y, n)
				return
			}
			k.arithmetic(op, (*byte)(dst), (*byte)(x), (*byte)(y), n)
		}
	}
	compare := func(op int, flip uint64, to *Lanes) {
		portable := *to
		*to = func(dst, x, y unsafe.Pointer, n int) {
			if n < lanes {
				portable(dst, x, y, n)
				return
			}
			k.compare(op, flip, (*byte)(dst), (*byte)(x), (*byte)(y), n)
		}
	}
	const flip = 0x0101010101010101
	compare(0, 0, &r.Equal)
	compare(0, flip, &r.NotEqual)
	compare(1, 0, &r.Less)
	compare(1, flip, &r.GreaterEqual)
	r.Greater, r.LessEqual = swapped(r.Less), swapped(r.GreaterEqual)

	fold := func(op int, rest func(x []T) T, both func(x, y T) T) func(x []T) T {
		return func(x []T) T {
			n := len(x) &^ (lanes - 1)
			if n == 0 {
				return rest(x)
			}
			v := T(k.fold(op, (*byte)(unsafe.Pointer(unsafe.SliceData(x))), n))
			if n < len(x) {
				v = both(v, rest(x[n:]))
			}
			return v
		}
	}
	r.Sum = fold(0, r.Sum, func(x, y T) T { return x + y })
	// The last vector of an extreme overlaps the one before: of bytes at AVX-512, 63 may be left.
	extreme := func(op int, rest func(x []T) T, both func(x, y T) T) func(x []T) T {
		whole := fold(op, rest, both)
		return func(x []T) T {
			over := len(x) & (lanes - 1)
			if len(x) < lanes || over == 0 {
				return whole(x)
			}
			return both(whole(x[:len(x)-over]), whole(x[len(x)-lanes:]))
		}
	}
	r.Largest = extreme(1, r.Largest, func(x, y T) T { return max(x, y) })
	r.Least = extreme(2, r.Least, func(x, y T) T { return min(x, y) })
}

// chooseFrom leaves fewer elements than a vector has to the portable kernel.
func chooseFrom(lanes int, kernel func(dst, cond, x, y *byte, n int), portable Choose) Choose {
	return func(dst, cond, x, y unsafe.Pointer, n int) {
		if n < lanes {
			portable(dst, cond, x, y, n)
			return
		}
		kernel((*byte)(dst), (*byte)(cond), (*byte)(x), (*byte)(y), n)
	}
}
