// Package vorbis reads Ogg Vorbis files. Importing it teaches audio.Open, and with it
// audio.Load and the streams of that package, to read them:
//
//	import _ "github.com/twiddle-go/twiddle/audio/vorbis"
//
// The decoder is github.com/jfreymuth/oggvorbis, in plain Go. Headers are checked
// before it sees them, since a few broken bytes there could ask it for terabytes.
package vorbis
