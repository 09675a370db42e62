// Package mp3 reads MP3 files: MPEG-1 and MPEG-2, layer III. Importing it registers the
// format with audio.Open, and so with audio.Load and the streams of package audio:
//
//	import _ "github.com/twiddle-go/twiddle/audio/mp3"
//
// The decoder is github.com/hajimehoshi/go-mp3, in plain Go. The samples that an encoder
// adds at both ends are left out where the file says how many they are, as other players
// do, so that the encoded signal begins at frame 0.
package mp3
