// Package pair has the kernels that mix pairs of elements of a line, each pair
// by a 2x2 block of its own: one factor of a butterfly network.
package pair
