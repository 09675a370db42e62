package measure_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/measure"
	"github.com/twiddle-go/twiddle/nd"
)

// A run-up: the 3rd order of a shaft from 10 to 40 turns a second, and a resonance that
// stays. In orders the first is a line.
func TestOrders(t *testing.T) {
	const fs, seconds = 8000, 6
	x := make([]float64, fs*seconds)
	turns := func(at float64) float64 { return 10*at + 30*at*at/(2*seconds) }
	for i := range x {
		at := float64(i) / fs
		x[i] = 0.7*math.Sin(2*math.Pi*3*turns(at)) + 0.2*math.Sin(2*math.Pi*400*at)
	}
	var pulses []float64
	for k := 0.0; ; k++ { // the time of each turn, by its formula
		at := (-10 + math.Sqrt(100+4*30/(2.0*seconds)*k)) / (2 * 30 / (2.0 * seconds))
		if at*fs > float64(len(x)-1) {
			break
		}
		pulses = append(pulses, at)
	}
	l, err := measure.Orders{FS: fs, Points: 32}.Spectrum(t.Context(), nd.From(x), pulses)
	if err != nil {
		t.Fatal(err)
	}
	a := slice(t, l.Amplitude)
	best := 0
	for k, v := range a {
		if v > a[best] {
			best = k
		}
	}
	if math.Abs(l.Frequencies[best]-3) > 0.02 || math.Abs(a[best]-0.7) > 0.02 {
		t.Errorf("order %v with %v, want 3 with 0.7", l.Frequencies[best], a[best])
	}
	for k, v := range a {
		if math.Abs(l.Frequencies[k]-3) > 0.1 && v > 0.05 {
			t.Errorf("order %v with %v", l.Frequencies[k], v)
		}
	}
}

func TestIntegral(t *testing.T) {
	const n, fs = 1024, 1024
	x, want := make([]float64, n), make([]float64, n)
	for i := range x {
		w := 2 * math.Pi * 8.0
		x[i] = 3*math.Cos(w*float64(i)/fs) + 5 // and a mean, which goes
		want[i] = 3 / w * math.Sin(w*float64(i)/fs)
	}
	v := measure.Integral{FS: fs}.Apply(nd.From(x))
	for i, got := range slice(t, v) {
		if math.Abs(got-want[i]) > 1e-12 {
			t.Fatalf("sample %d: %v, want %v", i, got, want[i])
		}
	}
	back := slice(t, measure.Integral{FS: fs, Times: -1}.Apply(v))
	if math.Abs(back[0]-3) > 1e-10 {
		t.Errorf("differentiated again %v, want 3", back[0])
	}
	if low := slice(t, measure.Integral{FS: fs, Low: 20}.Apply(nd.From(x))); math.Abs(low[7]) > 1e-12 {
		t.Errorf("8 Hz with Low 20: %v", low[7])
	}
}

