package flac_test

import (
	"fmt"

	"github.com/twiddle-go/twiddle/audio/flac"
)

func Example() {
	r, err := flac.Open("testdata/pcm_16_2.flac")
	if err != nil {
		panic(err)
	}
	defer r.Close()
	h := r.Header()
	buffer := make([]float32, h.Channels*64) // interleaved, -1 to 1
	n, err := r.Read(buffer)
	fmt.Println(h.Bits, "bits,", h.Channels, "channels,", n, "frames,", err)
	// Output: 16 bits, 2 channels, 64 frames, <nil>
}
