// Command twiddle is the command line of the Twiddle spectral engine.
//
// Results go to stdout, as text for people or, with --json, as JSON for
// programs. An error is one line on stderr; the exit status is then 1, or 2 if
// the command line itself was wrong.
package main

import (
	"context"
	"os"
	"os/signal"
)

func main() {
	vet(os.Args[1:])
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	status := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}
