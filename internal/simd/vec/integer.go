package vec

import "unsafe"

// Int is the set of integer element types.
type Int interface {
	uint8 | int8 | int16 | int32 | int64 | uint32
}

// Lanes computes n elements of dst from those of x and, if it is an operation of two, of y.
type Lanes func(dst, x, y unsafe.Pointer, n int)

// Integer is the kernels of a type of integers. Results wrap.
type Integer[T Int] struct {
	Add, Sub, Mul, Max, Min Lanes
	Neg, Abs                Lanes // of x; the least integer stays itself

	Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual Lanes // dst is bools

	Sum, Largest, Least func(x []T) T // of one element at least

	// Quotients divides n elements by y, which is not -1, 0 or 1, and reports whether it did:
	// not too few of them. It is nil where there are no kernels.
	Quotients func(dst, x unsafe.Pointer, y T, n int) bool
}

func portableInteger[T Int]() Integer[T] {
	return Integer[T]{
		Add: added[T], Sub: subtracted[T], Mul: multiplied[T], Max: greater[T], Min: lesser[T],
		Neg: negated[T], Abs: magnitudes[T],
		Equal: equal[T], NotEqual: notEqual[T], Less: less[T], LessEqual: lessEqual[T],
		Greater: swapped(less[T]), GreaterEqual: swapped(lessEqual[T]),
		Sum: total[T], Largest: largestInteger[T], Least: leastInteger[T],
	}
}

// operands is those of a loop; the compiler sees that they are of one length.
func operands[D, S any](d, a, b unsafe.Pointer, n int) (dst []D, x, y []S) {
	dst = unsafe.Slice((*D)(d), n)
	return dst, unsafe.Slice((*S)(a), n)[:len(dst)], unsafe.Slice((*S)(b), n)[:len(dst)]
}

func added[T Int](d, a, b unsafe.Pointer, n int) {
	dst, x, y := operands[T, T](d, a, b, n)
	for i := range dst {
		dst[i] = x[i] + y[i]
	}
}

func subtracted[T Int](d, a, b unsafe.Pointer, n int) {
	dst, x, y := operands[T, T](d, a, b, n)
	for i := range dst {
		dst[i] = x[i] - y[i]
	}
}

func multiplied[T Int](d, a, b unsafe.Pointer, n int) {
	dst, x, y := operands[T, T](d, a, b, n)
	for i := range dst {
		dst[i] = x[i] * y[i]
	}
}

func negated[T Int](d, a, _ unsafe.Pointer, n int) {
	dst, x, _ := operands[T, T](d, a, a, n)
	for i := range dst {
		dst[i] = -x[i]
	}
}

// The loops below work on 64 bits, in which nothing branches on what the data is.

func greater[T Int](d, a, b unsafe.Pointer, n int) {
	dst, x, y := operands[T, T](d, a, b, n)
	for i := range dst {
		dst[i] = T(max(int64(x[i]), int64(y[i])))
	}
}

func lesser[T Int](d, a, b unsafe.Pointer, n int) {
	dst, x, y := operands[T, T](d, a, b, n)
	for i := range dst {
		dst[i] = T(min(int64(x[i]), int64(y[i])))
	}
}

func magnitudes[T Int](d, a, _ unsafe.Pointer, n int) {
	dst, x, _ := operands[T, T](d, a, a, n)
	for i := range dst {
		v := int64(x[i])
		dst[i] = T(v ^ v>>63 - v>>63)
	}
}

func equal[T Int](d, a, b unsafe.Pointer, n int) {
	dst, x, y := operands[bool, T](d, a, b, n)
	for i := range dst {
		dst[i] = x[i] == y[i]
	}
}

func notEqual[T Int](d, a, b unsafe.Pointer, n int) {
	dst, x, y := operands[bool, T](d, a, b, n)
	for i := range dst {
		dst[i] = x[i] != y[i]
	}
}

func less[T Int](d, a, b unsafe.Pointer, n int) {
	dst, x, y := operands[bool, T](d, a, b, n)
	for i := range dst {
		dst[i] = x[i] < y[i]
	}
}

func lessEqual[T Int](d, a, b unsafe.Pointer, n int) {
	dst, x, y := operands[bool, T](d, a, b, n)
	for i := range dst {
		dst[i] = x[i] <= y[i]
	}
}

func swapped(f Lanes) Lanes {
	return func(d, a, b unsafe.Pointer, n int) { f(d, b, a, n) }
}

// total has four running sums, as the extremes have four: one alone waits for itself.
func total[T Int](x []T) T {
	var s, t, u, v T
	for ; len(x) >= 4; x = x[4:] {
		s, t, u, v = s+x[0], t+x[1], u+x[2], v+x[3]
	}
	for _, w := range x {
		s += w
	}
	return s + t + u + v
}

func largestInteger[T Int](x []T) T {
	a := x[0]
	b, c, d := a, a, a
	for ; len(x) >= 4; x = x[4:] {
		a, b, c, d = max(a, x[0]), max(b, x[1]), max(c, x[2]), max(d, x[3])
	}
	for _, v := range x {
		a = max(a, v)
	}
	return max(a, b, c, d)
}

func leastInteger[T Int](x []T) T {
	a := x[0]
	b, c, d := a, a, a
	for ; len(x) >= 4; x = x[4:] {
		a, b, c, d = min(a, x[0]), min(b, x[1]), min(c, x[2]), min(d, x[3])
	}
	for _, v := range x {
		a = min(a, v)
	}
	return min(a, b, c, d)
}

// Choose computes dst[i] = x[i] where cond[i] is not 0, else y[i].
type Choose func(dst, cond, x, y unsafe.Pointer, n int)

// chosen does not branch on the conditions.
func chosen[T uint8 | uint16](d, c, a, b unsafe.Pointer, n int) {
	dst, x, y := operands[T, T](d, a, b, n)
	cond := unsafe.Slice((*uint8)(c), n)[:len(dst)]
	for i := range dst {
		mask := -T((uint32(cond[i]) + 255) >> 8)
		dst[i] = y[i] ^ (x[i]^y[i])&mask
	}
}
