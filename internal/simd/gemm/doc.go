// Package gemm multiplies matrices.
//
// The product is computed by tiles of c that stay in registers. A tile reads
// panels: a panel of a is a few rows, a panel of b a few vectors of columns,
// each packed so that one step of k is one contiguous run. Packing takes any
// strides, so transposed and otherwise strided operands cost the same as
// plain ones. Depth is cut into blocks of k so that a panel of b stays in L1
// while panels of a stream past it from L2.
//
// An element of c is a sum in order of k inside a block of depth, and the
// blocks are added in order. How rows and columns are split over tiles and
// tasks does not enter, so the bits depend on the level but neither on
// Parallel nor on where an element lies.
//
// A complex product is the real product of a's parts by a matrix that holds
// every element of b as the 2x2 block (re im; -im re): c's parts come out
// interleaved, at four real multiplications per complex one.
package gemm
