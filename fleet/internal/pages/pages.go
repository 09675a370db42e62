// Package pages makes large slices in huge pages, where the kernel has them. The
// kernel then clears 2 MiB at a time, and lines that are far apart are found
// without a search for their pages: small ones would be most of the time.
package pages

import "unsafe"

// least is how large a slice has to be, in bytes: a few huge pages.
const least = 8 << 20

// Make is make([]T, n).
func Make[T float32 | complex64](n int) []T {
	values := make([]T, n)
	if size := n * int(unsafe.Sizeof(values[0])); n > 0 && size >= least {
		advise(unsafe.Slice((*byte)(unsafe.Pointer(&values[0])), size))
	}
	return values
}
