// Package vorbis reads Ogg Vorbis files. Importing it registers the format with
// audio.Open, and so with audio.Load and the streams of package audio:
//
//	import _ "github.com/twiddle-go/twiddle/audio/vorbis"
//
// The decoder is github.com/jfreymuth/oggvorbis, in plain Go. Headers are checked before
// the decoder reads them, since a few corrupt bytes could make it allocate terabytes.
package vorbis
