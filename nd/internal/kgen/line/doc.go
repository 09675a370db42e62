// Package line makes the kernels of transforms and of line programs, as kernel
// trees for any GPU: a line is loaded once, stays in registers and shared memory
// through all stages, and is stored once.
package line
