// Package ir is the waist between compiler and devices: a program is plain
// data that says what to compute over which index space, never how. Devices
// compile programs to kernels; nothing else crosses.
//
// All programs share three habits. Shapes and strides are static and counted
// in elements; a stride of 0 repeats an element and a negative one walks
// backwards. Operands name buffers by position: the launch binds them. And
// run-time constants arrive as arguments, so that programs are reusable.
//
// # Lines
//
// A Line is the program in which Twiddle fuses through FFTs: what happens to one
// run of elements along a transform axis between the moment it is loaded and the
// moment it is stored.
//
// A line is a run of elements. A Line works on every line of an outer index
// space, and lines never see each other. A slot is where a line lies: in a
// buffer, or on chip (registers and shared memory of a GPU, L1 and L2 of a
// CPU). A stage is an ordinary program over the elements of one line, bound to
// slots; its operands' offsets and strides along the line are what framing,
// cropping, shifting and reversing become.
//
// A Line may run the middle part of its stages once per segment. A stage
// that reads and writes the same slot then accumulates over segments, so that
// an average over overlapping frames needs no memory for the frames.
//
// A Line says nothing about how a device runs it: not how many lines go
// together, nor which worker holds which element.
package ir
