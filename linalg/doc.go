// Package linalg is dense and structured linear algebra on package nd's arrays.
//
// Arguments are batches: the last two axes are matrices, the axes before them
// count matrices, and every operation works on all of them at once. Elements are
// float32, float64, complex64 or complex128; where a function takes real ones
// only, it says so.
//
//	q, r := linalg.QR(a)                      // lazy, as all of nd
//	x, err := linalg.Solve(ctx, a, b)         // can fail on the numbers, so it computes
//
// # What is lazy, and what computes
//
// Operations whose result always exists (QR, determinants, orthonormal bases,
// products with structured matrices) build graphs, and nothing runs until they are
// evaluated. Those that can fail because of the numbers they are given (a pivot that
// is zero, a matrix that is not positive definite, an iteration that does not
// converge) take a context, compute, and return typed errors that name the matrix
// and the pivot.
//
// Large products use nd.MatMul. Sequential parts, such as panels of a few columns, are
// kernels in the folder body that run on every device.
package linalg
