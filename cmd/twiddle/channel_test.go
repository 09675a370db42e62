package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// TestChannelFlags reads one channel of a recording or an array, or the mean of all.
func TestChannelFlags(t *testing.T) {
	samples := hum(2 * 700)
	array, out := save(t, samples, 2, 700)
	x := nd.From(samples, 2, 700)
	taps := []float32{1, 0.5}
	filter, _ := save(t, taps, len(taps))
	recording := filepath.Join(filepath.Dir(out), "a.wav")
	if err := audio.Save(t.Context(), recording, 1, x); err != nil {
		t.Fatal(err)
	}
	mean := x.Cast(nd.Float64).Mean(0).Cast(nd.Float32)
	for _, in := range []string{array, recording} {
		for flags, line := range map[string]*nd.Array{"--channel 2": x.At(1), "--mono": mean, "--channel 2,1": x.Flip(0), "--channel 1 --mono": x.At(0)} {
			for args, want := range map[string]*nd.Array{
				"welch":                   signal.Welch(line).Array,
				"stft --nfft 64":          signal.STFT{NFFT: 64}.Apply(line),
				"fft --real":              line.RFFT(),
				"conv --filter " + filter: signal.Conv{Mode: signal.Causal}.Apply(line, nd.From(taps, len(taps))),
			} {
				args += " " + flags + " --in " + in + " --out " + out
				if status, _, stderr := twiddle(t, strings.Fields(args)...); status != 0 {
					t.Errorf("%s: %s", args, stderr)
					continue
				}
				equalFile(t, args, out, want)
			}
		}
	}
	for args, want := range map[string]string{
		"welch --channel= ":              "--channel is empty",
		"welch --channels 2":             "--channels is for raw samples: say --raw too, or --channel to read some channels",
		"analyze --channel 3":            "channel 3: there are 2",
		"view --channels 2":              "--channels is for raw samples: say --raw too",
		"orders --channel 2,1 --tacho 3": `--tacho "3": want one of 2 channels: channel 2, channel 1`,
	} {
		if status, _, stderr := twiddle(t, append(strings.Fields(args), recording)...); status == 0 || !strings.Contains(stderr, want) {
			t.Errorf("%s: status %d, %q, want %q", args, status, stderr, want)
		}
	}
	// The legend of a picture names channels of the file, in their order.
	var pictures [2][]byte
	alike := filepath.Join(filepath.Dir(out), "alike.wav")
	if err := audio.Save(t.Context(), alike, 1, x.SliceAxis(0, nd.Head(1)).BroadcastTo(2, 700)); err != nil {
		t.Fatal(err)
	}
	for i, channels := range []string{"1,2", "2,1"} {
		picture := filepath.Join(filepath.Dir(out), "p.png")
		if status, _, stderr := twiddle(t, "welch", alike, "--channel", channels, "--out", picture); status != 0 {
			t.Fatal(stderr)
		}
		var err error
		if pictures[i], err = os.ReadFile(picture); err != nil {
			t.Fatal(err)
		}
	}
	if bytes.Equal(pictures[0], pictures[1]) {
		t.Error("welch: legends of channels 1 and 2 and of 2 and 1 are the same")
	}
	// A number is that of the file, also where some channels were left.
	if i, err := channelNamed("tacho", "2", []string{"channel 2", "channel 1"}); i != 0 || err != nil {
		t.Errorf("channel 2 is at %d, %v", i, err)
	}
}
