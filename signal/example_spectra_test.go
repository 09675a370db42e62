package signal_test

import (
	"context"
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// loudest is the frequency at which a line of powers is greatest.
func loudest(p *nd.Array, frequencies []float64) (float64, error) {
	at, err := nd.Item[int64](context.Background(), p.ArgMax())
	if err != nil {
		return 0, err
	}
	return frequencies[at], nil
}

func ExampleWindow() {
	w, err := signal.Window{Name: "hann"}.Samples(4) // one period: for spectra
	fmt.Printf("%.2f %v\n", w, err)
	w, err = signal.Window{Name: "hann", Symmetric: true}.Samples(5) // for filters
	fmt.Printf("%.2f %v\n", w, err)
	// Output:
	// [0.00 0.50 1.00 0.50] <nil>
	// [0.00 0.50 1.00 0.50 0.00] <nil>
}

func ExampleParseWindow() {
	w, err := signal.ParseWindow("kaiser:8.6")
	fmt.Println(w.Name, w.Param, err)
	_, err = signal.ParseWindow("hanning")
	fmt.Println(err != nil)
	// Output:
	// kaiser 8.6 <nil>
	// true
}

func ExampleDetrend() {
	x := nd.From([]float64{1, 2, 4, 4, 5})
	y, err := nd.Slice[float64](context.Background(), signal.Detrend(x, signal.TrendLinear))
	fmt.Printf("%.1f %v\n", y, err)
	// Output: [-0.2 -0.2 0.8 -0.2 -0.2] <nil>
}

func ExamplePeriodogram() {
	p := signal.Periodogram(tones(500, 60), signal.Spectral{FS: 500})
	f, err := loudest(p.Array, p.Frequencies)
	fmt.Println(f, "Hz", err)
	// Output: 60 Hz <nil>
}

func ExampleSpectrogram() {
	// A tone that changes after a second.
	x := nd.Concat(0, tones(1000, 50), tones(1000, 200))
	s := signal.Spectrogram(x, signal.PSD, signal.Spectral{FS: 1000, NPerSeg: 200, NOverlap: signal.None})
	at, err := nd.Slice[int64](context.Background(), s.ArgMax(0))
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range at {
		fmt.Printf("%.1f s: %g Hz\n", s.Times[i], s.Frequencies[at[i]])
	}
	// Output:
	// 0.1 s: 50 Hz
	// 0.3 s: 50 Hz
	// 0.5 s: 50 Hz
	// 0.7 s: 50 Hz
	// 0.9 s: 50 Hz
	// 1.1 s: 200 Hz
	// 1.3 s: 200 Hz
	// 1.5 s: 200 Hz
	// 1.7 s: 200 Hz
	// 1.9 s: 200 Hz
}

func ExampleCoherence() {
	// Two sensors hear one tone, and noise of their own.
	noise := func(k nd.Key) *nd.Array { return signal.Noise(k, signal.White, nd.Float64, 1000).MulScalar(0.1) }
	tone := tones(1000, 120)
	c := signal.Coherence(tone.Add(noise(1)), tone.Add(noise(2)), signal.Spectral{FS: 1000, NPerSeg: 100})
	v, err := nd.Slice[float64](context.Background(), c.Array)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%g Hz: %.2f\n", c.Frequencies[12], v[12])
	// Output: 120 Hz: 1.00
}

func ExampleLombScargle() {
	// Samples at uneven times.
	t, y := make([]float64, 200), make([]float64, 200)
	for i := range t {
		t[i] = 0.1*float64(i) + 0.04*math.Sin(float64(i*i))
		y[i] = math.Sin(2 * t[i])
	}
	frequencies := nd.Linspace(0.5, 4, 36)
	power := signal.LombScargle{}.Apply(nd.From(t), nd.From(y), frequencies)
	w, err := nd.Slice[float64](context.Background(), frequencies.Take(power.ArgMax().Reshape(1), 0))
	fmt.Printf("%.1f rad/s %v\n", w, err)
	// Output: [2.0] rad/s <nil>
}

func ExampleZoomFFT() {
	// Half a second resolves 2 Hz; a finer grid shows where between bins a tone is.
	x := tones(1000, 120.3).SliceAxis(0, nd.Range{Stop: 500})
	z := signal.ZoomFFT{From: 115, To: 125, M: 101, FS: 1000, Endpoint: true}.Apply(x)
	at, err := nd.Item[int64](context.Background(), z.AbsSquared().ArgMax())
	fmt.Printf("%.1f Hz %v\n", 115+0.1*float64(at), err)
	// Output: 120.3 Hz <nil>
}

func ExampleGoertzel() {
	z := signal.Goertzel(tones(4000, 697, 1209), 4000, []float64{697, 770})
	amplitude, err := nd.Slice[float64](context.Background(), z.Abs().DivScalar(2000))
	fmt.Printf("%.2f %v\n", amplitude, err)
	// Output: [1.00 0.00] <nil>
}

func ExampleHilbert() {
	z := signal.Hilbert(tones(8, 1))
	im, err := nd.Slice[float64](context.Background(), z.Imag()) // a sine becomes a negative cosine
	fmt.Printf("%.2f %v\n", im[:2], err)
	// Output: [-1.00 -0.71] <nil>
}

func ExampleInstantaneousFrequency() {
	t := nd.Arange(0, 1, 0.001)
	x := signal.Chirp{F0: 50, T1: 1, F1: 150}.Apply(t)
	f, err := nd.Slice[float64](context.Background(), signal.InstantaneousFrequency(x, 1000))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.0f Hz in the middle\n", f[500])
	// Output: 100 Hz in the middle
}

func ExampleResample_Apply() {
	x := nd.From([]float64{0, 1, 0, -1})
	y, err := nd.Slice[float64](context.Background(), signal.Resample{N: 8}.Apply(x))
	fmt.Printf("%d samples, the first after 0: %.2f %v\n", len(y), y[1:4], err)
	// Output: 8 samples, the first after 0: [0.71 1.00 0.71] <nil>
}

func ExampleSOS_FiltFilt() {
	low, err := signal.IIR{Order: 4, Cutoff: [2]float64{30}, FS: 1000}.SOS()
	if err != nil {
		fmt.Println(err)
		return
	}
	x := tones(1000, 5)
	y := low.FiltFilt(tones(1000, 5, 200)) // without a delay
	worst, err := nd.Item[float64](context.Background(), y.Sub(x).Abs().SliceAxis(0, nd.Range{Start: 100, Stop: 900}).Max())
	fmt.Println(worst < 0.01, err)
	// Output: true <nil>
}

func ExamplePipeline() {
	x := nd.Normal(1, nd.Float32, 2, 8, 1024)
	k := nd.Normal(2, nd.Float32, 8, 1024)
	one := signal.Pipeline{Conv: signal.Conv{Mode: signal.Causal}, Streams: 1}.Apply(x, k)
	four := signal.Pipeline{Conv: signal.Conv{Mode: signal.Causal}, Streams: 4}.Apply(x, k)
	plan, err := nd.Explain(four)
	if err != nil {
		fmt.Println(err)
		return
	}
	streams := map[int]bool{}
	for _, step := range plan.Steps {
		streams[step.Stream] = true
	}
	worst, err := nd.Item[float32](context.Background(), one.Sub(four).Abs().Max())
	fmt.Println(len(streams) >= 4, worst, err) // four bands, the same bits
	// Output: true 0 <nil>
}

func ExampleConv_Stream() {
	ctx := context.Background()
	average := nd.Full(0.5, nd.Float64, 1, 2)
	s, err := signal.Conv{Mode: signal.Causal}.Stream(average)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, chunk := range [][]float64{{2, 4}, {6, 8, 10}} {
		y, err := s.Push(ctx, nd.From(chunk, 1, len(chunk)))
		if err != nil {
			fmt.Println(err)
			return
		}
		out, err := nd.Slice[float64](ctx, y)
		fmt.Printf("%.1f %v\n", out, err)
	}
	// Output:
	// [1.0 3.0] <nil>
	// [5.0 7.0 9.0] <nil>
}

func ExampleTopBins() {
	// Eight segments of 100 samples, overlapping by half, are 450 samples.
	x := tones(1000, 120, 250).SliceAxis(0, nd.Range{Stop: 450})
	top, err := nd.Slice[float64](context.Background(), signal.TopBins{N: 100, K: 2}.Apply(x).SliceAxis(-1, nd.Range{Stop: 1}).Sort(0))
	fmt.Println(top, err)
	// Output: [12 25] <nil>
}
