package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/twiddle-go/twiddle/audio/analyze"
	"github.com/twiddle-go/twiddle/cmd/twiddle/internal/page"
	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/internal/figure"
	"github.com/twiddle-go/twiddle/internal/replace"
)

// analyzedFile is what was found in a file, or why nothing.
type analyzedFile struct {
	Name  string `json:"name"`
	Error string `json:"error,omitempty"`
	*analyze.Result
	Pictures []string `json:"pictures,omitempty"`

	err   error
	entry page.Entry // of the report
}

type analyzeReport struct {
	Files []analyzedFile `json:"files"`
	Page  string         `json:"page,omitempty"`
}

// failure is the error of the verb: that of the file if there is only one.
func (r *analyzeReport) failure() error {
	bad := 0
	for _, f := range r.Files {
		if f.err != nil {
			bad++
		}
	}
	switch {
	case bad == 0:
		return nil
	case len(r.Files) == 1:
		return r.Files[0].err
	}
	return fmt.Errorf("analyze: %d of %d files could not be analysed", bad, len(r.Files))
}

// writePage writes the HTML page: all of it, or no file.
func (r *analyzeReport) writePage(name string) error {
	title := fmt.Sprintf("%d recordings", len(r.Files))
	if len(r.Files) == 1 {
		title = spelled(filepath.Base(r.Files[0].Name))
	}
	entries := make([]page.Entry, len(r.Files))
	for i, f := range r.Files {
		entries[i] = f.entry
	}
	if err := replace.File(name, func(f *os.File) error { return page.WriteHTML(f, title, entries) }); err != nil {
		return fmt.Errorf("analyze: --out: %w", err)
	}
	return nil
}

func (r *analyzeReport) WriteText(w io.Writer) error {
	var b strings.Builder
	for i, f := range r.Files {
		if i > 0 {
			b.WriteString("\n")
		}
		if f.err != nil {
			if len(r.Files) > 1 {
				fmt.Fprintf(&b, "%s\n  cannot be analysed: %s\n", f.Name, f.Error)
			}
			continue
		}
		f.write(&b, newSpectrumPlot(w, 0))
	}
	if r.Page != "" {
		fmt.Fprintf(&b, "\nReport: %s\n", r.Page)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// noiseLevel is a level in dB, of which silence has none.
func noiseLevel(level float64) string {
	if level <= figure.Silence {
		return page.Decibels(0)
	}
	return fmt.Sprintf("%.0f dB", level)
}

func (f *analyzedFile) write(b *strings.Builder, plot spectrumPlot) {
	r := f.Result
	channels := counted.Of(len(r.Channels), "channel")
	if r.Info.IQ {
		channels = "I and Q"
	}
	fmt.Fprintf(b, "%s\n  %s, %s, %s", f.Name, r.Info.Format, r.Info.Encoding, channels)
	if r.HasRate() {
		fmt.Fprintf(b, ", %s, %s", page.Rate(r.Rate), page.Duration(r.Seconds()))
	} else {
		fmt.Fprintf(b, ", %s", counted.Of(r.Frames, "sample"))
	}
	b.WriteString("\n")
	if r.Warning != "" {
		fmt.Fprintf(b, "  warning: %s\n", r.Warning)
	}
	for i, c := range r.Channels {
		if i == 8 {
			fmt.Fprintf(b, "  ... and %d more channels\n", len(r.Channels)-i)
			break
		}
		if page.Table(r.Info) {
			fmt.Fprintf(b, "  %s: RMS %.3g (%s), peak %.3g (%s), crest factor %s, kurtosis %.3g, mean %.3g, noise %s a bin\n", page.Channel(i, c),
				c.RMS, page.RMSLevel(c.RMS), c.Peak, page.Decibels(c.Peak), page.Crest(c), c.Kurtosis, c.Mean, noiseLevel(c.Noise))
			continue
		}
		fmt.Fprintf(b, "  %s: RMS %s, peak %s, kurtosis %.3g, mean %.3g, noise %s a bin\n", page.Channel(i, c), page.RMSLevel(c.RMS), page.Decibels(c.Peak), c.Kurtosis, c.Mean, noiseLevel(c.Noise))
	}
	fmt.Fprintf(b, "\nLevel of %s of %d, averaged:\n\n", counted.Of(r.Segments, "segment"), r.NPerSeg)
	power := make([]float32, len(r.Level))
	for k, v := range r.Level {
		power[k] = float32(math.Pow(10, v/10))
	}
	plot.topHz = r.Rate / 2
	if r.Info.IQ {
		plot.lowHz = -plot.topHz
	}
	if !r.HasRate() {
		plot.unit = "cycles/sample"
	}
	plot.write(b, power)
	b.WriteString("\n")
	if len(r.Peaks) == 0 {
		b.WriteString("  nothing stands out\n")
	} else {
		writePeaks(b, r)
	}
	for _, p := range f.Pictures {
		fmt.Fprintf(b, "  picture: %s\n", p)
	}
}
