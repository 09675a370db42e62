// Package kernels is a small library of kernels written in the dialect of nd.Kernel:
// each is a body in the folder body, and a function that calls it. Use them, or read
// them as examples: together they show positions and guards, threadgroup memory and
// barriers, simdgroups, template constants, atomics and bit tricks.
//
// All of them take and give lazy arrays, and bad arguments give an array that
// carries the error, as everywhere in nd.
package kernels
