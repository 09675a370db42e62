package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/audio/npy"
	"github.com/twiddle-go/twiddle/audio/pcm"
	"github.com/twiddle-go/twiddle/audio/wav"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// Bands made chunk by chunk are those of one call, also where they are written as they
// come, and a name that ends in .png gets a picture.
func TestMelStream(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "a.wav"), filepath.Join(dir, "m.npz")
	m := signal.Mel{FS: 16000, NMels: 20, STFT: signal.Librosa(512, 256)}
	for _, frames := range []int{chunkFrames + 9000, longRecording + 9000} {
		samples := make([]float32, 2*frames)
		for i := range samples {
			samples[i] = (float32(i%997)/997 - 0.5) * float32(i%2+1) * float32(i) / float32(frames)
		}
		if err := wav.WriteFile(in, pcm.Format{Encoding: pcm.Float32, Channels: 2, Rate: 16000}, samples); err != nil {
			t.Fatal(err)
		}
		x := nd.From(samples, frames, 2).Transpose()
		for flags, want := range map[string]*nd.Array{"": m.Spectrogram(x), "--db": signal.PowerToDB(m.Spectrogram(x)), "--mfcc 5": m.MFCC(x, 5)} {
			args := append([]string{"mel", in, "--out", out, "--n-mels", "20", "--nfft", "512", "--hop", "256"}, strings.Fields(flags)...)
			if status, _, stderr := twiddle(t, args...); status != 0 {
				t.Fatal(stderr)
			}
			a, err := readNPZ(out, "")
			if err != nil {
				t.Fatal(err)
			}
			got, err := signalArray(a)
			if err != nil {
				t.Fatal(err)
			}
			if err := (nd.Close{Rel: 1e-5, Abs: 1e-4}).Check(t.Context(), got, want); err != nil {
				t.Errorf("mel %s of %d samples in chunks is not that of the whole: %v", flags, frames, err)
			}
		}
	}
	if status, _, stderr := twiddle(t, "mel", in, "--out", out, "--fmax", "9000"); status != 1 || !strings.Contains(stderr, "--fmax 9000") || strings.Contains(stderr, ".go:") {
		t.Errorf("status %d, %q: want what is wrong, and no place in the source", status, stderr)
	}
	for _, verb := range []string{"stft", "mel"} {
		drawn := filepath.Join(dir, verb+".png")
		if status, _, stderr := twiddle(t, verb, in, "--out", drawn); status != 0 {
			t.Fatal(stderr)
		}
		if info, err := os.Stat(drawn); err != nil || info.Size() < 10000 {
			t.Errorf("%v, %v", info, err)
		}
	}
}

// A tone is at its frequency on the axis of bands, and the picture fits into the terminal.
// Chunks of a recording and an array give the same picture.
func TestMelPrinted(t *testing.T) {
	t.Setenv("COLUMNS", "50")
	folder := t.TempDir()
	in := toneFile(t, filepath.Join(folder, "a.wav"), 1000)
	status, printed, stderr := twiddle(t, "mel", in)
	if status != 0 {
		t.Fatal(stderr)
	}
	seen := false
	for row := range strings.Lines(printed) {
		if utf8.RuneCountInString(row) > 50 {
			t.Errorf("%q is longer than 50 characters", row)
		}
		if strings.HasPrefix(row, "      1 |") || strings.HasPrefix(row, "   1000 |") {
			seen = strings.Contains(row, "████")
		}
	}
	if !seen {
		t.Errorf("no tone at 1 kHz:\n%s", printed)
	}
	x, err := readSignal(in, audio.Options{}, framePart{})
	if err != nil {
		t.Fatal(err)
	}
	values, err := nd.Slice[float32](t.Context(), x.Array)
	if err != nil {
		t.Fatal(err)
	}
	a, err := npy.From(values, len(values))
	if err == nil {
		err = npy.WriteFile(filepath.Join(folder, "a.npy"), a)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, whole, stderr := twiddle(t, "mel", filepath.Join(folder, "a.npy"), "--fs", fmt.Sprint(x.rate)); whole != printed {
		t.Errorf("of an array, %s:\n%s", stderr, whole)
	}
}
