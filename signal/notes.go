package signal

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// HzToMIDI is the note number of a frequency, in semitones: A4, 440 Hz, is 69.
func HzToMIDI(f float64) float64 { return 12*math.Log2(f/440) + 69 }

// MIDIToHz undoes HzToMIDI.
func MIDIToHz(note float64) float64 { return 440 * math.Exp2((note-69)/12) }

// NoteNames is how notes are written: "C♯4" unless it says otherwise, as librosa has them.
type NoteNames struct {
	Cents    bool // how far the pitch is from the note, in hundredths of a semitone: "A4+13"
	NoOctave bool // "C♯"
	Flats    bool // "D♭4" instead of "C♯4"
	ASCII    bool // "C#4", and "Db4"
}

var (
	sharpNames = strings.Fields("C C♯ D D♯ E F F♯ G G♯ A A♯ B")
	flatNames  = strings.Fields("C D♭ D E♭ E F G♭ G A♭ A B♭ B")
	inASCII    = strings.NewReplacer("♯", "#", "♭", "b")
)

// MIDIToNote is the name of the note nearest to a note number, as librosa.midi_to_note; what is
// no number, such as the pitch of a frame that has none, has the name "". NoteToMIDI undoes it, also
// of negative numbers: -1 is B-2, which librosa calls B-1, the name of 11. Cents are rounded, where
// librosa drops their fraction.
func MIDIToNote(note float64, opt ...NoteNames) string {
	o := first(opt)
	if !(math.Abs(note) < 1e9) {
		return ""
	}
	number := math.RoundToEven(note)
	octave := math.Floor(number / 12)
	names := sharpNames
	if o.Flats {
		names = flatNames
	}
	name := names[int(number-12*octave)]
	if o.ASCII {
		name = inASCII.Replace(name)
	}
	if !o.NoOctave {
		name += strconv.Itoa(int(octave) - 1)
	}
	if o.Cents {
		name += fmt.Sprintf("%+d", int(math.RoundToEven(100*(note-number))))
	}
	return name
}

// HzToNote is the name of the note nearest to a frequency, as librosa.hz_to_note.
func HzToNote(f float64, opt ...NoteNames) string { return MIDIToNote(HzToMIDI(f), opt...) }

// NoteToMIDI is the note number of a name: a letter, sharps and flats ("#", "♯", "𝄪", "b", "!",
// "♭", "𝄫"), an octave, which is 0 where there is none, and cents: "a4", "C#-1", "Bb3+20". It is
// librosa.note_to_midi, which rounds cents unless it is told not to.
func NoteToMIDI(name string) (float64, error) {
	bad := func() (float64, error) {
		return 0, fmt.Errorf("signal: note: %q is not a note: want a letter from A to G, accidentals, an octave and cents, as in C#4 or Bb3+20", name)
	}
	if name == "" {
		return bad()
	}
	semitones := strings.IndexByte("C.D.EF.G.A.B", name[0]&^0x20)
	if semitones < 0 {
		return bad()
	}
	rest := name[1:]
	for rest != "" {
		r, size := utf8.DecodeRuneInString(rest)
		step, ok := accidentals[r]
		if !ok {
			break
		}
		semitones += step
		rest = rest[size:]
	}
	octave, cents := 0, 0
	for i, v := range []*int{&octave, &cents} {
		end := len(rest)
		if at := strings.IndexAny(rest[min(1, len(rest)):], "+-"); at >= 0 {
			end = at + 1
		}
		part := rest[:end]
		if part == "" {
			break
		}
		// Cents have a sign, so that they are no part of an octave.
		n, err := strconv.Atoi(part)
		if err != nil || n < -1e6 || n > 1e6 || i == 1 && part[0] != '+' && part[0] != '-' {
			return bad()
		}
		*v, rest = n, rest[end:]
	}
	if rest != "" {
		return bad()
	}
	return float64(12*(octave+1)+semitones) + float64(cents)/100, nil
}

var accidentals = map[rune]int{'#': 1, '♯': 1, '𝄪': 2, 'b': -1, '!': -1, '♭': -1, '𝄫': -2, '♮': 0}

// NoteToHz is the frequency of a note by its name, as librosa.note_to_hz.
func NoteToHz(name string) (float64, error) {
	note, err := NoteToMIDI(name)
	return MIDIToHz(note), err
}

// TuningToA4 is the frequency of A4 in a tuning, in parts of a bin of which an octave has
// perOctave, 12 if 0: what Chroma and measure.Tuning call so.
func TuningToA4(tuning float64, perOctave int) float64 {
	perOctave = cmp.Or(perOctave, 12)
	return 440 * math.Exp2(tuning/float64(perOctave))
}

// A4ToTuning undoes TuningToA4.
func A4ToTuning(a4 float64, perOctave int) float64 {
	perOctave = cmp.Or(perOctave, 12)
	return float64(perOctave) * math.Log2(a4/440)
}
