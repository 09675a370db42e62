// Package kgen makes the kernels of programs, as trees of package ktree, for any
// GPU: a Target says what it has.
//
// An index space is first put into the order in which its main operand lies in
// memory and its dimensions are joined where every operand walks them as one.
// What is left of its structure, the number of dimensions, which strides are
// 0 or 1 and how many neighbours are accessed at once, is part of a kernel;
// sizes and other strides are parameters.
package kgen
