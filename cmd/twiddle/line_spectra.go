package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/audio/analyze"
	"github.com/twiddle-go/twiddle/audio/npy"
	"github.com/twiddle-go/twiddle/chart"
	"github.com/twiddle-go/twiddle/cmd/twiddle/internal/page"
	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/internal/figure"
	"github.com/twiddle-go/twiddle/internal/timing"
	"github.com/twiddle-go/twiddle/measure"
	"github.com/twiddle-go/twiddle/nd"
)

// lineFlags is what verbs of amplitude spectra share: how they are averaged, and which of
// their lines are listed.
type lineFlags struct {
	peaks      int
	prominence float64
	top        float64 // the highest frequency or order; 0 is all
}

// mostPerSeg is the longest segment whose leakage is known to analyze.Tones in little memory.
const mostPerSeg = 1 << 18

func addLineFlags(c *cobra.Command, top, of string) *lineFlags {
	l := &lineFlags{}
	f := c.Flags()
	f.IntVar(&l.peaks, "peaks", 10, "number of peaks to list per channel")
	f.Float64Var(&l.prominence, "prominence", 6, "least prominence of a peak, in dB")
	f.Float64Var(&l.top, top, 0, "the highest "+of+" to show (default: all)")
	return l
}

func (l *lineFlags) check(c *cobra.Command, top string) error {
	switch {
	case l.peaks < 1:
		return usagef("--peaks %d: want at least 1", l.peaks)
	case !(l.prominence > 0):
		return usagef("--prominence %g: want a positive number", l.prominence)
	case c.Flags().Changed(top) && !(l.top > 0):
		return usagef("--%s %g: want a positive number", top, l.top)
	}
	return nil
}

// channelLines is the lines of a file in float64, of shape (channels, samples), and the
// names of channels.
func channelLines(x signalFile) (*nd.Array, []string, error) {
	if x.DType().IsComplex() {
		return nil, nil, fmt.Errorf("samples are %s: want real ones", x.DType())
	}
	axis, err := x.axis.Of(x.Array)
	if err != nil {
		return nil, nil, err
	}
	lines := x.SwapAxes(axis, -1).Cast(nd.Float64)
	lines = lines.Reshape(-1, lines.Dim(-1))
	return lines, x.channelNames(lines.Dim(0)), nil
}

// lineSpectra is amplitudes of sines over frequencies, or over orders.
type lineSpectra struct {
	file      string
	note      []string // what was done, a line each
	names     []string // of channels
	amplitude *nd.Array
	at        []float64
	unit      string  // Hz, or orders
	rate      float64 // samples in a unit of at
	segment   int     // samples of a segment
	segments  int
	faults    *measure.Faults // whose lines to name; nil if there are none
	most      float64         // no line is likely to be above it, and curves end there; 0 if nobody knows
}

// lineReport is the lines that stand out.
type lineReport struct {
	File     string        `json:"file"`
	Details  any           `json:"details,omitempty"`
	NPerSeg  int           `json:"nperseg"`
	Segments int           `json:"segments"`
	Channels []lineChannel `json:"channels"`
	Warning  string        `json:"warning,omitempty"`

	of     *lineSpectra
	power  []float32 // of all channels the greatest
	wanted bool      // as far as a flag says, and no further
}

type lineChannel struct {
	Name  string     `json:"name"`
	Peaks []linePeak `json:"peaks"`
}

// linePeak is a line; its level is the amplitude.
type linePeak struct {
	analyze.Peak
	Amplitude float64 `json:"amplitude"`
	Matches   string  `json:"matches,omitempty"`
}

