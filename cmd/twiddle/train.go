package main

import "github.com/spf13/cobra"

func newTrainCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "train",
		Short: "Train a small model",
		Long: "Train a small model from a seed: the same command gives the same bits. With --json the log\n" +
			"on standard output is one JSON object per line; the last one is the result.",
	}
	c.AddCommand(newTrainFFTCommand(), newTrainPianoCommand())
	return c
}
