package audio_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/nd"
)

// TestTables opens text whose columns are channels.
func TestTables(t *testing.T) {
	name := filepath.Join(t.TempDir(), "bearing.csv")
	text := "time,ax,ay\n"
	for i := range 1000 {
		text += fmt.Sprintf("%.4f,%d,%d.5\n", float64(i)/2500, i, -i)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	x, info, err := audio.Load[int16](name, audio.Options{Columns: "ax"})
	if err != nil || info != (audio.Info{Format: "CSV", Encoding: "text", Channels: 1, Rate: 2500, Frames: 1000, Wide: true}) {
		t.Fatalf("%+v, %v", info, err)
	}
	if v, err := nd.Slice[int16](t.Context(), x); err != nil || len(v) != 1000 || v[999] != 999 {
		t.Errorf("%v, %v", v[:3], err)
	}
	f, err := audio.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got := f.ChannelNames(); !slices.Equal(got, []string{"ax", "ay"}) {
		t.Errorf("names %q", got)
	}
	if err := f.SeekFrame(998); err != nil {
		t.Fatal(err)
	}
	rest, err := audio.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := nd.Slice[float64](t.Context(), rest); err != nil || !slices.Equal(v, []float64{998, 999, -998.5, -999.5}) {
		t.Errorf("%v, %v", v, err)
	}
	if err := os.WriteFile(name, []byte(strings.Replace(text, "0.2000", "0.1000", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := audio.Load[float64](name); err == nil || !strings.Contains(err.Error(), "line 502: time goes from 0.1996 to 0.1 s, steps are 0.0004 s") {
		t.Error(err)
	}
	if x, info, err := audio.Load[float64](name, audio.Options{Rate: 2560}); err != nil || info.Rate != 2560 || x.Dim(0) != 2 {
		t.Errorf("%+v, %v", info, err)
	}
}

func TestTablesBesideRecordings(t *testing.T) {
	for _, c := range []struct{ files, want []string }{
		{[]string{"a.wav", "list.csv", "b/C.FLAC", "notes.txt"}, []string{"a.wav", "b/C.FLAC"}},
		{[]string{"run1.csv", "run2.TSV", "notes.txt"}, []string{"run1.csv", "run2.TSV"}},
		{[]string{"notes.txt"}, nil},
	} {
		if got := audio.Recordings(c.files); !slices.Equal(got, c.want) {
			t.Errorf("of %q: %q, want %q", c.files, got, c.want)
		}
	}
}