func TestErrors(t *testing.T) {
	ctx := t.Context()
	x := nd.From(make([]float64, 64))
	bad := nd.From([]int{1, 2})
	fails := func(name string, err error) {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	of := func(_ any, err error) error { return err }
	for name, o := range map[string]measure.Octave{"no FS": {}, "fraction": {FS: 1000, Fraction: -1}, "above": {FS: 1000, High: 900}, "order": {FS: 48000, Order: 99}, "range": {FS: 48000, Low: 5, High: 2}} {
		fails("octave "+name, of(o.Apply(x)))
	}
	fails("octave of integers", of(measure.Octave{FS: 48000}.Apply(bad)))
	fails("octave of nil", of(measure.Octave{FS: 48000}.Apply(nil)))
	fails("rms of integers", measure.RMS(bad).Err())
	fails("kurtosis of nil", measure.Kurtosis(nil).Err())
	fails("crest of nothing", measure.Crest(nd.Zeros(nd.Float32, 0)).Err())
	fails("envelope", of(measure.EnvelopeSpectrum{}.Apply(x)))
	fails("envelope band", of(measure.EnvelopeSpectrum{FS: 100, Band: [2]float64{10, 90}}.Apply(x)))
	fails("sensor", measure.Sensor{}.Apply(x).Err())
	fails("integral", measure.Integral{}.Apply(x).Err())
	fails("yin", of(measure.YIN{}.Apply(ctx, x)))
	fails("yin range", of(measure.YIN{FS: 1000, FMin: 50, FMax: 40}.Apply(ctx, x)))
	fails("yin frame", of(measure.YIN{FS: 8000, Frame: 16}.Apply(ctx, x)))
	fails("orders", of(measure.Orders{FS: 10}.Resample(ctx, x, []float64{0, 2, 1})))
	fails("orders end", of(measure.Orders{FS: 10}.Resample(ctx, x, []float64{0, 2, 99})))
	fails("orders shape", of(measure.Orders{FS: 10}.Resample(ctx, x.Reshape(8, 8), []float64{0, 1, 2})))
}

// TestErrorsNameOnce: an array's error names its function once, and its operand's error stays.
func TestErrorsNameOnce(t *testing.T) {
	none, broken := nd.Zeros(nd.Float64, 3, 0), nd.Zeros(nd.Float64, -1)
	for op, f := range map[string]func(*nd.Array) *nd.Array{"rms": measure.RMS, "crest": measure.Crest, "kurtosis": measure.Kurtosis, "skewness": measure.Skewness,
		"cepstrum": measure.Cepstrum, "sensor": measure.Sensor{Sensitivity: 1}.Apply, "integral": measure.Integral{FS: 1}.Apply} {
		want := "measure: " + op + ": x of shape [3 0] has no samples"
		if err := f(none).Err(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if err := f(broken).Err(); err != broken.Err() {
			t.Errorf("%s: %v, want %v", op, err, broken.Err())
		}
	}
}

// TestYINOfNoNumbers: frames with a sample that is no number have no pitch, the others have.
func TestYINOfNoNumbers(t *testing.T) {
	x := make([]float64, 8192)
	for i := range x {
		x[i] = math.Sin(2 * math.Pi * 441 / 22050 * float64(i))
	}
	x[1] = math.NaN()
	p, err := measure.YIN{FS: 22050}.Apply(t.Context(), nd.From(x))
	if err != nil {
		t.Fatal(err)
	}
	f := slice(t, p.Frequency)
	if !math.IsNaN(f[0]) || !math.IsNaN(f[2]) || math.Abs(f[4]-441) > 1 {
		t.Errorf("%v", f[:6])
	}
}

func ExampleOctave() {
	x := make([]float64, 48000)
	for i := range x {
		x[i] = math.Sin(2 * math.Pi * 1000 / 48000 * float64(i))
	}
	b, err := measure.Octave{FS: 48000, Low: 250, High: 4000}.Apply(nd.From(x))
	if err != nil {
		panic(err)
	}
	power, err := nd.Slice[float64](context.Background(), b.Power)
	if err != nil {
		panic(err)
	}
	for i, p := range power {
		fmt.Printf("%4.0f Hz %5.1f dB\n", b.Bands[i].Center, 10*math.Log10(p))
	}
	// Output:
	//  251 Hz -44.7 dB
	//  501 Hz -22.6 dB
	// 1000 Hz  -3.0 dB
	// 1995 Hz -22.5 dB
	// 3981 Hz -45.7 dB
}

func ExampleSensor() {
	x := nd.From([]float64{0.01, -0.02})                         // of full scale
	g := measure.Sensor{Sensitivity: 0.1, FullScale: 5}.Apply(x) // 100 mV/g, 5 V converter
	text, err := nd.Format(context.Background(), g)
	if err != nil {
		panic(err)
	}
	fmt.Println(text)
	// Output: [ 0.5 -1. ]
}

// TestMomentsHaveNoUnit: fourth powers of samples in tesla are beyond float32, their kurtosis is not.
func TestMomentsHaveNoUnit(t *testing.T) {
	x := nd.Normal(5, nd.Float32, 3, 1000)
	for label, f := range map[string]func(*nd.Array) *nd.Array{"kurtosis": measure.Kurtosis, "skewness": measure.Skewness} {
		want, err := nd.Slice[float32](t.Context(), f(x))
		if err != nil {
			t.Fatal(err)
		}
		for _, unit := range []float32{1e-15, 1e-13, 1e9, 1e15} {
			got, err := nd.Slice[float32](t.Context(), f(x.MulScalar(unit)))
			if err != nil {
				t.Fatal(err)
			}
			for i := range got {
				if !(math.Abs(float64(got[i]-want[i])) < 1e-4) {
					t.Errorf("%s in units of %g: %g, want %g", label, unit, got[i], want[i])
				}
			}
		}
	}
}
