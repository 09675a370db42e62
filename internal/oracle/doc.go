// Package oracle computes discrete Fourier transforms to about 30 decimal
// digits, and says how far a result is from them.
//
// Numbers are double-doubles: an unevaluated sum of two float64, which keeps
// 104 to 106 bits. [DFT] is the definition, O(n^2) and as plain as can be.
// [FFT] gives the same values for lengths where that is too slow; the tests
// hold it to DFT, and DFT's roots of unity to big.Float.
package oracle
