// Package graph is the lazy expression graph: nodes, the closed set of
// operations, and the shape and type rules that are checked when a node is
// made. A node is immutable; an evaluated node additionally holds a value.
//
// Every operation is one of a few classes, and lowering only cares about the
// class: a source makes elements from nothing, a map works element by element,
// a view only renames indices, and the rest mix elements along an axis.
package graph
