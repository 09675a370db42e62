package main

import (
	"context"
	"io"
	"math"
	"math/bits"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/internal/timing"
	"github.com/twiddle-go/twiddle/nd"
)

// exactRow is one operation in one mode of accumulation.
type exactRow struct {
	What  string  `json:"what"`
	DType string  `json:"dtype"`
	Mode  string  `json:"mode"`
	NS    float64 `json:"ns"`
	Each  float64 `json:"ns_per_term"` // a term is a number or a product that is added; an FFT adds log2 n for each element
	Cost  float64 `json:"cost"`        // over the default mode
	Error float64 `json:"error"`       // relative to the sum of magnitudes, in roundings of the type; the worst of all sums
}

type exactRows []exactRow

func newBenchExactCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "exact",
		Short: "Show cost and error of each mode of adding up",
		Long: "Time sums, dots, norms, matrix products and transforms in every mode of accumulation: fast,\n" +
			"pairwise (the default), compensated and exact. Costs are relative to the default. Errors\n" +
			"are relative to the sum of magnitudes, for norms and transforms to the root of the sum of\n" +
			"squares, in units of roundoff of the element type.",
	}
	f := c.Flags()
	n := f.Int("n", 1<<20, "numbers in a sum")
	side := f.Int("matmul", 256, "rows and columns of the matrices that are multiplied")
	length := f.Int("fft", 1<<12, "length of the transforms")
	rounds := f.Int("rounds", 10, "rounds for each contender")
	asJSON := addJSON(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		if *n < 1 || *side < 1 || *length < 1 || *rounds < 1 {
			return usagef("--n %d, --matmul %d, --fft %d, --rounds %d: want 1 or more", *n, *side, *length, *rounds)
		}
		rows, err := benchExact(c.Context(), *n, *side, *length, timing.Options{Rounds: *rounds})
		if err != nil {
			return err
		}
		return show(c, *asJSON, rows)
	}
	return c
}

var accumulations = []nd.Accumulation{nd.Pairwise, nd.Fast, nd.Compensated, nd.Exact}

func benchExact(ctx context.Context, n, side, length int, o timing.Options) (exactRows, error) {
	var rows exactRows
	for _, t := range []nd.DType{nd.Float32, nd.Float64} {
		x, y := nd.Normal(1, t, n), nd.Normal(2, t, n)
		a, b := nd.Normal(3, t, side, side), nd.Normal(4, t, side, side)
		line := nd.Normal(5, t, length)
		if err := nd.Eval(ctx, x, y, a, b, line); err != nil {
			return nil, err
		}
		for _, c := range []struct {
			what  string
			terms int
			sum   func(nd.Accumulation) *nd.Array
			size  *nd.Array // of what is added up
		}{
			{"sum", n, func(m nd.Accumulation) *nd.Array { return x.SumWith(m) }, x.Abs().Sum()},
			{"dot", n, func(m nd.Accumulation) *nd.Array { return x.Dot(y, m) }, x.Abs().Dot(y.Abs())},
			{"norm", n, func(m nd.Accumulation) *nd.Array { return x.NormWith(m) }, x.Norm()},
			{"matmul", side * side * side, func(m nd.Accumulation) *nd.Array { return a.MatMul(b, m) }, a.Abs().MatMul(b.Abs())},
			{"rfft", length * bits.Len(uint(length)), func(m nd.Accumulation) *nd.Array { return line.RFFT(nd.FFT{Mode: m}) }, line.Norm()},
		} {
			more, err := exactModes(ctx, o, c.sum, c.size)
			if err != nil {
				return nil, err
			}
			for i := range more {
				more[i].What, more[i].DType = c.what, t.String()
				more[i].Each = more[i].NS / float64(c.terms)
			}
			rows = append(rows, more...)
		}
	}
	return rows, nil
}

// exactModes compares the modes of one operation in one run.
func exactModes(ctx context.Context, o timing.Options, sum func(nd.Accumulation) *nd.Array, size *nd.Array) (exactRows, error) {
	var contenders []timing.Contender
	for _, m := range accumulations {
		run, err := loop(func() error {
			y := sum(m)
			defer y.Release()
			return nd.Eval(ctx, y)
		})
		if err != nil {
			return nil, err
		}
		contenders = append(contenders, timing.Contender{Name: m.String(), Run: run})
	}
	runtime.GC()
	ns, err := timing.Compare(ctx, o, contenders...)
	if err != nil {
		return nil, err
	}
	unit := 0x1p-53
	if size.DType() == nd.Float32 {
		unit = 0x1p-24
	}
	var rows exactRows
	for i, m := range accumulations {
		off := sum(m).Sub(sum(nd.Exact)).Abs().Div(size).Max().Cast(nd.Float64)
		e, err := nd.Item[float64](ctx, off)
		if err != nil {
			return nil, err
		}
		rows = append(rows, exactRow{Mode: m.String(), NS: ns[i], Cost: ns[i] / ns[0], Error: math.Round(e/unit*1000) / 1000})
	}
	return rows, nil
}

func (rows exactRows) WriteText(w io.Writer) error {
	t := timing.NewTable("what", "dtype", "mode", "time", "ns/term", "cost", "error")
	for _, r := range rows {
		t.Row(r.What, r.DType, r.Mode, timing.Nanoseconds(r.NS), r.Each, r.Cost, r.Error)
	}
	_, err := t.WriteTo(w)
	return err
}
