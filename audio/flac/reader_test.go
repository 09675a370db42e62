package flac

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// goldenFrames and golden are what testdata/make_goldens.py puts in a file.
const goldenFrames = 5000

func golden(i, c int) float64 { return float64((37*i+11*c)%201-100) / 128 }

func Example() {
	r, err := Open("testdata/pcm_24_2.flac")
	if err != nil {
		panic(err)
	}
	defer r.Close()
	frames := make([]float32, 2*3)
	n, err := r.Read(frames)
	fmt.Println(r.Header().Rate, n, frames, err)
	// Output: 8002 3 [-0.78125 -0.6953125 -0.4921875 -0.40625 -0.203125 -0.1171875] <nil>
}

// all reads to the end, some frames at a time.
func all(r *Reader) (samples []float64, err error) {
	room := make([]float64, 777*r.Header().Channels)
	for {
		n, err := r.Read64(room)
		samples = append(samples, room[:n*r.Header().Channels]...)
		if err == io.EOF {
			return samples, nil
		}
		if err != nil {
			return samples, err
		}
	}
}

func TestGoldens(t *testing.T) {
	for _, bits := range []string{"s8", "16", "24"} {
		for _, channels := range []int{1, 2, 5} {
			name := fmt.Sprintf("testdata/pcm_%s_%d.flac", bits, channels)
			r, err := Open(name)
			if err != nil {
				t.Fatal(err)
			}
			want := Header{channels, map[string]int{"s8": 8, "16": 16, "24": 24}[bits], float64(8000 + channels), goldenFrames}
			if r.Header() != want {
				t.Errorf("%s: %+v, want %+v", name, r.Header(), want)
			}
			got, err := all(r)
			if err != nil || r.Warning() != nil || len(got) != goldenFrames*channels {
				t.Fatalf("%s: %d samples, %v, %v", name, len(got), err, r.Warning())
			}
			for i, v := range got {
				if want := golden(i/channels, i%channels); v != want {
					t.Fatalf("%s: sample %d is %v, want %v", name, i, v, want)
				}
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestTruncated(t *testing.T) {
	content, err := os.ReadFile("testdata/pcm_16_2.flac")
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewReader(bytes.NewReader(content[:len(content)-100]))
	if err != nil {
		t.Fatal(err)
	}
	got, err := all(r)
	var w *Warning
	if err != nil || len(got) == 0 || len(got) >= 2*goldenFrames || !errors.As(r.Warning(), &w) || !strings.Contains(w.Error(), "truncated") {
		t.Fatalf("%d samples, %v, %v", len(got), err, r.Warning())
	}
	for i, v := range got {
		if v != golden(i/2, i%2) {
			t.Fatalf("sample %d is %v", i, v)
		}
	}
}

func TestHostile(t *testing.T) {
	content, err := os.ReadFile("testdata/pcm_16_1.flac")
	if err != nil {
		t.Fatal(err)
	}
	changed := func(at int, b ...byte) []byte {
		c := bytes.Clone(content)
		copy(c[at:], b)
		return c
	}
	for _, c := range []struct {
		label   string
		content []byte
		want    string
	}{
		{"empty", nil, "flac: header: in the first 0 bytes: the file ends"},
		{"another format", []byte("RIFF0000WAVE"), "signature"},
		{"cut header", content[:20], "the file ends"},
		{"no rate", changed(18, 0, 0, 0), "sample rate (0)"},
		{"broken block", changed(len(content)/2, 1, 2, 3, 4, 5, 6, 7, 8), "flac: read: near offset"},
	} {
		r, err := NewReader(bytes.NewReader(c.content))
		if err == nil {
			_, err = all(r)
		}
		if err == nil || !strings.HasPrefix(err.Error(), "flac: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.label, err, c.want)
		}
	}
	name := filepath.Join(t.TempDir(), "bad.flac")
	if err := os.WriteFile(name, []byte("fLaC"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(name); err == nil || !strings.Contains(err.Error(), name) {
		t.Errorf("%v does not name %s", err, name)
	}
}

func FuzzReader(f *testing.F) {
	for _, name := range []string{"pcm_16_1", "pcm_24_2"} {
		content, err := os.ReadFile("testdata/" + name + ".flac")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
		f.Add(content[:2000])
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		r, err := NewReader(bytes.NewReader(content))
		if err == nil {
			room := make([]float32, 1000*r.Header().Channels)
			// A constant block stands for 65,535 frames in a dozen bytes.
			for range len(content)*8 + 1 {
				if _, err = r.Read(room); err != nil {
					break
				}
			}
		}
		if err != nil && err != io.EOF && !strings.HasPrefix(err.Error(), "flac: ") {
			t.Errorf("error without its package: %v", err)
		}
	})
}
