// Package grad differentiates graphs. It is a transformation: from a graph and
// the cotangent of its outputs it builds the graph of the cotangents of some of
// its nodes, out of the same operations, so that gradients are lowered, fused
// and differentiated again like anything else.
//
// The rules are one table, an operation to its vector-Jacobian product, with a
// file for each family. A rule says what cotangent an input has, given that of
// the node.
//
// The cotangent of a complex number z = x+iy is dL/dx + i dL/dy, which is twice
// the derivative by the conjugate of z: the direction in which a real L grows
// fastest, so that z - rate*cotangent descends. Through an analytic f it is the
// cotangent of f(z) times the conjugate of f'(z).
package grad
