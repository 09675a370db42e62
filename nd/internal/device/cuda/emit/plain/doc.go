// Package plain writes the CUDA kernels of maps, reductions, scans, sorts,
// gathers, scatters and matrix products.
package plain
