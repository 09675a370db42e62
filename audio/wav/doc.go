// Package wav reads and writes WAV files as streams of frames, so that a file
// may be larger than memory: integers of 8, 16, 24 and 32 bits, floats of 32
// and 64, the EXTENSIBLE header, RIFX, and RF64 and BW64 for files over 4 GB.
//
//	r, err := wav.Open("in.wav")
//	for {
//		n, err := r.Read(buffer) // frames of interleaved samples, -1 to 1
//		...
//	}
//
// A recording that was cut short is read as far as it goes, and [Reader.Warning] says
// so. A file without readable samples is an error with the offset in the file.
package wav
