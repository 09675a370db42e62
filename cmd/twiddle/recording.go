package main

import (
	"math"
	"strings"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/audio"
	_ "github.com/twiddle-go/twiddle/audio/mp3" // registers the format
	"github.com/twiddle-go/twiddle/audio/pcm"
	_ "github.com/twiddle-go/twiddle/audio/vorbis" // registers the format
	"github.com/twiddle-go/twiddle/nd"
)

// recordingFlags is how verbs are told what a file does not say itself.
type recordingFlags struct {
	fs        float64
	array     string
	axis      int
	raw       string
	channels  int
	columns   string
	time      string
	bigEndian bool
	iq        bool
	channel   string
	mono      bool
}

func addRecordingFlags(c *cobra.Command) *recordingFlags {
	r := addArrayFlags(c)
	f := c.Flags()
	f.StringVar(&r.raw, "raw", "", "read samples without a header: uint8, int8, int16, int24, int32, float32 or float64")
	f.IntVar(&r.channels, "channels", 1, "channels of raw samples")
	f.BoolVar(&r.bigEndian, "big-endian", false, "raw samples are big-endian")
	return r
}

// addArrayFlags adds those of them that are about arrays.
func addArrayFlags(c *cobra.Command) *recordingFlags {
	r := &recordingFlags{}
	f := c.Flags()
	f.Float64Var(&r.fs, "fs", 0, "sampling frequency (default: that of the file, or 1)")
	f.IntVar(&r.axis, "axis", -1, "the axis of an array along which time runs")
	f.StringVar(&r.array, "array", "", "the array of a .npz file to read")
	f.StringVar(&r.columns, "columns", "", "columns of a table to read, by name or number from 1: ax,az (default: all columns of numbers)")
	f.StringVar(&r.time, "time", "", "the time column of a table, by name or number, or none (default: detected)")
	return r
}

// addChoice is for verbs that take lines as channels.
func (r *recordingFlags) addChoice(c *cobra.Command) {
	c.Flags().StringVar(&r.channel, "channel", "", "channels to read, by number from 1: 2, or 1,3 (default: all)")
	c.Flags().BoolVar(&r.mono, "mono", false, "read the mean of the channels")
}

// choice is those that addChoice added, as package audio takes them.
func (r *recordingFlags) choice(c *cobra.Command) (audio.Options, error) {
	if f := c.Flags().Lookup("channel"); f != nil && f.Changed && r.channel == "" {
		return audio.Options{}, usagef("--channel is empty: want a number from 1, or several such as 1,3")
	}
	return audio.Options{Channel: r.channel, Mono: r.mono}, nil
}

// addIQ is for verbs that take complex samples.
func (r *recordingFlags) addIQ(c *cobra.Command) {
	c.Flags().BoolVar(&r.iq, "iq", false, "two channels are I and Q, the parts of complex samples, as radios record them")
}

// words is the flags that were given, as they were.
func (r *recordingFlags) words(c *cobra.Command) []string {
	var words []string
	for _, name := range []string{"raw", "fs", "channels", "big-endian", "array", "axis", "columns", "time", "iq"} {
		if f := c.Flags().Lookup(name); f != nil && f.Changed {
			words = append(words, "--"+name+"="+f.Value.String())
		}
	}
	return words
}

// options is the flags as package audio takes them.
func (r *recordingFlags) options(c *cobra.Command) (audio.Options, error) {
	o, err := r.choice(c)
	if err != nil {
		return o, err
	}
	o.Rate, o.Array, o.Columns, o.Time = r.fs, r.array, r.columns, r.time
	if c.Flags().Changed("fs") && (!(r.fs > 0) || math.IsInf(r.fs, 0)) {
		return o, usagef("--fs %g: want a positive number", r.fs)
	}
	if c.Flags().Changed("axis") {
		o.Axis = nd.Axis(r.axis)
	}
	if r.raw == "" {
		for _, name := range []string{"channels", "big-endian"} {
			if c.Flags().Changed(name) {
				if name == "channels" && c.Flags().Lookup("channel") != nil {
					return o, usagef("--channels is for raw samples: say --raw too, or --channel to read some channels")
				}
				return o, usagef("--%s is for raw samples: say --raw too", name)
			}
		}
		return o, nil
	}
	e, err := pcm.ParseEncoding(r.raw)
	if err != nil {
		if part := partEncoding(r.raw); part != 0 && c.Flags().Lookup("iq") != nil {
			return o, usagef("--raw %s: want --raw %s --iq for complex samples", r.raw, part)
		}
		return o, usagef("--raw: %w", err)
	}
	rate := r.fs
	if rate == 0 {
		return o, usagef("--raw needs --fs: such files do not say how many samples make a second")
	}
	if r.iq && !c.Flags().Changed("channels") {
		r.channels = 2
	}
	o.Raw = pcm.Format{Encoding: e, BigEndian: r.bigEndian, Channels: r.channels, Rate: rate}
	if err := o.Raw.Check(); err != nil {
		return o, usagef("--channels: %w", err)
	}
	return o, nil
}

// partEncoding is the encoding of the parts of complex samples, by the names that NumPy, GNU
// Radio, SoapySDR and SigMF have for them, or 0.
func partEncoding(name string) pcm.Encoding {
	name, _, _ = strings.Cut(strings.ToLower(name), "_") // the order of bytes
	switch name {
	case "cu8":
		return pcm.Uint8
	case "ci8", "cs8", "sc8":
		return pcm.Int8
	case "ci16", "cs16", "sc16":
		return pcm.Int16
	case "complex64", "cf32", "fc32":
		return pcm.Float32
	case "complex128", "cf64", "fc64":
		return pcm.Float64
	}
	return 0
}
