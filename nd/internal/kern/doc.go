// Package kern is the waist between compiler and devices: a program is plain
// data that says what to compute over which index space, never how. Devices
// compile programs to kernels; nothing else crosses.
//
// All programs share three habits. Shapes and strides are static and counted
// in elements; a stride of 0 repeats an element and a negative one walks
// backwards. Operands name buffers by position: the launch binds them. And
// run-time constants arrive as arguments, so that programs are reusable.
package kern
