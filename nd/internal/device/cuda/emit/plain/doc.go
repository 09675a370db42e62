// Package plain writes the CUDA kernels of maps, reductions, scans, sorts,
// gathers, scatters and matrix products.
//
// An index space is first put into the order in which its main operand lies in
// memory and its dimensions are joined where every operand walks them as one.
// What is left of its structure, the number of dimensions, which strides are
// 0 or 1 and how many neighbours are accessed at once, is part of a kernel's
// text; sizes and other strides are parameters.
package plain
