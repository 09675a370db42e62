package signal_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/twiddle-go/twiddle/signal"
)

func TestNotes(t *testing.T) {
	var golden struct {
		Names struct {
			MIDI, Hz                            []float64
			Names, ASCII, Cents, Classes, Flats []string
			Notes                               map[string]float64
		}
	}
	text, err := os.ReadFile("testdata/music_goldens.json")
	if err == nil {
		err = json.Unmarshal(text, &golden)
	}
	if err != nil || len(golden.Names.MIDI) == 0 {
		t.Fatal(err)
	}
	g := golden.Names
	for i, m := range g.MIDI {
		if hz := signal.MIDIToHz(m); math.Abs(hz-g.Hz[i]) > 1e-12*hz || math.Abs(signal.HzToMIDI(hz)-m) > 1e-12*127 {
			t.Errorf("note %g: %g Hz, want %g", m, hz, g.Hz[i])
		}
		for _, c := range []struct {
			want string
			opt  signal.NoteNames
		}{
			{g.Names[i], signal.NoteNames{}}, {g.ASCII[i], signal.NoteNames{ASCII: true}}, {g.Cents[i], signal.NoteNames{Cents: true}},
			{g.Classes[i], signal.NoteNames{NoOctave: true}}, {g.Flats[i], signal.NoteNames{Flats: true}}, // which are F minor's
		} {
			if got := signal.MIDIToNote(m, c.opt); got != c.want {
				t.Errorf("note %g with %+v: %q, want %q", m, c.opt, got, c.want)
			}
			// 63.5 is as near to one note as to the other.
			if got := signal.HzToNote(g.Hz[i], c.opt); m != 63.5 && got != c.want {
				t.Errorf("%g Hz with %+v: %q, want %q", g.Hz[i], c.opt, got, c.want)
			}
		}
	}
	for name, want := range g.Notes {
		if got, err := signal.NoteToMIDI(name); err != nil || math.Abs(got-want) > 1e-12*127 {
			t.Errorf("%s: %g, %v, want %g", name, got, err, want)
		}
	}
	for _, name := range []string{"", "H4", "4", "#4", "C4.5", "C4+", "C4+5+5", "C 4", "C4+-5", "C99999999999", "Cé", "C+"} {
		if m, err := signal.NoteToMIDI(name); err == nil {
			t.Errorf("%q is note %g", name, m)
		}
	}
	for m := -30; m < 140; m++ {
		for _, o := range []signal.NoteNames{{}, {Flats: true}, {ASCII: true, Cents: true}} {
			if back, err := signal.NoteToMIDI(signal.MIDIToNote(float64(m), o)); err != nil || back != float64(m) {
				t.Errorf("note %d is %s, which is %g, %v", m, signal.MIDIToNote(float64(m), o), back, err)
			}
		}
	}
	// librosa 0.11 says B-2, which it reads as -1, and C4+28.
	if low, cents := signal.MIDIToNote(-13), signal.MIDIToNote(60.29, signal.NoteNames{Cents: true}); low != "B-3" || cents != "C4+29" {
		t.Errorf("note -13 is %s, 60.29 is %s", low, cents)
	}
	for _, none := range []float64{math.NaN(), math.Inf(1), 0, -440} {
		if name := signal.HzToNote(none); name != "" {
			t.Errorf("%g Hz is %q", none, name)
		}
	}
	if a := signal.TuningToA4(-0.2, 0); math.Abs(a-434.9461689552743) > 1e-9 || math.Abs(signal.A4ToTuning(a, 0)+0.2) > 1e-12 || math.Abs(signal.A4ToTuning(a, 36)+0.6) > 1e-12 {
		t.Errorf("A4 is %g Hz", a)
	}
}
