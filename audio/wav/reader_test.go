package wav

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/audio/pcm"
)

// goldenFrames and golden are what testdata/make_goldens.py puts in a file.
const goldenFrames = 23

func golden(i, c int) float64 { return float64((37*i+11*c)%201-100) / 128 }

// all reads to the end, a few frames at a time.
func all(t *testing.T, r *Reader) []float64 {
	t.Helper()
	var out []float64
	buffer := make([]float64, 5*r.Header().Channels+r.Header().Channels-1)
	for {
		n, err := r.Read64(buffer)
		out = append(out, buffer[:n*r.Header().Channels]...)
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestGoldens(t *testing.T) {
	files, err := filepath.Glob("testdata/*.wav")
	if err != nil || len(files) != 38 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	encodings := map[string]pcm.Encoding{"pcm_u8": pcm.Uint8, "pcm_16": pcm.Int16, "pcm_24": pcm.Int24, "pcm_32": pcm.Int32, "float": pcm.Float32, "double": pcm.Float64}
	for _, name := range files {
		r, err := Open(name)
		if err != nil {
			t.Fatal(err)
		}
		base := strings.TrimSuffix(filepath.Base(name), ".wav")
		kind, rest, _ := strings.Cut(base, "_")
		encoding := rest[:len(rest)-2]
		channels := int(rest[len(rest)-1] - '0')
		h := r.Header()
		wantKind := map[string]string{"wav": "RIFF", "wavex": "RIFF", "rf64": "RF64", "rifx": "RIFX"}[kind]
		if h.Kind != wantKind || h.Channels != channels || h.Rate != float64(8000+channels) || h.Encoding != encodings[encoding] || h.Bits != 8*h.Encoding.Bytes() ||
			h.Extensible != (kind == "wavex" || kind == "rf64") || r.Frames() != goldenFrames || r.Warning() != nil {
			t.Errorf("%s: %+v, %d frames, %v", base, h, r.Frames(), r.Warning())
		}
		got := all(t, r)
		if len(got) != goldenFrames*channels {
			t.Fatalf("%s: %d samples", base, len(got))
		}
		for i, v := range got {
			if want := golden(i/channels, i%channels); v != want {
				t.Fatalf("%s: sample %d is %v, want %v", base, i, v, want)
			}
		}
		if err := r.Close(); err != nil || r.Warning() != nil {
			t.Errorf("%s: %v, %v", base, err, r.Warning())
		}
	}
}

// chunk is a chunk of a file, padded.
func chunk(id, body string) string {
	b := id + string(binary.LittleEndian.AppendUint32(nil, uint32(len(body)))) + body
	if len(body)%2 == 1 {
		b += "\x00"
	}
	return b
}

// fmtBody is a fmt chunk's content.
func fmtBody(tag, channels uint16, rate uint32, block, bits uint16) string {
	le := binary.LittleEndian
	b := le.AppendUint16(nil, tag)
	b = le.AppendUint16(b, channels)
	b = le.AppendUint32(b, rate)
	b = le.AppendUint32(b, rate*uint32(block))
	b = le.AppendUint16(b, block)
	return string(le.AppendUint16(b, bits))
}

func riff(chunks ...string) string {
	body := "WAVE" + strings.Join(chunks, "")
	return "RIFF" + string(binary.LittleEndian.AppendUint32(nil, uint32(len(body)))) + body
}

var mono16 = chunk("fmt ", fmtBody(1, 1, 8000, 2, 16))

// stream hides that a reader can seek.
type stream struct{ io.Reader }

func TestRecovered(t *testing.T) {
	samples := chunk("data", "\x00\x40\x00\x20\x00\x10")
	whole := riff(mono16, chunk("LIST", "odd"), samples)
	unknown := strings.Replace(whole, "data\x06\x00\x00\x00", "data\xff\xff\xff\xff", 1)
	unfinished := strings.Replace("RIFF\x00\x00\x00\x00"+whole[8:], "data\x06\x00\x00\x00", "data\x00\x00\x00\x00", 1)
	start := strings.Index(whole, "data") + 8
	for _, c := range []struct {
		label   string
		content string
		frames  int
		warning string // from a file
		streams string // from a stream
	}{
		{"whole", whole, 3, "", ""},
		{"more chunks", whole + chunk("LIST", "info"), 3, "", ""},
		{"truncated", whole[:len(whole)-2], 2, fmt.Sprintf("offset %d: truncated: 4 of 6 bytes", start+4), fmt.Sprintf("offset %d: truncated: 2 bytes", start+4)},
		{"truncated in a frame", whole[:len(whole)-3], 1, fmt.Sprintf("offset %d: truncated: 3 of 6 bytes", start+3), fmt.Sprintf("offset %d: truncated: 3 bytes", start+3)},
		{"torn", riff(mono16, chunk("data", "\x00\x40\x00")), 1, "offset 46: the last frame has 1 of 2 bytes", "offset 46: the last frame"},
		{"unknown size", unknown, 3, "", ""},
		{"unfinished", unfinished, 3, fmt.Sprintf("offset %d: the sizes were never filled in", start), ""},
		{"no samples", riff(mono16, chunk("data", "")), 0, "", ""},
	} {
		for _, streaming := range []bool{false, true} {
			var in io.Reader = strings.NewReader(c.content)
			want := c.warning
			if streaming {
				in, want = stream{in}, c.streams
			}
			r, err := NewReader(in)
			if err != nil {
				t.Fatalf("%s: %v", c.label, err)
			}
			if !streaming && r.Frames() != int64(c.frames) {
				t.Errorf("%s: %d frames, want %d", c.label, r.Frames(), c.frames)
			}
			got := all(t, r)
			if len(got) != c.frames || c.frames > 1 && (got[0] != 0.5 || got[1] != 0.25) {
				t.Errorf("%s: %v, want %d frames", c.label, got, c.frames)
			}
			var w *Warning
			switch {
			case want == "" && r.Warning() != nil:
				t.Errorf("%s: warning %v", c.label, r.Warning())
			case want != "" && (!errors.As(r.Warning(), &w) || !strings.Contains(w.Error(), want)):
				t.Errorf("%s, streaming %v: warning %v, want %q", c.label, streaming, r.Warning(), want)
			}
		}
	}
}

func TestHostileHeaders(t *testing.T) {
	data := chunk("data", "\x00\x00")
	format := func(tag, channels uint16, rate uint32, block, bits uint16) string {
		return riff(chunk("fmt ", fmtBody(tag, channels, rate, block, bits)), data)
	}
	extensible := func(guid string) string {
		return riff(chunk("fmt ", fmtBody(tagExtensible, 1, 8000, 2, 16)+"\x16\x00\x10\x00\x00\x00\x00\x00"+guid), data)
	}
	wide := "RF64" + riff("")[4:]
	for _, c := range []struct{ label, content, want string }{
		{"empty", "", "offset 0: the file ends in its first twelve bytes"},
		{"no RIFF", "fLaC0000WAVE", `offset 0: not a WAV file: it starts with "fLaC"`},
		{"no WAVE", "RIFF0000AVI ", `offset 8: not a WAV file: "AVI "`},
		{"no chunks", riff(), "offset 12: the file ends in the name of a chunk"},
		{"no data", riff(mono16), "offset 36: the file ends in the name of a chunk"},
		{"no fmt", riff(data), "offset 12: samples before a fmt chunk"},
		{"short fmt", riff(chunk("fmt ", "12345678"), data), "offset 20: a fmt chunk of 8 bytes"},
		{"cut fmt", riff(mono16)[:30], "offset 20: the file ends in the fmt chunk"},
		{"huge chunk", riff("junk\xff\xff\xff\xff"), "offset 20: the file ends before any samples"},
		{"0 channels", format(1, 0, 8000, 2, 16), "offset 22: 0 channels"},
		{"0 rate", format(1, 1, 0, 2, 16), "offset 24: 0 frames per second"},
		{"0 block", format(1, 1, 8000, 0, 16), "offset 32: 0 bytes for a frame"},
		{"MP3", format(0x55, 2, 44100, 1, 0), "MP3 samples: only PCM and floats are read"},
		{"odd block", format(1, 2, 8000, 3, 8), "offset 32: 3 bytes for a frame of 2"},
		{"too many bits", format(1, 1, 8000, 2, 24), "samples of 24 bits in 2 bytes"},
		{"0 bits", format(1, 1, 8000, 2, 0), "samples of 0 bits"},
		{"wide integers", format(1, 1, 8000, 8, 64), "integers of 8 bytes"},
		{"half floats", format(3, 1, 8000, 2, 16), "floats of 16 bits"},
		{"MP3", format(0x55, 1, 8000, 2, 16), "MP3 samples"},
		{"unknown tag", format(0x1234, 1, 8000, 2, 16), "format tag 0x1234"},
		{"short extensible", riff(chunk("fmt ", fmtBody(tagExtensible, 1, 8000, 2, 16)), data), "an EXTENSIBLE fmt chunk of 16 bytes"},
		{"strange subformat", extensible("0123456789abcdef"), "offset 44: unknown subformat"},
		{"RF64 without ds64", wide + mono16 + data, "offset 36: no ds64 chunk"},
		{"short ds64", wide + chunk("ds64", "1234"), "offset 20: a ds64 chunk of 4 bytes"},
		{"huge ds64", wide + chunk("ds64", strings.Repeat("\xff", 28)), "offset 28: 18446744073709551615 bytes of samples"},
	} {
		if _, err := NewReader(strings.NewReader(c.content)); err == nil || !strings.HasPrefix(err.Error(), "wav: header: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.label, err, c.want)
		}
	}
	name := filepath.Join(t.TempDir(), "bad.wav")
	if err := os.WriteFile(name, []byte("RIFF"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(name); err == nil || !strings.Contains(err.Error(), name) {
		t.Errorf("%v does not name %s", err, name)
	}
}

// A ds64 that promises petabytes takes no memory for the promise.
func TestHugePromise(t *testing.T) {
	ds64 := string(binary.LittleEndian.AppendUint64(make([]byte, 8), 1<<50)) + strings.Repeat("\x00", 12)
	content := "RF64\xff\xff\xff\xffWAVE" + chunk("ds64", ds64) + mono16 + "data\xff\xff\xff\xff\x00\x40"
	r, err := NewReader(strings.NewReader(content))
	if err != nil || r.Frames() != 1 || r.Warning() == nil {
		t.Fatalf("%+v, %v", r, err)
	}
	if got := all(t, r); len(got) != 1 || got[0] != 0.5 {
		t.Errorf("%v", got)
	}
}

func FuzzReader(f *testing.F) {
	files, err := filepath.Glob("testdata/*_1.wav")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		content, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
	}
	f.Add([]byte(riff(mono16, chunk("data", "12345"))))
	f.Fuzz(func(t *testing.T, content []byte) {
		seen := map[bool]int{}
		for _, streaming := range []bool{false, true} {
			var in io.Reader = bytes.NewReader(content)
			if streaming {
				in = stream{in}
			}
			r, err := NewReader(in)
			if err != nil {
				if !strings.HasPrefix(err.Error(), "wav: ") {
					t.Errorf("error without its package: %v", err)
				}
				return
			}
			channels := r.Header().Channels
			buffer, frames := make([]float32, 7*channels), 0
			for {
				n, err := r.Read(buffer)
				frames += n
				if err != nil {
					break
				}
			}
			if !streaming && int64(frames) != r.Frames() {
				t.Errorf("%d frames, %d promised", frames, r.Frames())
			}
			if frames*r.Header().FrameBytes() > len(content) {
				t.Errorf("%d frames of %d bytes from %d", frames, r.Header().FrameBytes(), len(content))
			}
			seen[streaming] = frames
		}
		if seen[false] != seen[true] {
			t.Errorf("%d frames of a file, %d of a stream", seen[false], seen[true])
		}
	})
}
