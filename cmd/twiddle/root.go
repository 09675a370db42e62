package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/twiddle-go/twiddle/audio/analyze"
	"github.com/twiddle-go/twiddle/audio/csv"
	"github.com/twiddle-go/twiddle/nd"
)

// interrupted is the exit status after an interrupt: 128 and the number of the
// signal, as shells count.
const interrupted = 130

// run executes one command line and gives the process's exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	stdout, stderr = visible{stdout}, visible{stderr}
	root := newRootCommand()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	verb, err := root.ExecuteContextC(ctx)
	if err == nil {
		return 0
	}
	if ctx.Err() != nil {
		fmt.Fprintln(stderr, "twiddle: interrupted")
		return interrupted
	}
	fmt.Fprintf(stderr, "twiddle: %s\n", inFlags(verb, oneLine(err)))
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
		Long: "Twiddle is a spectral engine: write spectra as plain array code, and it runs them fused,\n" +
			"on the CPU and on GPUs, by CUDA or WebGPU, from one binary. Start with:\n\n" +
			"  twiddle demo",
		Version:       findVersion().String(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.CompletionOptions.HiddenDefaultCmd = true
	for _, g := range verbGroups() {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title + ":"})
		for _, verb := range g.verbs {
			verb.GroupID = g.title
			root.AddCommand(verb)
		}
	}
	root.SetHelpCommand(newHelpCommand())
	root.SetHelpCommandGroupID(root.Groups()[0].ID)
	reportUsage(root)
	return root
}

// verbGroup is verbs that are listed together.
type verbGroup struct {
	title string
	verbs []*cobra.Command
}

// verbGroups is all verbs, in the order in which people meet them.
func verbGroups() []verbGroup {
	return []verbGroup{
		{"Start here", []*cobra.Command{newDemoCommand(), newDevicesCommand(), newCheckCommand(), newVersionCommand()}},
		{"Recordings and arrays in files", []*cobra.Command{newAnalyzeCommand(), newViewCommand(), newWelchCommand(), newSTFTCommand(), newISTFTCommand(),
			newMelCommand(), newEnvelopeCommand(), newOrdersCommand(), newPeaksCommand(), newFFTCommand(), newConvCommand()}},
		{"Learning", []*cobra.Command{newTrainCommand(), newEvalCommand()}},
		{"Writing code", []*cobra.Command{newExplainCommand(), newTraceCommand(), newPlanCommand(), newLintCommand(), newKernelCommand()}},
		{"Speed", []*cobra.Command{newBenchCommand(), newTuneCommand()}},
	}
}

// newHelpCommand is cobra's own, but a verb that does not exist is an error.
func newHelpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [VERB]",
		Short: "Show the help of a verb",
		Args:  cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			verb, rest, err := c.Root().Find(args)
			switch {
			case err != nil:
				return usagef("%w", err)
			case len(rest) > 0:
				return unknownVerb(verb, rest[0])
			}
			verb.InitDefaultHelpFlag()
			return verb.Help()
		},
	}
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
	groups := c.HasSubCommands() && c.RunE == nil
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		if groups && c.Flags().NArg() > 0 {
			return unknownVerb(c, c.Flags().Arg(0)) // whose flags these are
		}
		return usagef("%s; see '%s --help'", flagFault(c, err), c.CommandPath())
	})
	if groups {
		// A verb that only groups others shows them when called alone.
		c.Args = func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return unknownVerb(c, args[0])
		}
		c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	}
	check := c.Args
	if check == nil {
		check = noArgs
	}
	c.Args = func(c *cobra.Command, args []string) error {
		err := check(c, args)
		if err != nil && !errors.As(err, new(*usageError)) {
			err = usagef("%w; see '%s --help'", err, c.CommandPath())
		}
		return err
	}
	for _, verb := range c.Commands() {
		reportUsage(verb)
	}
}

// unknownVerb is the error for a verb that c does not have.
func unknownVerb(c *cobra.Command, typed string) error {
	if _, err := os.Stat(typed); err == nil && !c.HasParent() {
		return usagef("%s is a file: say what to do with it, as in 'twiddle analyze %[1]s' or 'twiddle view %[1]s'", typed)
	}
	return usagef("unknown verb %q%s; see '%s --help'", typed, suggestVerb(c, typed), c.CommandPath())
}

// flagFault says what is wrong with a flag.
func flagFault(c *cobra.Command, err error) string {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		return unknownFlag(c, unknown)
	}
	var value *pflag.InvalidValueError
	if !errors.As(err, &value) {
		return err.Error()
	}
	f := value.GetFlag()
	want := map[string]string{"int": "a whole number", "uint64": "a whole number of at least 0", "float64": "a number", "bool": "true or false", "duration": "a time such as 90s or 5m"}[f.Value.Type()]
	if want == "" {
		return err.Error()
	}
	if f.Name == "fs" {
		want = "samples per second as a number, such as 44100 or 2e6"
	}
	return fmt.Sprintf("--%s %q: want %s", f.Name, value.GetValue(), want)
}

func noArgs(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("unexpected argument %q", args[0])
	}
	return nil
}

// flagsOf is what errors of packages ask for, as flags.
var flagsOf = map[string]string{
	"name one of them as Array":                "say which with --array",
	"give a rate to ignore its times":          "--fs gives a rate and ignores its times",
	`Time "none"`:                              "--time none",
	"for large recordings see Open and Chunks": "--frames takes a part",
	"want real samples, or Options.IQ":         "want real samples, or --iq",
}

// option is the name of a field in an error, which neither a file nor a quotation has.
var option = regexp.MustCompile(`[ ,][A-Z][A-Za-z]+\b`)

// inFlags names options of package signal, in the text of an error of it, as the verb's flags.
func inFlags(verb *cobra.Command, text string) string {
	if !strings.HasPrefix(text, "signal: ") {
		return text
	}
	about, file := text, ""
	if i := strings.LastIndex(text, " ("); i > 0 {
		about, file = text[:i], text[i:]
	}
	return option.ReplaceAllStringFunc(about, func(name string) string {
		verb.Flags().VisitAll(func(f *pflag.Flag) {
			if strings.EqualFold(strings.ReplaceAll(f.Name, "-", ""), name[1:]) {
				name = name[:1] + "--" + f.Name
			}
		})
		return name
	}) + file
}

// oneLine joins the lines of an error's text, and drops the place in this program's own
// source, which tells its user nothing.
func oneLine(err error) string {
	text := err.Error()
	if op := (*nd.OpError)(nil); errors.As(err, &op) && op.Site != "" {
		text = strings.ReplaceAll(text, " (at "+op.Site+")", "")
	}
	for option, flag := range flagsOf {
		text = strings.ReplaceAll(text, option, flag)
	}
	if errors.As(err, new(*analyze.SampleError)) {
		text += "; 'twiddle view' shows where, and 'twiddle welch --frames' takes a part without"
	}
	if errors.Is(err, csv.ErrNoTable) && strings.Contains(text, "neither WAV") { // a file named as a table has no samples without a header
		text += "; samples without a header need --raw and --fs"
	}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.Join(lines, "; ")
}
