// Package philox is the counter-based random generator Philox4x32-10 (Salmon,
// Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", SC 2011)
// and the draws made from it. A number depends on its key and its counter and
// on nothing else, so every device, stream and split of the work gives the
// same numbers.
//
// The counter of an array element is its row-major position; each counter
// gives one block of 128 bits, from which every draw takes what it needs.
//
// Functions give one draw, and say what it is. [Kernels] give many, with the same
// bits at every level.
package philox
