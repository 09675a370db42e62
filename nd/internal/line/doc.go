// Package line is the line program: what happens to one run of elements along
// a transform axis between the moment it is loaded and the moment it is
// stored. It is the unit in which Twiddle fuses through FFTs.
//
// # Words
//
// A line is a run of elements. A program works on every line of an outer index
// space, and lines never see each other. A slot is where a line lies: in a
// buffer, or on chip (registers and shared memory of a GPU, L1 and L2 of a
// CPU). A stage is an ordinary program of package kern over the elements of
// one line, bound to slots; its operands' offsets and strides along the line
// are what framing, cropping, shifting and reversing become.
//
// A program may run the middle part of its stages once per segment. A stage
// that reads and writes the same slot then accumulates over segments, so that
// an average over overlapping frames needs no memory for the frames.
//
// The program says nothing about how a device runs it: not how many lines go
// together, nor which worker holds which element.
package line
