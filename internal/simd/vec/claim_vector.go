//go:build amd64 || arm64

package vec

import "unsafe"

// claim asks for the cache lines of rows of so many bytes, step bytes apart, which are about
// to be written: for this core alone, all at once. A load would bring a line that another core
// wrote last to be shared, and a store then asks again.
//
//go:noescape
func claim(at unsafe.Pointer, step, rows, bytes int)
