package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/nd"
)

// autoName asks for the device that should be fastest.
const autoName = "auto"

// autoKey is where a context has the writer that is told what was chosen.
type autoKey struct{}

// openDevice opens the device of a flag. For auto it is the CPU, on which graphs are
// built, and hostArray moves them to where they should be fastest.
func openDevice(c *cobra.Command, name string) (*nd.Device, error) {
	if name == autoName {
		c.SetContext(context.WithValue(c.Context(), autoKey{}, c.ErrOrStderr()))
		return nd.CPU(), nil
	}
	dev, err := nd.Open(name)
	if err != nil {
		return nil, usagef("--device: %w", err)
	}
	return dev, nil
}

// chosen is an array on the device that it should be computed on, which is said.
func chosen(ctx context.Context, a *nd.Array) (*nd.Array, error) {
	w, ok := ctx.Value(autoKey{}).(io.Writer)
	if !ok {
		return a, nil
	}
	choice, err := nd.Choose(nil, a)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(w, "twiddle: --device auto: %s\n", choice)
	return choice.Arrays[0], nil
}
