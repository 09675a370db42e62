// Package blockstest is the tests that readers of compressed recordings share.
package blockstest

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
	"github.com/twiddle-go/twiddle/nd"
)

// Format is a kind of files, of which testdata has stereo and mono, with what they decode
// to beside them.
type Format struct {
	Ending, Name, Encoding string
	Open                   func(r io.Reader) (audio.Reader, audio.Info, error)
}

// Load says that files have the samples that libsndfile decodes, from frame 0 to the last
// (audio/mp3/testdata/make_goldens.py), but for roundings.
func (f Format) Load(t *testing.T) {
	for name, want := range map[string]audio.Info{
		"stereo": {Format: f.Name, Encoding: f.Encoding, Channels: 2, Rate: 44100, Frames: 6000},
		"mono":   {Format: f.Name, Encoding: f.Encoding, Channels: 1, Rate: 22050, Frames: 6000},
	} {
		x, info, err := audio.Load[float64](filepath.Join("testdata", name+f.Ending))
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

// Seek says that any frame can be the next, and that a pipe gives what a file does.
func (f Format) Seek(t *testing.T) {
	name := "testdata/stereo" + f.Ending
	file, err := audio.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	all := make([]float32, 2*6000)
	if n, err := audio.ReadFull(file, all); n != 6000 {
		t.Fatal(n, err)
	}
	for _, at := range []int64{4000, 17, 0, 5999, 6000} {
		if err := file.SeekFrame(at); err != nil {
			t.Fatal(err)
		}
		some := make([]float32, 2)
		n, err := file.Read(some)
		if at == 6000 {
			if n != 0 || err != io.EOF {
				t.Errorf("at the end: %d frames, %v", n, err)
			}
		} else if n != 1 || some[0] != all[2*at] || some[1] != all[2*at+1] {
			t.Errorf("frame %d: %v, want %v", at, some, all[2*at:2*at+2])
		}
	}
	if file.SeekFrame(-1) == nil || file.SeekFrame(6001) == nil {
		t.Error("no frame there: want an error")
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	p, _, err := f.Open(struct{ io.Reader }{bytes.NewReader(data)})
	if err != nil {
		t.Fatal(err)
	}
	room := make([]float64, 2*7000)
	n, err := p.Read64(room)
	if n != 6000 || err != nil || room[2*5999] != float64(all[2*5999]) {
		t.Errorf("from a pipe: %d frames, %v", n, err)
	}
}

// Broken says that a broken file is an error or noise, soon, and never a panic. mend, if
// there is one, makes checksums right again, so that broken bytes reach the decoder.
func (f Format) Broken(t *testing.T, mend func([]byte) []byte) {
	whole, err := os.ReadFile("testdata/mono" + f.Ending)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	try := func(data []byte) {
		start := time.Now()
		r, info, err := f.Open(bytes.NewReader(data))
		if err == nil {
			room := make([]float32, 4096*info.Channels)
			for range 1000 {
				n, err := r.Read(room)
				for _, v := range room[:n*info.Channels] {
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
		if mend != nil {
			data = mend(data)
		}
		try(data)
	}
}
