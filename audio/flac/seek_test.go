package flac

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/mewkiz/flac"
	"github.com/mewkiz/flac/frame"
	"github.com/mewkiz/flac/meta"
)

// seekFrames is more than a few of the blocks that FLAC files are searched in.
const seekFrames = 300_000

// seekSample is a sample that says where it is, and noise enough that FLAC
// blocks are of different sizes.
func seekSample(i int) int32 { return int32((i*7919)%20011 - 10005) }

func writeSeekFLAC(t *testing.T, name string) {
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	info := &meta.StreamInfo{BlockSizeMin: 4096, BlockSizeMax: 4096, SampleRate: 8000, NChannels: 1, BitsPerSample: 16, NSamples: seekFrames}
	e, err := flac.NewEncoder(f, info)
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < seekFrames; at += 4096 {
		n := min(4096, seekFrames-at)
		samples := make([]int32, n)
		for i := range samples {
			samples[i] = seekSample(at + i)
		}
		sub := &frame.Subframe{SubHeader: frame.SubHeader{Pred: frame.PredVerbatim}, Samples: samples, NSamples: n}
		header := frame.Header{HasFixedBlockSize: true, BlockSize: uint16(n), SampleRate: 8000, Channels: frame.ChannelsMono, BitsPerSample: 16, Num: uint64(at / 4096)}
		if err := e.WriteFrame(&frame.Frame{Header: header, Subframes: []*frame.Subframe{sub}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
}

// readFrom is up to n samples from a frame on.
func readFrom(t *testing.T, name string, at int64, n int) (x []float32, err, warning error) {
	r, err := Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.SeekFrame(at); err != nil {
		t.Fatalf("frame %d: %v", at, err)
	}
	x = make([]float32, n)
	done := 0
	for done < n && err == nil {
		var got int
		got, err = r.Read(x[done:])
		done += got
	}
	return x[:done], err, r.Warning()
}

func TestSeekFrame(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.flac")
	writeSeekFLAC(t, name)
	for _, at := range []int64{0, 1, 4095, 4096, 123_457, 250_000, seekFrames - 10, seekFrames} {
		x, err, warning := readFrom(t, name, at, 5000)
		if want := min(5000, seekFrames-int(at)); len(x) != want || (len(x) < 5000) != (err == io.EOF) || warning != nil {
			t.Fatalf("frame %d: %d frames, %v, %v: want %d", at, len(x), err, warning, want)
		}
		for i, v := range x {
			if want := float32(seekSample(int(at)+i)) / (1 << 15); v != want {
				t.Fatalf("frame %d, then %d: %g, want %g", at, i, v, want)
			}
		}
	}
	r, err := Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, at := range []int64{-1, seekFrames + 1} {
		if err := r.SeekFrame(at); err == nil {
			t.Errorf("frame %d is no error", at)
		}
	}
}

// A file that is cut short is searched and read as far as it goes.
func TestSeekFrameTruncated(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.flac")
	writeSeekFLAC(t, name)
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(name, info.Size()/2); err != nil {
		t.Fatal(err)
	}
	x, err, warning := readFrom(t, name, 100_000, seekFrames)
	if len(x) < 40_000 || x[0] != float32(seekSample(100_000))/(1<<15) || err != io.EOF || warning == nil {
		t.Errorf("%d frames, %v, warning %v", len(x), err, warning)
	}
	if x, err, warning := readFrom(t, name, 250_000, 10); len(x) != 0 || err != io.EOF || warning == nil {
		t.Errorf("beyond the cut: %d frames, %v, warning %v", len(x), err, warning)
	}
}

func TestSeekFrameOfAPipe(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.flac")
	writeSeekFLAC(t, name)
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := NewReader(io.MultiReader(f))
	if err != nil {
		t.Fatal(err)
	}
	if err := r.SeekFrame(0); err == nil {
		t.Error("a stream that cannot seek is no error")
	}
}
