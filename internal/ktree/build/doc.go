// Package build makes kernel trees by program: what the generators of the
// engine's kernels are written with.
//
// A Val is an expression in the making. Its methods fold as they go: numbers
// that are known, x+0 and x*1, a sign that is data (Neg of Neg, adding what is
// negated), quotients and remainders that the range of a value decides. So a
// generator is written for the general case, and the special ones come out as
// short as by hand:
//
//	lane := tid.Rem(group)           // tid, where a group is all threads
//	at := row.Mul(stride).Add(lane)  // without the product, where stride is 1
//
// Operands of methods are Vals, or Go numbers that take the other operand's
// type. Kinds do not mix by themselves: To converts. Mistakes of a generator,
// such as mixed kinds, panic: they are bugs that its first run shows.
//
// A Kernel collects statements in order. Let names a value (what is known or
// named already stays as it is), Var declares a variable, Array and Shared
// arrays of a thread and of a group, If, For and While take the statements of
// their bodies from functions:
//
//	k := build.NewKernel("scale", 256)
//	in := k.Buffer("in", ktree.Scalar(ktree.Float), false)
//	out := k.Buffer("out", ktree.Scalar(ktree.Float), true)
//	points := k.Number("points", ktree.Uint)
//	i := k.Let("i", k.Group().Mul(256).Add(k.Thread()))
//	k.If(i.Lt(points), func() { k.Set(out.At(i), in.At(i).Mul(2.0)) })
//	program := k.Program()
//
// Buffers hold elements as they lie in memory: halves are ktree.Half and
// ktree.Bfloat, to be converted with To; complex numbers are vectors of two,
// whose parts are X and Y. Move copies neighbours in one access of 2 to 16
// bytes. A Func is a function that kernels call; what is short is better written
// as a Go function that returns a Val.
//
// Known zeros of floats are data as well: Zero is an exact nothing, which
// vanishes from sums and makes products vanish; a literal 0.0 does neither,
// because of signs and infinities.
package build
