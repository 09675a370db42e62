package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"

	"github.com/twiddle-go/twiddle/fleet/beamrun"
)

func parse(f *flag.FlagSet, args []string, out io.Writer) error {
	f.SetOutput(out)
	if err := f.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return err
		}
		return usageError{err}
	}
	if f.NArg() > 0 {
		return usage("%s: %q is no flag", f.Name(), f.Arg(0))
	}
	return nil
}

// servePrism is a Beam job service in this process.
func servePrism(ctx context.Context, args []string, out io.Writer) error {
	f := flag.NewFlagSet("prism", flag.ContinueOnError)
	port := f.Int("port", 8073, "to listen on")
	if err := parse(f, args, out); err != nil {
		return err
	}
	fmt.Fprintf(out, "prism listens on localhost:%d\n", *port)
	return beamrun.ServePrism(ctx, *port)
}

// servePool starts workers for runners.
func servePool(ctx context.Context, args []string, out io.Writer) error {
	f := flag.NewFlagSet("pool", flag.ContinueOnError)
	address := f.String("listen", ":50000", "address")
	if err := parse(f, args, out); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	return beamrun.ServePool(ctx, *address, []string{self}, func(a net.Addr) { fmt.Fprintf(out, "workers are started for %s\n", a) })
}
