// Package lists makes slices element by element, and adds up what is in them.
package lists

import "slices"

// Map is what f makes of each element of a list, in order.
func Map[A, B any](list []A, f func(A) B) []B {
	out := make([]B, len(list))
	for i, v := range list {
		out[i] = f(v)
	}
	return out
}

// Joined is what f makes of each element of a list, one behind the other.
func Joined[A, B any](list []A, f func(A) []B) []B { return slices.Concat(Map(list, f)...) }

// Make is what f makes of each number from 0 to n-1, in order.
func Make[T any](n int, f func(i int) T) []T {
	out := make([]T, n)
	for i := range out {
		out[i] = f(i)
	}
	return out
}

// Where is the numbers from 0 to n-1 that f holds for; nil if it holds for none.
func Where(n int, f func(i int) bool) (out []int) {
	for i := range n {
		if f(i) {
			out = append(out, i)
		}
	}
	return out
}

// Any reports whether f holds for a number from 0 to n-1.
func Any(n int, f func(i int) bool) bool {
	for i := range n {
		if f(i) {
			return true
		}
	}
	return false
}

// Filter is the elements that f holds for; nil if it holds for none.
func Filter[A any](list []A, f func(A) bool) (out []A) {
	for _, v := range list {
		if f(v) {
			out = append(out, v)
		}
	}
	return out
}

// Count is how many elements f holds for.
func Count[A any](list []A, f func(A) bool) (n int) {
	for _, v := range list {
		if f(v) {
			n++
		}
	}
	return n
}

// Sum adds up what f makes of each element, in order.
func Sum[A any, N int | int64 | float64](list []A, f func(A) N) (sum N) {
	for _, v := range list {
		sum += f(v)
	}
	return sum
}

// Max is the greatest of what f makes of each element, and of least.
func Max[A any, N int | float64](least N, list []A, f func(A) N) N {
	for _, v := range list {
		least = max(least, f(v))
	}
	return least
}

// Product multiplies whole numbers, such as the lengths of dimensions.
func Product(list []int) int {
	p := 1
	for _, v := range list {
		p *= v
	}
	return p
}

// Dot is the sum of the products of an index, or the first numbers of it, and strides:
// where an element lies.
func Dot(index, strides []int) (at int) {
	for i, x := range index {
		at += x * strides[i]
	}
	return at
}
