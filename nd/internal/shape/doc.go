// Package shape is the arithmetic of dimensions: element counts that cannot
// overflow, broadcasting, axes, ranges, and views. A view says which element of
// a buffer stands at each index, so transposing, slicing, broadcasting and
// framing are changes of strides, never copies.
//
// Functions that take what a user wrote return errors. Methods of View take
// what such a function has already accepted, and do not check again.
package shape
