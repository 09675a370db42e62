package main

import "github.com/spf13/cobra"

func newEvalCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "eval",
		Short: "Measure a trained model",
	}
	c.AddCommand(newEvalFFTCommand())
	return c
}
