// Package cost predicts what programs cost on a device: the bytes they move,
// the operations they do, and from the device's figures how long that takes.
// The compiler asks it whether an intermediate result is cheaper to store or
// to compute again; a plan's profile is the sum over its programs.
package cost
