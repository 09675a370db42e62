// Package kernelindex is TWK02: local arrays in kernels that are indexed by values that are not constant.
//
// Registers have no addresses. A local array stays in registers only if every
// index is known when the kernel is compiled; one that is not moves the whole
// array to memory.
package kernelindex
