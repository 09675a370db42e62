package signal_test

import (
	"context"
	"fmt"

	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

func ExampleMultitaper() {
	// An epoch of a tenth of a second: tones are spread over 2 x NW bins, 40 Hz.
	x := tones(1000, 120).SliceAxis(0, nd.Head(100))
	p := signal.Multitaper{FS: 1000, NW: 2}.Apply(x)
	v, err := nd.Slice[float64](context.Background(), signal.PowerToDB(p.Array))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, k := range []int{9, 12, 16} {
		fmt.Printf("%g Hz: %.0f dB\n", p.Frequencies[k], v[k])
	}
	// Output:
	// 90 Hz: -43 dB
	// 120 Hz: -18 dB
	// 160 Hz: -49 dB
}

func ExampleMultitaper_Coherence() {
	// Two sensors hear one tone, and noise of their own.
	noise := func(k nd.Key) *nd.Array { return signal.Noise(k, signal.White, nd.Float64, 1000).MulScalar(0.1) }
	tone := tones(1000, 120)
	c := signal.Multitaper{FS: 1000}.Coherence(tone.Add(noise(1)), tone.Add(noise(2)))
	v, err := nd.Slice[float64](context.Background(), c.Array)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%g Hz: %.2f\n", c.Frequencies[120], v[120])
	// Output: 120 Hz: 1.00
}

func ExampleMorlet() {
	// Ten trials of a burst of 20 Hz, which begins at another phase each time.
	t := nd.Arange(0, 1, 0.002)
	burst := t.SubScalar(0.6).DivScalar(0.1).PowScalar(2).MulScalar(-0.5).Exp()
	phases := nd.Arange(0.0, 10, 1).Reshape(10, 1)
	x := t.MulScalar(2 * 3.14159265358979 * 20).Add(phases).Cos().Mul(burst)

	frequencies := []float64{5, 10, 20, 40}
	z := signal.Morlet{FS: 500, Frequencies: frequencies}.Apply(x) // trials, frequencies, samples
	power := z.AbsSquared().Mean(0)
	locking := z.MulReal(z.Abs().DivInto(1)).Mean(0).Abs() // 1 if all trials have the same phase

	at, err := nd.Item[int64](context.Background(), power.ArgMax())
	if err != nil {
		fmt.Println(err)
		return
	}
	n := int64(power.Dim(-1))
	r, err := nd.Item[float64](context.Background(), locking.At(int(at/n), int(at%n)))
	fmt.Printf("%g Hz at %.2f s, phase locking %.1f, %v\n", frequencies[at/n], float64(at%n)/500, r, err)
	// Output: 20 Hz at 0.60 s, phase locking 0.2, <nil>
}

func ExampleRootRaisedCosine() {
	taps, err := signal.RootRaisedCosine(0.35, 4, 10)
	if err != nil {
		fmt.Println(err)
		return
	}
	symbols := nd.From([]float64{1, -1, -1, 1, 1})
	sent := signal.UpFirDn{Taps: taps, Up: 4}.Apply(symbols)
	received := signal.UpFirDn{Taps: taps, Down: 4}.Apply(sent)
	v, err := nd.Slice[float64](context.Background(), received.SliceAxis(0, nd.Between(10, 15))) // 10 symbols later
	fmt.Printf("%.1f %v\n", v, err)
	// Output: [1.0 -1.0 -1.0 1.0 1.0] <nil>
}
