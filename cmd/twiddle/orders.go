package main

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/cmd/twiddle/internal/page"
	"github.com/twiddle-go/twiddle/internal/choice"
	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/measure"
	"github.com/twiddle-go/twiddle/nd"
)

// ordersRequest is what the orders verb was asked for.
type ordersRequest struct {
	tacho, speed  string // channels
	rpm           float64
	pulses, turns int
	points        int
	falling       bool
}

func newOrdersCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "orders FILE --tacho CHANNEL",
		Short: "Compute the order spectrum of a shaft whose speed changes",
		Long: "Resample every channel at equal angles of a shaft and print its order spectrum: an event\n" +
			"that happens n times per turn is a line at order n, even if the speed changes. The angle\n" +
			"comes from the pulses of a tachometer channel (--tacho), from a speed channel in turns per\n" +
			"minute (--speed), or from one constant speed (--rpm). A channel is the name of a table's\n" +
			"column, or a number from 1. --out writes amplitudes to a .npy file, with orders to a .npz\n" +
			"file, or draws them to a .png file.",
		Example: "  twiddle orders runup.csv --tacho tacho --pulses 2\n" +
			"  twiddle orders runup.wav --tacho 2 --out orders.png\n" +
			"  twiddle orders engine.csv --columns ax,ay,rpm --speed rpm --json\n" +
			"  twiddle orders fan.wav --rpm 1480 --max-order 10",
	}
	v := addSignalVerb(c)
	v.draws(c)
	var r ordersRequest
	f := c.Flags()
	f.StringVar(&r.tacho, "tacho", "", "the tachometer channel")
	f.StringVar(&r.speed, "speed", "", "the speed channel, in turns per minute")
	f.Float64Var(&r.rpm, "rpm", 0, "a constant speed, in turns per minute")
	f.IntVar(&r.pulses, "pulses", 1, "pulses of the tachometer per turn")
	f.BoolVar(&r.falling, "falling", false, "pulses start at falling edges of the tachometer's signal")
	f.IntVar(&r.points, "points", 64, "samples per turn: twice the highest order")
	f.IntVar(&r.turns, "turns", 0, "turns per segment (default: all, at most 1024)")
	l := addLineFlags(c, "max-order", "order")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if err := l.check(c, "max-order"); err != nil {
			return err
		}
		if err := r.check(c); err != nil {
			return err
		}
		for flag, name := range map[string]string{"tacho": r.tacho, "speed": r.speed} {
			if *v.in == "" && isRecordingName(name) {
				return usagef("want a file to read: --%s %s is to name a channel of it; see '%s --help'", flag, name, c.CommandPath())
			}
		}
		x, err := v.readRated(c)
		if err != nil {
			return err
		}
		s, details, err := r.spectra(c.Context(), x)
		if err != nil {
			return err
		}
		s.file = *v.in
		return v.showLines(c, s, l, "orders", details)
	}
	return overFolders(c, v.in, v.out, ".npy")
}

func (r *ordersRequest) check(c *cobra.Command) error {
	given := 0
	for _, name := range []string{"tacho", "speed", "rpm"} {
		if c.Flags().Changed(name) {
			given++
		}
	}
	switch {
	case given != 1:
		return usagef("want one of --tacho, --speed and --rpm, which say how the shaft turns; see '%s --help'", c.CommandPath())
	case c.Flags().Changed("rpm") && (!(r.rpm > 0) || math.IsInf(r.rpm, 0)):
		return usagef("--rpm %g: want a positive number", r.rpm)
	case (c.Flags().Changed("pulses") || r.falling) && r.tacho == "":
		return usagef("--pulses and --falling are for --tacho")
	case r.pulses < 1:
		return usagef("--pulses %d: want at least 1", r.pulses)
	case r.points < 4 || r.points > 1<<14:
		return usagef("--points %d: want 4 to %d", r.points, 1<<14)
	case c.Flags().Changed("turns") && (r.turns < 2 || r.turns > mostPerSeg/r.points):
		return usagef("--turns %d: want 2 to %d, of %d points each", r.turns, mostPerSeg/r.points, r.points)
	}
	return nil
}

// ordersDetails is how the shaft turned.
type ordersDetails struct {
	Rate    float64 `json:"rate"`
	Turns   float64 `json:"turns"`
	Slowest float64 `json:"slowest_rpm"`
	Mean    float64 `json:"mean_rpm"`
	Fastest float64 `json:"fastest_rpm"`
}

