package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
)

// verbs are what twiddle-fleet can do; without one it runs a job.
var verbs = []struct {
	name, args, does string
	run              func(ctx context.Context, args []string, out io.Writer) error
}{
	{"run", "--in PATTERN --job JOB --out FOLDER [flags]", "compute a job over an archive (run may be left out)", run},
	{"merge", "FOLDER", "join what shards have computed", merge},
	{"picture", "FOLDER [flags]", "draw the long-term spectra of a folder of results", picture},
	{"problems", "FOLDER", "list the files that could not be used, and why", problems},
	{"jobs", "", "list the jobs and their options", listJobs},
	{"prism", "[--port 8073]", "serve Beam jobs in this process, for --endpoint", servePrism},
	{"pool", "[--listen :50000]", "start workers for a Beam runner, for --environment_type external", servePool},
}

// usageError is a mistake of who typed the command.
type usageError struct{ error }

func usage(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// Main runs the command with its arguments and gives its exit status.
func Main(args []string) int {
	if slices.Contains(args, "--worker") || slices.Contains(args, "--worker=true") || slices.Contains(args, "-worker") {
		// Beam's workers are this program, called by a runner.
		if err := flag.CommandLine.Parse(args); err != nil {
			return 2
		}
		beam.Init() // computes and does not return
		return 0
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := dispatch(ctx, args, os.Stdout)
	var mistake usageError
	switch {
	case err == nil:
		return 0
	case errors.Is(err, flag.ErrHelp):
		return 0
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(os.Stderr, "stopped: run the same command again to go on")
		return 130
	case errors.As(err, &mistake):
		fmt.Fprintf(os.Stderr, "twiddle-fleet: %v\n(twiddle-fleet help says more)\n", err)
		return 2
	}
	fmt.Fprintln(os.Stderr, err)
	return 1
}

func dispatch(ctx context.Context, args []string, out io.Writer) error {
	if len(args) == 0 || slices.Contains([]string{"help", "-h", "--help", "-help"}, args[0]) {
		help(out)
		return nil
	}
	if strings.HasPrefix(args[0], "-") {
		return run(ctx, args, out)
	}
	for _, v := range verbs {
		if v.name == args[0] {
			return v.run(ctx, args[1:], out)
		}
	}
	var names []string
	for _, v := range verbs {
		names = append(names, v.name)
	}
	return usage("there is no verb %q: there are %s", args[0], strings.Join(names, ", "))
}

func help(out io.Writer) {
	fmt.Fprintln(out, "twiddle-fleet computes spectra of archives of recordings.")
	fmt.Fprintln(out)
	for _, v := range verbs {
		fmt.Fprintf(out, "  %-9s%s\n           %s\n", v.name, v.args, v.does)
	}
	fmt.Fprint(out, `
From a folder of recordings to a picture:

  twiddle-fleet --in 'archive/**/*.wav' --job psd --out out
  twiddle-fleet picture out

A part of it on each of 40 machines, and joined:

  twiddle-fleet --in 'archive/**/*.wav' --job psd --out out --shard 3/40
  twiddle-fleet merge out

twiddle-fleet run --help lists all flags, and docs/FLEET.md tells the story.
`)
}

// folder is the one argument that some verbs take.
func folder(verb string, f *flag.FlagSet, args []string) (string, error) {
	name := ""
	for len(args) > 0 {
		if err := f.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return "", err
			}
			return "", usageError{err}
		}
		if args = f.Args(); len(args) == 0 {
			break
		}
		if name != "" {
			return "", usage("%s: %s and %s: want one folder", verb, name, args[0])
		}
		name, args = args[0], args[1:]
	}
	if name == "" {
		return "", usage("%s: which folder of results?", verb)
	}
	return name, nil
}
