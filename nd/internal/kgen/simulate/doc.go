// Package simulate runs generated kernels on the processor, for tests: by the
// lockstep machine of package ktree, which needs no compiler and no GPU. It shows
// whether the index arithmetic, the barriers and the rules of operations are
// right; with Check, races too. It says nothing about speed, and elementary
// functions are those of the CPU device.
package simulate
