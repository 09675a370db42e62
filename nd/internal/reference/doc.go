// Package reference says what programs and graphs mean, in the plainest code
// that can say it: one point at a time, in float64, complex128 and int64,
// rounded to the result's type. It is slow, shares no code with any device,
// and is what devices and the compiler are tested against.
//
// Where a device may differ, it is by rounding only: sums here are kept to
// twice the precision of float64 and rounded once.
package reference
