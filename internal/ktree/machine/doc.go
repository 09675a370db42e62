// Package machine runs flattened kernels on the CPU. A whole threadgroup goes
// through the code in lockstep: every instruction is a loop over the lanes,
// one per thread, with masks where threads part. So barriers need no waiting,
// and simdgroup operations see exactly the 32 threads they should.
//
// Three forms of value keep most of the work off the lanes. What is the same
// for the whole group is computed once, as a scalar. An index that is affine
// in the thread's position is kept as its coefficients, so that a load
// through it is one copy and one bounds check. Only the rest is an array with
// a number per lane.
package machine
