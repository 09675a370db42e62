// Package lines writes the CUDA kernels of transforms and of line programs:
// a line is loaded once, stays in registers and shared memory through all
// stages, and is stored once.
package lines
