package wav

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/audio/pcm"
)

func TestRoundTrip(t *testing.T) {
	for _, e := range []pcm.Encoding{pcm.Uint8, pcm.Int16, pcm.Int24, pcm.Int32, pcm.Float32, pcm.Float64} {
		for _, channels := range []int{1, 2, 5} {
			name := filepath.Join(t.TempDir(), "a.wav")
			f := pcm.Format{Encoding: e, Channels: channels, Rate: 44100}
			x := make([]float64, 21*channels)
			for i := range x {
				x[i] = golden(i/channels, i%channels)
			}
			w, err := Create(name, f)
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Write64(x[:4*channels]); err != nil {
				t.Fatal(err)
			}
			if err := w.Write64(x[4*channels:]); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil || w.Frames() != 21 || w.Clipped() != 0 {
				t.Fatalf("%v: %v, %d frames, %d clipped", e, err, w.Frames(), w.Clipped())
			}
			content, err := os.ReadFile(name)
			if err != nil || len(content)%2 != 0 {
				t.Fatalf("%v: %d bytes, %v", e, len(content), err)
			}
			r, err := Open(name)
			if err != nil {
				t.Fatal(err)
			}
			if r.Header().Format != f || r.Header().Extensible != (channels > 2) || r.Frames() != 21 || r.Warning() != nil {
				t.Errorf("%v: %+v, %d frames, %v", e, r.Header(), r.Frames(), r.Warning())
			}
			got := all(t, r)
			for i := range x {
				if got[i] != x[i] {
					t.Fatalf("%v: sample %d is %v, was %v", e, i, got[i], x[i])
				}
			}
			r.Close()
		}
	}
}

// A writer that cannot seek leaves sizes that a reader takes as unknown.
func TestWriteToStream(t *testing.T) {
	var b bytes.Buffer
	w, err := NewWriter(&b, pcm.Format{Encoding: pcm.Int16, Channels: 1, Rate: 8000})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write([]float32{0.5, -0.25}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := NewReader(stream{&b})
	if err != nil || r.Frames() != -1 {
		t.Fatalf("%v, %d frames", err, r.Frames())
	}
	if got := all(t, r); len(got) != 2 || got[0] != 0.5 || got[1] != -0.25 || r.Warning() != nil {
		t.Errorf("%v, %v", got, r.Warning())
	}
}

// large counts bytes and keeps only the header, as a file of any size would.
type large struct {
	at, size int64
	bytes    [200]byte
}

func (l *large) Write(b []byte) (int, error) {
	if l.at < int64(len(l.bytes)) {
		copy(l.bytes[l.at:], b)
	}
	l.at += int64(len(b))
	l.size = max(l.size, l.at)
	return len(b), nil
}

func (l *large) Seek(offset int64, whence int) (int64, error) {
	if whence == 0 {
		l.at = offset
	} else {
		l.at += offset
	}
	return l.at, nil
}

func TestGrowsToRF64(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: writes 4 GB, which takes minutes with the race detector")
	}
	var l large
	f := pcm.Format{Encoding: pcm.Float64, Channels: 2, Rate: 96000}
	w, err := NewWriter(&l, f)
	if err != nil {
		t.Fatal(err)
	}
	const frames = 1<<28 + 1
	silence := make([]float64, 1<<17)
	for range frames / (len(silence) / 2) {
		if err := w.Write64(silence); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Write([]float32{1, 2}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	p := parser{r: bytes.NewReader(l.bytes[:])}
	if err := p.parse(); err != nil || p.Kind != "RF64" || p.DataBytes != frames*int64(f.FrameBytes()) || p.DataOffset+p.DataBytes != l.size || p.Format != f {
		t.Errorf("%+v, %v", p.Header, err)
	}
}

func TestClippingIsCounted(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.wav")
	w, err := Create(name, pcm.Format{Encoding: pcm.Int16, Channels: 1, Rate: 8000})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write([]float32{2, -2, float32(math.NaN()), -1, 0.999}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil || w.Clipped() != 3 {
		t.Errorf("%d clipped, %v", w.Clipped(), err)
	}
	r, err := Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if got := all(t, r); got[0] != 1-1.0/32768 || got[1] != -1 || got[2] != 0 || got[3] != -1 {
		t.Errorf("%v", got)
	}
}

func TestBadFormats(t *testing.T) {
	name := filepath.Join(t.TempDir(), "kept.wav")
	if err := os.WriteFile(name, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	for fact, f := range map[string]pcm.Format{
		"not an encoding":   {Channels: 1, Rate: 1},
		"0 channels":        {Encoding: pcm.Int16, Rate: 1},
		"have no sign":      {Encoding: pcm.Int8, Channels: 1, Rate: 1},
		"little-endian":     {Encoding: pcm.Int16, BigEndian: true, Channels: 1, Rate: 1},
		"a rate of 0.5":     {Encoding: pcm.Int16, Channels: 1, Rate: 0.5},
		"a rate of 0":       {Encoding: pcm.Int16, Channels: 1},
		"a rate of 1e+10":   {Encoding: pcm.Int16, Channels: 1, Rate: 1e10},
		"at most 65535 byt": {Encoding: pcm.Int32, Channels: 40000, Rate: 1},
	} {
		if _, err := Create(name, f); err == nil || !strings.Contains(err.Error(), fact) || !strings.HasPrefix(err.Error(), "wav: write") {
			t.Errorf("%v, want %q", err, fact)
		}
	}
	if content, err := os.ReadFile(name); err != nil || string(content) != "old" {
		t.Errorf("a refused format changed the file: %q, %v", content, err)
	}
	w, err := NewWriter(&bytes.Buffer{}, pcm.Format{Encoding: pcm.Int16, Channels: 2, Rate: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write([]float32{1, 2, 3}); err == nil || !strings.Contains(err.Error(), "not whole frames") {
		t.Errorf("%v", err)
	}
}
