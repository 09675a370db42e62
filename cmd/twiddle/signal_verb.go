package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/internal/replace"
	"github.com/twiddle-go/twiddle/nd"
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
	v := addFileFlags(c, "the file to read, as FILE: WAV, FLAC, MP3, Ogg, .npy, .npz, CSV or raw; - reads a pipe")
	v.recording = addRecordingFlags(c)
	v.recording.addChoice(c)
	v.frames = c.Flags().String("frames", "", "read only these frames, as FIRST:END")
	return v
}

func addFileFlags(c *cobra.Command, in string) *signalVerb {
	f := c.Flags()
	v := &signalVerb{
		in:     f.String("in", "", in),
		out:    f.String("out", "", "the file to write: .npy, or .npz for all results"),
		device: f.String("device", "cpu", "the device to run on, or auto; see 'twiddle devices'"),
		asJSON: addJSON(c),
	}
	c.Args = takeFiles(fileArg{"in", v.in})
	return v
}

// fileArg is a file that may be named by a flag or by an argument.
type fileArg struct {
	flag string
	name *string
}

// takeFiles takes files as arguments, in order, instead of by their flags. The name - is
// what comes through a pipe.
func takeFiles(files ...fileArg) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > len(files) {
			return fmt.Errorf("%d files: want %s", len(args), counted.Of(len(files), "file"))
		}
		// Those that flags name are not among the arguments.
		for _, f := range files {
			if len(args) > 0 && !c.Flags().Changed(f.flag) {
				*f.name, args = args[0], args[1:]
			}
		}
		if len(args) > 0 {
			return fmt.Errorf("%s: all files are named by flags already", args[0])
		}
		return nil
	}
}

// piped puts what comes through a pipe into a file, whose formats have to be looked at
// from the start. The caller removes it.
func piped(in io.Reader) (name string, remove func() error, err error) {
	f, remove, err := replace.Temporary("twiddle-*")
	if err != nil {
		return "", nil, err
	}
	if _, err = io.Copy(f, in); err != nil {
		return "", nil, errors.Join(err, remove())
	}
	return f.Name(), remove, nil
}

// ofPipe is an error about the file that piped made, which its user knows as a pipe.
func ofPipe(err error, file string) error {
	if err == nil || !strings.Contains(err.Error(), file) {
		return err
	}
	return &pipeError{err, file}
}

type pipeError struct {
	err  error
	file string
}

func (e *pipeError) Error() string {
	return strings.ReplaceAll(e.err.Error(), e.file, "standard input")
}
func (e *pipeError) Unwrap() error { return e.err }

// draws lets the verb print a table, and draw its result to a .png file.
func (v *signalVerb) draws(c *cobra.Command) {
	v.also, v.prints = []string{".png"}, true
	c.Flags().Lookup("out").Usage = "the file to write: .npy, .npz for all results, or .png"
}

// readRated reads a recording whose rate is known.
func (v *signalVerb) readRated(c *cobra.Command) (signalFile, error) {
	x, err := v.read(c)
	if err == nil && x.rate == 0 {
		err = usagef("--fs is needed: %s does not say how many samples make a second", *v.in)
	}
	return x, err
}

// read reads the input, for the device.
func (v *signalVerb) read(c *cobra.Command) (x signalFile, err error) {
	switch {
	case *v.in == "":
		return signalFile{}, usagef("want a file to read; see '%s --help'", c.CommandPath())
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
	if x, err = readNamed(c, *v.in, o, part); err != nil {
		return x, err
	}
	if v.recording.iq && !x.DType().IsComplex() {
		if x.NDim() != 2 || x.Dim(0) != 2 {
			return x, usagef("--iq: %s of shape %v: want two channels, I and Q (%s)", x.DType(), x.Shape(), *v.in)
		}
		x.Array, x.axis = nd.Complex(x.At(0), x.At(1)), nd.AxisChoice{}
	}
	x.Array = x.On(dev.Stream())
	return x, nil
}

// readNamed reads a file, or what comes through a pipe if its name is -, and says what is
// wrong with it.
func readNamed(c *cobra.Command, name string, o audio.Options, part framePart) (x signalFile, err error) {
	from := name
	if name == "-" {
		var remove func() error
		if from, remove, err = piped(c.InOrStdin()); err != nil {
			return signalFile{}, err
		}
		defer func() { err = errors.Join(ofPipe(err, from), remove()) }()
	}
	if x, err = readSignal(from, o, part); err != nil {
		return x, err
	}
	if x.Len() == 0 {
		return x, fmt.Errorf("no samples (%s)", name)
	}
	warn(c, x.warning, name)
	return x, nil
}

// errNoNumber is why powers cannot be drawn.
var errNoNumber = errors.New("a power is not a number: there are NaN or infinities among the samples")

// warn says what is wrong with a recording that could be read all the same.
func warn(c *cobra.Command, warning error, name string) {
	if warning != nil {
		fmt.Fprintf(c.ErrOrStderr(), "twiddle: warning: %s (%s)\n", oneLine(warning), name)
	}
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
