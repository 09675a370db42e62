package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/fft"
	"github.com/twiddle-go/twiddle/internal/oracle"
	"github.com/twiddle-go/twiddle/internal/peer"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/timing"
	"github.com/twiddle-go/twiddle/nd"
)

// accuracySizes has powers of two, smooth lengths, primes and lengths with a
// large prime factor.
const accuracySizes = "2^6,2^10,2^14,2^16,2^18,2^20,1000,1536,3125,30030,44100,48000,1009,4099,10007,65537,199982"

// accuracyRow is the relative L2 error of one forward transform of input
// uniform in [-0.5, 0.5), against 30 digits. Units are of
// epsilon*sqrt(log2 n), the law that good transforms follow.
type accuracyRow struct {
	N     int                `json:"n"`
	DType string             `json:"dtype"`
	Error float64            `json:"error"`
	Units float64            `json:"units"`
	Peers map[string]float64 `json:"peers"`
}

type accuracyRows []accuracyRow

func newBenchAccuracyCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "accuracy",
		Short: "Compare the error of forward transforms with that of FFTW",
		Long: "Show the relative error of forward transforms, against a transform with 30 digits, and that\n" +
			"of FFTW if it is installed. Units are epsilon*sqrt(log2 n).",
	}
	f := c.Flags()
	sizes := f.String("sizes", accuracySizes, "lengths, separated by commas; 2^k is a power of two")
	names := f.String("dtype", "all", "element types: c64, c128, r32, r64, several separated by commas, or all")
	peerNames := f.String("peers", "fftw", "peers, separated by commas")
	device := f.String("device", "cpu", "the device to run on; see 'twiddle devices'")
	asJSON := addJSON(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		lengths, err := parseSizes(*sizes)
		if err != nil {
			return err
		}
		dtypes, err := parseDTypes(*names)
		if err != nil {
			return err
		}
		if err := simd.OverrideError(); err != nil {
			return err
		}
		peers, err := openPeers(*peerNames, c.ErrOrStderr())
		if err != nil {
			return err
		}
		var dev *nd.Device // nil: package fft by itself
		if *device != "cpu" {
			if dev, err = nd.Open(*device); err != nil {
				return usagef("--device: %w", err)
			}
		}
		var rows accuracyRows
		for _, n := range lengths {
			// One oracle run serves all dtypes: the input is exact in single
			// precision, and its real part's spectrum follows from its own.
			signal := randomSignal(n)
			exact := oracle.FFT(signal, false)
			half, _ := exact.Half()
			for _, d := range dtypes {
				if err := c.Context().Err(); err != nil {
					return err
				}
				want := exact
				if d.real {
					want = half
				}
				row, err := measureAccuracy(c.Context(), dev, d, signal, want, peers)
				if err != nil {
					return err
				}
				rows = append(rows, row)
			}
		}
		return show(c, *asJSON, rows)
	}
	return c
}

func randomSignal(n int) []complex64 {
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	x := make([]complex64, n)
	for i := range x {
		x[i] = complex(rng.Float32()-0.5, rng.Float32()-0.5)
	}
	return x
}

func measureAccuracy(ctx context.Context, dev *nd.Device, d dtype, signal []complex64, want oracle.Values, peers []peer.FFT) (accuracyRow, error) {
	switch d.name {
	case "c64":
		return complexAccuracy[complex64](ctx, dev, d, signal, want, peers)
	case "c128":
		return complexAccuracy[complex128](ctx, dev, d, signal, want, peers)
	case "r32":
		return realAccuracy[float32, complex64](ctx, dev, d, signal, want, peers)
	}
	return realAccuracy[float64, complex128](ctx, dev, d, signal, want, peers)
}

func complexAccuracy[C fft.Complex](ctx context.Context, dev *nd.Device, d dtype, signal []complex64, want oracle.Values, peers []peer.FFT) (accuracyRow, error) {
	src, dst := make([]C, len(signal)), make([]C, len(signal))
	for i, v := range signal {
		src[i] = C(v)
	}
	if dev != nil {
		dst, err := nd.Slice[C](ctx, nd.From(src).On(dev.Stream()).FFT())
		if err != nil {
			return accuracyRow{}, err
		}
		return accuracyOf(d, src, dst, want, peers)
	}
	p, err := fft.NewPlan[C](len(src))
	if err != nil {
		return accuracyRow{}, err
	}
	if err := p.Forward(dst, src); err != nil {
		return accuracyRow{}, err
	}
	return accuracyOf(d, src, dst, want, peers)
}

func realAccuracy[R fft.Float, C fft.Complex](ctx context.Context, dev *nd.Device, d dtype, signal []complex64, want oracle.Values, peers []peer.FFT) (accuracyRow, error) {
	src, dst := make([]R, len(signal)), make([]C, len(signal)/2+1)
	for i, v := range signal {
		src[i] = R(real(v))
	}
	if dev != nil {
		dst, err := nd.Slice[C](ctx, nd.From(src).On(dev.Stream()).RFFT())
		if err != nil {
			return accuracyRow{}, err
		}
		return accuracyOf(d, src, dst, want, peers)
	}
	p, err := fft.NewRealPlan[R, C](len(src))
	if err != nil {
		return accuracyRow{}, err
	}
	if err := p.Forward(dst, src); err != nil {
		return accuracyRow{}, err
	}
	return accuracyOf(d, src, dst, want, peers)
}

// accuracyOf is the row for our result, and the peers' on the same input.
func accuracyOf[T float32 | float64 | complex64 | complex128, C fft.Complex](d dtype, src []T, ours []C, want oracle.Values, peers []peer.FFT) (accuracyRow, error) {
	n := len(src)
	row := accuracyRow{N: n, DType: d.name, Error: oracle.RelativeError(ours, want), Peers: map[string]float64{}}
	row.Units = row.Error / (oracle.Epsilon[C]() * oracle.Law(n))
	for _, p := range peers {
		plan, err := p.Plan(peer.Transform{N: n, Bits: d.bits, Real: d.real, Quick: true})
		if err != nil {
			return row, err
		}
		copy(peer.In[T](plan), src)
		plan.Run(1)
		row.Peers[p.Name()] = oracle.RelativeError(peer.Out[C](plan), want)
		plan.Close()
	}
	return row, nil
}

func (rows accuracyRows) WriteText(w io.Writer) error {
	columns := []string{"n", "dtype", "error", "units"}
	var peers []string
	for _, name := range []string{"fftw", "mkl"} {
		if len(rows) > 0 && rows[0].Peers[name] > 0 {
			peers = append(peers, name)
			columns = append(columns, name, "ours/"+name)
		}
	}
	table := timing.NewTable(columns...)
	for _, r := range rows {
		cells := []any{r.N, r.DType, fmt.Sprintf("%.2e", r.Error), fmt.Sprintf("%.2f", r.Units)}
		for _, name := range peers {
			cells = append(cells, fmt.Sprintf("%.2e", r.Peers[name]), fmt.Sprintf("%.2f", r.Error/r.Peers[name]))
		}
		table.Row(cells...)
	}
	_, err := table.WriteTo(w)
	return err
}
