// Package arrays tells the lint passes what Go code does with Twiddle's
// arrays: which calls build graph, which evaluate it, which bring elements to
// the host, and where an array comes from.
//
// Everything here looks at syntax and types of one package, follows variables
// through their assignments, and says "unknown" rather than guess: a pass
// reports only what this package is sure of.
package arrays
