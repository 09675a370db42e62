// Package transform builds an executable transform from a recipe and runs it.
//
// A [Plan] is immutable and may be used by any number of goroutines at once;
// the caller passes the scratch, whose contents never matter. All transforms
// are unscaled unless the plan came from [Plan.Scaled], which folds a factor
// into the last store so that a norm costs no extra pass.
//
// dst and src of a call are either the same slice or do not overlap; src keeps
// its contents when they do not overlap. Slices of the wrong length panic: the
// public package checks its arguments before it comes here.
//
// Inside, data is split into planes of real and imaginary parts (see package
// butterfly), and an inverse transform is the forward one with the planes
// exchanged at both ends.
package transform
