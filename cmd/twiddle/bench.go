package main

import "github.com/spf13/cobra"

func newBenchCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "bench",
		Short: "Compare the speed of Twiddle with its peers and with the machine",
		Long: "Compare the speed of Twiddle with its peers and with the machine. In one run the rounds of\n" +
			"all contenders alternate, and each keeps its best round; the result is the ratio.",
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
