// Command twiddle is the command line of the Twiddle spectral engine.
//
// Results go to stdout, as text for people or, with --json, as JSON for
// programs. An error is one line on stderr; the exit status is then 1, 2 if the
// command line itself was wrong, or 130 after an interrupt.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/internal/replace"
)

// patience is how long a verb may take to end by itself after an interrupt. Who
// presses Ctrl-C waits for a second, not longer.
const patience = 600 * time.Millisecond

func main() {
	vet(os.Args[1:])
	cobra.EnableCommandSorting = false // verbs are listed as verbGroups has them
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() {
		stop() // a second interrupt ends the process at once
		// A read from a pipe that nobody writes to, or one long computation, does
		// not look at its context.
		time.Sleep(patience)
		replace.Abandon()
		fmt.Fprintln(os.Stderr, "twiddle: interrupted")
		os.Exit(interrupted)
	})
	status := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}
