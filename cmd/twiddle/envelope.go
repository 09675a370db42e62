package main

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/cmd/twiddle/internal/page"
	"github.com/twiddle-go/twiddle/internal/choice"
	"github.com/twiddle-go/twiddle/measure"
)

// envelopeRequest is what the envelope verb was asked for.
type envelopeRequest struct {
	band, bearing string
	rpm           float64
	order         int
	nperseg       int
}

func newEnvelopeCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "envelope FILE [--band 2000:8000]",
		Short: "Compute the envelope spectrum, for faults of bearings and gears",
		Long: "Filter every channel to a band, and print the spectrum of the envelope of the result: its\n" +
			"lines are at the frequencies at which shocks repeat. Without --band the kurtogram chooses\n" +
			"the most impulsive band; --band all does not filter. Given the geometry of a bearing and\n" +
			"the speed of its shaft, lines at its fault frequencies are labelled: BPFO and BPFI of the\n" +
			"rings, BSF of a ball, FTF of the cage. A line may be off by 2%, because bearings slip.\n" +
			"Lines at multiples are labelled only if they are unlikely to be there by chance.\n" +
			"--out writes amplitudes to a .npy file, with frequencies to a .npz file, or draws them to a\n" +
			".png file.",
		Example: "  twiddle envelope bearing.csv --columns az\n" +
			"  twiddle envelope bearing.wav --band 2000:4000 --fmax 500 --out envelope.png\n" +
			"  twiddle envelope bearing.wav --rpm 1797 --bearing 9,7.94,39.04 --fmax 500",
	}
	v := addSignalVerb(c)
	v.draws(c)
	var r envelopeRequest
	f := c.Flags()
	f.StringVar(&r.band, "band", "auto", "the band to filter, as LOW:HIGH in Hz; auto: the most impulsive; all: no filter")
	f.IntVar(&r.order, "filter-order", 4, "order of the Butterworth band-pass, applied forwards and backwards")
	f.IntVar(&r.nperseg, "nperseg", 0, "samples in a segment (default: about a second)")
	f.StringVar(&r.bearing, "bearing", "", "geometry, as BALLS,DIAMETER,PITCH[,ANGLE]: number of balls, diameters of a ball and of the pitch circle, contact angle in degrees")
	f.Float64Var(&r.rpm, "rpm", 0, "speed of the shaft in turns per minute, for --bearing")
	l := addLineFlags(c, "fmax", "frequency")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if err := l.check(c, "fmax"); err != nil {
			return err
		}
		band, err := r.parseBand()
		if err != nil {
			return err
		}
		faults, err := r.faults(c)
		if err != nil {
			return err
		}
		switch {
		case r.order < 1:
			return usagef("--filter-order %d: want at least 1", r.order)
		case r.nperseg < 0 || r.nperseg > mostPerSeg || c.Flags().Changed("nperseg") && r.nperseg < 16:
			return usagef("--nperseg %d: want 16 to %d", r.nperseg, mostPerSeg)
		}
		x, err := v.readRated(c)
		if err != nil {
			return err
		}
		s, details, err := r.spectra(c.Context(), x, band, faults)
		if err != nil {
			return err
		}
		s.file = *v.in
		return v.showLines(c, s, l, "frequencies", details)
	}
	return overFolders(c, v.in, v.out, ".npy")
}

// envelopeDetails is what was done, for --json.
type envelopeDetails struct {
	Rate     float64         `json:"rate"`
	Band     *[2]float64     `json:"band,omitempty"`
	Kurtosis float64         `json:"kurtosis,omitempty"` // of a band that was found
	Faults   *measure.Faults `json:"bearing,omitempty"`
}

// parseBand is the band of the flag: nil if it is to be found, and of no width for all.
func (r *envelopeRequest) parseBand() (*[2]float64, error) {
	switch r.band {
	case "auto":
		return nil, nil
	case "all":
		return &[2]float64{}, nil
	}
	low, high, ok := strings.Cut(r.band, ":")
	var b [2]float64
	var bad [2]error
	b[0], bad[0] = strconv.ParseFloat(low, 64)
	b[1], bad[1] = strconv.ParseFloat(high, 64)
	if !ok || bad != [2]error{} || !(b[0] > 0 && b[1] > b[0]) {
		return nil, usagef("--band %q%s: want LOW:HIGH in Hz, such as 2000:8000, auto or all", r.band, choice.Hint(r.band, []string{"auto", "all"}))
	}
	return &b, nil
}

