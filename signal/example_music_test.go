package signal_test

import (
	"context"
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

func ExamplePCEN() {
	// A band that hums, and one in which something begins in frame 40.
	const frames = 60
	s := make([]float64, 2*frames)
	for i := range frames {
		s[i] = 5000
		s[frames+i] = 1
	}
	s[frames+40] = 5000
	y := signal.PCEN{}.Apply(nd.From(s, 2, frames)).SliceAxis(-1, nd.Between(39, 42))
	v, err := nd.Slice[float64](context.Background(), y)
	fmt.Printf("%.1f %.1f %v\n", v[:3], v[3:], err)
	// Output: [0.4 0.4 0.4] [0.3 3.3 0.0] <nil>
}

// A spectrogram that arrives in parts.
func ExamplePCEN_ApplyFrom() {
	s := nd.From([]float64{1, 2, 3, 4, 5, 6}, 1, 6)
	p := signal.PCEN{}
	a, state := p.ApplyFrom(s.SliceAxis(-1, nd.Head(2)), nil)
	b, _ := p.ApplyFrom(s.SliceAxis(-1, nd.Skip(2)), state)
	same, err := nd.Item[bool](context.Background(), nd.Concat(-1, a, b).Equal(p.Apply(s)).All())
	fmt.Println(same, err)
	// Output: true <nil>
}

func ExampleHzToNote() {
	fmt.Println(signal.HzToNote(440), signal.HzToNote(445, signal.NoteNames{Cents: true}))
	fmt.Println(signal.HzToNote(277.18, signal.NoteNames{Flats: true, ASCII: true}))
	// Output:
	// A4 A4+20
	// Db4
}

func ExampleNoteToHz() {
	f, err := signal.NoteToHz("C#4")
	fmt.Printf("%.2f Hz %v\n", f, err)
	_, err = signal.NoteToHz("H4")
	fmt.Println(err)
	// Output:
	// 277.18 Hz <nil>
	// signal: note: "H4" is not a note: want a letter from A to G, accidentals, an octave and cents, as in C#4 or Bb3+20
}

// notes is a second of tones at 22050 Hz.
func notes(names ...string) *nd.Array {
	x := make([]float64, 22050)
	for _, name := range names {
		f, err := signal.NoteToHz(name)
		if err != nil {
			panic(err)
		}
		for i := range x {
			x[i] += math.Sin(2 * math.Pi * f / 22050 * float64(i))
		}
	}
	return nd.From(x)
}

func ExampleChromaCQT() {
	c := signal.ChromaCQT{}.Apply(notes("C3", "E3", "G3")).Mean(-1)
	v, err := nd.Slice[float64](context.Background(), c)
	for class, loud := range v {
		if loud > 0.5 {
			fmt.Print(signal.MIDIToNote(float64(class), signal.NoteNames{NoOctave: true}), " ")
		}
	}
	fmt.Println(err)
	// Output: C E G <nil>
}

func ExampleConstantQ_Inverse() {
	x := notes("A3", "E4")
	q := signal.ConstantQ{FMin: 110, Bins: 36, Hop: 64, Border: signal.BorderZeros}
	z := q.Apply(x)
	y := q.Inverse(z, 22050)
	middle := nd.Between(8000, 14000)
	off, err := nd.Item[float64](context.Background(), y.Sub(x).Slice(middle).Abs().Max())
	fmt.Println(off < 0.01, err)
	// Output: true <nil>
}

func ExamplePipTrack() {
	f, m := signal.PipTrack{}.Apply(notes("A4"))
	// The loudest peak of the frame in the middle.
	middle := f.Dim(-1) / 2
	line := nd.Between(middle, middle+1)
	at, err := nd.Item[int64](context.Background(), m.SliceAxis(-1, line).Flatten().ArgMax())
	if err != nil {
		fmt.Println(err)
		return
	}
	hz, err := nd.Item[float64](context.Background(), f.At(int(at), middle))
	fmt.Printf("%.0f Hz %v\n", hz, err)
	// Output: 440 Hz <nil>
}

func ExampleDeconvolve() {
	// (1 + 2z + 3z^2)(1 + z) is 1 + 3z + 5z^2 + 3z^3.
	q, r := signal.Deconvolve(nd.From([]float64{1, 3, 5, 3}), []float64{1, 1})
	v, err := nd.Slice[float64](context.Background(), nd.Concat(0, q, r))
	fmt.Println(v, err)
	// Output: [1 2 3 0 0 0 0] <nil>
}

func ExampleMuLaw() {
	x := nd.From([]float64{-1, -0.01, 0, 0.01, 1})
	m := signal.MuLaw{Quantize: true}
	code := m.Apply(x)
	v, err := nd.Slice[int32](context.Background(), code)
	fmt.Println(v, err)
	back, err := nd.Slice[float32](context.Background(), m.Inverse(code))
	fmt.Printf("%.3f %v\n", back, err)
	// Output:
	// [-128 -29 0 29 127] <nil>
	// [-1.000 -0.010 0.000 0.010 0.957] <nil>
}

func ExampleLPC() {
	// A sine is predicted by its last two samples: x[t] = 2 cos(w) x[t-1] - x[t-2].
	x := make([]float64, 500)
	for i := range x {
		x[i] = math.Sin(float64(i) * math.Pi / 3)
	}
	a, err := nd.Slice[float64](context.Background(), signal.LPC(nd.From(x), 2))
	fmt.Printf("%.2f %v\n", a, err)
	// Output: [1.00 -1.00 1.00] <nil>
}

func ExampleTonnetz() {
	c := signal.ChromaCQT{}.Apply(notes("C3", "E3", "G3"))
	fmt.Println(signal.Tonnetz(c).Shape())
	// Output: [6 44]
}
