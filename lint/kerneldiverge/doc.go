// Package kerneldiverge is TWK04: barriers in kernels that not all threads of a group reach.
//
// A barrier waits for every thread of the group. One that sits behind a condition
// on the thread's own position, or after a return that some threads take, waits
// for threads that never come.
package kerneldiverge
