package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/internal/timing"
)

// report is what a verb found out: text for people, itself for JSON.
type report interface {
	WriteText(io.Writer) error
}

// addJSON gives a verb its --json flag.
func addJSON(c *cobra.Command) *bool {
	return c.Flags().Bool("json", false, "print the result as JSON")
}

// show prints r on the verb's stdout in the form asked for.
func show(c *cobra.Command, asJSON bool, r report) error {
	if asJSON {
		return timing.WriteJSON(c.OutOrStdout(), r)
	}
	return r.WriteText(c.OutOrStdout())
}
