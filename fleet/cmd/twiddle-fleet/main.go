// Command twiddle-fleet computes spectra of archives of recordings: see
// docs/FLEET.md.
package main

import (
	"os"

	"github.com/twiddle-go/twiddle/fleet/command"
	_ "github.com/twiddle-go/twiddle/fleet/jobs"
)

func main() { os.Exit(command.Main(os.Args[1:])) }
