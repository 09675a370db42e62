package audio_test

import (
	"bytes"
	"fmt"
	"io"
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
)

func Example() {
	name := filepath.Join(os.TempDir(), "twiddle-example.wav")
	defer os.Remove(name)
	if err := wav.WriteFile(name, pcm.Format{Encoding: pcm.Int16, Channels: 2, Rate: 8000}, []float32{0.5, -0.5, 0.25, -0.25}); err != nil {
		panic(err)
	}
	f, err := audio.Open(name)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	for x, err := range audio.Chunks[float32](f, 1<<16) {
		if err != nil {
			panic(err)
		}
		fmt.Println(f.Info.Rate, x.Shape())
	}
	// Output: 8000 [2 2]
}

// frames and sample are the recording that every format holds.
const frames, channels = 30000, 3

func sample(i, c int) float32 { return float32((37*i+11*c)%201-100) / 128 }

// recordings writes it in all formats, and gives how to open them.
func recordings(t *testing.T) map[string]audio.Options {
	t.Helper()
	dir := t.TempDir()
	x, lines := make([]float32, frames*channels), make([]float32, frames*channels)
	for i := range frames {
		for c := range channels {
			x[i*channels+c], lines[c*frames+i] = sample(i, c), sample(i, c)
		}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	files := map[string]audio.Options{}
	for _, e := range []pcm.Encoding{pcm.Int16, pcm.Float64} {
		name := at(e.String() + ".wav")
		must(wav.WriteFile(name, pcm.Format{Encoding: e, Channels: channels, Rate: 8000}, x))
		files[name] = audio.Options{}
	}
	across, err := npy.From(x, frames, channels)
	must(err)
	along, err := npy.From(lines, channels, frames)
	must(err)
	fortran, err := along.WithFortran(true)
	must(err)
	must(npy.WriteFile(at("along.npy"), along))
	must(npy.WriteFile(at("across.npy"), across))
	must(npy.WriteFile(at("fortran.npy"), fortran))
	files[at("along.npy")] = audio.Options{Rate: 8000}
	files[at("across.npy")] = audio.Options{Rate: 8000, Axis: nd.Axis(0)}
	files[at("fortran.npy")] = audio.Options{Rate: 8000}
	must(npz.WriteFile(at("packed.npz"), map[string]*npy.Array{"x": along}, true))
	must(npz.WriteFile(at("two.npz"), map[string]*npy.Array{"x": along, "y": across}, false))
	files[at("packed.npz")] = audio.Options{Rate: 8000}
	files[at("two.npz")] = audio.Options{Rate: 8000, Array: "y", Axis: nd.Axis(0)}
	var b bytes.Buffer
	raw := pcm.Format{Encoding: pcm.Int24, BigEndian: true, Channels: channels, Rate: 8000}
	w, err := pcm.NewWriter(&b, raw)
	must(err)
	must(w.Write(x))
	must(os.WriteFile(at("raw.bin"), b.Bytes(), 0o600))
	files[at("raw.bin")] = audio.Options{Raw: raw}
	return files
}

func TestEveryFormat(t *testing.T) {
	for name, opt := range recordings(t) {
		for _, size := range []int{frames, 1000, 7777} {
			f, err := audio.Open(name, opt)
			if err != nil {
				t.Fatal(err)
			}
			if f.Info.Channels != channels || f.Info.Frames != frames || f.Info.Rate != 8000 || f.Name() != name {
				t.Errorf("%s: %+v", name, f.Info)
			}
			at := 0
			for x, err := range audio.Chunks[float32](f, size) {
				if err != nil {
					t.Fatal(err)
				}
				n := x.Dim(1)
				if x.Dim(0) != channels || n != min(size, frames-at) {
					t.Fatalf("%s: a chunk of %v at %d", name, x.Shape(), at)
				}
				values, err := nd.Slice[float32](t.Context(), x)
				if err != nil {
					t.Fatal(err)
				}
				for i, v := range values {
					if want := sample(at+i%n, i/n); v != want {
						t.Fatalf("%s: channel %d, frame %d is %v, want %v", name, i/n, at+i%n, v, want)
					}
				}
				at += n
			}
			if at != frames || f.Warning() != nil {
				t.Errorf("%s: %d frames, %v", name, at, f.Warning())
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
		}
		f, err := audio.Open(name, opt)
		if err != nil {
			t.Fatal(err)
		}
		x, err := audio.ReadAll(f)
		if err != nil || !slices.Equal(x.Shape(), []int{channels, frames}) || (x.DType() == nd.Float64) != strings.Contains(name, "float64") {
			t.Errorf("%s: %v of %v, %v", name, x.Shape(), x.DType(), err)
		}
		f.Close()
	}
}

func TestFLAC(t *testing.T) {
	f, err := audio.Open("flac/testdata/pcm_24_2.flac")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	x, err := audio.ReadAll(f)
	if err != nil || f.Info != (audio.Info{Format: "FLAC", Encoding: "int24", Channels: 2, Rate: 8002, Frames: 5000}) || !slices.Equal(x.Shape(), []int{2, 5000}) {
		t.Errorf("%+v, %v, %v", f.Info, x, err)
	}
}

// A pipe has no size and cannot seek.
func TestPipe(t *testing.T) {
	if _, err := os.Stat("/dev/fd"); err != nil {
		t.Skip("no /dev/fd: pipes have no names")
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	go func() {
		defer w.Close()
		out, err := wav.NewWriter(struct{ io.Writer }{w}, pcm.Format{Encoding: pcm.Int16, Channels: 1, Rate: 8000})
		if err == nil {
			err = out.Write([]float32{0.5, 0.25, 0.125})
		}
		if err != nil {
			t.Error(err)
		}
	}()
	f, err := audio.Open(fmt.Sprintf("/dev/fd/%d", r.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	x, err := audio.ReadAll(f)
	if err != nil || x.Dim(1) != 3 || f.Info.Frames != -1 {
		t.Errorf("%v, %v, %+v", x, err, f.Info)
	}
}

func TestFailures(t *testing.T) {
	dir := t.TempDir()
	file := func(name, content string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	array := func(dtype npy.DType, data int, shape ...int) string {
		var b strings.Builder
		if err := npy.WriteHeader(&b, npy.Header{DType: dtype, Shape: shape}); err != nil {
			t.Fatal(err)
		}
		return b.String() + strings.Repeat("\x00", data)
	}
	one, err := npy.From([]float32{1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	two := filepath.Join(dir, "two.npz")
	if err := npz.WriteFile(two, map[string]*npy.Array{"a": one, "b": one}, false); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		opt  audio.Options
		want string
	}{
		{filepath.Join(dir, "missing"), audio.Options{}, "no such file"},
		{dir, audio.Options{}, "audio: "},
		{file("empty", ""), audio.Options{}, "an empty file"},
		{file("text", "hello, world"), audio.Options{}, `offset 0: neither WAV, FLAC, .npy, .npz nor a table: it starts with "hello," (csv: no table of numbers)`},
		{file("words.csv", "name,city\nann,berlin\n"), audio.Options{}, `csv: no table of numbers: line 2 is "ann,berlin"`},
		{file("header.TSV", "t\tx\n"), audio.Options{}, `csv: no table of numbers: there is only line 1, "t\tx"`},
		{file("comments.csv", "# a\n\n"), audio.Options{}, `csv: no table of numbers: only empty lines and comments`},
		{file("zeros.csv", "1,2\n\x00\n"), audio.Options{}, `csv: no table of numbers: offset 4: a byte of 0`},
		{file("wide.csv", strings.Repeat("1,", 50000)+"2\n"), audio.Options{}, "csv: no table of numbers: the first line does not end within 65536 bytes"},
		{file("bytes", "\x01\x02\xff\xfe----"), audio.Options{}, `it starts with "\x01\x02\xff\xfe--" (`},
		{file("one", "x"), audio.Options{}, `it starts with "x"`},
		{file("bad.wav", "RIFF1234WAVE"), audio.Options{}, "wav: header: offset 12"},
		{file("bad.flac", "fLaC1234"), audio.Options{}, "flac: header"},
		{file("bad.npz", "PK\x03\x041234"), audio.Options{}, "npz: directory"},
		{file("complex.npy", array(npy.Complex64, 8, 1)), audio.Options{}, "an array of complex64"},
		{file("scalar.npy", array(npy.Float32, 4)), audio.Options{}, "shape []"},
		{file("cube.npy", array(npy.Float32, 4, 1, 1, 1)), audio.Options{}, "shape [1 1 1]"},
		{file("flat.npy", array(npy.Float32, 0, 0, 5)), audio.Options{}, "no channels"},
		{file("tall.npy", array(npy.Float32, 800, 100, 2)), audio.Options{}, "100 channels of 2 frames: does time run along axis 0?"},
		{file("axis.npy", array(npy.Float32, 8, 2)), audio.Options{Axis: nd.Axis(1)}, "axis 1 out of range"},
		{file("cut.npy", array(npy.Float32, 8, 5)), audio.Options{}, "frame 0 of 5: unexpected EOF"},
		{two, audio.Options{}, "2 arrays: name one of them as Array: a, b"},
		{two, audio.Options{Array: "c"}, `no array "c"`},
		{file("complex.npy", array(npy.Complex64, 8, 1, 1)), audio.Options{IQ: true}, "shape [1 1]: want one axis, of samples I + jQ"},
		{two, audio.Options{Array: "a", IQ: true}, "1 channel: want two, I and Q"},
		{two, audio.Options{Array: "a", Columns: "x"}, `columns "x" of NPZ: only tables have columns`},
		{two, audio.Options{Array: "a", Time: "t"}, `times in column "t" of NPZ`},
		{file("axis.npy", array(npy.Float32, 8, 2)), audio.Options{Array: "a"}, `array "a" of NPY: only .npz files`},
		{file("a.csv", "a,b\n1,2\n3,4\n"), audio.Options{Axis: nd.Axis(0)}, "an axis of CSV: only arrays have axes"},
		{two, audio.Options{Rate: -1}, "a rate of -1"},
		{two, audio.Options{Rate: math.NaN()}, "a rate of NaN"},
		{two, audio.Options{Raw: pcm.Format{Encoding: pcm.Int16, Rate: 1}}, "0 channels"},
	} {
		f, err := audio.Open(c.name, c.opt)
		if err == nil {
			_, err = audio.ReadAll(f)
			f.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || (c.opt.Rate == 0 && !strings.Contains(err.Error(), c.name)) {
			t.Errorf("%s: %v, want %q", filepath.Base(c.name), err, c.want)
		}
	}
	f, err := audio.Open(two, audio.Options{Array: "a"})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, err := range audio.Chunks[float64](f, 0) {
		if err == nil {
			t.Error("chunks of no frames")
		}
	}
}

// Chunks on a device are those of the file, in memory that is used again for each.
func TestChunksOn(t *testing.T) {
	dev, err := nd.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	for name, opt := range recordings(t) {
		f, err := audio.Open(name, opt)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		at := 0
		for x, err := range nd.Prefetch(audio.ChunksOn[float32](t.Context(), dev.Stream(), f, 1000), 3) {
			if err != nil {
				t.Fatal(err)
			}
			n := x.Dim(1)
			values, err := nd.Slice[float32](t.Context(), x)
			if err != nil || x.Dim(0) != channels {
				t.Fatal(x.Shape(), err)
			}
			for i, v := range values {
				if want := sample(at+i%n, i/n); v != want {
					t.Fatalf("%s: channel %d, frame %d is %v, want %v", name, i/n, at+i%n, v, want)
				}
			}
			at += n
		}
		if at != frames {
			t.Errorf("%s: %d frames", name, at)
		}
		for _, err := range audio.ChunksOn[float32](t.Context(), nil, f, 1000) {
			if err == nil {
				t.Error("chunks without a stream")
			}
		}
	}
}

func TestRawTorn(t *testing.T) {
	name := filepath.Join(t.TempDir(), "torn.raw")
	if err := os.WriteFile(name, []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := audio.Open(name, audio.Options{Raw: pcm.Format{Encoding: pcm.Int16, Channels: 1, Rate: 1}})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sound := filepath.Join(t.TempDir(), "a.wav")
	if err := audio.Save(t.Context(), sound, 8000, nd.Zeros(nd.Int16, 9)); err != nil {
		t.Fatal(err)
	}
	w, err := audio.Open(sound, audio.Options{Raw: pcm.Format{Encoding: pcm.Int16, Channels: 1, Rate: 1}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := w.Warning(); err == nil || !strings.Contains(err.Error(), `raw samples that start with "RIFF": is it the header of a format?`) {
		t.Errorf("a header among raw samples: %v", err)
	}
	if x, err := audio.ReadAll(f); err != nil || x.Dim(1) != 2 || f.Warning() == nil || !strings.Contains(f.Warning().Error(), "offset 4") {
		t.Errorf("%v, %v, %v", x, err, f.Warning())
	}
}

// TestSeek reads from frames all over each recording.
func TestSeek(t *testing.T) {
	places := []int64{0, frames - 1, 1, 12345, 12345, frames, 29999, 777, 4096, 0}
	for name, opt := range recordings(t) {
		f, err := audio.Open(name, opt)
		if err != nil {
			t.Fatal(err)
		}
		room := make([]float32, 100*channels)
		for _, at := range places {
			if err := f.SeekFrame(at); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			n, err := audio.ReadFull(f, room)
			if want := int(min(100, frames-at)); n != want || err != nil && err != io.EOF {
				t.Fatalf("%s: %d frames at %d, want %d: %v", name, n, at, want, err)
			}
			for i := range n * channels {
				if want := sample(int(at)+i/channels, i%channels); room[i] != want {
					t.Fatalf("%s: frame %d is %v, want %v", name, int(at)+i/channels, room[i], want)
				}
			}
		}
		if err := f.SeekFrame(-1); err == nil || !strings.Contains(err.Error(), "frame -1") {
			t.Errorf("%s: %v", name, err)
		}
		if err := f.SeekFrame(frames + 1); err == nil {
			t.Errorf("%s: no error behind the end", name)
		}
		f.Close()
	}
}

func TestSeekFLAC(t *testing.T) {
	for _, name := range []string{"pcm_16_1", "pcm_24_2", "pcm_s8_5"} {
		name = "flac/testdata/" + name + ".flac"
		f, err := audio.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		channels := f.Info.Channels
		all := make([]float32, (f.Info.Frames+1)*int64(channels))
		total, err := audio.ReadFull(f, all)
		if err != io.EOF || int64(total) != f.Info.Frames {
			t.Fatal(total, err)
		}
		room := make([]float32, 50*channels)
		for _, at := range []int{0, total - 1, total / 2, 1, 4095, 4096, 4097, total, total / 3} {
			if at > total {
				continue
			}
			if err := f.SeekFrame(int64(at)); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			n, err := audio.ReadFull(f, room)
			if want := min(50, total-at); n != want || err != nil && err != io.EOF || f.Warning() != nil {
				t.Fatalf("%s: %d frames at %d, want %d: %v", name, n, at, want, err)
			}
			if !slices.Equal(room[:n*channels], all[at*channels:(at+n)*channels]) {
				t.Errorf("%s: frames from %d differ", name, at)
			}
		}
		if err := f.SeekFrame(int64(total) + 1); err == nil {
			t.Errorf("%s: no error behind the end", name)
		}
		f.Close()
	}
}
