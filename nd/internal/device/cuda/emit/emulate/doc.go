// Package emulate runs generated CUDA kernels on the processor, for tests: the
// text is compiled as C++ with a header that gives it threads, shared memory
// and the functions it calls. It shows whether the index arithmetic, the
// barriers and the rules of operations are right on a machine without a GPU;
// it says nothing about speed, and elementary functions are those of the C
// library.
package emulate
