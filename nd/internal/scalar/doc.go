// Package scalar is the closed set of pointwise operations: their names, how
// many operands they take, which element types they accept and what they
// give. The graph, the map programs and every device use this one set, so an
// operation means the same thing everywhere.
package scalar
