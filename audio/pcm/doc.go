// Package pcm turns bytes of audio samples into numbers and back, and reads
// and writes streams of them that have no header.
//
// A frame is one sample of every channel; the samples of a frame are adjacent. Integers
// represent numbers from -1 to just below 1: a sample of b bits is divided by 2^(b-1).
// Floats are not scaled.
package pcm
