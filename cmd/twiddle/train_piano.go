package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/audio/pcm"
	"github.com/twiddle-go/twiddle/audio/wav"
	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/learn"
	"github.com/twiddle-go/twiddle/loss"
	"github.com/twiddle-go/twiddle/nd"
)

// pianoResult is what `twiddle train piano` reports.
type pianoResult struct {
	Epochs      int     `json:"epochs"`
	InitialLoss float64 `json:"initial_loss"`
	FinalLoss   float64 `json:"final_loss"`
	Ratio       float64 `json:"ratio"` // final over initial
	Seconds     float64 `json:"seconds"`
	// Files are what was written, if --out named a folder.
	Files []string `json:"files,omitempty"`
}

func (r pianoResult) WriteText(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s in %.2f s: loss %.4g -> %.4g, %.2g of the start\n", counted.Of(r.Epochs, "epoch"), r.Seconds, r.InitialLoss, r.FinalLoss, r.Ratio)
	for _, f := range r.Files {
		if err == nil {
			_, err = fmt.Fprintf(w, "  wrote %s\n", f)
		}
	}
	return err
}

func newTrainPianoCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "piano [--out FOLDER]",
		Short: "Learn the envelopes of a piano-like tone from its spectra",
		Long: "Learn the amplitudes of 12 harmonics of a piano-like tone over time. A small network\n" +
			"(time -> 16 tanh -> 12 sigmoid) drives additive synthesis; the loss is the frame loss with\n" +
			"a window of 64 samples, plus 0.1 of the mean squared error. --out writes the tone before\n" +
			"and after training, the target, and a plot of the loss.",
	}
	f := c.Flags()
	epochs := f.Int("epochs", 100, "steps of Adam over the whole tone")
	rate := f.Float64("rate", 0.1, "learning rate of Adam")
	seed := f.Uint64("seed", 1, "seed of the network's weights")
	out := f.String("out", "", "folder for before.wav, after.wav, target.wav and loss.png; created if it does not exist")
	device := f.String("device", "cpu", "the device to train on; see 'twiddle devices'")
	asJSON := f.Bool("json", false, "print a JSON object per epoch, and the result as the last one")
	c.RunE = func(c *cobra.Command, _ []string) error {
		switch {
		case *epochs < 1:
			return usagef("--epochs %d: want 1 or more", *epochs)
		case !(*rate > 0):
			return usagef("--rate %g: want a positive number", *rate)
		}
		dev, err := nd.Open(*device)
		if err != nil {
			return usagef("--device: %w", err)
		}
		var log io.Writer
		if *asJSON {
			log = c.OutOrStdout()
		}
		r, err := trainPiano(c.Context(), dev, *epochs, *rate, nd.Key(*seed), *out, log, c.ErrOrStderr())
		if err != nil {
			return err
		}
		if *asJSON {
			return json.NewEncoder(c.OutOrStdout()).Encode(r)
		}
		return r.WriteText(c.OutOrStdout())
	}
	return c
}

// trainPiano trains, and writes to a folder unless it is empty. The log, if not
// nil, gets a line per epoch.
func trainPiano(ctx context.Context, dev *nd.Device, epochs int, rate float64, key nd.Key, folder string, log, progress io.Writer) (pianoResult, error) {
	if folder != "" {
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return pianoResult{}, err
		}
	}
	tone := newPianoTone().on(dev)
	if err := nd.Eval(ctx, tone.target, tone.times, tone.harmonics); err != nil {
		return pianoResult{}, err
	}
	target := nd.StopGradient(tone.target)
	lossOf := func(p []*nd.Array) *nd.Array {
		x := tone.synth(p)
		return loss.Frame{Size: 64}.Of(x, target).Add(x.Sub(target).AbsSquared().Mean().MulScalar(0.1))
	}
	t := learn.Trainer{
		Params:    tone.network(key),
		Loss:      func(_ int, p []*nd.Array) *nd.Array { return lossOf(p) },
		Optimizer: learn.Adam{},
		Rate:      learn.Constant(rate),
	}
	for i := range t.Params {
		t.Params[i].Value = t.Params[i].Value.On(dev.Stream())
	}
	before := values(t.Params)
	if err := nd.Eval(ctx, before...); err != nil {
		return pianoResult{}, err
	}
	var curve []float64
	bar := newTrainProgress(progress, epochs)
	hooks := []func(learn.Event) error{bar.hook, func(e learn.Event) error { curve = append(curve, e.Loss); return nil }}
	if log != nil {
		hooks = append(hooks, learn.LogTo(log))
	}
	var seconds float64
	hooks = append(hooks, func(e learn.Event) error { seconds = e.Seconds; return nil })
	err := t.Run(ctx, epochs, hooks...)
	bar.close()
	if err != nil {
		return pianoResult{}, err
	}
	end, err := nd.Item[float32](ctx, lossOf(values(t.Params)))
	if err != nil {
		return pianoResult{}, err
	}
	curve = append(curve, float64(end))
	r := pianoResult{Epochs: t.Steps(), InitialLoss: curve[0], FinalLoss: float64(end), Ratio: float64(end) / curve[0], Seconds: seconds}
	if folder != "" {
		r.Files, err = tone.write(ctx, folder, before, values(t.Params), curve)
	}
	return r, err
}

func values(params []learn.Param) []*nd.Array {
	list := make([]*nd.Array, len(params))
	for i, p := range params {
		list[i] = p.Value
	}
	return list
}

// write puts the tones and the plot into a folder.
func (p *pianoTone) write(ctx context.Context, folder string, before, after []*nd.Array, curve []float64) ([]string, error) {
	var files []string
	format := pcm.Format{Encoding: pcm.Float32, Channels: 1, Rate: pianoRate}
	for _, w := range []struct {
		name  string
		array *nd.Array
	}{{"target.wav", p.target}, {"before.wav", p.synth(before)}, {"after.wav", p.synth(after)}} {
		samples, err := nd.Slice[float32](ctx, w.array)
		if err != nil {
			return files, err
		}
		name := filepath.Join(folder, w.name)
		if err := wav.WriteFile(name, format, samples); err != nil {
			return files, err
		}
		files = append(files, name)
	}
	name := filepath.Join(folder, "loss.png")
	if err := plotLoss(name, curve); err != nil {
		return files, err
	}
	return append(files, name), nil
}
