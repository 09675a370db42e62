// Package lower turns a graph into a plan: steps that each launch one program,
// over numbered buffers.
//
// It works in stages, each a pass over plain data. Finding regions decides
// which nodes are stored in memory and which are computed inside the steps
// that use them. Emission writes one program, or a few, for every stored node,
// folding views into operand strides. Merging joins maps that walk the same
// elements. Collapsing drops and joins dimensions. Nothing here touches a
// device: what a device can do and how fast comes in as device.Info.
package lower
