package main

import (
	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

func newWelchPipeline(does string, flags func(*cobra.Command) pipelineUser) *cobra.Command {
	c := &cobra.Command{
		Use:   "welch --shape B,C,L --nperseg N",
		Short: does + " Welch's method on B x C lines of L samples",
	}
	shape := c.Flags().String("shape", "1,64,65536", "batch, channels and length, separated by commas")
	average := c.Flags().String("average", "mean", "how segments are averaged: mean or median")
	o, text := addSpectralFlags(c)
	user := flags(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		x, err := linesOf(*shape)
		if err != nil {
			return err
		}
		if err := text.parse(c, o); err != nil {
			return err
		}
		if err := parsed(map[string]func() error{"average": parseTo(&o.Average, signal.ParseAveraging, *average)}); err != nil {
			return err
		}
		return user.use(c, func(in []*nd.Array) *nd.Array { return signal.Welch(in[0], *o).Array }, x)
	}
	return c
}

func newSTFTPipeline(does string, flags func(*cobra.Command) pipelineUser) *cobra.Command {
	c := &cobra.Command{
		Use:   "stft --shape B,C,L --nfft N",
		Short: does + " a short-time Fourier transform of B x C lines of L samples",
	}
	shape := c.Flags().String("shape", "1,2,441000", "batch, channels and length, separated by commas")
	f := addSTFTFlags(c)
	user := flags(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		x, err := linesOf(*shape)
		if err != nil {
			return err
		}
		s, err := f.parse(c)
		if err != nil {
			return err
		}
		return user.use(c, func(in []*nd.Array) *nd.Array { return s.Apply(in[0]) }, x)
	}
	return c
}

// linesOf is samples of a shape described by a flag.
func linesOf(shape string) (*nd.Array, error) {
	dims, err := parseShape(shape)
	if err != nil {
		return nil, err
	}
	return nd.Normal(1, nd.Float32, dims[0], dims[1], dims[2]), nil
}
