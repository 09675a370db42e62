// Package kernlint finds slow and fragile habits in the bodies of custom
// kernels: integer divisions, local arrays that live in memory, barriers that
// are wider than needed or that some threads miss, and half numbers that
// become floats. It is what twiddle lint knows about kernels, behind the one
// door through which tools outside nd may see the dialect.
//
// It works on the text alone, because a body is often written in a place where
// the element types of its operands are not known: what it cannot tell, it
// does not report.
package kernlint
