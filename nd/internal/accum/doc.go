// Package accum is ways to add numbers up: the modes that sums of products are
// asked for in, a superaccumulator that loses nothing, and compensated sums.
package accum
