package audio

import (
	"io"
	"path/filepath"
	"testing"

	"github.com/twiddle-go/twiddle/audio/npy"
	"github.com/twiddle-go/twiddle/audio/pcm"
	"github.com/twiddle-go/twiddle/audio/wav"
)

const seekFrames = 300_000

func TestSeekFrame(t *testing.T) {
	folder := t.TempDir()
	samples := make([]float32, seekFrames)
	for i := range samples {
		samples[i] = float32((i*7919)%20011-10005) / (1 << 15)
	}
	names := map[string]string{}
	for _, kind := range []string{"wav", "npy"} {
		names[kind] = filepath.Join(folder, "a."+kind)
	}
	if err := wav.WriteFile(names["wav"], pcm.Format{Encoding: pcm.Int16, Channels: 1, Rate: 8000}, samples); err != nil {
		t.Fatal(err)
	}
	a, err := npy.From(samples, len(samples))
	if err != nil {
		t.Fatal(err)
	}
	if err := npy.WriteFile(names["npy"], a); err != nil {
		t.Fatal(err)
	}
	for kind, name := range names {
		t.Run(kind, func(t *testing.T) {
			for _, at := range []int64{0, 1, 4095, 4096, 123_457, 250_000, seekFrames - 10, seekFrames} {
				f, err := Open(name)
				if err != nil {
					t.Fatal(err)
				}
				if err := f.SeekFrame(at); err != nil {
					t.Fatalf("frame %d: %v", at, err)
				}
				got := make([]float32, 5000)
				n, err := ReadFull(f, got)
				if want := min(5000, seekFrames-int(at)); n != want || (n < 5000) != (err == io.EOF) {
					t.Fatalf("frame %d: %d frames, %v: want %d", at, n, err, want)
				}
				for i, v := range got[:n] {
					if v != samples[int(at)+i] {
						t.Fatalf("frame %d, then %d: %g, want %g", at, i, v, samples[int(at)+i])
					}
				}
				if f.Warning() != nil {
					t.Errorf("frame %d: %v", at, f.Warning())
				}
				f.Close()
			}
			f, err := Open(name)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			for _, at := range []int64{-1, seekFrames + 1} {
				if err := f.SeekFrame(at); err == nil {
					t.Errorf("frame %d is no error", at)
				}
			}
		})
	}
}