// showLines draws, writes or reports spectra, as the flags of the verb say.
func (v *signalVerb) showLines(c *cobra.Command, s *lineSpectra, l *lineFlags, name string, details any) error {
	bins := len(s.at)
	if l.top > 0 {
		bins = max(3, sortedUpTo(s.at, l.top))
	} else if s.most > 0 && extension(*v.out) == ".png" { // as the printed curve
		bins = max(3, sortedUpTo(s.at, s.most))
	}
	bins = min(bins, len(s.at))
	s.at = s.at[:bins]
	shown := s.amplitude.SliceAxis(-1, nd.Range{Stop: bins})
	if extension(*v.out) == ".png" {
		return v.drawLines(c, s, shown)
	}
	if *v.out != "" {
		amplitude, err := hostArray(c.Context(), shown)
		if err != nil {
			return err
		}
		at, err := npy.From(s.at, bins)
		if err != nil {
			return err
		}
		return v.write(c, "", named{"amplitude", amplitude}, named{name, at})
	}
	values, err := nd.Slice[float64](c.Context(), shown)
	if err != nil {
		return err
	}
	bin := s.rate / float64(s.segment)
	r := &lineReport{File: s.file, Details: details, NPerSeg: s.segment, Segments: s.segments, of: s, wanted: l.top > 0, power: make([]float32, bins)}
	for i, line := range slices.Collect(slices.Chunk(values, bins)) {
		channel := lineChannel{Name: s.names[i], Peaks: []linePeak{}}
		level := make([]float64, bins)
		for k, a := range line {
			if a != a || math.IsInf(a, 0) {
				return errNoNumber
			}
			level[k] = 20 * math.Log10(max(a, 1e-15))
			r.power[k] = max(r.power[k], float32(a*a))
		}
		tones, err := analyze.Tones(c.Context(), analyze.Spectrum{Level: level, Rate: s.rate, NPerSeg: s.segment, Segments: int64(s.segments), Wide: true},
			analyze.Options{Peaks: l.peaks, Prominence: l.prominence})
		if err != nil {
			return err
		}
		names := make([]string, len(tones))
		if s.faults != nil {
			names = nameFaults(*s.faults, tones, bin)
		}
		for i, p := range tones {
			channel.Peaks = append(channel.Peaks, linePeak{Peak: p, Amplitude: math.Pow(10, p.Level/20), Matches: names[i]})
		}
		r.Channels = append(r.Channels, channel)
	}
	if s.faults != nil {
		r.Warning = unmatched(*s.faults, r.Channels, bin)
	}
	return show(c, *v.asJSON, r)
}

// sortedUpTo is how many of rising numbers are not above the highest.
func sortedUpTo(at []float64, highest float64) int {
	n, found := slices.BinarySearchFunc(at, highest, cmp.Compare[float64])
	if found {
		n++
	}
	return n
}

func (v *signalVerb) drawLines(c *cobra.Command, s *lineSpectra, shown *nd.Array) error {
	picture := chart.Curves{X: "frequency in Hz", Y: "amplitude"}
	if s.unit != "Hz" {
		picture.X = "order"
	}
	if n := len(s.names); n > 1 && n <= figure.Lines {
		picture.Names = s.names
	}
	if *v.in != "-" {
		picture.Title = filepath.Base(*v.in)
	}
	if err := picture.Save(c.Context(), *v.out, s.at, shown); err != nil {
		return err
	}
	return show(c, *v.asJSON, &signalReport{Out: *v.out, Shape: shown.Shape(), DType: shown.DType().String()})
}

func (r *lineReport) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", r.File)
	for _, line := range r.of.note {
		fmt.Fprintf(&b, "  %s\n", line)
	}
	fmt.Fprintf(&b, "\nLevel of %s of %d samples", counted.Of(r.Segments, "segment"), r.NPerSeg)
	if r.Segments > 1 {
		b.WriteString(", averaged")
	}
	b.WriteString(":\n\n")
	bins := len(r.power)
	if r.of.most > 0 && !r.wanted {
		bins = min(max(3, sortedUpTo(r.of.at, r.of.most)), bins)
	}
	plot := newSpectrumPlot(w, r.of.at[bins-1])
	plot.unit = r.of.unit
	plot.write(&b, r.power[:bins])
	b.WriteString("\n")
	r.writeTable(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

// writeTable is the peaks of all channels. Channels, families and matches are columns if
// there are any.
func (r *lineReport) writeTable(b *strings.Builder) {
	several, related, matched, some := len(r.Channels) > 1, false, false, false
	for _, ch := range r.Channels {
		for _, p := range ch.Peaks {
			some = true
			related = related || p.Role != analyze.Alone
			matched = matched || p.Matches != ""
		}
	}
	if !some {
		b.WriteString("  nothing stands out\n")
		return
	}
	inHz := r.of.unit == "Hz"
	names := []string{"order", "amplitude", "prominence"}
	if inHz {
		names[0] = "frequency"
	}
	for _, column := range []struct {
		is   bool
		name string
	}{{several, "channel"}, {related, "what"}, {matched, "matches"}} {
		if column.is {
			names = append(names, column.name)
		}
	}
	t := timing.NewTable(names...)
	for _, ch := range r.Channels {
		for _, p := range ch.Peaks {
			cells := []any{page.Frequency(p.Frequency, inHz), fmt.Sprintf("%.4g", p.Amplitude), page.Tenths(p.Prominence) + " dB"}
			if several {
				cells = append(cells, ch.Name)
			}
			if related {
				cells = append(cells, page.Relation(p.Peak, inHz))
			}
			if matched {
				cells = append(cells, p.Matches)
			}
			t.Row(cells...)
		}
	}
	t.WriteTo(b)
	if r.Warning != "" {
		fmt.Fprintf(b, "\n%s\n", r.Warning)
	}
}

// segmentsIn is how many segments that overlap by half there are, and their length.
func segmentsIn(samples, nperseg int) (segment, count int) {
	if nperseg == 0 || nperseg >= samples {
		return samples, 1
	}
	return nperseg, (samples-nperseg)/(nperseg-nperseg/2) + 1
}
