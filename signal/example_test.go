package signal_test

import (
	"context"
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// tones is a second of sines at the given frequencies, sampled at fs.
func tones(fs int, frequencies ...float64) *nd.Array {
	x := make([]float64, fs)
	for i := range x {
		for _, f := range frequencies {
			x[i] += math.Sin(2 * math.Pi * f * float64(i) / float64(fs))
		}
	}
	return nd.From(x)
}

func ExampleWelch() {
	p := signal.Welch(tones(1000, 120), signal.Spectral{FS: 1000, NPerSeg: 200, Scaling: signal.Power})
	at, err := nd.Item[int64](context.Background(), p.ArgMax())
	if err != nil {
		fmt.Println(err)
		return
	}
	power, err := nd.Item[float64](context.Background(), p.Max())
	fmt.Printf("%.2f at %g Hz %v\n", power, p.Frequencies[at], err)
	// Output: 0.50 at 120 Hz <nil>
}

func ExampleFindPeaks() {
	p := signal.Welch(tones(1000, 120, 250), signal.Spectral{FS: 1000, NPerSeg: 500})
	found, err := signal.FindPeaks(context.Background(), p.Array, signal.PeakConditions{Prominence: signal.AtLeast(0.01)})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, k := range found[0].Indices {
		fmt.Println(p.Frequencies[k], "Hz")
	}
	// Output:
	// 120 Hz
	// 250 Hz
}

func ExampleSTFT() {
	s := signal.STFT{NFFT: 256}
	x := tones(1000, 50)
	z := s.Apply(x)
	back := s.Inverse(z, signal.Inverse{Length: 1000})
	worst, err := nd.Item[float64](context.Background(), back.Sub(x).Abs().Max())
	fmt.Println(z.Shape(), worst < 1e-12, err)
	// Output: [129 16] true <nil>
}

func ExampleSTFT_Stream() {
	x := tones(1000, 50)
	chunks := func(yield func(*nd.Array, error) bool) {
		for at := 0; at < 1000; at += 250 {
			if !yield(x.SliceAxis(0, nd.Range{Start: at, Stop: at + 250}), nil) {
				return
			}
		}
	}
	for z, err := range (signal.STFT{NFFT: 256}).Stream(context.Background(), chunks) {
		fmt.Println(z.Shape(), err)
	}
	// Output:
	// [129 2] <nil>
	// [129 4] <nil>
	// [129 4] <nil>
	// [129 4] <nil>
	// [129 2] <nil>
}

func ExampleIIR() {
	sos, err := signal.IIR{Order: 4, Cutoff: [2]float64{100}, FS: 1000}.SOS()
	if err != nil {
		fmt.Println(err)
		return
	}
	// The tone above the cutoff goes.
	y := sos.FiltFilt(tones(1000, 20, 300))
	worst, err := nd.Item[float64](context.Background(), y.Sub(tones(1000, 20)).SliceAxis(0, nd.Range{Start: 100, Stop: 900}).Abs().Max())
	fmt.Println(len(sos), worst < 1e-3, err)
	// Output: 2 true <nil>
}

func ExampleFIR() {
	taps, err := signal.FIR{Cutoff: [2]float64{100}, FS: 1000}.Taps(5)
	fmt.Printf("%.3f %v\n", taps, err)
	// Output: [0.028 0.237 0.469 0.237 0.028] <nil>
}

func ExampleMel() {
	m := signal.Mel{STFT: signal.Librosa(256, 64), FS: 1000, NMels: 20}
	fmt.Println(m.Spectrogram(tones(1000, 50)).Shape(), m.MFCC(tones(1000, 50), 13).Shape())
	// Output: [20 16] [13 16]
}

func ExampleGCCPHAT() {
	x := nd.Normal(1, nd.Float64, 500)
	late := x.Roll(7, 0)
	delay, err := nd.Item[float64](context.Background(), signal.GCCPHAT{FS: 1000}.Apply(late, x).Array)
	fmt.Println(delay, err)
	// Output: 0.007 <nil>
}

func ExampleEnvelope() {
	// A tone of 100 Hz that swells and fades has its slow part as envelope.
	slow := tones(1000, 2).AddScalar(2)
	e := signal.Envelope(tones(1000, 100).Mul(slow))
	worst, err := nd.Item[float64](context.Background(), e.Sub(slow).Abs().Max())
	fmt.Println(worst < 1e-9, err)
	// Output: true <nil>
}

func ExampleResamplePoly() {
	y := signal.ResamplePoly{Up: 3, Down: 2}.Apply(tones(1000, 50))
	fmt.Println(y.Shape())
	// Output: [1500]
}

func ExamplePowerToDB() {
	db, err := nd.Slice[float64](context.Background(), signal.PowerToDB(nd.From([]float64{1, 100, 0.001})))
	fmt.Printf("%.0f %v\n", db, err)
	// Output: [0 20 -30] <nil>
}

func ExampleCorrelate() {
	c, err := nd.Slice[float64](context.Background(), signal.Correlate(nd.From([]float64{1, 2, 3}), nd.From([]float64{1, 1, 2}), signal.Full).Round())
	fmt.Println(c, err)
	// Output: [2 5 9 5 3] <nil>
}
