// Package flac reads FLAC files as streams of frames, of 4 to 32 bits and 1 to 8
// channels. It decodes with github.com/mewkiz/flac, adds the interface of the other
// readers, and does not trust the file.
//
//	r, err := flac.Open("in.flac")
//	n, err := r.Read(buffer) // frames of interleaved samples, -1 to 1
package flac
