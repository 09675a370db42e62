package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/nd"
)

// operandsOn gives arrays on a device, evaluated before anything is measured. Normal numbers
// take double precision: a device that emulates it, such as a software adapter with 30,000
// of them a second, gets those that the CPU draws.
func operandsOn(ctx context.Context, dev *nd.Device, arrays ...*nd.Array) ([]*nd.Array, error) {
	if !dev.Has(nd.Float64) {
		if err := nd.Eval(ctx, arrays...); err != nil {
			return nil, err
		}
	}
	out := make([]*nd.Array, len(arrays))
	for i, a := range arrays {
		out[i] = a.On(dev.Stream())
	}
	return out, nd.Eval(ctx, out...)
}

// lessOnSoftware gives flags that the user did not set the values of a software adapter,
// which would take hours for the defaults.
func lessOnSoftware(c *cobra.Command, dev *nd.Device, values map[string]string) error {
	if !dev.Info().Software {
		return nil
	}
	for name, value := range values {
		if f := c.Flags(); !f.Changed(name) {
			if err := f.Set(name, value); err != nil {
				return err
			}
		}
	}
	return nil
}