// mostBalls is more than a bearing has.
const mostBalls = 1e6

// faults is the rates of a bearing, or nil if none is given.
func (r *envelopeRequest) faults(c *cobra.Command) (*measure.Faults, error) {
	turns := c.Flags().Changed("rpm")
	switch {
	case r.bearing == "" && !turns:
		return nil, nil
	case r.bearing == "":
		return nil, usagef("--rpm is for --bearing: give its geometry, too")
	case !turns:
		return nil, usagef("--bearing needs --rpm, the speed of the shaft")
	case !(r.rpm > 0) || math.IsInf(r.rpm, 0):
		return nil, usagef("--rpm %g: want a positive number of turns in a minute", r.rpm)
	}
	var numbers []float64
	for _, text := range strings.Split(r.bearing, ",") {
		n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil {
			return nil, usagef("--bearing %q: %q is not a number", r.bearing, text)
		}
		numbers = append(numbers, n)
	}
	if len(numbers) != 3 && len(numbers) != 4 || numbers[0] != math.Trunc(numbers[0]) || math.Abs(numbers[0]) > mostBalls {
		return nil, usagef("--bearing %q: want BALLS,DIAMETER,PITCH, such as 9,7.94,39.04, and perhaps the angle of contact", r.bearing)
	}
	b := measure.Bearing{Elements: int(numbers[0]), Diameter: numbers[1], Pitch: numbers[2]}
	if len(numbers) == 4 {
		b.Angle = numbers[3]
	}
	f, err := b.Faults(r.rpm)
	if err != nil {
		return nil, usagef("--bearing: %w", err)
	}
	return &f, nil
}

func (r *envelopeRequest) spectra(ctx context.Context, x signalFile, band *[2]float64, faults *measure.Faults) (*lineSpectra, *envelopeDetails, error) {
	lines, names, err := channelLines(x)
	if err != nil {
		return nil, nil, err
	}
	details := &envelopeDetails{Rate: x.rate, Band: band, Faults: faults}
	s := &lineSpectra{names: names, unit: "Hz", rate: x.rate}
	if band == nil {
		found, err := measure.Kurtogram{FS: x.rate}.Apply(ctx, lines)
		if err != nil {
			return nil, nil, fmt.Errorf("%w; --band says where to look", err)
		}
		details.Band, details.Kurtosis = &found.Band, found.Kurtosis
		s.note = append(s.note, fmt.Sprintf("band %s to %s, the most impulsive: spectral kurtosis %.3g", page.Frequency(found.Band[0], true), page.Frequency(found.Band[1], true), found.Kurtosis))
	} else if *band != [2]float64{} {
		if band[1] >= x.rate/2 {
			return nil, nil, usagef("--band %s: want frequencies below %g Hz, half the rate", r.band, x.rate/2)
		}
		s.note = append(s.note, fmt.Sprintf("band %s to %s", page.Frequency(band[0], true), page.Frequency(band[1], true)))
	}
	nperseg := r.nperseg
	if nperseg == 0 {
		nperseg = 1 << int(min(max(math.Ceil(math.Log2(x.rate)), 8), 17))
	}
	if lines.Dim(-1) > mostPerSeg { // one transform of so many is no choice
		nperseg = min(nperseg, mostPerSeg)
	}
	l, err := measure.EnvelopeSpectrum{FS: x.rate, Band: *details.Band, Order: r.order, NPerSeg: nperseg}.Apply(lines)
	if err != nil {
		return nil, nil, err
	}
	if *details.Band == [2]float64{} {
		details.Band = nil
	} else { // parts of a band beat at no more than its width
		s.most = details.Band[1] - details.Band[0]
	}
	s.amplitude, s.at = l.Amplitude, l.Frequencies
	s.segment, s.segments = segmentsIn(lines.Dim(-1), nperseg)
	if faults != nil {
		s.note = append(s.note, fmt.Sprintf("shaft %s, FTF %s, BSF %s, BPFO %s, BPFI %s", page.Frequency(faults.Shaft, true), page.Frequency(faults.Cage, true),
			page.Frequency(faults.Spin, true), page.Frequency(faults.Outer, true), page.Frequency(faults.Inner, true)))
		s.faults = faults
	}
	return s, details, nil
}
