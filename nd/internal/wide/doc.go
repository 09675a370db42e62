// Package wide transforms lines in fixed point with as many digits as it takes:
// what the accumulation modes compensated and exact mean for an FFT.
//
// A number is limbs of 64 bits, least first, in two's complement; a line is
// complex numbers, real before imaginary part. A line is scaled so that no sum
// of its elements overflows, and every step has a bound on its error, in units
// of the last place. Compensated rounds what 3 limbs or so give. Exact also asks
// whether the error could change the rounding, and takes more limbs if so.
package wide
