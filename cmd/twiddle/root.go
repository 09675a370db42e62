package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/nd"
)

// run executes one command line and gives the process's exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := newRootCommand()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	fmt.Fprintf(stderr, "twiddle: %s\n", oneLine(withoutSite(err)))
	if errors.As(err, new(*usageError)) {
		return 2
	}
	return 1
}

// newRootCommand is the whole command line, one constructor per verb.
func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "twiddle",
		Short: "Spectra as plain array code, at memory speed",
		Long: "Twiddle is a spectral engine: write spectra as plain array code, and it runs\n" +
			"them fused, on the CPU and on NVIDIA GPUs, from one binary. Start with:\ntwiddle demo",
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(
		newDemoCommand(),
		newDevicesCommand(),
		newAnalyzeCommand(),
		newWelchCommand(),
		newPeaksCommand(),
		newSTFTCommand(),
		newISTFTCommand(),
		newMelCommand(),
		newBenchCommand(),
		newConvCommand(),
		newEvalCommand(),
		newExplainCommand(),
		newFFTCommand(),
		newKernelCommand(),
		newLintCommand(),
		newPlanCommand(),
		newTrainCommand(),
		newTuneCommand(),
		newVersionCommand(),
	)
	reportUsage(root)
	return root
}

// usageError is a fault of the command line, as opposed to the work it asked
// for. It exits with status 2.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// usagef makes a usageError, for verbs that check their own arguments.
func usagef(format string, args ...any) error {
	return &usageError{fmt.Errorf(format, args...)}
}

// reportUsage makes every fault of the command line a usageError, for c and
// all verbs below it: unknown verbs and flags, bad values, wrong arguments.
func reportUsage(c *cobra.Command) {
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usagef("%w%s; see '%s --help'", err, suggestFlag(c, err), c.CommandPath())
	})
	if c.HasSubCommands() && c.RunE == nil {
		// A verb that only groups others shows them when called alone.
		c.Args = func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return fmt.Errorf("unknown verb %q%s", args[0], suggestVerb(c, args[0]))
		}
		c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	}
	check := c.Args
	if check == nil {
		check = noArgs
	}
	c.Args = func(c *cobra.Command, args []string) error {
		if err := check(c, args); err != nil {
			return usagef("%w; see '%s --help'", err, c.CommandPath())
		}
		return nil
	}
	for _, verb := range c.Commands() {
		reportUsage(verb)
	}
}

func noArgs(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("unexpected argument %q", args[0])
	}
	return nil
}

// withoutSite drops the place in this program's own source, which tells its
// user nothing.
func withoutSite(err error) error {
	if op, ok := err.(*nd.OpError); ok {
		op := *op
		op.Site = ""
		return &op
	}
	return err
}

// oneLine joins the lines of an error's text.
func oneLine(err error) string {
	lines := strings.Split(strings.TrimSpace(err.Error()), "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.Join(lines, "; ")
}
