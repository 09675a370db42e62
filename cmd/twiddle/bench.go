package main

import "github.com/spf13/cobra"

func newBenchCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "bench",
		Short: "Measure Twiddle against its peers and against the machine",
		Long: "Measure Twiddle against its peers and against the machine. Contenders take\n" +
			"turns in one run and keep their best round; what counts is the ratio.",
	}
	c.AddCommand(
		newBenchAccuracyCommand(),
		newBenchChooseCommand(),
		newBenchConvCommand(),
		newBenchCoreCommand(),
		newBenchCostCommand(),
		newBenchExactCommand(),
		newBenchFFTCommand(),
		newBenchFramesCommand(),
		newBenchFusionCommand(),
		newBenchLayoutsCommand(),
		newBenchLinalgCommand(),
		newBenchLintCommand(),
		newBenchLossCommand(),
		newBenchMixerCommand(),
		newBenchSpotCommand(),
		newBenchStreamsCommand(),
		newBenchViewCommand(),
	)
	return c
}
