package view

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/audio/pcm"
	"github.com/twiddle-go/twiddle/audio/wav"
	"github.com/twiddle-go/twiddle/nd"
)

// BenchmarkPass is the pyramid of three minutes of 48 kHz stereo.
func BenchmarkPass(b *testing.B) {
	const rate, channels, seconds = 48000, 2, 180
	name := filepath.Join(b.TempDir(), "noise.wav")
	w, err := wav.Create(name, pcm.Format{Encoding: pcm.Int16, Channels: channels, Rate: rate})
	if err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	frames := make([]float32, rate*channels)
	for i := range frames {
		frames[i] = float32(0.02 * r.NormFloat64())
	}
	for range seconds {
		if err := w.Write(frames); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(seconds * rate * channels * 2)
	for b.Loop() {
		rec, err := openFile(name, audio.Options{})
		if err != nil {
			b.Fatal(err)
		}
		l := defaultLook(rec.Info())
		p := newPyramid(l, rec.Info(), 1)
		p.base = 3 // that of an hour
		p.run(context.Background(), nd.CPU().Stream(), rec)
		if p.err != nil {
			b.Fatal(p.err)
		}
		rec.Close()
	}
}
