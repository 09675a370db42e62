package vorbis_test

import (
	"fmt"
	"log"

	"github.com/twiddle-go/twiddle/audio"
	_ "github.com/twiddle-go/twiddle/audio/vorbis"
)

// The import is all that audio.Load needs to read the format.
func Example() {
	x, info, err := audio.Load[float32]("testdata/stereo.ogg")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(info.Format, info.Rate, x.Dim(0), "channels")
	// Output: OGG 44100 2 channels
}
