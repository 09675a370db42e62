package main

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/audio/npy"
	"github.com/twiddle-go/twiddle/audio/npz"
	"github.com/twiddle-go/twiddle/audio/pcm"
	"github.com/twiddle-go/twiddle/audio/wav"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// recorded writes a WAV file of interleaved samples.
func recorded(t *testing.T, name string, channels int, samples []float32) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := wav.WriteFile(name, pcm.Format{Encoding: pcm.Float32, Channels: channels, Rate: 8000}, samples); err != nil {
		t.Fatal(err)
	}
	return name
}

// conv and fft take recordings as they take arrays.
func TestRecordingsForConvAndFFT(t *testing.T) {
	dir := t.TempDir()
	x := recorded(t, filepath.Join(dir, "x.wav"), 1, hum(400))
	k := recorded(t, filepath.Join(dir, "k.wav"), 1, []float32{1, 0, 0.5})
	y := filepath.Join(dir, "y.wav")
	if status, _, stderr := twiddle(t, "conv", x, k, "--out", y); status != 0 {
		t.Fatal(stderr)
	}
	got, info, err := audio.Load[float32](y)
	if err != nil || info.Rate != 8000 {
		t.Fatalf("%v, %v", info, err)
	}
	samples, err := nd.Slice[float32](t.Context(), got.Flatten())
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range hum(400) {
		want := float64(v)
		if i >= 2 {
			want += 0.5 * float64(hum(400)[i-2])
		}
		if math.Abs(float64(samples[i])-want) > 1e-5 {
			t.Fatalf("sample %d is %v, want %v", i, samples[i], want)
		}
	}
	slow := filepath.Join(dir, "slow.wav")
	if err := wav.WriteFile(slow, pcm.Format{Encoding: pcm.Float32, Channels: 1, Rate: 4000}, []float32{1}); err != nil {
		t.Fatal(err)
	}
	if status, _, stderr := twiddle(t, "conv", x, slow, "--out", y); status != 1 || !strings.Contains(stderr, "resample") {
		t.Errorf("filter of another rate: status %d, %q", status, stderr)
	}
	z := filepath.Join(dir, "z.npy")
	if status, _, stderr := twiddle(t, "fft", x, "--real", "--out", z); status != 0 {
		t.Fatal(stderr)
	}
	bins, err := npy.Load(z)
	if err != nil {
		t.Fatal(err)
	}
	if same, err := nd.AllClose(t.Context(), bins, nd.From(hum(400)).RFFT()); err != nil || !same {
		t.Errorf("fft of a recording is not that of its samples: %v", err)
	}
}

