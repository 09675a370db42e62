// Package dft builds transforms of a few complex numbers in the registers of a
// thread, as kernel trees: what the passes of a long transform consist of on any
// GPU.
//
// Signs and zeros are data of the builder (package build): turning by i moves
// parts and signs and costs nothing, and a line that is padded with known zeros
// does not compute with them. Every result is named, so that no expression is
// written twice.
package dft
