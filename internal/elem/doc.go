// Package elem defines the element types of arrays and the two half-precision
// storage formats. It knows sizes and classes, not arithmetic.
package elem
