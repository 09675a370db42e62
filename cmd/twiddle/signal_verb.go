package main

import (
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"
)

// signalVerb is what verbs on signals share: files in and out.
type signalVerb struct {
	in, out   *string
	device    *string
	recording *recordingFlags
	frames    *string // of the recording; nil for verbs that take arrays
	asJSON    *bool
	prints    bool     // without a file to write, the result is text
	also      []string // how a name for --out may end, too
}

func addSignalVerb(c *cobra.Command) *signalVerb {
	v := addFileFlags(c, "the file to read: WAV, FLAC, .npy, .npz or raw (required)")
	v.recording = addRecordingFlags(c)
	v.frames = c.Flags().String("frames", "", "only these frames of it, as FIRST:END")
	return v
}

func addFileFlags(c *cobra.Command, in string) *signalVerb {
	f := c.Flags()
	return &signalVerb{
		in:     f.String("in", "", in),
		out:    f.String("out", "", "the file to write: .npy, or .npz for all results"),
		device: f.String("device", "cpu", "where to run, or auto; see 'twiddle devices'"),
		asJSON: addJSON(c),
	}
}

// read reads the input, for the device.
func (v *signalVerb) read(c *cobra.Command) (signalFile, error) {
	switch {
	case *v.in == "":
		return signalFile{}, usagef("--in is required; see '%s --help'", c.CommandPath())
	case *v.out == "" && !*v.asJSON && !v.prints:
		return signalFile{}, usagef("--out is required, or --json for a short result; see '%s --help'", c.CommandPath())
	}
	if *v.out != "" {
		if err := checkOut(*v.out, append([]string{".npy", ".npz"}, v.also...)...); err != nil {
			return signalFile{}, err
		}
	}
	o, err := v.recording.options(c)
	if err != nil {
		return signalFile{}, err
	}
	dev, err := openDevice(c, *v.device)
	if err != nil {
		return signalFile{}, err
	}
	var part framePart
	if v.frames != nil {
		if part, err = parseFrames(*v.frames); err != nil {
			return signalFile{}, err
		}
	}
	x, err := readSignal(*v.in, o, part)
	if err != nil {
		return x, err
	}
	if x.warning != nil {
		fmt.Fprintf(c.ErrOrStderr(), "twiddle: warning: %v (%s)\n", x.warning, *v.in)
	}
	x.Array = x.On(dev.Stream())
	return x, nil
}

// write writes results and says so.
func (v *signalVerb) write(c *cobra.Command, note string, results ...named) error {
	r, err := reportResults(*v.out, note, results...)
	if err != nil {
		return err
	}
	return show(c, *v.asJSON, r)
}

// parsed sets options from the text of flags; the first that is wrong is an
// error of usage with its flag's name.
func parsed(flags map[string]func() error) error {
	for _, name := range slices.Sorted(maps.Keys(flags)) {
		if err := flags[name](); err != nil {
			return usagef("--%s: %w", name, err)
		}
	}
	return nil
}

// parseTo is one of them.
func parseTo[T any](to *T, parse func(string) (T, error), text string) func() error {
	return func() (err error) {
		*to, err = parse(text)
		return err
	}
}
