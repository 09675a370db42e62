// Package audio opens recordings of any format that Twiddle reads, and reads
// them frame by frame, so that a file may be larger than memory.
//
//	f, err := audio.Open("in.flac")
//	for x, err := range audio.Chunks[float32](f, 1<<16) {
//		... // x is an *nd.Array of shape (channels, frames)
//	}
//
// A frame is one sample of every channel. The format is recognised from the content, not
// from the name: WAV and its 64-bit relatives, FLAC, .npy and .npz, tables of numbers in
// text, such as .csv, and MP3 and Ogg Vorbis in programs that import audio/mp3 and
// audio/vorbis. [Options] describe samples without a header. The packages below this one
// read and write single formats.
package audio
