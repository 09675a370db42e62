package main

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/audio/npy"
	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

func newPeaksCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "peaks FILE",
		Short: "Find peaks in every line of a file",
		Long: "Find the peaks of every line of a file, as scipy.signal.find_peaks does, with the same\n" +
			"names for conditions. A condition is a minimum, such as 0.5, or limits, such as 0.5,2 or\n" +
			",2; a limit may be a .npy file with a number for every sample. The property that a\n" +
			"condition measures is part of the result. A .npz file gets all properties, a .npy file\n" +
			"the positions: indices, or lines and indices.",
		Example: "  twiddle peaks a.wav --height 0.5 --distance 100\n" +
			"  twiddle peaks p.npz --array power --prominence 1e-6 --json",
	}
	v := addSignalVerb(c)
	v.prints = true
	f := c.Flags()
	var o signal.PeakConditions
	limits := []struct {
		name, meaning string
		to            *signal.Limits
		text          string
	}{
		{"height", "the sample itself", &o.Height, ""},
		{"threshold", "vertical distance to the two neighbours", &o.Threshold, ""},
		{"prominence", "how far it stands out of its surroundings", &o.Prominence, ""},
		{"width", "in samples, at --rel-height of its prominence", &o.Width, ""},
		{"plateau-size", "samples on the flat top", &o.PlateauSize, ""},
	}
	for i := range limits {
		f.StringVar(&limits[i].text, limits[i].name, "", limits[i].meaning)
	}
	f.Float64Var(&o.Distance, "distance", 0, "least distance between peaks in samples; the highest are kept")
	f.IntVar(&o.WLen, "wlen", 0, "samples around a peak that its prominence considers (default: all)")
	f.Float64Var(&o.RelHeight, "rel-height", 0.5, "the height of the width's line, as a part of the prominence")
	refine := f.String("refine", "none", "interpolate positions between samples: none, log (for powers) or values (for decibels)")
	c.RunE = func(c *cobra.Command, _ []string) error {
		names := map[string]func() error{"refine": parseTo(&o.Refine, signal.ParseRefinement, *refine)}
		for _, l := range limits {
			if c.Flags().Changed(l.name) {
				names[l.name] = parseTo(l.to, parseLimits, l.text)
			}
		}
		if err := parsed(names); err != nil {
			return err
		}
		x, err := v.read(c)
		if err != nil {
			return err
		}
		o.Axis = x.axis
		found, err := signal.FindPeaks(c.Context(), x.Array, o)
		if err != nil {
			return err
		}
		warn(c, notNumbers(c.Context(), x.Array), *v.in) // there are no peaks beside them
		r := newPeaksReport(found, o.Refine != signal.RefineNone)
		if *v.out != "" {
			if err := r.writeFile(*v.out); err != nil {
				return err
			}
		}
		return show(c, *v.asJSON, r)
	}
	return overFolders(c, v.in, v.out, ".npz")
}

// notNumbers says how many samples are NaN.
func notNumbers(ctx context.Context, x *nd.Array) error {
	if !x.DType().IsFloat() {
		return nil
	}
	n, err := nd.Item[int64](ctx, x.IsNaN().Cast(nd.Int64).Sum())
	if n > 0 {
		return fmt.Errorf("%d of %s are NaN", n, counted.Of(x.Len(), "sample"))
	}
	return err
}

// parseLimits takes "low", "low,high" or ",high", of numbers or of files with a
// number for every sample.
func parseLimits(text string) (signal.Limits, error) {
	low, high, both := strings.Cut(text, ",")
	if low == "" && (!both || high == "") {
		return signal.Limits{}, fmt.Errorf("%q: want a number, or two with a comma between", text)
	}
	lowest, lows, err := parseLimit(low, math.Inf(-1))
	if err != nil {
		return signal.Limits{}, err
	}
	highest, highs, err := parseLimit(high, math.Inf(1))
	switch {
	case err != nil:
		return signal.Limits{}, err
	case lows == nil && highs == nil && !(lowest <= highest):
		return signal.Limits{}, fmt.Errorf("%q: the lower limit is above the upper", text)
	case lows == nil && highs == nil:
		return signal.Between(lowest, highest), nil
	case lows == nil:
		lows = repeated(lowest, len(highs))
	case highs == nil:
		highs = repeated(highest, len(lows))
	}
	return signal.BetweenEach(lows, highs), nil
}

// parseLimit is one number, or one for every sample.
func parseLimit(text string, missing float64) (limit float64, each []float64, err error) {
	if text == "" {
		return missing, nil, nil
	}
	if strings.HasSuffix(text, ".npy") {
		a, err := npy.ReadFile(text)
		if err != nil {
			return 0, nil, err
		}
		each, err = npy.As[float64](a)
		return 0, each, err
	}
	limit, err = strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(limit) {
		return 0, nil, fmt.Errorf("%q is neither a number nor a .npy file", text)
	}
	return limit, nil, nil
}

func repeated(v float64, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = v
	}
	return out
}
