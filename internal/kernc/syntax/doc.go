// Package syntax turns the text of a custom kernel into a tree. The dialect is
// Metal-style C: a header of functions and constants, and a body without a
// signature. The package knows grammar and positions, not types.
//
// Nothing here panics on any input: nesting, size and the number of reported
// errors are bounded, and every fault becomes an *Error with a place.
package syntax
