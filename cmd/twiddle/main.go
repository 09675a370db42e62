// Command twiddle is the command line of the Twiddle spectral engine.
//
// Results go to stdout, as text for people or, with --json, as JSON for
// programs. An error is one line on stderr; the exit status is then 1, 2 if the
// command line itself was wrong, or 130 after an interrupt.
package main

import (
	"context"
	"os"
	"os/signal"

	"github.com/spf13/cobra"
)

func main() {
	vet(os.Args[1:])
	cobra.EnableCommandSorting = false // verbs are listed as verbGroups has them
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // a second interrupt ends the process at once
	status := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}
