package main

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/audio/pcm"
	"github.com/twiddle-go/twiddle/audio/wav"
)

// toneFile is a WAV file with one tone.
func toneFile(t *testing.T, name string, hz float64) string {
	t.Helper()
	x := make([]float32, 16000)
	for i := range x {
		x[i] = float32(0.25 * math.Sin(2*math.Pi*hz/8000*float64(i)))
	}
	if err := wav.WriteFile(name, pcm.Format{Encoding: pcm.Int24, Channels: 1, Rate: 8000}, x); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestAnalyze(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	one, two := toneFile(t, at("one.wav"), 1000), toneFile(t, at("two.wav"), 2500)
	bad := at("bad.wav")
	if err := os.WriteFile(bad, []byte("RIFF1234WAVE"), 0o600); err != nil {
		t.Fatal(err)
	}

	status, stdout, stderr := twiddle(t, "analyze", one, "--out", at("r.html"), "--png", at("pictures"))
	if status != 0 || stderr != "" || !strings.Contains(stdout, "1000.0 Hz  -12.0 dB") || !strings.Contains(stdout, "RMS -12.0 dB, peak -12.0 dB") || !strings.Contains(stdout, "RIFF, int24, 1 channel, 8000 Hz, 2 s") {
		t.Errorf("status %d, %q:\n%s", status, stderr, stdout)
	}
	if page, err := os.ReadFile(at("r.html")); err != nil || strings.Count(string(page), `<img src="data:image/png`) != 3 || strings.Count(string(page), "<canvas") != 3 {
		t.Errorf("page of %d bytes, %v", len(page), err)
	}
	for _, name := range []string{"waveform", "spectrogram", "psd"} {
		if _, err := os.Stat(at("pictures/one-" + name + ".png")); err != nil {
			t.Error(err)
		}
	}

	// A bad file does not keep the others back.
	status, stdout, stderr = twiddle(t, "analyze", one, bad, two, at("missing.wav"), "--json", "--out", at("all.html"))
	var r struct {
		Files []struct {
			Name  string
			Error string
			Peaks []struct{ Frequency, Level, Prominence, Width float64 }
		}
	}
	if err := json.Unmarshal([]byte(stdout), &r); err != nil || status != 1 || !strings.Contains(stderr, "2 of 4 files could not be analysed") {
		t.Fatalf("status %d, %v, %q", status, err, stderr)
	}
	if len(r.Files) != 4 || r.Files[0].Name != one || len(r.Files[0].Peaks) != 1 || !strings.Contains(r.Files[1].Error, "wav: header: offset 12") || len(r.Files[2].Peaks) != 1 ||
		math.Abs(r.Files[2].Peaks[0].Frequency-2500) > 1 || !strings.Contains(r.Files[3].Error, "missing.wav") {
		t.Errorf("%+v", r)
	}
	if page, err := os.ReadFile(at("all.html")); err != nil || !strings.Contains(string(page), "offset 12") || strings.Count(string(page), "<canvas") != 6 {
		t.Errorf("page of %d bytes, %v", len(page), err)
	}
	if status, stdout, _ = twiddle(t, "analyze", one, bad); status != 1 || !strings.Contains(stdout, "bad.wav\n  cannot be analysed: wav: header") || !strings.Contains(stdout, "1000.0 Hz") {
		t.Errorf("status %d:\n%s", status, stdout)
	}
}

func TestAnalyzeArraysAndRaw(t *testing.T) {
	x := make([]float64, 8000)
	raw := make([]byte, 2*len(x))
	for i := range x {
		x[i] = math.Sin(2 * math.Pi * 0.05 * float64(i))
	}
	pcm.Encode(raw, x, pcm.Int16, true)
	in, _ := save(t, x, len(x))
	if status, stdout, stderr := twiddle(t, "analyze", in); status != 0 || !strings.Contains(stdout, "0.05") || !strings.Contains(stdout, "cycles/sample") {
		t.Errorf("status %d, %q:\n%s", status, stderr, stdout)
	}
	if status, stdout, stderr := twiddle(t, "analyze", in, "--fs", "1000"); status != 0 || !strings.Contains(stdout, " 50.00 Hz") {
		t.Errorf("status %d, %q:\n%s", status, stderr, stdout)
	}
	file := filepath.Join(t.TempDir(), "a.raw")
	if err := os.WriteFile(file, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	if status, stdout, stderr := twiddle(t, "analyze", file, "--raw", "int16", "--big-endian", "--fs", "1000"); status != 0 || !strings.Contains(stdout, " 50.00 Hz") {
		t.Errorf("status %d, %q:\n%s", status, stderr, stdout)
	}
}

func TestAnalyzeBadUsage(t *testing.T) {
	in := toneFile(t, filepath.Join(t.TempDir(), "a.wav"), 440)
	for args, want := range map[string]string{
		"":                                     "want a recording or several",
		in + " --fs 0":                         "--fs 0: want a positive number",
		in + " --fs -3":                        "--fs -3",
		in + " --nperseg 0":                    "--nperseg 0: want at least 1",
		in + " --peaks 0":                      "--peaks 0",
		in + " --prominence -1":                "--prominence -1",
		in + " --window hamm":                  "unknown window",
		in + " --device abacus":                "--device",
		in + " --raw int12 --fs 1":             "unknown encoding",
		in + " --raw int16":                    "--raw needs --fs",
		in + " --raw complex64 --fs 1":         "want --raw float32 --iq",
		in + " --raw ci16_le --fs 1":           "want --raw int16 --iq",
		in + " --channels 2":                   "say --raw too",
		in + " --peeks 3":                      "did you mean --peaks?",
		in + " --raw int8 --fs 1 --channels 0": "0 channels",
	} {
		status, _, stderr := twiddle(t, append([]string{"analyze"}, strings.Fields(args)...)...)
		if status != 2 || !strings.Contains(stderr, want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("analyze %s: status %d, %q, want %q", args, status, stderr, want)
		}
	}
	if status, _, stderr := twiddle(t, "analyze", in, "--out", filepath.Join(in, "r.html")); status != 1 || !strings.Contains(stderr, "--out") {
		t.Errorf("status %d, %q", status, stderr)
	}
	if names := pictureNames([]string{"a/x.wav", "b/x.flac", "y.wav"}); strings.Join(names, " ") != "x x-2 y" {
		t.Error(names)
	}
}

// A sample that is missing is said with its line, and what to do; a pipe is called by its name.
func TestAnalyzeBadFiles(t *testing.T) {
	name := filepath.Join(t.TempDir(), "gap.csv")
	if err := os.WriteFile(name, []byte("time,ax\n0,1\n1,\n2,3\n3,1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	status, _, stderr := twiddle(t, "analyze", name)
	if status != 1 || !strings.Contains(stderr, "frame 1: a sample is NaN ("+name+")") || !strings.Contains(stderr, "the first in line 3") || !strings.Contains(stderr, "--frames") {
		t.Errorf("a gap: status %d, %q", status, stderr)
	}
	c := newAnalyzeCommand()
	c.SetArgs([]string{"-"})
	c.SetIn(strings.NewReader(""))
	c.SetOut(&bytes.Buffer{})
	c.SetErr(&bytes.Buffer{})
	if err := c.ExecuteContext(t.Context()); err == nil || err.Error() != "audio: an empty file (standard input)" {
		t.Errorf("an empty pipe: %v", err)
	}
}

// What comes through a pipe is analysed as a file is.
func TestAnalyzePipe(t *testing.T) {
	data, err := os.ReadFile(toneFile(t, filepath.Join(t.TempDir(), "a.wav"), 1000))
	if err != nil {
		t.Fatal(err)
	}
	c := newAnalyzeCommand()
	var out bytes.Buffer
	c.SetIn(bytes.NewReader(data))
	c.SetOut(&out)
	pictures := t.TempDir()
	c.SetArgs([]string{"-", "--png", pictures})
	if err := c.ExecuteContext(t.Context()); err != nil || !strings.Contains(out.String(), "1000.0 Hz  -12.0 dB") {
		t.Errorf("%v:\n%s", err, out.String())
	}
	if _, err := os.Stat(filepath.Join(pictures, "stdin-psd.png")); err != nil {
		t.Error(err)
	}
}
