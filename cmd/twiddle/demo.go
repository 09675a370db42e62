package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/nd"
)

// found is a tone of the signal and what the demo made of it.
type found struct {
	Truth tone `json:"truth"`
	Found tone `json:"found"`
	OK    bool `json:"ok"` // within a quarter of a bin, and 15% of the amplitude
}

// demoReport is what the demo found out.
type demoReport struct {
	Device       string       `json:"device"`
	SampleRate   int          `json:"sample_rate"`
	Samples      int          `json:"samples"`
	Window       int          `json:"window"`
	Tones        []found      `json:"tones"`
	FloorDB      float64      `json:"floor_db"`
	Plan         *nd.Plan     `json:"plan"`
	Milliseconds float64      `json:"milliseconds"`
	Streams      *demoStreams `json:"streams"`
	Machine      *demoMachine `json:"machine"`
	OK           bool         `json:"ok"`

	power []float32
}

func newDemoCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "demo",
		Short: "Find three tones hidden in noise, and show how",
		Long: "Find three tones hidden in noise by their spectrum, and compare them with the truth. Then\n" +
			"convolve many channels, on one stream and on four. The plans of the engine are shown.\n" +
			"Last, synthesise the recording of a machine, write it to a file, analyse it and draw it.",
	}
	folder := c.Flags().String("out", "", "folder for the recording and its pictures (default: a new one in the temporary directory)")
	device := c.Flags().String("device", "cpu", "the device for spectra and convolutions; see 'twiddle devices'")
	asJSON := addJSON(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		dev, err := nd.Open(*device)
		if err != nil {
			return usagef("--device: %w", err)
		}
		if dev.Name() == "null" {
			return usagef("--device null computes nothing")
		}
		r, err := runDemo(c.Context(), dev, *folder)
		if err != nil {
			return err
		}
		if err := show(c, *asJSON, r); err != nil {
			return err
		}
		if !r.OK {
			return errors.New("demo: what was found is not what was hidden")
		}
		return nil
	}
	return c
}

func runDemo(ctx context.Context, dev *nd.Device, folder string) (*demoReport, error) {
	r := &demoReport{Device: dev.Name(), SampleRate: demoRate, Samples: demoSamples, Window: demoWindow}
	x := demoSignal().On(dev.Stream())
	if err := nd.Eval(ctx, x); err != nil {
		return nil, err
	}
	start := time.Now()
	power := demoSpectrum(x)
	peaks := demoPeaks(power, len(demoTones))
	var err error
	if r.Plan, err = nd.Explain(power, peaks); err != nil {
		return nil, err
	}
	if err := nd.Eval(ctx, power, peaks); err != nil {
		return nil, err
	}
	if r.power, err = nd.Slice[float32](ctx, power); err != nil {
		return nil, err
	}
	bins, err := nd.Slice[int64](ctx, peaks)
	if err != nil {
		return nil, err
	}
	r.Milliseconds = float64(time.Since(start).Microseconds()) / 1e3
	r.check(bins)
	if r.Streams, err = runDemoStreams(ctx, dev); err != nil {
		return nil, err
	}
	if r.Machine, err = runDemoMachine(ctx, dev, folder); err != nil {
		return nil, err
	}
	r.OK = r.OK && r.Streams.MaxDifference == 0 && r.Machine.OK
	return r, nil
}

// check compares the peaks with the tones that were put in.
func (r *demoReport) check(bins []int64) {
	sorted := slices.Clone(r.power)
	slices.Sort(sorted)
	floor := float64(sorted[len(sorted)/2])
	r.FloorDB = decibel(floor)
	slices.Sort(bins)
	r.OK = len(bins) == len(demoTones)
	for i, bin := range bins {
		f := found{Truth: demoTones[i], Found: refine(r.power, int(bin), floor)}
		f.OK = math.Abs(f.Found.Hz-f.Truth.Hz) < 0.25*demoRate/demoWindow &&
			math.Abs(f.Found.Amplitude/f.Truth.Amplitude-1) < 0.15
		r.OK = r.OK && f.OK
		r.Tones = append(r.Tones, f)
	}
}

func decibel(power float64) float64 { return 10 * math.Log10(power) }

func (r *demoReport) WriteText(w io.Writer) error {
	var b strings.Builder
	power := 0.0
	for _, t := range demoTones {
		power += t.Amplitude * t.Amplitude / 2
	}
	fmt.Fprintf(&b, "Three tones in white noise, %.0f dB below it: %d samples, %.1f s at %d Hz.\n",
		-decibel(power), r.Samples, float64(r.Samples)/float64(r.SampleRate), r.SampleRate)
	fmt.Fprintf(&b, "Power spectrum of %d windows of %d, averaged:\n\n", (r.Samples-r.Window)/demoHop+1, r.Window)
	newSpectrumPlot(w, float64(r.SampleRate)/2).write(&b, r.power)
	b.WriteByte('\n')
	writeFound(&b, r.Tones)
	b.WriteByte('\n')
	writePlan(&b, r.Plan)
	fmt.Fprintf(&b, "Planned and run on %s in %.1f ms.\n\n", r.Device, r.Milliseconds)
	r.Streams.write(&b)
	b.WriteByte('\n')
	r.Machine.write(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

// writePlan shows the steps of a plan and what fusing saved.
func writePlan(b *strings.Builder, p *nd.Plan) {
	fmt.Fprintf(b, "Plan: %d launches instead of %d, %s moved instead of %s\n", p.Launches, p.Unfused.Launches,
		mebibytes(p.DeviceTrafficBytes), mebibytes(p.Unfused.DeviceTrafficBytes))
	for _, s := range p.Steps {
		dims := ""
		if len(s.Dims) > 0 {
			dims = fmt.Sprint(s.Dims)
		}
		fmt.Fprintf(b, "  %-7s %-12s %s\n", s.Program, dims, clip(s.Label, 54))
	}
}

func mebibytes(n int) string { return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20)) }

// clip shortens text to n characters.
func clip(text string, n int) string {
	if runes := []rune(text); len(runes) > n {
		return string(runes[:n-3]) + "..."
	}
	return text
}
