// Package npy reads and writes NumPy's .npy files: one array each, of any
// plain dtype including float16, in either byte order and either memory
// order, format versions 1 to 3.
//
// An [Array] is what the file holds: the bytes as they lie there, and what
// they mean. [Values] and [As] turn them into Go slices in C order; [From]
// goes the other way.
//
// Reading does not trust the file. A header that promises more than follows
// is an error, found before memory is taken for the promise.
package npy
