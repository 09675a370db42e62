// Package flac reads FLAC files as streams of frames, of 4 to 32 bits and 1 to
// 8 channels. The decoding is that of github.com/mewkiz/flac; this package
// gives it the form of the other readers, and does not trust the file.
package flac
