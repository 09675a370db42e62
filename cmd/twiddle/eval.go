package main

import "github.com/spf13/cobra"

func newEvalCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "eval",
		Short: "Measure what was learned",
	}
	c.AddCommand(newEvalFFTCommand())
	return c
}
