// Package chain runs short programs of simple float operations over vectors,
// keeping the value that goes from one operation to the next in registers.
//
// Kernels that each do one operation on a block read and write the block's
// memory once per operation, and between the first and the last of them the
// memory bus has nothing to do. A chain takes a few hundred bytes at a time
// through all of its operations, so computing and memory traffic overlap.
//
// The machine has one accumulator. Every operation works on it, and most take
// a second operand from memory: a vector, or one number for all elements. All
// results have the bits of the plain Go operation.
package chain
