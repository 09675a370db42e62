package audio_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/nd"
)

// What was saved is loaded, with every bit.
func TestSaveLoad(t *testing.T) {
	dir := t.TempDir()
	for name, x := range map[string]*nd.Array{
		"mono.wav":   nd.Normal(1, nd.Float32, 1000),
		"stereo.wav": nd.Normal(2, nd.Float32, 2, 1000),
		"wide.wav":   nd.Normal(3, nd.Float64, 3, 500),
		"half.wav":   nd.Normal(4, nd.Float16, 10),
		"array.npy":  nd.Normal(5, nd.Float64, 2, 100),
		"none.wav":   nd.Zeros(nd.Float32, 1, 0),
	} {
		name = filepath.Join(dir, name)
		if err := audio.Save(t.Context(), name, 44100, x); err != nil {
			t.Fatal(err)
		}
		got, info, err := audio.Load[float64](name)
		if err != nil {
			t.Fatal(err)
		}
		want := x.Cast(nd.Float64)
		if x.NDim() == 1 {
			want = want.ExpandDims(0)
		}
		if err := (nd.Close{Exactly: true}).Check(t.Context(), got, want); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if info.Channels != want.Dim(0) || info.Frames != int64(want.Dim(1)) || strings.HasSuffix(name, ".wav") && info.Rate != 44100 {
			t.Errorf("%s: %+v", name, info)
		}
	}
	if files, _ := os.ReadDir(dir); len(files) != 6 {
		t.Errorf("%d files, want 6: %v", len(files), files)
	}
}

func TestSaveErrors(t *testing.T) {
	dir := t.TempDir()
	done, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		name string
		ctx  context.Context
		x    *nd.Array
		want string
	}{
		{"a.mp3", t.Context(), nd.Ones(nd.Float32, 3), "want a name that ends in .wav or .npy"},
		{"a.wav", t.Context(), nd.Ones(nd.Float32, 3, 4, 5), "want one axis, or channels and frames"},
		{"a.wav", t.Context(), nd.Ones(nd.Complex64, 3), "samples are complex64: want floats"},
		{"a.wav", t.Context(), nil, "nil Array"},
		{"a.wav", done, nd.Ones(nd.Float32, 3).AddScalar(1), "canceled"},
		{"there/is/no/such.wav", t.Context(), nd.Ones(nd.Float32, 3), "no such file"},
		{"a.wav", t.Context(), nd.Ones(nd.Float32, 3, 4).Reshape(5), "reshape"},
	} {
		err := audio.Save(c.ctx, filepath.Join(dir, c.name), 8000, c.x)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	if files, _ := os.ReadDir(dir); len(files) != 0 {
		t.Errorf("left behind: %v", files)
	}
	if _, _, err := audio.Load[float32](filepath.Join(dir, "none.wav")); err == nil {
		t.Error("no error for a file that is not there")
	}
}

// Integers are saved as they are and loaded as they are: a full scale is that of
// their type, and floats that are beyond it are clipped.
func TestSaveLoadPCM(t *testing.T) {
	dir := t.TempDir()
	name := func(s string) string { return filepath.Join(dir, s) }
	x := nd.From([]int16{0, 1, -1, 32767, -32768, 100}, 2, 3)
	small := nd.From([]int8{0, 1, -1, 127, -128, 100}, 2, 3)
	for file, x := range map[string]*nd.Array{
		"a.wav": x, "a.npy": x, "small.wav": small, "small.npy": small,
		"float.wav": nd.From([]float64{1.5, -2, 0.25, math.NaN()}),
		"deep.wav":  nd.From([]int32{1 << 30, -1 << 31, 1<<31 - 1, 3}),
	} {
		if err := audio.Save(t.Context(), name(file), 8000, x); err != nil {
			t.Fatal(err)
		}
	}
	check := func(file string, got *nd.Array, err error, want *nd.Array) {
		t.Helper()
		if err == nil {
			err = (nd.Close{Exactly: true}).Check(t.Context(), got, want)
		}
		if err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
	for _, file := range []string{"a.wav", "a.npy"} {
		got, _, err := audio.Load[int16](name(file))
		check(file, got, err, x)
	}
	for _, file := range []string{"small.wav", "small.npy"} {
		got, _, err := audio.Load[int8](name(file))
		check(file, got, err, small)
	}
	got, _, err := audio.Load[float32](name("a.wav"))
	check("a.wav as floats", got, err, x.Cast(nd.Float32).DivScalar(32768))
	got, _, err = audio.Load[int16](name("float.wav"))
	check("float.wav", got, err, nd.From([]int16{32767, -32768, 8192, 0}, 1, 4))
	got, _, err = audio.Load[int16](name("deep.wav"))
	check("deep.wav", got, err, nd.From([]int16{16384, -32768, 32767, 0}, 1, 4))
	if err := audio.Save(t.Context(), name("bad.wav"), 8000, nd.Ones(nd.Int64, 3)); err == nil {
		t.Error("int64 samples were saved: want an error")
	}
}

func TestInfoPrints(t *testing.T) {
	for want, i := range map[string]audio.Info{
		"RIFF int16, 2 channels of 132300 samples, 44100 Hz": {Format: "RIFF", Encoding: "int16", Channels: 2, Frames: 132300, Rate: 44100},
		"raw int16, 2 channels (I and Q), 2000000 Hz":        {Format: "raw", Encoding: "int16", Channels: 2, Frames: -1, Rate: 2e6, IQ: true},
		"CSV text, 1 channel of 2 samples":                   {Format: "CSV", Encoding: "text", Channels: 1, Frames: 2},
	} {
		if got := i.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
