package mp3_test

import (
	"bytes"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/audio/mp3"
	"github.com/twiddle-go/twiddle/nd"
)

// Files have the samples that libsndfile decodes, from frame 0 to the last
// (testdata/make_goldens.py), but for roundings.
func TestLoad(t *testing.T) {
	for name, want := range map[string]audio.Info{
		"stereo": {Format: "MP3", Encoding: "mp3", Channels: 2, Rate: 44100, Frames: 6000},
		"mono":   {Format: "MP3", Encoding: "mp3", Channels: 1, Rate: 22050, Frames: 6000},
	} {
		x, info, err := audio.Load[float64](filepath.Join("testdata", name+".mp3"))
		if err != nil {
			t.Fatal(err)
		}
		if info != want {
			t.Errorf("%s: %+v, want %+v", name, info, want)
		}
		golden, _, err := audio.Load[int16](filepath.Join("testdata", name+".npy"), audio.Options{Axis: nd.Axis(0)})
		if err != nil {
			t.Fatal(err)
		}
		far, err := nd.Item[float64](t.Context(), x.Sub(golden.Cast(nd.Float64).DivScalar(1<<15)).Abs().Max())
		if err != nil {
			t.Fatal(err)
		}
		if far > 2.0/(1<<15) {
			t.Errorf("%s: %g from what libsndfile decodes", name, far)
		}
	}
}

// Any frame can be the next, and a pipe gives what a file does.
func TestSeek(t *testing.T) {
	f, err := audio.Open("testdata/stereo.mp3")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all := make([]float32, 2*6000)
	if n, err := audio.ReadFull(f, all); n != 6000 {
		t.Fatal(n, err)
	}
	for _, at := range []int64{4000, 17, 0, 5999, 6000} {
		if err := f.SeekFrame(at); err != nil {
			t.Fatal(err)
		}
		some := make([]float32, 2)
		n, err := f.Read(some)
		if at == 6000 {
			if n != 0 || err != io.EOF {
				t.Errorf("at the end: %d frames, %v", n, err)
			}
		} else if n != 1 || some[0] != all[2*at] || some[1] != all[2*at+1] {
			t.Errorf("frame %d: %v, want %v", at, some, all[2*at:2*at+2])
		}
	}
	if f.SeekFrame(-1) == nil || f.SeekFrame(6001) == nil {
		t.Error("no frame there: want an error")
	}
	data, err := os.ReadFile("testdata/stereo.mp3")
	if err != nil {
		t.Fatal(err)
	}
	p, err := mp3.NewReader(struct{ io.Reader }{bytes.NewReader(data)})
	if err != nil {
		t.Fatal(err)
	}
	room := make([]float64, 2*7000)
	n, err := p.Read64(room)
	if n != 6000 || err != nil || room[2*5999] != float64(all[2*5999]) {
		t.Errorf("from a pipe: %d frames, %v", n, err)
	}
}

// A broken file is an error or noise, soon, and never a panic.
func TestBroken(t *testing.T) {
	whole, err := os.ReadFile("testdata/mono.mp3")
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	try := func(data []byte) {
		start := time.Now()
		r, err := mp3.NewReader(bytes.NewReader(data))
		if err == nil {
			room := make([]float32, 4096*r.Channels)
			for range 1000 {
				n, err := r.Read(room)
				for _, v := range room[:n*r.Channels] {
					if v != v || math.Abs(float64(v)) > 1 {
						t.Fatalf("a sample of %g", v)
					}
				}
				if err != nil {
					break
				}
			}
		}
		if d := time.Since(start); d > 20*time.Second {
			t.Fatalf("took %v", d)
		}
	}
	for n := 0; n < len(whole); n += 97 {
		try(whole[:n])
	}
	for range 300 {
		data := bytes.Clone(whole)
		for range 1 + rng.IntN(8) {
			at := rng.IntN(len(data))
			if rng.IntN(2) == 0 {
				at = rng.IntN(min(len(data), 400))
			}
			data[at] = byte(rng.IntN(256))
		}
		try(data)
	}
}
