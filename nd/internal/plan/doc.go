// Package plan turns a graph into a plan: steps that each launch one program,
// over numbered buffers.
//
// A plan is made by passes, which pipeline.go lists in their order. Each is a
// named change of plain data; Options.Watch shows the plan after every one. The
// first finds regions, which decides what nodes are stored in memory and which are
// computed inside the steps that use them, and emits one program, or a few, for
// every stored node, with views folded into the strides of operands. Nothing here
// touches a device: what a device can do and how fast comes in as device.Info.
package plan
