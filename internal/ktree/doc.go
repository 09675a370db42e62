// Package ktree is the tree of a GPU kernel: every name resolved, every
// conversion written out, constants folded. Users' kernels and the engine's own
// are the same tree. The front end (package kernc) makes it of a user's text,
// generators build it with package build; package printer prints it as CUDA C++,
// WGSL and Metal, and package flat brings it into the form that package machine
// runs on the processor.
package ktree
