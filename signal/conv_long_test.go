package signal_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// Convolutions of lines that no GPU holds on chip, with all that is fused into
// them, against sums of products: filters are long but have few taps that are
// not zero.
func TestLongConvolutions(t *testing.T) {
	const batch, channels, few = 2, 2, 40
	r := rand.New(rand.NewPCG(15, 16))
	for _, l := range []int{16384, 44100, 65536} {
		for _, mode := range []signal.Mode{signal.Causal, signal.Circular} {
			t.Run(fmt.Sprint(mode, " ", l), func(t *testing.T) {
				n := batch * channels * l
				x, in, out := rounded[float32](noise(r, n, 1)), rounded[float32](noise(r, n, 1)), rounded[float32](noise(r, n, 1))
				bias, skip := rounded[float32](noise(r, channels, 1)), rounded[float32](noise(r, channels, 1))
				taps := make([]float64, channels*l)
				for range few {
					taps[r.IntN(len(taps))] = float64(float32(r.NormFloat64()))
				}
				array := func(v []float64, shape ...int) *nd.Array { return nd.From(as[float32](v), shape...) }
				y := signal.Conv{
					Mode: mode, Block: -1, Bias: array(bias, channels), Skip: array(skip, channels),
					InGate: array(in, batch, channels, l), OutGate: array(out, batch, channels, l),
				}
				if mode == signal.Circular {
					y.Block = 0
				}
				got, err := nd.Slice[float32](context.Background(), y.Apply(array(x, batch, channels, l), array(taps, channels, l)))
				if err != nil {
					t.Fatal(err)
				}
				want := make([]float64, n)
				for line := range batch * channels {
					ch, from := line%channels, line*l
					sum := make([]float64, l)
					for j, tap := range taps[ch*l : (ch+1)*l] {
						if tap == 0 {
							continue
						}
						for i := range l {
							switch at := i + j; {
							case at < l:
								sum[at] += tap * x[from+i] * in[from+i]
							case mode == signal.Circular:
								sum[at-l] += tap * x[from+i] * in[from+i]
							}
						}
					}
					for i, v := range sum {
						want[from+i] = out[from+i] * (v + bias[ch] + skip[ch]*x[from+i]*in[from+i])
					}
				}
				if e := relative(got, want); !(e <= 6e-7) {
					t.Errorf("relative error %.2g", e)
				}
			})
		}
	}
}
