// Package emptyrange is TW018: ranges that select nothing.
//
// A Range is taken at its word: without a Stop it ends before element 0.
package emptyrange
