package wav_test

import (
	"bytes"
	"fmt"
	"io"
	"math"

	"github.com/twiddle-go/twiddle/audio/pcm"
	"github.com/twiddle-go/twiddle/audio/wav"
)

func Example() {
	var file bytes.Buffer // os.Create and wav.Open for real ones
	w, err := wav.NewWriter(&file, pcm.Format{Encoding: pcm.Int16, Channels: 1, Rate: 8000})
	if err != nil {
		panic(err)
	}
	tone := make([]float32, 8000)
	for i := range tone {
		tone[i] = float32(math.Sin(2 * math.Pi * 440 / 8000 * float64(i)))
	}
	if err := w.Write(tone); err != nil {
		panic(err)
	}
	if err := w.Close(); err != nil {
		panic(err)
	}

	r, err := wav.NewReader(&file)
	if err != nil {
		panic(err)
	}
	buffer, frames, square := make([]float32, 1000), 0, 0.0
	for {
		n, err := r.Read(buffer)
		if err == io.EOF {
			break
		}
		for _, v := range buffer[:n] {
			square += float64(v * v)
		}
		frames += n
	}
	h := r.Header()
	fmt.Printf("%v at %g Hz, %d frames, RMS %.3f\n", h.Encoding, h.Rate, frames, math.Sqrt(square/float64(frames)))
	// Output: int16 at 8000 Hz, 8000 frames, RMS 0.707
}
