package audio_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/nd"
)

// TestChannels reads some channels of every format, in both precisions, from any frame on.
func TestChannels(t *testing.T) {
	for name, opt := range recordings(t) {
		all, err := audio.Open(name, opt)
		if err != nil {
			t.Fatal(err)
		}
		x, err := audio.ReadAll(all)
		if err != nil {
			t.Fatal(err)
		}
		all.Close()
		whole, err := nd.Slice[float64](t.Context(), x.Cast(nd.Float64))
		if err != nil {
			t.Fatal(err)
		}
		channels, n := x.Dim(0), x.Dim(1)
		opt.Channel = fmt.Sprintf("%d, 1", channels)
		want := [][]float64{whole[(channels-1)*n:], whole[:n]}
		if channels == 1 {
			opt.Channel, want = "1", want[:1]
		}
		for _, mono := range []bool{false, true} {
			if opt.Mono = mono; mono && channels > 1 {
				mean := make([]float64, n)
				for i := range mean {
					mean[i] = (want[0][i] + want[1][i]) / 2
				}
				want = [][]float64{mean}
			}
			f, err := audio.Open(name, opt)
			if err != nil {
				t.Fatal(err)
			}
			const from = 5
			if err := f.SeekFrame(from); err != nil {
				t.Fatal(err)
			}
			got, err := audio.ReadAll(f)
			if err != nil {
				t.Fatal(err)
			}
			f.Close()
			if f.Info.Channels != len(want) || got.Dim(0) != len(want) || len(f.ChannelNames()) != len(want) {
				t.Errorf("%s: %v, %v, %q", name, f.Info, got.Shape(), f.ChannelNames())
				continue
			}
			for c, line := range want {
				v, err := nd.Slice[float64](t.Context(), got.At(c).Cast(nd.Float64))
				near := func(a, b float64) bool { return a == b || max(a-b, b-a) < 1e-7*max(1, a, -a) }
				if err != nil || !slices.EqualFunc(v, line[from:], near) {
					t.Errorf("%s: channel %s, mono %v, line %d differs, %v", name, opt.Channel, mono, c, err)
				}
			}
		}
	}
}

func TestChannelErrors(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.wav")
	if err := audio.Save(t.Context(), name, 8000, nd.Zeros(nd.Float32, 2, 9)); err != nil {
		t.Fatal(err)
	}
	for channel, want := range map[string]string{
		"3":    "channel 3: there are 2",
		"0":    "channel 0: channels count from 1",
		"left": `channel "left": want numbers from 1, such as 2 or 1,3`,
		"1,":   `channel "1,": want numbers`,
		"2,2":  "channel 2 twice",
	} {
		if _, err := audio.Open(name, audio.Options{Channel: channel}); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v, want %s", channel, err, want)
		}
	}
	if _, err := audio.Open(name, audio.Options{Mono: true, IQ: true}); err == nil || !strings.Contains(err.Error(), "want two, I and Q") {
		t.Error(err)
	}
	f, err := audio.Open(name, audio.Options{Mono: true})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if names := f.ChannelNames(); !slices.Equal(names, []string{"mean of 2 channels"}) || f.Info.Bits() != 0 {
		t.Errorf("%q, %v", names, f.Info)
	}
}
