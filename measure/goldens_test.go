package measure_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/twiddle-go/twiddle/measure"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// goldens is what testdata/make_goldens.py wrote.
type goldens struct {
	Octave         [][2]float64
	Kurtosis, Skew float64
	Crest          float64
	Envelope       []float64
	// EnvelopeSegments is Envelope's of segments, and Kurtogram a kurtosis, its band and window.
	EnvelopeSegments []float64
	Kurtogram        [4]float64
	A, C             [][3]float64 // frequency, analog and digital gain in dB
	YIN              []float64
	LUFS             float64
}

func load(t *testing.T) goldens {
	t.Helper()
	return read[goldens](t, "goldens.json")
}

// read is what is in a file of testdata.
func read[T any](t *testing.T, name string) (v T) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err == nil {
		err = json.Unmarshal(text, &v)
	}
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// noise is the script's.
func noise(n int) []float64 {
	x := make([]float64, n)
	s := uint64(1)
	for i := range x {
		s = s*6364136223846793005 + 1442695040888963407
		x[i] = float64(s>>11)/(1<<53) - 0.5
	}
	return x
}

func item(t *testing.T, a *nd.Array) float64 {
	t.Helper()
	v, err := nd.Item[float64](t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func slice(t *testing.T, a *nd.Array) []float64 {
	t.Helper()
	v, err := nd.Slice[float64](t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestOctaveGoldens(t *testing.T) {
	want := load(t).Octave
	b, err := measure.Octave{FS: 48000, Fraction: 3}.Apply(nd.From(noise(20000)))
	if err != nil {
		t.Fatal(err)
	}
	got := slice(t, b.Power)
	if len(got) != len(want) {
		t.Fatalf("%d bands, want %d", len(got), len(want))
	}
	for i, w := range want {
		if math.Abs(b.Bands[i].Center-w[0]) > 1e-9*w[0] || math.Abs(got[i]-w[1]) > 1e-8*w[1] {
			t.Errorf("band %d: %v at %v Hz, want %v at %v", i, got[i], b.Bands[i].Center, w[1], w[0])
		}
	}
}

func TestFiguresGoldens(t *testing.T) {
	g := load(t)
	x := nd.From(noise(20000))
	y := x.AddScalar(0.5)
	for _, c := range []struct {
		name string
		got  *nd.Array
		want float64
	}{
		{"kurtosis", measure.Kurtosis(x.Mul(x).Mul(x)), g.Kurtosis},
		{"skewness", measure.Skewness(y.Mul(y).Mul(y)), g.Skew},
		{"crest", measure.Crest(x), g.Crest},
	} {
		if got := item(t, c.got); math.Abs(got-c.want) > 1e-10*c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestEnvelopeGoldens(t *testing.T) {
	const n, fs = 8192, 8000
	x := noise(n)
	for i := range x {
		at := float64(i) / fs
		x[i] = 0.05*x[i] + math.Exp(-math.Mod(at*37, 1)*20)*math.Sin(2*math.Pi*2500*at)
	}
	for nperseg, want := range map[int][]float64{0: load(t).Envelope, 1024: load(t).EnvelopeSegments} {
		l, err := measure.EnvelopeSpectrum{FS: fs, Band: [2]float64{2000, 3000}, NPerSeg: nperseg}.Apply(nd.From(x))
		if err != nil {
			t.Fatal(err)
		}
		got := slice(t, l.Amplitude)
		for k, w := range want {
			if math.Abs(got[k]-w) > 1e-9 {
				t.Fatalf("segments of %d: bin %d, %v Hz: %v, want %v", nperseg, k, l.Frequencies[k], got[k], w)
			}
		}
	}
	want := load(t).Kurtogram
	r, err := measure.Kurtogram{FS: fs, Longest: 256}.Apply(t.Context(), nd.From(x, 1, n))
	if err != nil || math.Abs(r.Kurtosis-want[0]) > 1e-9*want[0] || r.Band != [2]float64{want[1], want[2]} || float64(r.Window) != want[3] {
		t.Errorf("%+v, %v, want %v", r, err, want)
	}
}

func TestYINGoldens(t *testing.T) {
	const n, fs = 16000, 16000
	x := noise(n)
	phase := 0.0
	for i := range x {
		phase += 2 * math.Pi * (110 + 220*float64(i)/(n-1)) / fs
		v := 0.0
		for k := 1.0; k < 6; k++ {
			v += math.Sin(k*phase) / k
		}
		x[i] = v + 0.01*x[i]
	}
	p, err := measure.YIN{FS: fs, FMin: 80, FMax: 600, Frame: 1024, Hop: 256}.Apply(t.Context(), nd.From(x))
	if err != nil {
		t.Fatal(err)
	}
	got, want := slice(t, p.Frequency), load(t).YIN
	if len(got) != len(want) {
		t.Fatalf("%d frames, want %d", len(got), len(want))
	}
	for i, w := range want {
		if math.Abs(got[i]-w) > 1e-6*w {
			t.Errorf("frame %d: %v Hz, want %v", i, got[i], w)
		}
	}
}

func TestWeightingGoldens(t *testing.T) {
	g := load(t)
	for w, rows := range map[signal.Weighting][][3]float64{signal.WeightA: g.A, signal.WeightC: g.C} {
		sos, err := w.SOS(48000)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			h := sos.Response([]float64{2 * math.Pi * r[0] / 48000})[0]
			if got := w.Gain(r[0]); math.Abs(got-r[1]) > 1e-9 {
				t.Errorf("%v at %v Hz: %v dB, want %v", w, r[0], got, r[1])
			}
			if got := 20 * math.Log10(math.Hypot(real(h), imag(h))); math.Abs(got-r[2]) > 1e-6 {
				t.Errorf("%v as a filter at %v Hz: %v dB, want %v", w, r[0], got, r[2])
			}
			t.Logf("%v at %v Hz: %.2f dB, the filter %.2f off", w, r[0], r[1], r[2]-r[1])
		}
	}
}