func (r *ordersRequest) spectra(ctx context.Context, x signalFile) (*lineSpectra, *ordersDetails, error) {
	lines, names, err := channelLines(x)
	if err != nil {
		return nil, nil, err
	}
	var pulses []float64
	reference, perTurn := -1, 1
	switch {
	case r.tacho != "":
		perTurn = r.pulses
		if reference, err = channelNamed("tacho", r.tacho, names); err == nil {
			pulses, err = measure.Tacho{FS: x.rate, Falling: r.falling}.Pulses(ctx, lines.At(reference))
		}
		if err == nil && len(pulses) < 3 {
			err = fmt.Errorf("--tacho %s: %s: want 3 or more", r.tacho, counted.Of(len(pulses), "pulse"))
		}
	case r.speed != "":
		if reference, err = channelNamed("speed", r.speed, names); err == nil {
			pulses, err = measure.Turns(ctx, lines.At(reference), x.rate)
		}
	case r.rpm > 60*x.rate: // an error of the flag, before it is one of measure.Turns
		err = usagef("--rpm %g: more than a turn in a sample, at %g per second", r.rpm, x.rate)
	default:
		pulses, err = measure.Turns(ctx, nd.Full(r.rpm, nd.Float64, lines.Dim(-1)), x.rate)
	}
	if err != nil {
		return nil, nil, err
	}
	if len(pulses) < max(3, perTurn+1) {
		return nil, nil, fmt.Errorf("%s in %s: want more", counted.Of(max(len(pulses)-1, 0)/perTurn, "turn"), page.Duration(float64(lines.Dim(-1))/x.rate))
	}
	details := turning(pulses, perTurn)
	details.Rate = x.rate
	s := &lineSpectra{unit: "orders", rate: float64(r.points)}
	s.note = []string{fmt.Sprintf("%.6g turns at %.5g to %.5g rpm, %.5g in the mean", details.Turns, details.Slowest, details.Fastest, details.Mean)}
	turns := r.turns
	if turns == 0 {
		turns = min(1024, mostPerSeg/r.points)
	}
	o := measure.Orders{FS: x.rate, Pulses: perTurn, Points: r.points, NPerSeg: turns * r.points}
	var all []*nd.Array
	for i := range lines.Dim(0) {
		if i == reference {
			continue
		}
		found, err := o.Spectrum(ctx, lines.At(i), pulses)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, found.Amplitude)
		s.names, s.at = append(s.names, names[i]), found.Frequencies
	}
	if len(all) == 0 {
		return nil, nil, fmt.Errorf("there is no channel beside %s", names[reference])
	}
	s.amplitude = nd.Stack(0, all...)
	s.segment, s.segments = segmentsIn((len(pulses)-1)*r.points/perTurn+1, o.NPerSeg)
	return s, details, nil
}

// turning is the speed of a shaft by its pulses.
func turning(pulses []float64, perTurn int) *ordersDetails {
	last := len(pulses) - 1
	d := &ordersDetails{Turns: float64(last) / float64(perTurn), Slowest: math.Inf(1)}
	d.Mean = 60 * d.Turns / (pulses[last] - pulses[0])
	for i := perTurn; i <= last; i++ {
		rpm := 60 / (pulses[i] - pulses[i-perTurn])
		d.Slowest, d.Fastest = min(d.Slowest, rpm), max(d.Fastest, rpm)
	}
	return d
}

// channelNamed is the place of a channel, by its name or its number from 1.
func channelNamed(flag, name string, names []string) (int, error) {
	bare := make([]string, len(names))
	for i, n := range names {
		bare[i] = strings.TrimSpace(strings.FieldsFunc(n+" ", func(r rune) bool { return r == '[' || r == '(' })[0])
	}
	for _, list := range [][]string{names, bare} {
		same := func(n string) bool { return strings.EqualFold(n, name) || strings.EqualFold(n, "channel "+name) } // of the file, if --channel left some
		if i := slices.IndexFunc(list, same); i >= 0 {
			return i, nil
		}
	}
	if n, err := strconv.Atoi(name); err == nil && n >= 1 && n <= len(names) {
		return n - 1, nil
	}
	if isRecordingName(name) {
		return 0, usagef("--%s %s: want a channel of the file that is read, by its name or number, not another file; its channels: %s", flag, name, listed(names))
	}
	if len(names) == 1 {
		return 0, usagef("--%s %q: %s is the only channel", flag, name, names[0])
	}
	return 0, usagef("--%s %q%s: want one of %s: %s", flag, name, choice.Hint(name, bare), counted.Of(len(names), "channel"), listed(names))
}

func listed(names []string) string { return strings.Join(names[:min(len(names), 20)], ", ") }

// isRecordingName says that a name is that of a file rather than of a channel.
func isRecordingName(name string) bool {
	return slices.Contains(audio.Extensions(), strings.ToLower(filepath.Ext(name)))
}
