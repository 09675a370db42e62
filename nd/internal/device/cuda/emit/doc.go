// Package emit is what the generators of CUDA kernels and the CUDA device
// agree on: a Module is the text of a program, and how it is launched. Nothing
// here calls the driver, so kernels can be generated, read and compiled on a
// machine without a GPU.
package emit