// A verb goes over a folder; what cannot be read does not keep it from the others.
func TestFolders(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out")
	recorded(t, filepath.Join(in, "a.wav"), 1, hum(4000))
	recorded(t, filepath.Join(in, "deep", "b.wav"), 2, hum(8000))
	recorded(t, filepath.Join(in, ".hidden", "c.wav"), 1, hum(4000))
	if status, _, stderr := twiddle(t, "mel", in, "--n-mels", "20", "--nfft", "512", "--out", out); status != 0 {
		t.Fatal(stderr)
	}
	if status, _, stderr := twiddle(t, "stft", in, "--out", filepath.Join(out, "*.png")); status != 0 {
		t.Fatal(stderr)
	}
	spectra := filepath.Join(dir, "spectra")
	for _, args := range [][]string{
		{"stft", in, "--out", spectra},
		{"istft", spectra, "--fs", "8000", "--out", filepath.Join(out, "back", "*.wav")},
		{"conv", in, filepath.Join(in, "a.wav"), "--mode", "same", "--out", filepath.Join(out, "conv")},
		{"fft", in, "--real", "--out", filepath.Join(out, "fft")},
		{"peaks", in, "--out", filepath.Join(out, "peaks")},
	} {
		if status, _, stderr := twiddle(t, args...); status != 0 {
			t.Fatal(args, stderr)
		}
	}
	for _, name := range []string{"a.npy", "deep/b.npy", "a.png", "deep/b.png", "back/deep/b.wav", "conv/deep/b.wav", "fft/a.npy", "peaks/deep/b.npz"} {
		if _, err := os.Stat(filepath.Join(out, name)); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(filepath.Join(out, ".hidden")); err == nil {
		t.Error("a hidden folder was read")
	}
	if err := os.WriteFile(filepath.Join(in, "bad.wav"), []byte("RIFF"), 0o600); err != nil {
		t.Fatal(err)
	}
	again := filepath.Join(dir, "again")
	status, _, stderr := twiddle(t, "welch", in, "--out", again)
	if _, err := os.Stat(filepath.Join(again, "deep", "b.npy")); status != 1 || err != nil || !strings.Contains(stderr, "bad.wav") || !strings.Contains(stderr, "1 of 3 recordings failed") {
		t.Errorf("status %d, %v, %q", status, err, stderr)
	}
	for args, want := range map[string]string{
		"welch " + in + " --json":         "--out has to be one",
		"stft " + in + " --out x.png":     "--out has to be one",
		"stft " + in + " --out x-*.png":   "a pattern such as",
		"analyze " + t.TempDir():          "no recordings",
		"mel " + t.TempDir() + " --out x": "no recordings",
	} {
		if status, _, stderr := twiddle(t, strings.Fields(args)...); status == 0 || !strings.Contains(stderr, want) {
			t.Errorf("%s: status %d, %q, want %q", args, status, stderr, want)
		}
	}
	if status, stdout, stderr := twiddle(t, "analyze", filepath.Join(in, "deep")); status != 0 || !strings.Contains(stdout, "b.wav") {
		t.Errorf("analyze of a folder: %d, %q, %q", status, stdout, stderr)
	}
}

// Spectra of a long recording are those of one call, and without --out they are printed.
func TestLongSTFT(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: transforms two million samples")
	}
	dir := t.TempDir()
	samples := make([]float32, 2*(longRecording+1234))
	for i := range samples {
		samples[i] = float32(i%997)/997 - 0.5
	}
	in, out := recorded(t, filepath.Join(dir, "a.wav"), 2, samples), filepath.Join(dir, "z.npy")
	if status, stdout, stderr := twiddle(t, "stft", in, "--nfft", "256", "--hop", "4096", "--out", out); status != 0 || !strings.Contains(stdout, "[2 129") {
		t.Fatalf("%q, %q", stdout, stderr)
	}
	got, err := npy.Load(out)
	if err != nil {
		t.Fatal(err)
	}
	want := signal.STFT{NFFT: 256, Hop: 4096}.Apply(nd.From(samples, len(samples)/2, 2).Transpose())
	if same, err := nd.AllClose(t.Context(), got, want); err != nil || !same {
		t.Errorf("spectra of chunks are not those of the whole: %v", err)
	}
	packed := filepath.Join(dir, "z.npz")
	if status, _, stderr := twiddle(t, "stft", in, "--nfft", "256", "--hop", "4096", "--out", packed); status != 0 {
		t.Fatal(stderr)
	}
	one, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	archive, err := npz.Open(packed)
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	z, err := archive.Read("spectra")
	if err != nil || !bytes.HasSuffix(one, z.Data) || !slices.Equal(z.Shape, got.Shape()) {
		t.Errorf("spectra of an archive are not those of a file: %v", err)
	}
	if hz, err := archive.Read("frequencies"); err != nil || !slices.Equal(hz.Shape, []int{129}) {
		t.Error(hz, err)
	}
	status, stdout, stderr := twiddle(t, "stft", in, "--log-frequency")
	if status != 0 || strings.Count(stdout, "\n") != 23 || !strings.Contains(stdout, "█") || strings.Contains(stdout, "\x1b") {
		t.Errorf("status %d, %q\n%s", status, stderr, stdout)
	}
}
