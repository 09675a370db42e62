// Package lists makes slices, element by element.
package lists

// Map is what f makes of each element of a list, in order.
func Map[A, B any](list []A, f func(A) B) []B {
	out := make([]B, len(list))
	for i, v := range list {
		out[i] = f(v)
	}
	return out
}

// Make is what f makes of each number from 0 to n-1, in order.
func Make[T any](n int, f func(i int) T) []T {
	out := make([]T, n)
	for i := range out {
		out[i] = f(i)
	}
	return out
}
