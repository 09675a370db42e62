// Package npy reads and writes NumPy's .npy files: one array each, of any
// plain dtype including float16, in either byte order and either memory
// order, format versions 1 to 3.
//
// An [Array] is the content of a file: its bytes, and their type and layout.
// [Values] and [As] convert it to Go slices in C order; [From] makes an Array
// from a slice.
//
// Reading does not trust the file. A header that promises more than follows
// is an error, found before memory is taken for the promise.
package npy
